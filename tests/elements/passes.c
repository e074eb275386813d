/* vkcompute: several passes, and what is kept from frame to frame. */
#include <glib/gstdio.h>

#include "tests/elements/compute_support.h"
#include "tests/support/support.h"

#define WIDTH  20
#define HEIGHT 12

#define GROUP   "layout (local_size_x = 8, local_size_y = 8) in;\n"
#define AT      "  ivec2 at = ivec2 (gl_GlobalInvocationID.xy);\n"
#define IN_ONE  "layout (binding = 0, rgba8) readonly uniform image2D source;\n"
#define OUT_ONE "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"

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
        "layout (binding = 1, rgba16f) writeonly uniform image2D between;\n"      \
        "#define FROM source\n#define TO between\n#else\n"                        \
        "layout (binding = 0, rgba16f) readonly uniform image2D between;\n"       \
        OUT_ONE "#define FROM between\n#define TO target\n#endif\n"               \
        "void main () {\n" AT                                                  \
        "  imageStore (TO, at, 0.5 * (imageLoad (FROM, at) +\n"                \
        "    imageLoad (FROM, min (at + STEP, imageSize (FROM) - 1))));\n"     \
        "}\n"

#define TWO_PASSES                                                             \
  "[image between]\nformat=rgba16f\n"                                             \
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
  g_autofree gchar *list
      = g_strdup_printf ("[image small]\nformat=rgba8\n%s\n"
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

static const struct
{
  const gchar *list;
  const gchar *words;
} refused[] = {
  { "", "there is no [pass NAME]" },
  { "nonsense", "list.vkc: Key file contains" },
  { "[thing a]\n", "[thing a]: a group is [pass NAME]" },
  { "[pass]\n", "[pass]: a group is [pass NAME]" },
  { "[image a]\nformat=rgb\n", "[image a]: `format` is no format of GLSL: rgb" },
  { "[image a]\nformat=rgba8\nscale=0\n", "[image a]: there is no such size" },
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
    "pass `p`: binding `target` (a rgba8 storage image): image `i` is rgba16f" },
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

/* Counts the frames and sums their first texel's red. */
#define COUNTER                                                                \
  GROUP IN_ONE OUT_ONE                                                         \
  "layout (binding = 2, std430) buffer Counts {\n"                             \
  "  uint frames, red; } counts;\n"                                            \
  "void main () {\n" AT                                                        \
  "  vec4 c = imageLoad (source, at);\n"                                       \
  "  if (at == ivec2 (0)) {\n"                                                 \
  "    counts.frames += 1;\n"                                                  \
  "    counts.red += uint (c.r * 255.0 + 0.5);\n"                              \
  "  }\n"                                                                      \
  "  imageStore (target, at, c);\n"                                            \
  "}\n"

static void
assert_counts (GstElement *element, guint32 frames, guint32 red)
{
  GBytes *bytes = NULL;
  const guint32 *counts;
  gsize size;

  g_signal_emit_by_name (element, "read-buffer", "counts", &bytes);
  fail_unless (bytes != NULL);
  counts = g_bytes_get_data (bytes, &size);
  assert_equals_int (size, 8);
  assert_equals_int (counts[0], frames);
  assert_equals_int (counts[1], red);
  g_bytes_unref (bytes);
}

GST_START_TEST (buffers_are_kept_and_can_be_read)
{
  GstElement *element = compute_element_new ();
  GstBus *bus = compute_add_bus (element);
  GBytes *bytes = NULL;
  GstVideoInfo info;
  GstHarness *harness;
  guint red = 0;

  g_object_set (element, "shader", COUNTER, NULL);
  harness = compute_start (element, "RGBA", WIDTH, HEIGHT, &info);
  for (guint i = 0; i < 5; i++) {
    GstBuffer *frame = compute_make_frame (&info, i);
    guint8 first;

    gst_buffer_extract (frame, 0, &first, 1);
    red += first;
    gst_buffer_unref (frame);
    compute_check (harness, &info, i, 0, compute_expect_same);
    assert_counts (harness->element, i + 1, red);
  }
  g_signal_emit_by_name (harness->element, "read-buffer", "other", &bytes);
  fail_unless (bytes == NULL);
  compute_assert_warning (bus, "has no buffer `other`");
  compute_drop_bus (harness->element, bus);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* Each frame's message has what that frame left, and costs no submission. */
GST_START_TEST (buffers_are_posted_frame_by_frame)
{
  g_autofree gchar *path = compute_write_shader (COUNTER);
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=10 pattern=white ! video/x-raw,format=RGBA,"
      "width=16,height=16 ! vkcompute name=a location=%s buffer-messages=true "
      "! fakesink",
      path);
  GstBus *bus = gst_element_get_bus (pipeline);

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i < 10; i++) {
    GstMessage *message = gst_bus_timed_pop_filtered (
        bus, 20 * GST_SECOND, GST_MESSAGE_ELEMENT | GST_MESSAGE_ERROR);
    const GstStructure *structure = gst_message_get_structure (message);
    GstBuffer *buffer = NULL;
    guint32 counts[2];
    guint64 frame;

    fail_unless (gst_structure_get (structure, "frame", G_TYPE_UINT64, &frame,
                                    "counts", GST_TYPE_BUFFER, &buffer, NULL));
    assert_equals_int (gst_buffer_extract (buffer, 0, counts, 8), 8);
    assert_equals_int (frame, i);
    assert_equals_int (counts[0], i + 1);
    assert_equals_int (counts[1], 255 * (i + 1));
    gst_buffer_unref (buffer);
    gst_message_unref (message);
  }
  test_assert_stats_agree (pipeline, "a");
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "flush-map"), 0);
  gst_object_unref (bus);
  test_pipeline_free (pipeline);
  g_unlink (path);
}
GST_END_TEST;

