/* Who submits, and when: tails, markers, passthrough, events, starvation. */
#include <glib/gstdio.h>

#include "gst/base/gstvkcfilter.h"
#include "gst/base/gstvkcpool.h"
#include "tests/elements/adder.h"
#include "tests/elements/frames.h"
#include "tests/support/support.h"

#define SOURCE(n)                                                              \
  "videotestsrc num-buffers=" #n                                               \
  " ! video/x-raw,format=NV12,width=64,height=48,framerate=30/1"

static guint64
recorder_stat (GstElement *pipeline, const char *name)
{
  return test_stat (pipeline, "a", "recorder", name);
}

/* What may stand between our elements without a cost. */
static const char *const between[] = {
  "identity",
  "queue",
  "queue ! queue",
  "video/x-raw,format=NV12",
  "tee ! identity ! queue",
  "identity ! video/x-raw,format=NV12 ! queue",
};

GST_START_TEST (chain_is_one_submission_whatever_is_between)
{
  GstElement *pipeline = test_pipeline_new (
      SOURCE (100) " ! vkctestadd name=a ! %s ! vkctestadd ! %s ! "
                   "vkctestadd name=c ! fakesink",
      between[__i__], between[__i__]);

  test_pipeline_run (pipeline, 30);
  assert_equals_uint64 (recorder_stat (pipeline, "submits"), 100);
  assert_equals_uint64 (recorder_stat (pipeline, "dispatches"), 300);
  assert_equals_uint64 (recorder_stat (pipeline, "flush-tail"), 100);
  assert_equals_uint64 (recorder_stat (pipeline, "flush-limit"), 0);
  assert_equals_uint64 (recorder_stat (pipeline, "flush-map"), 0);
  assert_equals_uint64 (recorder_stat (pipeline, "pending"), 0);
  fail_unless (recorder_stat (pipeline, "waits") <= 100);
  test_assert_stats_agree (pipeline, "a");
  test_pipeline_free (pipeline);
}
GST_END_TEST;

/* Peers that take anything get plain frames, each submitted by its tail. */
static const char *const peers[] = {
  "fakesink",
  "filesink location=/dev/null",
  "appsink sync=false drop=true max-buffers=1 wait-on-eos=false",
  "tee ! fakesink",
  "videoconvert ! fakesink",
  "videorate ! fakesink",
  "videobalance hue=0.5 ! fakesink",
  "autovideosink sync=false",
};

/* DirectFB's sink crashes by itself where there is no screen. */
static void
leave_directfb_out (void)
{
  GstPluginFeature *sink = gst_registry_lookup_feature (gst_registry_get (),
                                                        "dfbvideosink");

  if (sink == NULL)
    return;
  gst_plugin_feature_set_rank (sink, GST_RANK_NONE);
  gst_object_unref (sink);
}

GST_START_TEST (foreign_peer_makes_a_tail)
{
  GstElement *pipeline = test_pipeline_new (
      SOURCE (50) " ! vkctestadd ! vkctestadd name=a ! %s", peers[__i__]);
  g_autoptr (GstElement) tail = gst_bin_get_by_name (GST_BIN (pipeline), "a");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (tail, "src");
  g_autoptr (GstCaps) caps = NULL;

  test_pipeline_run (pipeline, 30);
  caps = gst_pad_get_current_caps (pad);
  fail_unless (gst_caps_features_is_equal (
      gst_caps_get_features (caps, 0), GST_CAPS_FEATURES_MEMORY_SYSTEM_MEMORY));
  assert_equals_uint64 (recorder_stat (pipeline, "submits"), 50);
  assert_equals_uint64 (recorder_stat (pipeline, "flush-tail"), 50);
  assert_equals_uint64 (recorder_stat (pipeline, "flush-map"), 0);
  test_assert_stats_agree (pipeline, "a");
  test_pipeline_free (pipeline);
}
GST_END_TEST;

