/* The colour elements over a long time: settings, frames and what they hold. */
#include <gst/check/gstharness.h>
#include <gst/controller/controller.h>
#include <gst/video/video.h>

#include "tests/elements/frames.h"
#include "tests/elements/shape_support.h"
#include "tests/elements/sums.h"
#include "tests/elements/triple_support.h"
#include "tests/support/holdings.h"
#include "tests/support/support.h"

#define HDR                                                                    \
  "video/x-raw,format=P010_10LE,width=64,height=48,framerate=25/1,"            \
  "colorimetry=bt2100-pq"

/* What was set in NULL counts in each run. */
GST_START_TEST (settings_outlive_null)
{
  /* Keeps the driver loaded. */
  struct vkc_device *device = test_device_new ();
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=2 ! " HDR " ! vktonemap curve=bt2390 "
      "exposure=0.5 dither=none ! vkcolorconvert video-direction=90r "
      "scaling-method=lanczos ! video/x-raw,format=I420,height=32 ! "
      "fakesink name=sink");
  g_autoptr (GHashTable) once = test_sums_of_frames (pipeline, "sink");
  g_autoptr (GHashTable) again = NULL;
  struct test_holdings before = { 0 };

  for (guint i = 0; i < 6; i++) {
    if (i == 5)
      again = test_sums_of_frames (pipeline, "sink");
    test_pipeline_run (pipeline, 30);
    gst_element_set_state (pipeline, i % 2 ? GST_STATE_READY : GST_STATE_NULL);
    if (i % 2)
      gst_element_set_state (pipeline, GST_STATE_NULL);
    if (i == 1)
      before = test_holdings ();
  }
  test_assert_back_to (&before);
  assert_equals_int (g_hash_table_size (again), 2);
  test_sums_assert_among (again, once);
  test_pipeline_free (pipeline);
  vkc_device_unref (device);
}
GST_END_TEST;

/* Sizes, formats, colours and metadata, one after the other. */
GST_START_TEST (many_caps_leave_nothing_behind)
{
  static const gchar *const caps[] = {
    "format=P010_10LE,width=64,height=48,colorimetry=bt2100-pq",
    "format=P010_10LE,width=64,height=48,colorimetry=bt2100-pq,"
    "content-light-level=(string)4000:400",
    "format=NV12,width=64,height=48,colorimetry=bt709",
    "format=NV12,width=32,height=16,colorimetry=bt709",
    "format=RGBA,width=33,height=17",
  };
  GstHarness *h = test_shape_start (
      "vktonemap ! vkcolorconvert",
      "video/x-raw,format=NV12,width=16,height=16,framerate=25/1",
      "video/x-raw,format=I420");
  g_autoptr (GstQuery) drain = gst_query_new_drain ();
  struct test_holdings before = { 0 };

  for (guint i = 0; i < 30; i++) {
    g_autofree gchar *text
        = g_strdup_printf ("video/x-raw,framerate=25/1,%s",
                           caps[i % G_N_ELEMENTS (caps)]);
    GstVideoInfo info;

    gst_harness_set_src_caps_str (h, text);
    info = test_pad_info (h->srcpad);
    gst_buffer_unref (
        test_pass (h, gst_buffer_new_allocate (NULL, info.size, NULL)));
    fail_unless (gst_pad_peer_query (h->srcpad, drain));
    if (i == 9)
      before = test_holdings ();
  }
  test_assert_back_to (&before);
  gst_harness_teardown (h);
}
GST_END_TEST;

struct arrivals
{
  guint n;
  GstClockTime last;
};

static void
count_arrival (GstElement *sink, GstBuffer *buffer, GstPad *pad, gpointer data)
{
  struct arrivals *arrivals = data;

  fail_unless (arrivals->n == 0 || GST_BUFFER_PTS (buffer) > arrivals->last);
  arrivals->last = GST_BUFFER_PTS (buffer);
  arrivals->n++;
}