/* A table of 256 words that each channel is looked up in. */
#define TABLE                                                                  \
  GROUP IN_ONE OUT_ONE                                                         \
  "layout (binding = 2, std430) readonly buffer Table { uint words[]; }\n"     \
  "  table;\n"                                                                 \
  "void main () {\n" AT                                                        \
  "  uvec4 c = uvec4 (imageLoad (source, at) * 255.0 + 0.5);\n"                \
  "  imageStore (target, at, vec4 (table.words[c.r], table.words[c.g],\n"      \
  "    table.words[c.b], table.words[c.a]) / 255.0);\n"                        \
  "}\n"

static void
expect_table (const struct picture *in, struct picture *out)
{
  for (gsize i = 0; i < (gsize)in->row_bytes[0] * in->rows[0]; i++)
    out->data[0][i] = in->data[0][i] * 7 + 3;
}

GST_START_TEST (buffers_start_with_a_file)
{
  g_autofree gchar *path = NULL;
  g_autofree gchar *name = NULL;
  const gint fd = g_file_open_tmp ("vkcompute-XXXXXX.bin", &path, NULL);
  GstElement *element = compute_element_new ();
  GstStructure *given;
  GstVideoInfo info;
  GstHarness *harness;
  guint32 words[256];

  g_close (fd, NULL);
  for (guint i = 0; i < 256; i++)
    words[i] = (i * 7 + 3) % 256;
  g_file_set_contents (path, (const gchar *)words, sizeof words, NULL);
  name = g_strconcat ("file:", path, NULL);
  given = gst_structure_new ("b", "table", G_TYPE_STRING, name, NULL);
  g_object_set (element, "shader", TABLE, "buffers", given, NULL);
  gst_structure_free (given);
  harness = compute_start (element, "RGBA", WIDTH, HEIGHT, &info);
  for (guint i = 0; i < 2; i++)
    compute_check (harness, &info, i, 0, expect_table);
  gst_harness_teardown (harness);
  g_unlink (path);
}
GST_END_TEST;

static const struct
{
  const gchar *shader, *buffers, *words;
} bad_buffers[] = {
  { TABLE, "b", "binding `table` (a storage buffer) ends with an open array" },
  { TABLE, "b,table=(string)big", "buffer `table` is a number of bytes or" },
  { TABLE, "b,table=0", "buffer `table` is a number of bytes or" },
  { TABLE, "b,table=(string)file:/no/such.bin", "/no/such.bin" },
  { COUNTER, "b,counts=4",
    "binding `counts` (a storage buffer): buffer `counts` has 4 bytes, the "
    "shader declares 8" },
};

