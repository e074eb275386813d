/* Frames that are made in dmabufs, and what is pending of them. Elsewhere:
 * dmabuf.c, what comes in; tests/vm, displays. */
#include "gst/base/gstvkccaps.h"
#include "gst/base/gstvkcdmabuf.h"
#include "gst/base/gstvkcfilter.h"
#include "gst/base/gstvkcmemory.h"
#include "gst/base/gstvkcpool.h"
#include "gst/vk/dmabuf.h"
#include "gst/vk/recorder.h"
#include "tests/elements/adder.h"
#include "tests/elements/frames.h"
#include "tests/support/pretend.h"
#include "tests/support/support.h"

#define WIDTH  256
#define HEIGHT 48

/* An element that makes frames in dmabufs, for a harness that is one of ours
 * as far as it knows, or not. Not all drivers can export any. */
static GstHarness *
harness_new (const gchar *line, gboolean peer_is_ours, const GstVideoInfo *info)
{
  GstHarness *harness;

  test_wrap_install ();
  test_wrap_pretend_exports (true);
  harness = gst_harness_new_parse (line);
  gst_harness_set_sink_caps_str (harness,
                                 "video/x-raw(memory:DMABuf),format=NV12");
  gst_harness_add_propose_allocation_meta (harness, GST_VIDEO_META_API_TYPE,
                                           NULL);
  if (peer_is_ours)
    gst_harness_add_propose_allocation_meta (harness, GST_VKC_MARKER_API_TYPE,
                                             NULL);
  gst_harness_set_src_caps (harness,
                            gst_video_info_to_caps ((GstVideoInfo *)info));
  return harness;
}

static GstElement *
element (GstHarness *harness, const gchar *name)
{
  return GST_IS_BIN (harness->element)
             ? gst_bin_get_by_name (GST_BIN (harness->element), name)
             : gst_object_ref (harness->element);
}

static struct vkc_device *
device_of (GstHarness *harness)
{
  GstElement *a = element (harness, "a");
  struct vkc_device *device = gst_vkc_filter_get_device (GST_VKC_FILTER (a));

  gst_object_unref (a);
  return device;
}

/* The first frame says whether the driver can at all. */
#define NEEDS_DMABUFS(harness)                                                 \
  if (device_of (harness) == NULL                                              \
      || !device_of (harness)->can_import_dmabuf) {                            \
    gst_harness_teardown (harness);                                            \
    test_skip ("the driver has no dmabufs");                                   \
  }

static struct vkc_image *
image_of (GstHarness *harness, GstBuffer *buffer)
{
  struct vkc_image *image
      = gst_vkc_dmabuf_get_image (buffer, device_of (harness));

  fail_unless (image != NULL);
  return image;
}

static GstPadProbeReturn
keep (GstPad *pad, GstPadProbeInfo *info, gpointer kept)
{
  g_ptr_array_add (kept,
                   gst_buffer_ref (GST_PAD_PROBE_INFO_BUFFER (info)));
  return GST_PAD_PROBE_OK;
}

/* One that is pending is submitted by whoever hands it to a stranger, also
 * where that has just begun to do nothing else.
 * Mutation seen to fail this: flush_foreign() that looks at our memory only. */
GST_START_TEST (passthrough_submits_what_a_stranger_gets)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  GstHarness *harness = harness_new (
      "vkctestadd name=a ! video/x-raw(memory:DMABuf),format=NV12 ! "
      "vkcolorconvert name=b video-direction=180",
      FALSE, &info);
  g_autoptr (GPtrArray) between
      = g_ptr_array_new_with_free_func ((GDestroyNotify)gst_buffer_unref);
  GstElement *b;
  GstBuffer *out;
  GstPad *pad;

  NEEDS_DMABUFS (harness);
  b = element (harness, "b");
  /* None is used again: the validation layer misses what a release to others
   * does to a layout. */
  pad = gst_element_get_static_pad (b, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, keep, between, NULL);
  gst_object_unref (pad);
  gst_buffer_unref (
      gst_harness_push_and_pull (harness, test_frame_new (&info, 1)));
  gst_util_set_object_arg (G_OBJECT (b), "video-direction", "identity");
  out = gst_harness_push_and_pull (harness, test_frame_new (&info, 2));
  fail_unless (gst_base_transform_is_passthrough (GST_BASE_TRANSFORM (b)));
  fail_if (vkc_image_is_pending (image_of (harness, out)));
  test_frame_assert (out, &info, 2, 1);
  assert_equals_uint64 (
      vkc_recorder_counters (device_of (harness)->recorder)
          .flush[VKC_FLUSH_MAP],
      0);
  gst_buffer_unref (out);
  g_ptr_array_set_size (between, 0);
  gst_object_unref (b);
  gst_harness_teardown (harness);
  test_assert_all_gone ();
}
GST_END_TEST;

GST_START_TEST (dropped_frame_is_discarded_at_once)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  GstHarness *harness = harness_new ("vkctestadd name=a", TRUE, &info);

  NEEDS_DMABUFS (harness);
  for (guint i = 0; i < 3; i++) {
    GstBuffer *out
        = gst_harness_push_and_pull (harness, test_frame_new (&info, i));

    fail_unless (vkc_image_is_pending (image_of (harness, out)));
    gst_buffer_unref (out);
    assert_equals_uint64 (
        vkc_recorder_counters (device_of (harness)->recorder).pending, 0);
  }
  assert_equals_uint64 (
      vkc_recorder_counters (device_of (harness)->recorder).discarded, 3);
  gst_harness_teardown (harness);
  test_assert_all_gone ();
}
GST_END_TEST;