/* The last ones as well, whatever is in flight at EOS. */
GST_START_TEST (every_frame_arrives_with_its_time)
{
  for (guint i = 0; i < 3; i++) {
    GstElement *pipeline = test_pipeline_new (
        "videotestsrc num-buffers=%u ! " HDR " ! vktonemap ! queue ! "
        "vkcolorconvert ! video/x-raw,format=RGBA,width=32,height=24 ! queue ! "
        "fakesink name=sink signal-handoffs=true",
        11 + i);
    g_autoptr (GstElement) sink
        = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
    struct arrivals arrivals = { 0 };

    g_signal_connect (sink, "handoff", G_CALLBACK (count_arrival), &arrivals);
    test_pipeline_run (pipeline, 30);
    assert_equals_int (arrivals.n, 11 + i);
    assert_equals_uint64 (arrivals.last, (10 + i) * GST_SECOND / 25);
    test_pipeline_free (pipeline);
  }
}
GST_END_TEST;

/* From one frame to the next: exposure of -2 to 0 stops makes grey brighter. */
GST_START_TEST (controller_moves_exposure)
{
  GstElement *element = gst_element_factory_make ("vktonemap", NULL);
  GstControlSource *ramp = gst_interpolation_control_source_new ();
  GstTimedValueControlSource *values = GST_TIMED_VALUE_CONTROL_SOURCE (ramp);
  GstHarness *h = gst_harness_new_with_element (element, "sink", "src");
  guint last = 0;

  g_object_set (ramp, "mode", GST_INTERPOLATION_MODE_LINEAR, NULL);
  gst_timed_value_control_source_set (values, 0, -2);
  gst_timed_value_control_source_set (values, GST_SECOND, 0);
  gst_object_add_control_binding (GST_OBJECT (element),
                                  gst_direct_control_binding_new_absolute (
                                      GST_OBJECT (element), "exposure", ramp));
  gst_object_unref (ramp);
  gst_util_set_object_arg (G_OBJECT (element), "dither", "none");
  gst_util_set_object_arg (G_OBJECT (element), "curve", "clip");
  gst_harness_set_sink_caps_str (h, "video/x-raw,format=NV12");
  gst_harness_set_src_caps_str (h, HDR);
  for (guint i = 0; i <= 5; i++) {
    GstBuffer *buffer = gst_buffer_new_and_alloc (64 * 48 * 3);
    guint8 luma;

    gst_buffer_memset (buffer, 0, 0x80, 64 * 48 * 3);
    GST_BUFFER_PTS (buffer) = i * GST_SECOND / 5;
    buffer = test_pass (h, buffer);
    gst_buffer_extract (buffer, 0, &luma, 1);
    fail_unless (luma > last + 5, "frame %u: %u, then %u", i, last, luma);
    last = luma;
    gst_buffer_unref (buffer);
  }
  gst_object_unref (element);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* A queue that drops what its slow reader has no time for: those frames were
 * never made. */
GST_START_TEST (frames_that_a_queue_drops_cost_nothing)
{
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=60 ! " HDR " ! vktonemap name=a "
      "peak-detection=off ! queue leaky=2 max-size-buffers=1 ! "
      "identity sleep-time=10000 ! vkcolorconvert name=b ! "
      "video/x-raw,format=RGBA ! fakesink");
  guint64 shown;

  test_pipeline_run (pipeline, 60);
  shown = test_stat (pipeline, "b", "element", "planned");
  fail_unless (shown > 0 && shown < 60);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "flush-limit"),
                        0);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "submits"),
                        shown);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

static Suite *
endurance_suite (void)
{
  Suite *suite = suite_create ("endurance");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 240);
  tcase_add_test (cases, settings_outlive_null);
  tcase_add_test (cases, many_caps_leave_nothing_behind);
  tcase_add_test (cases, every_frame_arrives_with_its_time);
  tcase_add_test (cases, controller_moves_exposure);
  tcase_add_test (cases, frames_that_a_queue_drops_cost_nothing);
  return suite;
}

GST_CHECK_MAIN (endurance);