GST_START_TEST (buffers_that_cannot_be_are_refused)
{
  g_autofree gchar *path = compute_write_shader (bad_buffers[__i__].shader);
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=1 ! vkcompute location=%s buffers=%s ! "
      "fakesink",
      path, bad_buffers[__i__].buffers);
  GError *error = test_pipeline_run_to_error (pipeline, 20);

  fail_unless (error != NULL
                   && strstr (error->message, bad_buffers[__i__].words) != NULL,
               "%s", error != NULL ? error->message : "no error");
  g_error_free (error);
  test_pipeline_free (pipeline);
  g_unlink (path);
}
GST_END_TEST;

/* The input two frames ago, and the output before with this input added. */
#define LOOK_BACK                                                              \
  GROUP IN_ONE OUT_ONE                                                         \
  "layout (binding = 2, rgba8) readonly uniform image2D history2;\n"           \
  "layout (binding = 3, rgba8) readonly uniform image2D previous;\n"           \
  "void main () {\n" AT                                                        \
  "  vec4 now = imageLoad (source, at), two = imageLoad (history2, at);\n"     \
  "  vec4 sum = imageLoad (previous, at) / 2.0 + now / 2.0;\n"                 \
  "  imageStore (target, at, vec4 (sum.rg, two.ba));\n"                        \
  "}\n"

/* What comes out for the frames with these seeds. */
struct look_back
{
  guint8 before[2][WIDTH * HEIGHT * 4];
  guint8 previous[WIDTH * HEIGHT * 4];
};

static void
look_back (struct look_back *model, GstBuffer *frame, guint8 *out)
{
  GstMapInfo map;

  gst_buffer_map (frame, &map, GST_MAP_READ);
  for (gsize i = 0; i < map.size; i++)
    out[i] = i % 4 < 2 ? (model->previous[i] + map.data[i]) / 2.0 + 0.5
                       : model->before[1][i];
  memcpy (model->previous, out, map.size);
  memcpy (model->before[1], model->before[0], map.size);
  memcpy (model->before[0], map.data, map.size);
  gst_buffer_unmap (frame, &map);
}

/* Rounding may go either way at each frame. */
static void
assert_near (GstBuffer *found, const guint8 *expected)
{
  GstMapInfo map;

  gst_buffer_map (found, &map, GST_MAP_READ);
  for (gsize i = 0; i < map.size; i++)
    fail_unless (ABS (map.data[i] - expected[i]) <= 1, "byte %u: %u, not %u",
                 (guint)i, map.data[i], expected[i]);
  gst_buffer_unmap (found, &map);
}

GST_START_TEST (history_and_previous_frame_are_seen)
{
  g_autofree struct look_back *model = g_new0 (struct look_back, 1);
  GstElement *element = compute_element_new ();
  GstVideoInfo info;
  GstHarness *harness;

  g_object_set (element, "shader", LOOK_BACK, NULL);
  harness = compute_start (element, "RGBA", WIDTH, HEIGHT, &info);
  for (guint i = 0; i < 6; i++) {
    GstBuffer *frame = compute_make_frame (&info, i);
    guint8 expected[WIDTH * HEIGHT * 4];

    look_back (model, frame, expected);
    fail_unless_equals_int (gst_harness_push (harness, frame), GST_FLOW_OK);
    frame = gst_harness_pull (harness);
    assert_near (frame, expected);
    gst_buffer_unref (frame);
  }
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* Every frame's checksum, by its number. */
static GstPadProbeReturn
note_frame (GstPad *pad, GstPadProbeInfo *probe, gpointer data)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (probe);
  GHashTable *sums = data;
  GstMapInfo map;
  gchar *sum;

  gst_buffer_map (buffer, &map, GST_MAP_READ);
  sum = g_compute_checksum_for_data (G_CHECKSUM_MD5, map.data, map.size);
  gst_buffer_unmap (buffer, &map);
  g_hash_table_insert (sums, GUINT_TO_POINTER (GST_BUFFER_OFFSET (buffer)),
                       sum);
  return GST_PAD_PROBE_OK;
}

