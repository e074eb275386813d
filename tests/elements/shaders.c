/* vkcompute: where shaders come from. */
#include <glib/gstdio.h>

#include "tests/elements/compute_support.h"
#include "tests/support/support.h"

/* Mutation seen to fail this: not reconfiguring after a new location. */
GST_START_TEST (new_location_counts_from_the_next_frame)
{
  g_autofree gchar *invert = compute_shader_path ("invert.comp");
  g_autofree gchar *flip = compute_shader_path ("flip.comp");
  const struct compute_case *cases[]
      = { compute_case_find ("invert.comp"), compute_case_find ("flip.comp") };
  GstVideoInfo info;
  GstHarness *harness = compute_start_location (invert, &info);

  for (guint i = 0; i < 4; i++) {
    g_object_set (harness->element, "location", i % 2 ? flip : invert, NULL);
    compute_check (harness, &info, i, 0, cases[i % 2]->expect);
  }
  gst_harness_teardown (harness);
}
GST_END_TEST;

GST_START_TEST (missing_shader_is_an_error)
{
  GstElement *pipeline
      = test_pipeline_new ("videotestsrc ! vkcompute name=v ! fakesink");
  GError *error = test_pipeline_run_to_error (pipeline, 20);

  fail_unless (
      g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS));
  g_error_free (error);
  test_pipeline_free (pipeline);

  pipeline = test_pipeline_new (
      "videotestsrc ! vkcompute location=/no/such.comp ! fakesink");
  error = test_pipeline_run_to_error (pipeline, 20);
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR,
                                GST_RESOURCE_ERROR_NOT_FOUND));
  g_error_free (error);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

/* The error is posted; frames go on through what ran before. */
GST_START_TEST (broken_new_location_is_an_error)
{
  g_autofree gchar *invert = compute_shader_path ("invert.comp");
  g_autofree gchar *broken = compute_write_shader ("nonsense");
  GstVideoInfo info;
  GstHarness *harness = compute_start_location (invert, &info);
  GstBus *bus = gst_bus_new ();
  GstMessage *message;
  GError *error;

  gst_element_set_bus (harness->element, bus);
  compute_run (harness, &info, 1);
  g_object_set (harness->element, "location", broken, NULL);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, "does not compile") != NULL);
  g_error_free (error);
  gst_message_unref (message);
  compute_run (harness, &info, 2);
  gst_element_set_bus (harness->element, NULL);
  gst_object_unref (bus);
  gst_harness_teardown (harness);
  g_unlink (broken);
}
GST_END_TEST;

/* GLSL of a pixel-wise shader; @body changes vec4 c. */
#define PIXELWISE(declarations, body)                                          \
  "layout (local_size_x = 8, local_size_y = 8) in;\n"                          \
  "layout (binding = 0, rgba8) readonly uniform image2D source;\n"             \
  "layout (binding = 1, rgba8) writeonly uniform image2D "                     \
  "target;\n" declarations "\n"                                                \
  "void main () {\n"                                                           \
  "  ivec2 at = ivec2 (gl_GlobalInvocationID.xy);\n"                           \
  "  vec4 c = imageLoad (source, at);\n" body "\n"                             \
  "  imageStore (target, at, c);\n"                                            \
  "}\n"

static void
expect_half (const struct picture *in, struct picture *out)
{
  for (gsize i = 0; i < (gsize)in->row_bytes[0] * in->rows[0]; i++)
    out->data[0][i] = in->data[0][i] / 2.0 + 0.5;
}

static void
expect_green_gone (const struct picture *in, struct picture *out)
{
  compute_expect_same (in, out);
  for (gsize i = 1; i < (gsize)in->row_bytes[0] * in->rows[0]; i += 4)
    out->data[0][i] = 0;
}