/* What was in the dmabuf before, or nothing, is no frame. */
GST_START_TEST (failed_frame_is_black)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  GstHarness *harness;
  GstVideoFrame frame;
  GstBuffer *out;

  g_log_set_always_fatal (G_LOG_FATAL_MASK);
  g_setenv ("VKC_MAX_PENDING_MS", "50", TRUE);
  harness = harness_new ("vkctestadd name=a", TRUE, &info);
  NEEDS_DMABUFS (harness);
  test_wrap_fail_from ("vkQueueSubmit2", 1, VK_ERROR_OUT_OF_DEVICE_MEMORY);
  out = gst_harness_push_and_pull (harness, test_frame_new (&info, 1));
  /* The completion thread submits it, in vain. */
  while (vkc_image_is_pending (image_of (harness, out)))
    g_usleep (1000);
  fail_unless (gst_video_frame_map (&frame, &info, out, GST_MAP_READ));
  assert_equals_int (((guint8 *)GST_VIDEO_FRAME_PLANE_DATA (&frame, 0))[0], 16);
  assert_equals_int (((guint8 *)GST_VIDEO_FRAME_PLANE_DATA (&frame, 1))[0],
                     128);
  gst_video_frame_unmap (&frame);

  /* What the CPU then puts there is one. */
  fail_unless (gst_video_frame_map (&frame, &info, out, GST_MAP_READWRITE));
  ((guint8 *)GST_VIDEO_FRAME_PLANE_DATA (&frame, 0))[0] = 77;
  gst_video_frame_unmap (&frame);
  fail_unless (gst_video_frame_map (&frame, &info, out, GST_MAP_READ));
  assert_equals_int (((guint8 *)GST_VIDEO_FRAME_PLANE_DATA (&frame, 0))[0], 77);
  gst_video_frame_unmap (&frame);
  gst_buffer_unref (out);
  gst_harness_teardown (harness);
  test_assert_all_gone ();
}
GST_END_TEST;

GST_START_TEST (frame_that_cannot_be_made_is_one_error)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  g_autoptr (GstBus) bus = gst_bus_new ();
  g_autoptr (GError) error = NULL;
  GstMessage *message;
  GstHarness *harness;

  g_log_set_always_fatal (G_LOG_FATAL_MASK);
  harness = harness_new ("vkctestadd name=a", FALSE, &info);
  NEEDS_DMABUFS (harness);
  gst_element_set_bus (harness->element, bus);
  test_wrap_fail_from ("vkGetMemoryFdKHR", 1, VK_ERROR_OUT_OF_HOST_MEMORY);
  for (guint i = 0; i < 2; i++)
    assert_equals_int (gst_harness_push (harness, test_frame_new (&info, 1)),
                       GST_FLOW_ERROR);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, "vkGetMemoryFdKHR") != NULL, "%s",
               error->message);
  gst_message_unref (message);
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR) == NULL);
  gst_element_set_bus (harness->element, NULL);
  gst_harness_teardown (harness);
  test_assert_all_gone ();
}
GST_END_TEST;

/* Lower by half, and so another image where the storage is one. */
GST_START_TEST (other_view_comes_after_what_is_pending)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  GstVideoInfo half = test_info (GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT / 2);
  GstHarness *harness = harness_new ("vkctestadd name=a", TRUE, &info);
  GstVkcFrame frame = { .info = &half, .storage = gst_vkc_storage_for (&half) };
  struct vkc_image *image;
  struct vkc_owner *owner;
  struct vkc_job *job;
  GstVideoMeta *meta;
  GstBuffer *out;

  NEEDS_DMABUFS (harness);
  out = gst_harness_push_and_pull (harness, test_frame_new (&info, 1));
  image = image_of (harness, out);
  fail_unless (vkc_image_is_pending (image));
  meta = gst_buffer_get_video_meta (out);
  frame.buffer = out;
  owner = vkc_owner_new ("view", NULL, NULL, NULL);
  job = vkc_job_new (owner);
  assert_equals_int (gst_vkc_dmabuf_place (&frame, device_of (harness),
                                           meta->offset, meta->stride, 0,
                                           FALSE, job, NULL, NULL),
                     GST_VKC_DMABUF_PLACED);
  assert_equals_int (vkc_image_is_pending (image), frame.image == image);
  fail_unless (image_of (harness, out) == image);
  vkc_job_unref (job);
  vkc_owner_unref (owner);
  gst_buffer_unref (out);
  gst_harness_teardown (harness);
  test_assert_all_gone ();
}
GST_END_TEST;

static Suite *
dmabufout_suite (void)
{
  Suite *suite = suite_create ("dmabufout");
  TCase *tc = tcase_create ("general");

  test_adder_register ();
  suite_add_tcase (suite, tc);
  tcase_add_test (tc, passthrough_submits_what_a_stranger_gets);
  tcase_add_test (tc, dropped_frame_is_discarded_at_once);
  tcase_add_test (tc, failed_frame_is_black);
  tcase_add_test (tc, frame_that_cannot_be_made_is_one_error);
  tcase_add_test (tc, other_view_comes_after_what_is_pending);
  return suite;
}

GST_CHECK_MAIN (dmabufout);
