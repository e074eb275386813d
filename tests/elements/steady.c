/* An HDR film through our elements: one submission a frame, and nothing that
 * is made anew once all frames exist. */
#include "gst/base/gstvkcfilter.h"
#include "tests/elements/compute_support.h"
#include "tests/support/support.h"

#define FILM                                                                   \
  "videotestsrc num-buffers=%u ! video/x-raw,format=P010_10LE,width=64,"       \
  "height=48,framerate=30/1,colorimetry=bt2100-pq ! "

/* What may stand between our elements without a cost. */
static const gchar *const between[] = {
  "identity",
  "queue",
  "video/x-raw,format=P010_10LE",
};

static void
assert_one_submission_a_frame (GstElement *pipeline, guint frames)
{
  test_pipeline_run (pipeline, 60);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "submits"),
                        frames);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "flush-limit"),
                        0);
  fail_unless (test_stat (pipeline, "a", "recorder", "waits") <= frames);
  test_assert_stats_agree (pipeline, "a");
  test_pipeline_free (pipeline);
}

GST_START_TEST (tonemap_is_one_submission_a_frame)
{
  assert_one_submission_a_frame (
      test_pipeline_new (FILM "vktonemap name=a ! video/x-raw,format=NV12 ! "
                              "fakesink",
                         100),
      100);
}
GST_END_TEST;

GST_START_TEST (chain_is_one_submission_a_frame)
{
  g_autofree gchar *invert = compute_shader_path ("invert.comp");

  assert_one_submission_a_frame (
      test_pipeline_new (
          FILM "vkcolorconvert name=a ! %s ! vktonemap ! "
               "%s ! vkcompute location=%s ! fakesink",
          100, between[__i__],
          __i__ == 2 ? "video/x-raw,format=RGBA" : between[__i__], invert),
      100);
}
GST_END_TEST;

/* What must not be made for every frame; a fence is not even in the table. */
static const gchar *const lasting[]
    = { "vkCreateCommandPool",      "vkAllocateCommandBuffers",
        "vkCreateSemaphore",        "vkCreateQueryPool",
        "vkCreateComputePipelines", "vkCreateDescriptorPool",
        "vkCreateBuffer",           "vkCreateImage",
        "vkAllocateMemory" };

struct watch
{
  GstElement *pipeline;
  guint frames, first;
  gint64 live;
  guint64 made[G_N_ELEMENTS (lasting)];
};

/* Of everything as many as three submissions in flight need: later a frame that
 * comes back late finds a spare one. */
static void
warm_up (struct watch *watch)
{
  g_autoptr (GstElement) element
      = gst_bin_get_by_name (GST_BIN (watch->pipeline), "a");

  if (watch->frames == 10)
    test_wrap_close_gate (gst_vkc_filter_get_device (GST_VKC_FILTER (element)));
  if (watch->frames == 13)
    test_wrap_open_gate ();
}

/* How many are on their way at a time is the scheduler's doing: here one. */
static void
settle (struct watch *watch)
{
  const gint64 end = g_get_monotonic_time () + 5 * G_TIME_SPAN_SECOND;

  while (test_stat (watch->pipeline, "a", "recorder", "in-flight") > 0
         && g_get_monotonic_time () < end)
    g_usleep (100);
}

/* From the @first frame on nothing comes and nothing goes. */
static GstPadProbeReturn
watch_objects (GstPad *pad, GstPadProbeInfo *probe, gpointer data)
{
  struct watch *watch = data;

  warm_up (watch);
  if (watch->frames > 13)
    settle (watch);
  if (watch->frames++ < watch->first)
    return GST_PAD_PROBE_OK;
  if (watch->live == 0)
    watch->live = test_wrap_live (NULL);
  assert_equals_int64 (test_wrap_live (NULL), watch->live);
  for (guint i = 0; i < G_N_ELEMENTS (lasting); i++) {
    const guint64 made = test_wrap_count (lasting[i]);

    if (watch->frames == watch->first + 1)
      watch->made[i] = made;
    fail_unless (made == watch->made[i], "frame %u: %s", watch->frames,
                 lasting[i]);
  }
  return GST_PAD_PROBE_OK;
}

/* As a film is watched: alone, with detection, made smaller. */
static const gchar *const viewers[] = {
  "vktonemap name=a ! video/x-raw,format=NV12",
  "vktonemap name=a peak-detection=on ! video/x-raw,format=I420",
  "vkcolorconvert name=a scaling-method=bicubic ! "
  "video/x-raw,format=P010_10LE,width=32,height=24 ! vktonemap",
};

/* Mutation seen to fail this: the pool tags what comes back as changed. */
GST_START_TEST (thousand_frames_make_nothing_new)
{
  struct watch watch = { .first = 100 };
  GstElement *pipeline = test_pipeline_new (
      FILM "%s ! fakesink name=sink enable-last-sample=false", 1100,
      viewers[__i__]);
  g_autoptr (GstElement) sink
      = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");

  watch.pipeline = pipeline;
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, watch_objects, &watch,
                     NULL);
  test_pipeline_run (pipeline, 60);
  assert_equals_int (watch.frames, 1100);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

static Suite *
steady_suite (void)
{
  Suite *suite = suite_create ("steady");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 240);
  tcase_add_test (cases, tonemap_is_one_submission_a_frame);
  tcase_add_loop_test (cases, chain_is_one_submission_a_frame, 0,
                       G_N_ELEMENTS (between));
  tcase_add_loop_test (cases, thousand_frames_make_nothing_new, 0,
                       G_N_ELEMENTS (viewers));
  return suite;
}

GST_CHECK_MAIN (steady);
