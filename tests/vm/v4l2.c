/* What goes to V4L2, which looks at no fences: into its buffers, and into ours
 * that it imports. */
#include <fcntl.h>
#include <gst/base/gstbasesink.h>
#include <gst/video/video.h>
#include <linux/videodev2.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "gst/base/gstvkcdmabuf.h"
#include "gst/base/gstvkcfilter.h"
#include "tests/vm/seen.h"

/* Vivid's HDMI output, which takes any progressive format. */
static gboolean
select_output (const char *path)
{
  const int fd = open (path, O_RDWR | O_CLOEXEC);
  int output = 1;
  const gboolean ok = fd >= 0 && ioctl (fd, VIDIOC_S_OUTPUT, &output) == 0;

  close (fd);
  return ok;
}

static GstPadProbeReturn
assert_over (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  struct vkc_device *device = gst_vkc_filter_get_device (data);
  struct vkc_image *image
      = gst_vkc_dmabuf_get_image (GST_PAD_PROBE_INFO_BUFFER (info), device);

  fail_unless (image != NULL && vkc_image_is_idle (image));
  return GST_PAD_PROBE_OK;
}

/* V4L2 looks at no fence: frames are ready before it gets them. */
GST_START_TEST (buffers_of_v4l2_are_written_in_place)
{
  fail_unless (select_output ("/dev/video2"));
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=20 ! video/x-raw,format=RGBA,width=640,"
      "height=480,framerate=25/1 ! vkcolorconvert name=c ! "
      "video/x-raw,format=YUY2,colorimetry=bt601 ! "
      "v4l2sink device=/dev/video2 io-mode=dmabuf sync=false");
  g_autoptr (GstElement) converter
      = gst_bin_get_by_name (GST_BIN (pipeline), "c");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (converter, "src");
  g_autoptr (GError) error = NULL;
  struct seen out;

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, assert_over, converter,
                     NULL);
  seen_watch (pipeline, "c", "src", &out);
  error = test_pipeline_run_to_error (pipeline, 100);
  fail_unless (error == NULL, "%s", error ? error->message : "");
  assert_equals_int (out.dmabufs, out.buffers);
  assert_equals_int (out.buffers, 20);
  assert_equals_uint64 (test_stat (pipeline, "c", "recorder", "imports"),
                        g_hash_table_size (out.inodes));
  g_hash_table_unref (out.inodes);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

/* A sink of V4L2's family, by its name, that takes dmabufs of others. */
G_DECLARE_FINAL_TYPE (GstV4l2Test, gst_v4l2_test, GST, V4L2_TEST, GstBaseSink)

struct _GstV4l2Test
{
  GstBaseSink parent;
};

G_DEFINE_FINAL_TYPE (GstV4l2Test, gst_v4l2_test, GST_TYPE_BASE_SINK)

static gboolean
gst_v4l2_test_propose_allocation (GstBaseSink *sink, GstQuery *query)
{
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  return TRUE;
}

static void
gst_v4l2_test_class_init (GstV4l2TestClass *klass)
{
  g_autoptr (GstCaps) caps
      = gst_caps_from_string ("video/x-raw(memory:DMABuf),format=NV12");

  gst_element_class_add_pad_template (
      GST_ELEMENT_CLASS (klass),
      gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_set_static_metadata (
      GST_ELEMENT_CLASS (klass), "V4L2", "Sink/Video", "Takes dmabufs",
      "gst-vkcompute");
  GST_BASE_SINK_CLASS (klass)->propose_allocation
      = gst_v4l2_test_propose_allocation;
}

static void
gst_v4l2_test_init (GstV4l2Test *self)
{
}

static gint arrived;

/* The device is held up from here on, and says of no fence that it is there. */
static GstPadProbeReturn
hold_device (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  test_wrap_close_gate (gst_vkc_filter_get_device (data));
  test_wrap_fail ("vkGetSemaphoreFdKHR", 1, VK_SUCCESS, false);
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
note_arrival (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  g_atomic_int_set (&arrived, 1);
  return assert_over (pad, info, data);
}

/* Lets the device go on when the stream waits for it. */
static gpointer
open_gate (gpointer pipeline)
{
  while (!g_atomic_int_get (&arrived)
         && test_stat (pipeline, "c", "recorder", "waits") == 0)
    g_usleep (1000);
  test_wrap_open_gate ();
  return NULL;
}

/* An encoder that imports our dmabufs does not look at fences either. Mutation
 * seen to fail this: no wait for frames that V4L2 gets. */
GST_START_TEST (dmabufs_for_v4l2_are_over_when_they_go)
{
  gst_element_register (NULL, "v4l2test", GST_RANK_NONE,
                        gst_v4l2_test_get_type ());
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=1 ! video/x-raw,format=RGBA,width=256,"
      "height=64 ! vkcolorconvert name=c ! queue ! v4l2test name=s "
      "sync=false async=false");
  g_autoptr (GstElement) converter
      = gst_bin_get_by_name (GST_BIN (pipeline), "c");
  g_autoptr (GstPad) sink = gst_element_get_static_pad (converter, "sink");
  g_autoptr (GstPad) src = gst_element_get_static_pad (converter, "src");
  GThread *opener;

  gst_pad_add_probe (sink, GST_PAD_PROBE_TYPE_BUFFER, hold_device, converter,
                     NULL);
  gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BUFFER, note_arrival, converter,
                     NULL);
  opener = g_thread_new ("opener", open_gate, pipeline);
  test_pipeline_run (pipeline, 100);
  g_thread_join (opener);
  fail_unless_equals_int (g_atomic_int_get (&arrived), 1);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

/* Since 1.26 V4L2's own elements take dmabufs by their caps. */
GST_START_TEST (v4l2_imports_our_dmabufs)
{
  guint major, minor, micro, nano;

  gst_version (&major, &minor, &micro, &nano);
  if (minor < 26)
    test_skip ("V4L2 takes no memory:DMABuf before 1.26");
  fail_unless (select_output ("/dev/video2"));
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=20 ! video/x-raw,format=RGBA,width=640,"
      "height=480,framerate=25/1 ! vkcolorconvert name=c ! "
      "video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format=YUYV,"
      "colorimetry=bt601 ! "
      "v4l2sink device=/dev/video2 io-mode=dmabuf-import sync=false");
  g_autoptr (GstElement) converter
      = gst_bin_get_by_name (GST_BIN (pipeline), "c");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (converter, "src");
  g_autoptr (GError) error = NULL;
  struct seen out;

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, assert_over, converter,
                     NULL);
  seen_watch (pipeline, "c", "src", &out);
  error = test_pipeline_run_to_error (pipeline, 100);
  fail_unless (error == NULL, "%s", error ? error->message : "");
  assert_equals_int (out.dmabufs, 20);
  g_hash_table_unref (out.inodes);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

static Suite *
v4l2_suite (void)
{
  Suite *suite = suite_create ("v4l2");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (suite, tc);
  tcase_add_test (tc, buffers_of_v4l2_are_written_in_place);
  tcase_add_test (tc, dmabufs_for_v4l2_are_over_when_they_go);
  tcase_add_test (tc, v4l2_imports_our_dmabufs);
  return suite;
}

GST_CHECK_MAIN (v4l2);