/* Of 60 frames of noise through @shader, those that arrive behind @rest. */
static GHashTable *
run_frames (const gchar *shader, const gchar *rest)
{
  g_autofree gchar *invert = compute_shader_path ("invert.comp");
  GHashTable *sums = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=60 pattern=ball ! video/x-raw,format=RGBA,"
      "width=40,height=24,framerate=30/1 ! vkcompute name=a location=%s ! %s ! "
      "vkcompute location=%s ! fakesink name=sink",
      shader, rest, invert);
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GstPad *pad = gst_element_get_static_pad (sink, "sink");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, note_frame, sums, NULL);
  test_pipeline_run (pipeline, 60);
  gst_object_unref (pad);
  gst_object_unref (sink);
  test_pipeline_free (pipeline);
  return sums;
}

static const gchar *const stateful[] = { LOOK_BACK, COUNTER };

/* Mutation seen to fail this: no vkc_image_set_persistent(). */
GST_START_TEST (same_frames_come_out_with_and_without_drops)
{
  g_autofree gchar *path = compute_write_shader (stateful[__i__]);
  g_autofree gchar *invert = compute_shader_path ("invert.comp");
  g_autofree gchar *beside = g_strdup_printf (
      "tee name=t ! queue leaky=2 max-size-buffers=1 ! vkcompute location=%s "
      "! fakesink t. ! queue",
      invert);
  g_autoptr (GHashTable) all = run_frames (path, "identity");
  g_autoptr (GHashTable) some
      = run_frames (path, "queue ! identity drop-probability=0.7");
  g_autoptr (GHashTable) branch = run_frames (path, beside);
  GHashTableIter iter;
  gpointer number, sum;

  assert_equals_int (g_hash_table_size (all), 60);
  fail_unless (g_hash_table_size (some) < 45);
  g_hash_table_iter_init (&iter, some);
  while (g_hash_table_iter_next (&iter, &number, &sum))
    assert_equals_string (sum, g_hash_table_lookup (all, number));
  g_hash_table_iter_init (&iter, branch);
  while (g_hash_table_iter_next (&iter, &number, &sum))
    assert_equals_string (sum, g_hash_table_lookup (all, number));
  g_unlink (path);
}
GST_END_TEST;

/* The state runs for the frames that were dropped, the rest does not. */
GST_START_TEST (state_is_updated_for_dropped_frames)
{
  g_autofree gchar *path = compute_write_shader (COUNTER);
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=40 ! video/x-raw,format=RGBA,width=32,"
      "height=32,framerate=30/1 ! vkcompute name=a location=%s ! queue ! "
      "videorate drop-only=true ! video/x-raw,framerate=3/1 ! "
      "vkcompute location=%s ! fakesink",
      path, path);
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), "a");
  GBytes *bytes = NULL;
  guint32 frames;

  test_pipeline_run (pipeline, 30);
  g_signal_emit_by_name (element, "read-buffer", "counts", &bytes);
  fail_unless (bytes != NULL);
  memcpy (&frames, g_bytes_get_data (bytes, NULL), sizeof frames);
  assert_equals_int (frames, 40);
  g_bytes_unref (bytes);
  fail_unless (test_stat (pipeline, "a", "recorder", "discarded") > 20);
  gst_object_unref (element);
  test_pipeline_free (pipeline);
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
  tcase_add_loop_test (cases, images_have_the_size_that_is_given, 0, 2);
  tcase_add_loop_test (cases, lists_that_cannot_be_are_refused, 0,
                       G_N_ELEMENTS (refused));
  tcase_add_test (cases, buffers_are_kept_and_can_be_read);
  tcase_add_test (cases, buffers_are_posted_frame_by_frame);
  tcase_add_test (cases, buffers_start_with_a_file);
  tcase_add_loop_test (cases, buffers_that_cannot_be_are_refused, 0,
                       G_N_ELEMENTS (bad_buffers));
  tcase_add_test (cases, history_and_previous_frame_are_seen);
  tcase_add_loop_test (cases, same_frames_come_out_with_and_without_drops, 0,
                       G_N_ELEMENTS (stateful));
  tcase_add_test (cases, state_is_updated_for_dropped_frames);
  return suite;
}

GST_CHECK_MAIN (passes);
