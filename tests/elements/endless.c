/* A shader that never ends: an error in time, and life goes on until the
 * process ends, cleanly. In a program of its own, since the driver's threads
 * run it until then. */
#include <glib/gstdio.h>

#include "tests/elements/compute_support.h"
#include "tests/support/support.h"

/* Software drivers end a single loop after some ten thousand turns. */
#define ENDLESS                                                                \
  "layout (local_size_x = 16, local_size_y = 16) in;\n"                        \
  "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"            \
  "void main () {\n"                                                           \
  "  uint i = gl_GlobalInvocationID.x | 1u;\n"                                 \
  "  while (i != 0u) {\n"                                                      \
  "    while (i % 7u != 8u && i != 0u) {\n"                                    \
  "      while (i % 5u != 6u && i != 0u) { i = i * 3u | 1u; }\n"               \
  "      i = i * 5u | 1u;\n"                                                   \
  "    }\n"                                                                    \
  "    i = i * 7u | 1u;\n"                                                     \
  "  }\n"                                                                      \
  "  imageStore (target, ivec2 (gl_GlobalInvocationID.xy), vec4 (i));\n"       \
  "}\n"

/* Mutation seen to fail this: no vkc_completion_park() at exit.
 * One frame: lavapipe makes no object while its queue runs something. */
GST_START_TEST (endless_shader_is_an_error_and_a_new_one_runs)
{
  g_autofree gchar *endless = compute_write_shader (ENDLESS);
  g_autofree gchar *invert = compute_shader_path ("invert.comp");
  GstElement *pipeline, *element;
  GError *error;

  g_setenv ("VKC_TIMEOUT_MS", "1000", TRUE);
  pipeline = test_pipeline_new (
      "videotestsrc name=s num-buffers=1 ! video/x-raw,format=RGBA,width=16,"
      "height=16 ! vkcompute name=a location=%s ! filesink location=/dev/null",
      endless);
  error = test_pipeline_run_to_error (pipeline, 15);
  fail_unless (error != NULL);
  fail_unless (
      g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED),
      "%s", error->message);
  fail_unless (g_str_has_prefix (error->message, "a ("), "%s", error->message);
  g_error_free (error);
  gst_element_set_state (pipeline, GST_STATE_NULL);

  element = gst_bin_get_by_name (GST_BIN (pipeline), "a");
  g_object_set (element, "location", invert, NULL);
  gst_object_unref (element);
  element = gst_bin_get_by_name (GST_BIN (pipeline), "s");
  g_object_set (element, "num-buffers", 30, NULL);
  gst_object_unref (element);
  test_pipeline_run (pipeline, 30);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "buffers"), 30);
  test_pipeline_free (pipeline);
  g_unlink (endless);
}
GST_END_TEST;

static Suite *
endless_suite (void)
{
  Suite *suite = suite_create ("endless");
  TCase *cases = tcase_create ("all");

  suite_add_tcase (suite, cases);
  tcase_add_test (cases, endless_shader_is_an_error_and_a_new_one_runs);
  return suite;
}

GST_CHECK_MAIN (endless);
