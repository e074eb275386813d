/* What can be looked at while frames flow: the tracer, the summary. */
#define GST_USE_UNSTABLE_API /* GstTracer's */
#include "tests/elements/adder.h"
#include "tests/support/support.h"

static GPtrArray *lines;
static GMutex lines_lock;

static void
take_line (GstDebugCategory *category, GstDebugLevel level, const gchar *file,
           const gchar *function, gint line, GObject *object,
           GstDebugMessage *message, gpointer unused)
{
  const gchar *name = gst_debug_category_get_name (category);
  const gchar *text = gst_debug_message_get (message);

  if (!g_str_has_prefix (text, "vkc-submission,")
      && !g_str_equal (name, "vkcrecorder"))
    return;
  g_mutex_lock (&lines_lock);
  g_ptr_array_add (lines, g_strdup (text));
  g_mutex_unlock (&lines_lock);
}

static void
listen (void)
{
  lines = g_ptr_array_new_with_free_func (g_free);
  gst_debug_set_active (TRUE);
  gst_debug_set_default_threshold (GST_LEVEL_NONE);
  gst_debug_set_threshold_from_string ("GST_TRACER:7,vkcrecorder:4", FALSE);
  gst_debug_remove_log_function (gst_debug_log_default);
  gst_debug_add_log_function (take_line, NULL, NULL);
}

static void
assert_field (const GstStructure *line, const gchar *name, const gchar *value)
{
  g_autofree gchar *is
      = gst_value_serialize (gst_structure_get_value (line, name));

  fail_unless_equals_string (is, value);
}

static void
run_pipeline (void)
{
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=5 ! "
      "video/x-raw,format=GRAY8,width=64,height=48 ! vkctestadd name=a ! "
      "queue ! vkctestadd name=b ! fakesink");

  test_pipeline_run (pipeline, 20);
  test_pipeline_free (pipeline);
  test_assert_all_gone ();
}

static GstTracer *
start_tracer (void)
{
  g_autoptr (GstPluginFeature) feature = gst_registry_find_feature (
      gst_registry_get (), "vkc", GST_TYPE_TRACER_FACTORY);
  g_autoptr (GstPluginFeature) loaded = gst_plugin_feature_load (feature);
  GstTracer *tracer;

  listen ();
  tracer = g_object_new (
      gst_tracer_factory_get_tracer_type (GST_TRACER_FACTORY (loaded)), NULL);
  gst_debug_set_threshold_for_name ("vkcrecorder", GST_LEVEL_NONE);
  return tracer;
}

/* In their order, even if several are seen to be over at once.
 * Mutation seen to fail this: slots that retire as they lie. */
GST_START_TEST (tracer_logs_every_submission)
{
  GstTracer *tracer = start_tracer ();

  run_pipeline ();

  assert_equals_int (lines->len, 5);
  for (guint i = 0; i < lines->len; i++) {
    g_autoptr (GstStructure) line
        = gst_structure_from_string (g_ptr_array_index (lines, i), NULL);
    g_autofree gchar *value = g_strdup_printf ("%u", i + 1);

    fail_unless (line != NULL);
    assert_field (line, "value", value);
    assert_field (line, "jobs-of", "a+b");
    assert_field (line, "jobs", "2");
    assert_field (line, "dispatches", "2");
    assert_field (line, "reason", "tail");
  }
  gst_object_unref (tracer);
}
GST_END_TEST;

/* Jobs that one kernel does are still jobs. */
GST_START_TEST (tracer_says_what_was_fused)
{
  GstTracer *tracer = start_tracer ();
  g_autoptr (GstStructure) line = NULL;
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=1 ! "
      "video/x-raw,format=NV12,width=64,height=48 ! vkctestadd name=a ! "
      "vkcolorconvert name=b ! video/x-raw,format=I420 ! "
      "vkcolorconvert name=c ! video/x-raw,format=YV12 ! fakesink");

  test_pipeline_run (pipeline, 20);
  test_pipeline_free (pipeline);
  test_assert_all_gone ();
  assert_equals_int (lines->len, 1);
  line = gst_structure_from_string (g_ptr_array_index (lines, 0), NULL);
  assert_field (line, "jobs-of", "a+b:c");
  assert_field (line, "jobs", "3");
  assert_field (line, "dispatches", "2");
  gst_object_unref (tracer);
}
GST_END_TEST;

GST_START_TEST (recorder_is_summarised_when_nobody_uses_it)
{
  g_autoptr (GstStructure) summary = NULL;

  listen ();
  run_pipeline ();
  assert_equals_int (lines->len, 1);
  summary = gst_structure_from_string (g_ptr_array_index (lines, 0), NULL);
  fail_unless (summary != NULL);
  assert_field (summary, "submits", "5");
  assert_field (summary, "dispatches", "10");
}
GST_END_TEST;

static Suite *
trace_suite (void)
{
  Suite *suite = suite_create ("trace");
  TCase *tests = tcase_create ("trace");

  test_adder_register ();
  suite_add_tcase (suite, tests);
  tcase_add_test (tests, tracer_logs_every_submission);
  tcase_add_test (tests, tracer_says_what_was_fused);
  tcase_add_test (tests, recorder_is_summarised_when_nobody_uses_it);
  return suite;
}

GST_CHECK_MAIN (trace);
