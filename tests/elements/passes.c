/* vkcompute: several passes. */
#include <glib/gstdio.h>

#include "tests/elements/compute_support.h"
#include "tests/support/support.h"

#define WIDTH 20

#define GROUP  "layout (local_size_x = 8, local_size_y = 8) in;\n"
#define AT     "  ivec2 at = ivec2 (gl_GlobalInvocationID.xy);\n"
#define IN_ONE "layout (binding = 0, rgba8) readonly uniform image2D source;\n"
#define OUT_ONE                                                                \
  "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"

/* A file with @text in @folder. */
static void
put (const gchar *folder, const gchar *name, const gchar *text)
{
  g_autofree gchar *path = g_build_filename (folder, name, NULL);

  fail_unless (g_file_set_contents (path, text, -1, NULL));
}

static void
remove_folder (const gchar *folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const gchar *name;

  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree gchar *path = g_build_filename (folder, name, NULL);

    g_unlink (path);
  }
  g_dir_close (dir);
  g_rmdir (folder);
}

/* Half the sum of a row's three texels; alpha too. */
#define SUM                                                                    \
  GROUP "#ifdef FIRST\n" IN_ONE                                                \
        "layout (binding = 1, rgba16f) writeonly uniform image2D between;\n"   \
        "#define FROM source\n#define TO between\n#else\n"                     \
        "layout (binding = 0, rgba16f) readonly uniform image2D "              \
        "between;\n" OUT_ONE                                                   \
        "#define FROM between\n#define TO target\n#endif\n"                    \
        "void main () {\n" AT                                                  \
        "  imageStore (TO, at, 0.5 * (imageLoad (FROM, at) +\n"                \
        "    imageLoad (FROM, min (at + STEP, imageSize (FROM) - 1))));\n"     \
        "}\n"

#define TWO_PASSES                                                             \
  "[image between]\nformat=rgba16f\n"                                          \
  "[pass across]\nlocation=sum.comp\ndefines=FIRST=1;STEP=ivec2(1,0)\n"        \
  "[pass down]\nlocation=sum.comp\ndefines=STEP=ivec2(0,1)\n"

/* The mean of four. */
static void
expect_mean (const struct picture *in, struct picture *out)
{
  for (guint y = 0; y < in->height; y++)
    for (guint i = 0; i < in->row_bytes[0]; i++) {
      const guint right = i + 4 < in->row_bytes[0] ? i + 4 : i;
      const guint below = MIN (y + 1, in->height - 1);
      const guint8 *a = in->data[0] + y * in->row_bytes[0];
      const guint8 *b = in->data[0] + below * in->row_bytes[0];

      out->data[0][y * out->row_bytes[0] + i]
          = (a[i] + a[right] + b[i] + b[right] + 2) / 4;
    }
}

static gchar *
make_two_passes (void)
{
  gchar *folder = g_dir_make_tmp ("vkcompute-XXXXXX", NULL);

  put (folder, "sum.comp", SUM);
  put (folder, "mean.vkc", TWO_PASSES);
  return folder;
}

GST_START_TEST (passes_hand_images_on)
{
  g_autofree gchar *folder = make_two_passes ();
  g_autofree gchar *path = g_build_filename (folder, "mean.vkc", NULL);
  GstVideoInfo info;
  GstHarness *harness = compute_start_location (path, &info);

  for (guint i = 0; i < 3; i++)
    compute_check (harness, &info, i, 1, expect_mean);
  gst_harness_teardown (harness);
  remove_folder (folder);
}
GST_END_TEST;

GST_START_TEST (passes_of_a_frame_are_one_submission)
{
  g_autofree gchar *folder = make_two_passes ();
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=20 ! video/x-raw,format=NV12,width=34,"
      "height=22 ! vkcompute name=a location=%s/mean.vkc ! vkcompute "
      "location=%s/mean.vkc ! video/x-raw,format=NV12 ! fakesink",
      folder, folder);

  test_pipeline_run (pipeline, 30);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "submits"), 20);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "flush-limit"),
                        0);
  assert_equals_uint64 (test_wrap_count ("vkQueueSubmit2"), 20);
  test_assert_stats_agree (pipeline, "a");
  test_pipeline_free (pipeline);
  remove_folder (folder);
}
GST_END_TEST;