GST_START_TEST (branches_of_a_tee_share_their_prefix)
{
  GstElement *pipeline = test_pipeline_new (
      SOURCE (50) " ! vkctestadd name=a ! tee name=t ! queue ! "
                  "vkctestadd name=b ! fakesink t. ! queue ! "
                  "vkctestadd name=c ! fakesink");

  test_pipeline_run (pipeline, 30);
  assert_equals_uint64 (recorder_stat (pipeline, "submits"), 100);
  assert_equals_uint64 (recorder_stat (pipeline, "dispatches"), 150);
  assert_equals_uint64 (recorder_stat (pipeline, "flush-map"), 0);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

/* One branch is the CPU's: its frames must not stay pending. */
GST_START_TEST (foreign_branch_of_a_tee_makes_a_tail)
{
  GstElement *pipeline = test_pipeline_new (
      SOURCE (50) " ! vkctestadd name=a ! tee name=t ! queue ! "
                  "vkctestadd ! fakesink t. ! queue ! videobalance ! fakesink");

  test_pipeline_run (pipeline, 30);
  assert_equals_uint64 (test_stat (pipeline, "a", "element", "flush-tail"), 50);
  assert_equals_uint64 (recorder_stat (pipeline, "flush-map"), 0);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

/* They forward the marker and then map: the net holds, and learns. */
static const char *const liars[] = {
  "videobalance brightness=0.1",
  "videoconvert ! video/x-raw,format=RGBA",
  "videoconvert ! video/x-raw,format=I420 ! videoconvert",
};

GST_START_TEST (peer_that_lies_is_found_out)
{
  GstElement *pipeline = test_pipeline_new (
      SOURCE (50) " ! vkctestadd name=a ! %s ! vkctestadd ! fakesink",
      liars[__i__]);

  test_pipeline_run (pipeline, 30);
  fail_unless (recorder_stat (pipeline, "flush-map") <= 4);
  fail_unless (recorder_stat (pipeline, "submits") <= 100);
  test_assert_stats_agree (pipeline, "a");
  test_pipeline_free (pipeline);
}
GST_END_TEST;

/* The bytes of all frames that @line, which begins after the source, makes. */
static void
frames_of (const char *line, char **bytes, gsize *size)
{
  g_autofree char *path = NULL;
  GstElement *pipeline;
  int file = g_file_open_tmp ("vkc-XXXXXX", &path, NULL);

  close (file);
  pipeline = test_pipeline_new (SOURCE (20) " ! %s ! filesink location=%s",
                                line, path);
  test_pipeline_run (pipeline, 30);
  test_pipeline_free (pipeline);
  fail_unless (g_file_get_contents (path, bytes, size, NULL));
  g_remove (path);
}

/* What the CPU does between two of our elements, and without them. No size here
 * leaves padding behind a row, of which nobody knows what it holds. */
static const char *const edits[] = {
  "videocrop left=17 right=3 top=3 bottom=1",
  "videocrop left=2 right=6 bottom=10",
  "videobalance brightness=0.2 hue=0.3",
  "videoflip video-direction=180",
  "gamma gamma=2",
  "videoconvert ! video/x-raw,format=RGBA ! "
  "videocrop left=17 right=3 top=3 bottom=1 ! videoconvert ! "
  "video/x-raw,format=NV12",
};

GST_START_TEST (cpu_between_our_elements_is_seen)
{
  struct vkc_device *device = test_device_new ();
  g_autofree char *line = g_strdup_printf (
      "vkctestadd amount=0 ! %s ! vkctestadd amount=0", edits[__i__]);
  g_autofree char *want = NULL, *got = NULL;
  gsize want_size, got_size;

  frames_of (edits[__i__], &want, &want_size);
  frames_of (line, &got, &got_size);
  assert_equals_uint64 (got_size, want_size);
  fail_unless (memcmp (got, want, got_size) == 0);
  vkc_device_unref (device);
}
GST_END_TEST;

/* Mutation seen to fail this: frames that come back to the pool are discarded
 * when they are acquired again, not before (39 submissions for 31 frames). */
GST_START_TEST (dropped_frames_are_never_dispatched)
{
  GstElement *pipeline = test_pipeline_new (
      SOURCE (60) " ! vkctestadd name=a ! identity drop-probability=0.5 ! "
                  "vkctestadd name=b ! fakesink");
  guint64 delivered;

  test_pipeline_run (pipeline, 30);
  delivered = test_stat (pipeline, "b", "element", "planned");
  fail_unless (delivered > 0 && delivered < 60);
  assert_equals_uint64 (recorder_stat (pipeline, "flush-limit"), 0);
  assert_equals_uint64 (recorder_stat (pipeline, "submits"), delivered);
  assert_equals_uint64 (recorder_stat (pipeline, "dispatches"), 2 * delivered);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

GST_START_TEST (passthrough_only_forwards)
{
  GstElement *pipeline = test_pipeline_new (
      SOURCE (50) " ! vkctestadd name=a ! vkctestadd through=true name=b ! "
                  "vkctestadd ! vkctestadd through=true name=d ! fakesink");

  test_pipeline_run (pipeline, 30);
  assert_equals_uint64 (recorder_stat (pipeline, "submits"), 50);
  assert_equals_uint64 (recorder_stat (pipeline, "dispatches"), 100);
  assert_equals_uint64 (recorder_stat (pipeline, "flush-tail"), 50);
  assert_equals_uint64 (test_stat (pipeline, "b", "element", "planned"), 0);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

static GstPadProbeReturn
toggle (GstPad *pad, GstPadProbeInfo *info, gpointer element)
{
  static guint n;
  gboolean through;

  if (++n % 10 == 0) {
    g_object_get (element, "through", &through, NULL);
    g_object_set (element, "through", !through, NULL);
  }
  return GST_PAD_PROBE_OK;
}

/* The element before it is a tail at one time and not at another. It learns of
 * that with its next frame, so that each change to active costs one more. */
GST_START_TEST (change_of_passthrough_moves_the_tail)
{
  GstElement *pipeline = test_pipeline_new (
      SOURCE (100) " ! vkctestadd name=a ! vkctestadd name=b ! identity ! "
                   "fakesink");
  g_autoptr (GstElement) b = gst_bin_get_by_name (GST_BIN (pipeline), "b");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (b, "sink");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, toggle, b, NULL);
  test_pipeline_run (pipeline, 30);
  fail_unless (recorder_stat (pipeline, "submits") <= 105);
  assert_equals_uint64 (recorder_stat (pipeline, "flush-map"), 0);
  assert_equals_uint64 (recorder_stat (pipeline, "pending"), 0);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

/* A GstBufferPool of exactly @n frames. */
static GstBufferPool *
small_pool (guint n)
{
  GstBufferPool *pool = gst_video_buffer_pool_new ();
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstCaps *caps = gst_caps_from_string (
      "video/x-raw,format=NV12,width=64,height=48,framerate=30/1");
  GstVideoInfo info;

  fail_unless (gst_video_info_from_caps (&info, caps));
  gst_buffer_pool_config_set_params (config, caps, info.size, n, n);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  gst_caps_unref (caps);
  return pool;
}

/* Feeds @n frames of a pool of @size into @line, which begins with an appsrc
 * called "src"; EOS must come. */
static void
run_starving (const char *line, guint size, guint n)
{
  GstElement *pipeline = test_pipeline_new ("%s", line);
  g_autoptr (GstElement) source
      = gst_bin_get_by_name (GST_BIN (pipeline), "src");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = NULL;
  GstBufferPool *pool = small_pool (size);
  GstFlowReturn ret;

  /* The default: a consumer that does not come is not waited for longer. */
  g_setenv ("VKC_MAX_PENDING_MS", "500", TRUE);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i < n; i++) {
    GstBuffer *buffer;

    assert_equals_int (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL),
                       GST_FLOW_OK);
    GST_BUFFER_PTS (buffer) = i * GST_SECOND / 30;
    GST_BUFFER_DURATION (buffer) = GST_SECOND / 30;
    g_signal_emit_by_name (source, "push-buffer", buffer, &ret);
    gst_buffer_unref (buffer);
    assert_equals_int (ret, GST_FLOW_OK);
  }
  g_signal_emit_by_name (source, "end-of-stream", &ret);
  message = gst_bus_timed_pop_filtered (bus, 20 * GST_SECOND,
                                        GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message != NULL
               && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS);
  test_pipeline_free (pipeline);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
}

#define APPSRC                                                                 \
  "appsrc name=src format=time "                                               \
  "caps=video/x-raw,format=NV12,width=64,height=48,framerate=30/1 ! "

GST_START_TEST (small_pool_and_a_deep_queue_do_not_starve)
{
  run_starving (APPSRC "vkctestadd name=a ! queue min-threshold-buffers=10 ! "
                       "vkctestadd ! fakesink",
                4, 60);
}
GST_END_TEST;

GST_START_TEST (pool_of_two_and_videorate_do_not_starve)
{
  run_starving (APPSRC "vkctestadd name=a ! videorate ! "
                       "video/x-raw,framerate=1/1 ! vkctestadd ! fakesink",
                2, 45);
}
GST_END_TEST;

static GstPadProbeReturn
close_gate (GstPad *pad, GstPadProbeInfo *info, gpointer element)
{
  static guint n;

  if (++n == 3)
    test_wrap_close_gate (gst_vkc_filter_get_device (element));
  return GST_PAD_PROBE_OK;
}

/* The last frame is submitted, and never comes. Mutation seen to fail this: no
 * wait at EOS. */
GST_START_TEST (error_in_the_last_frame_is_no_eos)
{
  GstElement *pipeline
      = test_pipeline_new (SOURCE (3) " ! vkctestadd name=a ! fakesink");
  g_autoptr (GstElement) a = gst_bin_get_by_name (GST_BIN (pipeline), "a");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (a, "sink");
  g_autoptr (GError) error = NULL;

  g_setenv ("VKC_TIMEOUT_MS", "2000", TRUE);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, close_gate, a, NULL);
  error = test_pipeline_run_to_error (pipeline, 20);
  test_wrap_open_gate ();
  fail_unless (error != NULL);
  fail_unless (strstr (error->message, "TIMEOUT") != NULL, "%s",
               error->message);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

/* Drained elements have given back all that they held. */
GST_START_TEST (drain_submits_and_waits)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_NV12, 66, 50);
  GstHarness *harness = test_adder_harness (&info, NULL, TRUE);
  GstQuery *query = gst_query_new_drain ();
  GstBuffer *held[3];

  for (guint i = 0; i < G_N_ELEMENTS (held); i++)
    held[i] = gst_harness_push_and_pull (harness, test_frame_new (&info, i));
  assert_equals_uint64 (test_harness_stat (harness, "recorder", "pending"), 3);
  gst_pad_peer_query (harness->srcpad, query);
  assert_equals_uint64 (test_harness_stat (harness, "recorder", "pending"), 0);
  assert_equals_uint64 (test_harness_stat (harness, "recorder", "in-flight"),
                        0);
  assert_equals_uint64 (test_harness_stat (harness, "element", "flush-drain"),
                        3);
  for (guint i = 0; i < G_N_ELEMENTS (held); i++) {
    test_frame_assert (held[i], &info, i, 1);
    gst_buffer_unref (held[i]);
  }
  gst_query_unref (query);
  gst_harness_teardown (harness);
}
GST_END_TEST;