GST_START_TEST (shader_text_and_defines_take_effect)
{
  GstElement *element = compute_element_new ();
  GstStructure *defines
      = gst_structure_new ("d", "FACTOR", G_TYPE_STRING, "0.5", NULL);
  GstVideoInfo info;
  GstHarness *harness;

  g_object_set (element, "shader", PIXELWISE ("", "  c *= FACTOR;"), "defines",
                defines, NULL);
  gst_structure_free (defines);
  harness = compute_start (element, "RGBA", 20, 12, &info);
  compute_check (harness, &info, 1, 1, expect_half);
  defines = gst_structure_new ("d", "FACTOR", G_TYPE_INT, 1, NULL);
  g_object_set (harness->element, "defines", defines, NULL);
  gst_structure_free (defines);
  compute_check (harness, &info, 2, 0, compute_expect_same);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* The block of code in @text that contains @words; g_free() it. */
static gchar *
find_code (const gchar *text, const gchar *words)
{
  g_auto (GStrv) parts = g_strsplit (text, "```", -1);

  for (guint i = 1; parts[i] != NULL; i += 2)
    if (g_str_has_prefix (parts[i], "glsl\n")
        && strstr (parts[i], words) != NULL)
      return g_strdup (parts[i] + strlen ("glsl\n"));
  fail ("no code with %s", words);
  return NULL;
}

static void
expect_negative (const struct picture *in, struct picture *out)
{
  for (gsize i = 0; i < (gsize)in->row_bytes[0] * in->rows[0]; i++)
    out->data[0][i] = i % 4 == 3 ? in->data[0][i] : 255 - in->data[0][i];
}

/* Upside down, with the number of rows below as blue. */
static void
expect_effect (const struct picture *in, struct picture *out)
{
  for (guint y = 0; y < in->height; y++)
    for (guint i = 0; i < in->row_bytes[0]; i++)
      out->data[0][y * out->row_bytes[0] + i]
          = i % 4 == 2 ? in->height - 1 - y
            : i % 4 == 3
                ? 255
                : in->data[0][(in->height - 1 - y) * in->row_bytes[0] + i];
}

/* The shaders of docs/shaders.md do what it says of them. */
GST_START_TEST (code_of_the_docs_runs)
{
  g_autofree gchar *page = g_build_filename (g_getenv ("VKC_SOURCE_ROOT"),
                                             "docs", "shaders.md", NULL);
  g_autofree gchar *folder = g_dir_make_tmp ("vkcompute-XXXXXX", NULL);
  g_autofree gchar *path = g_build_filename (folder, "main.comp", NULL);
  g_autofree gchar *effect = g_build_filename (folder, "effect.glsl", NULL);
  g_autofree gchar *text = NULL, *negative = NULL, *wrapper = NULL;
  GstVideoInfo info;
  GstHarness *harness;

  fail_unless (g_file_get_contents (page, &text, NULL, NULL));
  negative = find_code (text, "1.0 - colour.rgb");
  wrapper = find_code (text, "mainImage");
  g_file_set_contents (path, negative, -1, NULL);
  harness = compute_start_location (path, &info);
  compute_check (harness, &info, 1, 0, expect_negative);

  g_file_set_contents (effect,
                       "void mainImage (out vec4 c, in vec2 place) {\n"
                       "  vec4 t = texture (iChannel0, place / iResolution.xy);\n"
                       "  c = vec4 (t.rg, floor (place.y) / 255.0, 1.0);\n"
                       "}\n",
                       -1, NULL);
  g_file_set_contents (path, wrapper, -1, NULL);
  g_object_set (harness->element, "location", path, NULL);
  compute_check (harness, &info, 2, 1, expect_effect);
  gst_harness_teardown (harness);
  g_unlink (path);
  g_unlink (effect);
  g_rmdir (folder);
}
GST_END_TEST;

GST_START_TEST (stage_above_the_version_is_skipped)
{
  GstElement *element = compute_element_new ();
  GstVideoInfo info;
  GstHarness *harness;

  g_object_set (element, "shader",
                "#[compute]\n#version 450\n" PIXELWISE ("", "  c.g = 0;"),
                NULL);
  harness = compute_start (element, "RGBA", 20, 12, &info);
  compute_check (harness, &info, 1, 0, expect_green_gone);
  gst_harness_teardown (harness);
}
GST_END_TEST;

GST_START_TEST (reload_takes_the_file_as_it_is_now)
{
  g_autofree gchar *path = compute_write_shader (PIXELWISE ("", "  c.g = 0;"));
  GstVideoInfo info;
  GstHarness *harness = compute_start_location (path, &info);
  GstBus *bus = compute_add_bus (harness->element);
  gboolean ok;

  compute_check (harness, &info, 1, 0, expect_green_gone);
  g_file_set_contents (path, PIXELWISE ("", ""), -1, NULL);
  compute_check (harness, &info, 2, 0, expect_green_gone);
  g_signal_emit_by_name (harness->element, "reload", &ok);
  fail_unless (ok);
  compute_check (harness, &info, 3, 0, compute_expect_same);

  g_file_set_contents (path, "broken", -1, NULL);
  g_signal_emit_by_name (harness->element, "reload", &ok);
  fail_if (ok);
  compute_assert_warning (bus, "does not compile");
  compute_check (harness, &info, 4, 0, compute_expect_same);

  /* Compiles, and does not fit the stream. */
  g_file_set_contents (path,
                       "layout (local_size_x = 8) in;\n"
                       "layout (binding = 1, r16) writeonly uniform image2D "
                       "deep;\n"
                       "void main () { imageStore (deep, ivec2 (0), "
                       "vec4 (0)); }\n",
                       -1, NULL);
  g_signal_emit_by_name (harness->element, "reload", &ok);
  compute_drop_bus (harness->element, bus);
  gst_harness_teardown (harness);
  g_unlink (path);
}
GST_END_TEST;

/* Pushes frames until one comes out as @expect says. */
static void
wait_for (GstHarness *harness, const GstVideoInfo *info,
          void (*expect) (const struct picture *in, struct picture *out))
{
  for (guint i = 0; i < 100; i++) {
    GstBuffer *frame = compute_make_frame (info, i);
    struct picture source, expected;
    gboolean same;

    picture_from_buffer (&source, info, frame);
    picture_init (&expected, info);
    expect (&source, &expected);
    gst_harness_push (harness, frame);
    frame = gst_harness_pull (harness);
    same = gst_buffer_memcmp (frame, 0, expected.data[0], info->size) == 0;
    gst_buffer_unref (frame);
    picture_clear (&source);
    picture_clear (&expected);
    if (same)
      return;
    g_usleep (50000);
  }
  fail ("the file's change was not seen");
}

GST_START_TEST (watched_files_are_loaded_when_they_change)
{
  g_autofree gchar *folder = g_dir_make_tmp ("vkcompute-XXXXXX", NULL);
  g_autofree gchar *path = g_build_filename (folder, "main.comp", NULL);
  g_autofree gchar *included = g_build_filename (folder, "body.glsl", NULL);
  GstVideoInfo info;
  GstHarness *harness;
  GstBus *bus;

  g_file_set_contents (path, PIXELWISE ("", "#include \"body.glsl\""), -1,
                       NULL);
  g_file_set_contents (included, "c.g = 0;\n", -1, NULL);
  harness = compute_start_location (path, &info);
  g_object_set (harness->element, "watch", TRUE, NULL);
  bus = compute_add_bus (harness->element);
  compute_check (harness, &info, 1, 0, expect_green_gone);
  g_file_set_contents (included, ";\n", -1, NULL);
  wait_for (harness, &info, compute_expect_same);
  g_file_set_contents (included, "broken\n", -1, NULL);
  g_usleep (300000);
  compute_check (harness, &info, 2, 0, compute_expect_same);
  compute_assert_warning (bus, "does not compile");
  g_file_set_contents (included, "c.g = 0.0;\n", -1, NULL);
  wait_for (harness, &info, expect_green_gone);
  compute_drop_bus (harness->element, bus);
  gst_harness_teardown (harness);
  g_unlink (path);
  g_unlink (included);
  g_rmdir (folder);
}
GST_END_TEST;

/* What comes in is not what the shader declares: the peer only sees that caps
 * were refused, the bus says why. */
GST_START_TEST (refused_caps_are_explained)
{
  g_autofree gchar *path = compute_shader_path ("invert.comp");
  GstVideoInfo info;
  GstHarness *harness = compute_start_location (path, &info);
  GstBus *bus = compute_add_bus (harness->element);
  GstCaps *caps = gst_caps_from_string (
      "video/x-raw,format=YVU9,width=20,height=12,framerate=10/1");

  fail_if (gst_pad_peer_query_accept_caps (harness->srcpad, caps));
  fail_if (gst_pad_peer_query_accept_caps (harness->srcpad, caps));
  compute_assert_warning (
      bus, "invert.comp: binding `source` (a rgba8 storage image) "
           "takes RGBA, RGBx, not YVU9");
  fail_if (gst_bus_have_pending (bus));
  gst_caps_unref (caps);
  compute_drop_bus (harness->element, bus);
  gst_harness_teardown (harness);
}
GST_END_TEST;

static Suite *
shaders_suite (void)
{
  Suite *suite = suite_create ("shaders");
  TCase *cases = tcase_create ("all");

  suite_add_tcase (suite, cases);
  tcase_add_test (cases, new_location_counts_from_the_next_frame);
  tcase_add_test (cases, refused_caps_are_explained);
  tcase_add_test (cases, missing_shader_is_an_error);
  tcase_add_test (cases, broken_new_location_is_an_error);
  tcase_add_test (cases, shader_text_and_defines_take_effect);
  tcase_add_test (cases, code_of_the_docs_runs);
  tcase_add_test (cases, stage_above_the_version_is_skipped);
  tcase_add_test (cases, reload_takes_the_file_as_it_is_now);
  tcase_add_test (cases, watched_files_are_loaded_when_they_change);
  return suite;
}

GST_CHECK_MAIN (shaders);