/* A quarter of the picture, each of its texels in four places. */
GST_START_TEST (images_have_the_size_that_is_given)
{
  static const gchar *const sizes[] = { "scale=0.5", "width=10\nheight=6" };
  g_autofree gchar *folder = g_dir_make_tmp ("vkcompute-XXXXXX", NULL);
  g_autofree gchar *list = g_strdup_printf ("[image small]\nformat=rgba8\n%s\n"
                                            "[pass down]\nlocation=down.comp\n"
                                            "[pass up]\nlocation=up.comp\n",
                                            sizes[__i__]);
  g_autofree gchar *path = g_build_filename (folder, "list.vkc", NULL);
  GstVideoInfo info;
  GstHarness *harness;
  GstBuffer *frame;
  guint8 in[4], out[4];

  put (folder, "list.vkc", list);
  put (folder, "down.comp",
       GROUP IN_ONE
       "layout (binding = 3, rgba8) writeonly uniform image2D small;\n"
       "void main () {\n" AT
       "  imageStore (small, at, imageLoad (source, 2 * at)); }\n");
  put (folder, "up.comp",
       GROUP "layout (binding = 3) uniform sampler2D small;\n" OUT_ONE
             "void main () {\n" AT
             "  imageStore (target, at, texelFetch (small, at / 2, 0)); }\n");
  harness = compute_start_location (path, &info);
  frame = compute_make_frame (&info, 4);
  gst_buffer_extract (frame, 4 * (6 * WIDTH + 8), in, 4);
  fail_unless_equals_int (gst_harness_push (harness, frame), GST_FLOW_OK);
  frame = gst_harness_pull (harness);
  gst_buffer_extract (frame, 4 * (7 * WIDTH + 9), out, 4);
  fail_unless (memcmp (in, out, 4) == 0);
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
  remove_folder (folder);
}
GST_END_TEST;

#define PNG_CAPS "video/x-raw,format=RGBA,width=4,height=3"

/* Twelve texels of noise as a picture of their own. */
static void
put_picture (const gchar *folder, const gchar *name, guint8 texels[48])
{
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc pattern=snow num-buffers=1 ! " PNG_CAPS " ! tee name=t ! "
      "queue ! pngenc ! filesink location=%s/%s t. ! queue ! filesink "
      "location=%s/raw",
      folder, name, folder);
  g_autofree gchar *raw = g_build_filename (folder, "raw", NULL);
  g_autofree gchar *bytes = NULL;
  gsize size;

  test_pipeline_run (pipeline, 20);
  test_pipeline_free (pipeline);
  fail_unless (g_file_get_contents (raw, &bytes, &size, NULL));
  assert_equals_int (size, 48);
  memcpy (texels, bytes, size);
}

#define PICTURE                                                                \
  GROUP OUT_ONE "layout (binding = 2) uniform sampler2D stamp;\n"              \
                "void main () {\n" AT                                          \
                "  imageStore (target, at, texelFetch (stamp, at % 4 %\n"      \
                "    textureSize (stamp, 0), 0)); }\n"

/* As a list's image, and as a binding. */
static GstHarness *
start_with_picture (const gchar *folder, gboolean in_list, GstVideoInfo *info)
{
  g_autofree gchar *list = g_build_filename (folder, "list.vkc", NULL);
  g_autofree gchar *shader = g_build_filename (folder, "stamp.comp", NULL);
  g_autofree gchar *file = g_strconcat ("file:", folder, "/p.png", NULL);
  GstStructure *map
      = gst_structure_new ("map", "stamp", G_TYPE_STRING, file, NULL);
  GstElement *element = compute_element_new ();

  put (folder, "stamp.comp", PICTURE);
  put (folder, "list.vkc",
       "[image stamp]\nfile=p.png\n[pass p]\nlocation=stamp.comp\n");
  if (in_list)
    g_object_set (element, "location", list, NULL);
  else
    g_object_set (element, "location", shader, "bindings", map, NULL);
  gst_structure_free (map);
  return compute_start (element, "RGBA", WIDTH, 12, info);
}

GST_START_TEST (pictures_of_files_are_seen)
{
  g_autofree gchar *folder = NULL;
  guint8 texels[48], out[WIDTH * 12 * 4];
  GstElementFactory *encoder = gst_element_factory_find ("pngenc");
  GstVideoInfo info;
  GstHarness *harness;

  if (encoder == NULL)
    return;
  gst_object_unref (encoder);
  folder = g_dir_make_tmp ("vkcompute-XXXXXX", NULL);
  put_picture (folder, "p.png", texels);
  harness = start_with_picture (folder, __i__, &info);
  for (guint i = 0; i < 3; i++) {
    GstBuffer *frame = compute_make_frame (&info, i);

    fail_unless_equals_int (gst_harness_push (harness, frame), GST_FLOW_OK);
    frame = gst_harness_pull (harness);
    gst_buffer_extract (frame, 0, out, sizeof out);
    gst_buffer_unref (frame);
    for (guint y = 0; y < 12; y++)
      for (guint x = 0; x < WIDTH; x++)
        fail_unless (memcmp (out + 4 * (y * WIDTH + x),
                             texels + 4 * (y % 4 % 3 * 4 + x % 4), 4)
                         == 0,
                     "%u, %u", x, y);
  }
  gst_harness_teardown (harness);
  remove_folder (folder);
}
GST_END_TEST;