static const GstEventType harmless[]
    = { GST_EVENT_SEGMENT, GST_EVENT_GAP, GST_EVENT_EOS };

/* Somebody behind us still wants the frames before the event. */
GST_START_TEST (events_do_not_submit)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_NV12, 66, 50);
  GstHarness *harness = test_adder_harness (&info, NULL, TRUE);
  GstBuffer *held
      = gst_harness_push_and_pull (harness, test_frame_new (&info, 1));
  GstSegment segment;
  GstEvent *event;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  if (harmless[__i__] == GST_EVENT_SEGMENT)
    event = gst_event_new_segment (&segment);
  else if (harmless[__i__] == GST_EVENT_GAP)
    event = gst_event_new_gap (0, 1);
  else
    event = gst_event_new_eos ();
  fail_unless (gst_harness_push_event (harness, event));
  fail_unless (test_frame_is_pending (held));
  test_frame_assert (held, &info, 1, 1);
  gst_buffer_unref (held);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* A flush seek does not take away what somebody holds. */
GST_START_TEST (flush_keeps_held_frames)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_NV12, 66, 50);
  GstHarness *harness = test_adder_harness (&info, NULL, TRUE);
  GstBuffer *held
      = gst_harness_push_and_pull (harness, test_frame_new (&info, 1));
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (harness, gst_event_new_flush_start ());
  gst_harness_push_event (harness, gst_event_new_flush_stop (TRUE));
  gst_harness_push_event (harness, gst_event_new_segment (&segment));
  gst_buffer_unref (
      gst_harness_push_and_pull (harness, test_frame_new (&info, 2)));
  test_frame_assert (held, &info, 1, 1);
  gst_buffer_unref (held);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* A rate is no reason to make frames anew; a size is. */
