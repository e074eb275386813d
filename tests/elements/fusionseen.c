/* A frame between two colour jobs that somebody else may see is written, and
 * right; one that nobody sees is not. */
#include <gst/check/gstharness.h>

#include "gst/base/gstvkcpool.h"
#include "tests/elements/frames.h"
#include "tests/support/support.h"

#define WIDTH  34
#define HEIGHT 22
#define SOURCE "video/x-raw,format=NV12,width=34,height=22,framerate=25/1"
#define CHAIN                                                                  \
  "vkcolorconvert name=a ! video/x-raw,format=I420 ! identity name=i ! "       \
  "vkcolorconvert name=b ! video/x-raw,format=NV21 ! identity"

/* Frame @seed of the source, as I420: what lies between. */
static void
assert_between (GstBuffer *buffer, guint seed)
{
  GstVideoInfo from = test_info (GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  GstVideoInfo to = test_info (GST_VIDEO_FORMAT_I420, WIDTH, HEIGHT);
  GstBuffer *source = test_frame_new (&from, seed);
  GstVideoFrame in, out;

  fail_unless (gst_video_frame_map (&in, &from, source, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&out, &to, buffer, GST_MAP_READ));
  for (gint c = 0; c < 3; c++)
    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&in, c); y++)
      for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (&in, c); x++) {
        const guint8 want = ((guint8 *)GST_VIDEO_FRAME_COMP_DATA (
            &in, c))[y * GST_VIDEO_FRAME_COMP_STRIDE (&in, c)
                     + x * GST_VIDEO_FRAME_COMP_PSTRIDE (&in, c)];
        const guint8 is = ((guint8 *)GST_VIDEO_FRAME_COMP_DATA (
            &out, c))[y * GST_VIDEO_FRAME_COMP_STRIDE (&out, c) + x];

        if (is != want)
          fail ("frame %u, component %d at %d, %d: %u, not %u", seed, c, x, y,
                is, want);
      }
  gst_video_frame_unmap (&in);
  gst_video_frame_unmap (&out);
  gst_buffer_unref (source);
}

static GstHarness *
start (void)
{
  GstHarness *harness = gst_harness_new_parse (CHAIN);

  gst_harness_set_src_caps_str (harness, SOURCE);
  return harness;
}

static void
push (GstHarness *harness, guint seed)
{
  const GstVideoInfo info = test_info (GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);

  fail_unless_equals_int (
      gst_harness_push (harness, test_frame_new (&info, seed)), GST_FLOW_OK);
  gst_buffer_unref (gst_harness_pull (harness));
}

static guint64
fused (GstHarness *harness)
{
  return test_stat (harness->element, "a", "recorder", "fused");
}

static GstPad *
pad_between (GstHarness *harness)
{
  GstElement *a = gst_bin_get_by_name (GST_BIN (harness->element), "a");
  GstPad *pad = gst_element_get_static_pad (a, "src");

  gst_object_unref (a);
  return pad;
}

static GstPadProbeReturn
keep (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstBuffer **kept = data;

  if (kept != NULL)
    gst_buffer_replace (kept, GST_PAD_PROBE_INFO_BUFFER (info));
  return GST_PAD_PROBE_OK;
}

/* Mutation seen to fail this: is_unseen() is always true. */
GST_START_TEST (frame_that_a_probe_keeps_is_written)
{
  GstHarness *harness = start ();
  GstPad *pad = pad_between (harness);
  GstBuffer *kept = NULL;
  gulong id;

  push (harness, 1);
  assert_equals_uint64 (fused (harness), 1);
  id = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, keep, &kept, NULL);
  push (harness, 2);
  assert_equals_uint64 (fused (harness), 1);
  assert_between (kept, 2);
  gst_pad_remove_probe (pad, id);
  /* One that only looks at the buffers passing by is no reason. */
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, keep, NULL, NULL);
  push (harness, 3);
  assert_equals_uint64 (fused (harness), 2);
  assert_between (kept, 2);
  gst_buffer_unref (kept);
  gst_object_unref (pad);
  gst_harness_teardown (harness);
}
GST_END_TEST;

static GstPadProbeReturn
map (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  assert_between (GST_PAD_PROBE_INFO_BUFFER (info), *(guint *)data);
  return GST_PAD_PROBE_OK;
}

GST_START_TEST (frame_that_a_probe_maps_is_written)
{
  GstHarness *harness = start ();
  GstPad *pad = pad_between (harness);
  guint seed = 1;

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, map, &seed, NULL);
  push (harness, 1);
  assert_equals_uint64 (fused (harness), 0);
  gst_object_unref (pad);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* What an application may take out of a handoff. */
static const gchar *const holds[] = { "buffer", "copy", "memory", "part" };

static gpointer
hold (const gchar *what, GstBuffer *buffer)
{
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);

  if (g_str_equal (what, "buffer"))
    return gst_buffer_ref (buffer);
  if (g_str_equal (what, "copy"))
    return gst_buffer_copy (buffer);
  if (g_str_equal (what, "memory"))
    return gst_memory_ref (memory);
  return gst_memory_share (memory, 0, -1);
}