static const struct
{
  const gchar *list;
  const gchar *words;
} refused[] = {
  { "", "there is no [pass NAME]" },
  { "nonsense", "list.vkc: Key file contains" },
  { "[thing a]\n", "[thing a]: a group is [pass NAME]" },
  { "[pass]\n", "[pass]: a group is [pass NAME]" },
  { "[image a]\nformat=rgb\n",
    "[image a]: `format` is no format of GLSL: rgb" },
  { "[image a]\nformat=rgba8\nscale=0\n", "[image a]: there is no such size" },
  { "[image a]\nfile=copy.comp\n", "cannot read the picture" },
  { "[image a]\nfile=none.png\n", "[image a]: \"none.png\" was not found" },
  { "[image a]\nfile=copy.comp\nwidth=4\n",
    "[image a]: there is no key `width`" },
  { "[image a]\nformat=rgba8\nscale=half\n",
    "[image a]: `scale` is no number: half" },
  { "[image a]\nformat=rgba8\nwidth=wide\n",
    "[image a]: `width` is no number: wide" },
  { "[image a]\nformat=rgba8\nheight=-4\n",
    "[image a]: there is no such size" },
  { "[buffer b]\nsize=much\n", "[buffer b]: `size` is no number: much" },
  { "[pass p]\nlocation=copy.comp\ngroups=a;b\n",
    "[pass p]: `groups` is one to three numbers" },
  { "[image i]\nformat=rgba8\n[image i]\nscale=2\n",
    "list.vkc: [image i] is there twice" },
  { "[image a]\nformat=rgba8\nsize=4\n", "[image a]: there is no key `size`" },
  { "[buffer b]\n", "buffer `b` has no size" },
  { "[buffer b]\nfile=none.bin\n", "[buffer b]: \"none.bin\" was not found" },
  { "[buffer b]\nsize=4\n[image b]\nformat=r8\n", "that name again" },
  { "[pass p]\nlocation=none.comp\n", "[pass p]: \"none.comp\" was not found" },
  { "[pass p]\nlocation=/etc/passwd\n", "outside the shader's folder" },
  { "[pass p]\nlocation=copy.comp\ngroups=0;1\n",
    "[pass p]: `groups` is one to three numbers" },
  { "[pass p]\nlocation=copy.comp\nbindings=source=there\n",
    "pass `p`: binding `source` (a rgba8 storage image): it can be source" },
  { "[pass p]\nlocation=copy.comp\n[pass q]\nlocation=copy.comp\n",
    "pass `p`: binding `target` (a rgba8 storage image): only the last pass" },
  { "[image i]\nformat=rgba8\n[pass p]\nlocation=copy.comp\n"
    "bindings=source=i\n",
    "pass `p`: binding `source` (a rgba8 storage image): no pass before" },
  { "[image i]\nformat=rgba16f\n[pass p]\nlocation=copy.comp\n"
    "bindings=target=i\n",
    "pass `p`: binding `target` (a rgba8 storage image): image `i` is "
    "rgba16f" },
  { "[image i]\nformat=rgba8\n[pass p]\nlocation=copy.comp\n"
    "bindings=target=i\n",
    "pass `p`: copy.comp: the last pass makes no frame" },
  { "[buffer b]\nsize=16\n[pass p]\nlocation=copy.comp\nbindings=source=b\n",
    "binding `source` (a rgba8 storage image): a buffer is bytes" },
};

GST_START_TEST (lists_that_cannot_be_are_refused)
{
  g_autofree gchar *folder = g_dir_make_tmp ("vkcompute-XXXXXX", NULL);
  GstElement *pipeline;
  GError *error;

  put (folder, "list.vkc", refused[__i__].list);
  put (folder, "copy.comp",
       GROUP IN_ONE OUT_ONE "void main () {\n" AT
                            "  imageStore (target, at, imageLoad (source, at));"
                            " }\n");
  pipeline = test_pipeline_new ("videotestsrc num-buffers=1 ! vkcompute "
                                "location=%s/list.vkc ! fakesink",
                                folder);
  error = test_pipeline_run_to_error (pipeline, 20);
  fail_unless (error != NULL
                   && strstr (error->message, refused[__i__].words) != NULL,
               "%s", error != NULL ? error->message : "no error");
  g_error_free (error);
  test_pipeline_free (pipeline);
  remove_folder (folder);
}
GST_END_TEST;

static Suite *
passes_suite (void)
{
  Suite *suite = suite_create ("passes");
  TCase *cases = tcase_create ("all");

  suite_add_tcase (suite, cases);
  tcase_add_test (cases, passes_hand_images_on);
  tcase_add_test (cases, passes_of_a_frame_are_one_submission);
  tcase_add_loop_test (cases, pictures_of_files_are_seen, 0, 2);
  tcase_add_loop_test (cases, images_have_the_size_that_is_given, 0, 2);
  tcase_add_loop_test (cases, lists_that_cannot_be_are_refused, 0,
                       G_N_ELEMENTS (refused));
  return suite;
}

GST_CHECK_MAIN (passes);