GST_START_TEST (pool_survives_a_change_of_rate_only)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_NV12, 66, 50);
  GstHarness *harness = test_adder_harness (&info, NULL, FALSE);
  GstBuffer *buffer
      = gst_harness_push_and_pull (harness, test_frame_new (&info, 1));
  GstBufferPool *pool = buffer->pool;

  gst_buffer_unref (buffer);
  info.fps_n = 25;
  gst_harness_set_src_caps (harness, gst_video_info_to_caps (&info));
  buffer = gst_harness_push_and_pull (harness, test_frame_new (&info, 2));
  fail_unless (buffer->pool == pool);
  test_frame_assert (buffer, &info, 2, 1);
  gst_buffer_unref (buffer);

  info = test_info (GST_VIDEO_FORMAT_NV12, 321, 241);
  gst_harness_set_src_caps (harness, gst_video_info_to_caps (&info));
  buffer = gst_harness_push_and_pull (harness, test_frame_new (&info, 3));
  assert_equals_uint64 (gst_buffer_get_size (buffer), info.size);
  test_frame_assert (buffer, &info, 3, 1);
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);
}
GST_END_TEST;

static Suite *
stream_suite (void)
{
  Suite *suite = suite_create ("stream");
  TCase *tests = tcase_create ("counts");

  test_adder_register ();
  leave_directfb_out ();
  suite_add_tcase (suite, tests);
  tcase_add_loop_test (tests, chain_is_one_submission_whatever_is_between, 0,
                       G_N_ELEMENTS (between));
  tcase_add_loop_test (tests, foreign_peer_makes_a_tail, 0,
                       G_N_ELEMENTS (peers));
  tcase_add_test (tests, branches_of_a_tee_share_their_prefix);
  tcase_add_test (tests, foreign_branch_of_a_tee_makes_a_tail);
  tcase_add_loop_test (tests, peer_that_lies_is_found_out, 0,
                       G_N_ELEMENTS (liars));
  tcase_add_loop_test (tests, cpu_between_our_elements_is_seen, 0,
                       G_N_ELEMENTS (edits));
  tcase_add_test (tests, dropped_frames_are_never_dispatched);
  tcase_add_test (tests, passthrough_only_forwards);
  tcase_add_test (tests, change_of_passthrough_moves_the_tail);
  tcase_add_test (tests, small_pool_and_a_deep_queue_do_not_starve);
  tcase_add_test (tests, pool_of_two_and_videorate_do_not_starve);
  tcase_add_test (tests, error_in_the_last_frame_is_no_eos);
  tcase_add_test (tests, drain_submits_and_waits);
  tcase_add_loop_test (tests, events_do_not_submit, 0, G_N_ELEMENTS (harmless));
  tcase_add_test (tests, flush_keeps_held_frames);
  tcase_add_test (tests, pool_survives_a_change_of_rate_only);
  return suite;
}

GST_CHECK_MAIN (stream);