static void
take (GstElement *identity, GstBuffer *buffer, gpointer *held)
{
  if (*held == NULL)
    *held = hold (holds[GPOINTER_TO_UINT (held[1])], buffer);
}

static GstBuffer *
as_buffer (const gchar *what, gpointer held)
{
  GstBuffer *buffer;

  if (g_str_equal (what, "buffer") || g_str_equal (what, "copy"))
    return held;
  buffer = gst_buffer_new ();
  gst_buffer_append_memory (buffer, held);
  return buffer;
}

/* References of the buffer (buffer), or of the memory (copy, memory, part). */
GST_START_TEST (frame_that_an_application_holds_is_written)
{
  GstHarness *harness = start ();
  GstElement *identity = gst_bin_get_by_name (GST_BIN (harness->element), "i");
  gpointer held[] = { NULL, GUINT_TO_POINTER (__i__) };
  GstBuffer *buffer;

  push (harness, 1);
  assert_equals_uint64 (fused (harness), 1);
  g_signal_connect (identity, "handoff", G_CALLBACK (take), held);
  push (harness, 2);
  assert_equals_uint64 (fused (harness), 1);
  push (harness, 3);
  assert_equals_uint64 (fused (harness), 2);
  buffer = as_buffer (holds[__i__], held[0]);
  assert_between (buffer, 2);
  gst_buffer_unref (buffer);
  gst_object_unref (identity);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* Both branches convert the same frame: it is made once, for both. */
GST_START_TEST (frame_of_two_branches_is_written)
{
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=30 ! " SOURCE
      " ! vkcolorconvert name=a ! video/x-raw,format=I420 ! tee name=t ! "
      "queue ! vkcolorconvert ! video/x-raw,format=NV12 ! fakesink t. ! queue "
      "! vkcolorconvert ! video/x-raw,format=NV21 ! fakesink");

  test_pipeline_run (pipeline, 40);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "submits"), 60);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "dispatches"),
                        90);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "fused"), 0);
  test_assert_stats_agree (pipeline, "a");
  test_pipeline_free (pipeline);
}
GST_END_TEST;

static GstPadProbeReturn
answer (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  gst_query_add_allocation_meta (query, GST_VKC_MARKER_API_TYPE, NULL);
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  return GST_PAD_PROBE_HANDLED;
}

/* A sink that says that it is one of ours, so that the frame between is pending
 * when the other branch submits, and keeps its last sample: of all frames, the
 * sink's is the one that nobody but it has in the end. */
GST_START_TEST (last_sample_of_a_sink_is_written)
{
  GstElement *pipeline = test_pipeline_new (
      "appsrc name=source caps=" SOURCE " format=time ! "
      "vkcolorconvert name=a ! video/x-raw,format=I420 ! tee name=t ! queue ! "
      "fakesink name=s enable-last-sample=true sync=false async=false t. ! "
      "queue ! vkcolorconvert name=b ! video/x-raw,format=NV21 ! appsink "
      "name=z sync=false async=false");
  const GstVideoInfo info = test_info (GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  GstElement *source = gst_bin_get_by_name (GST_BIN (pipeline), "source");
  GstElement *end = gst_bin_get_by_name (GST_BIN (pipeline), "z");
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "s");
  GstPad *pad = gst_element_get_static_pad (sink, "sink");
  GstSample *sample;
  GstFlowReturn ret;

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, answer, NULL,
                     NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i < 10; i++) {
    GstBuffer *frame = test_frame_new (&info, i);

    g_signal_emit_by_name (source, "push-buffer", frame, &ret);
    fail_unless_equals_int (ret, GST_FLOW_OK);
    gst_buffer_unref (frame);
    g_signal_emit_by_name (end, "pull-sample", &sample);
    fail_unless (sample != NULL);
    gst_sample_unref (sample);
  }
  g_signal_emit_by_name (source, "end-of-stream", &ret);
  test_pipeline_run (pipeline, 20);
  /* The sink's branch alone makes no tail of the first element. */
  assert_equals_uint64 (test_stat (pipeline, "a", "element", "flush-tail"), 0);
  g_object_get (sink, "last-sample", &sample, NULL);
  fail_unless (sample != NULL);
  assert_between (gst_sample_get_buffer (sample), 9);
  gst_sample_unref (sample);
  gst_object_unref (pad);
  gst_object_unref (sink);
  gst_object_unref (end);
  gst_object_unref (source);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

static Suite *
fusionseen_suite (void)
{
  Suite *suite = suite_create ("fusionseen");
  TCase *tests = tcase_create ("fusionseen");

  suite_add_tcase (suite, tests);
  tcase_set_timeout (tests, 60);
  tcase_add_test (tests, frame_that_a_probe_keeps_is_written);
  tcase_add_test (tests, frame_that_a_probe_maps_is_written);
  tcase_add_loop_test (tests, frame_that_an_application_holds_is_written, 0,
                       G_N_ELEMENTS (holds));
  tcase_add_test (tests, frame_of_two_branches_is_written);
  tcase_add_test (tests, last_sample_of_a_sink_is_written);
  return suite;
}

GST_CHECK_MAIN (fusionseen);
