/* Pipelines in the machine that tests/vm/vmrig boots: a camera (vivid), a
 * display (vkms), a display server (weston) and other processes, all of which
 * pass dmabufs. */
#include <gio/gio.h>
#include <gst/video/video.h>
#include <unistd.h>

#include "tests/vm/seen.h"

#define CAMERA                                                                \
  "v4l2src device=/dev/video0 io-mode=dmabuf num-buffers=%d ! "               \
  "video/x-raw,format=NV12,width=640,height=480 ! "

/* With fences both ways nobody waits but who holds the end. */
static void
assert_no_wait (GstElement *pipeline)
{
  assert_equals_uint64 (test_stat (pipeline, "c", "recorder", "waits"),
                        test_stat (pipeline, "c", "recorder", "waits-eos"));
}

/* The camera has few buffers. */
GST_START_TEST (camera_frames_are_imported_once)
{
  GstElement *pipeline = test_pipeline_new (
      CAMERA "vkcolorconvert name=c ! video/x-raw,format=RGBA ! fakesink", 40);
  struct seen in;

  seen_watch (pipeline, "c", "sink", &in);
  test_pipeline_run (pipeline, 100);
  fail_unless (g_hash_table_size (in.inodes) < 40);
  seen_assert_imported_once (pipeline, &in, NULL);
  assert_equals_uint64 (test_stat (pipeline, "c", "recorder", "submits"), 40);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

/* One dmabuf in two chains is one import. */
GST_START_TEST (branches_share_their_imports)
{
  GstElement *pipeline = test_pipeline_new (
      CAMERA "tee name=t ! queue ! vkcolorconvert name=c ! "
             "video/x-raw,format=RGBA ! fakesink async=false "
             "t. ! queue ! vkcolorconvert ! video/x-raw,format=I420,width=320,"
             "height=240 ! vktonemap ! fakesink async=false",
      30);
  struct seen in;

  seen_watch (pipeline, "t", "sink", &in);
  test_pipeline_run (pipeline, 100);
  seen_assert_imported_once (pipeline, &in, NULL);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

/* A peer that insists on dmabufs gets ours; one of ours behind it reads the very
 * image that was written, in the same submission. */
GST_START_TEST (peers_that_ask_get_dmabufs)
{
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=10 ! video/x-raw,format=RGBA,width=640,"
      "height=360 ! vkcolorconvert name=c ! "
      "video/x-raw(memory:DMABuf),format=NV12 ! vkcolorconvert name=d ! "
      "video/x-raw,format=RGBA ! fakesink");

  test_pipeline_run (pipeline, 100);
  fail_unless (test_stat (pipeline, "c", "recorder", "imports") > 0);
  assert_equals_uint64 (test_stat (pipeline, "c", "recorder", "submits"), 10);
  assert_equals_uint64 (test_stat (pipeline, "c", "recorder", "dispatches"),
                        20);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

/* Says for an appsink that it can read layouts. */
static GstPadProbeReturn
take_video_meta (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  return GST_PAD_PROBE_HANDLED;
}

/* From dmabuf to dmabuf: one submission a frame, and no wait. */
GST_START_TEST (frames_for_others_carry_a_fence)
{
  GstElement *pipeline = test_pipeline_new (
      CAMERA "vkcolorconvert name=c ! "
             "video/x-raw(memory:DMABuf),format=RGBA ! appsink name=s "
             "sync=false max-buffers=1 drop=true wait-on-eos=false",
      20);
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "s");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");
  struct seen in, out;

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
                     take_video_meta, NULL, NULL);
  seen_watch (pipeline, "c", "sink", &in);
  seen_watch (pipeline, "c", "src", &out);
  test_pipeline_run (pipeline, 100);
  assert_equals_uint64 (test_stat (pipeline, "c", "recorder", "submits"), 20);
  assert_no_wait (pipeline);
  seen_assert_imported_once (pipeline, &in, &out);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

/* The display's own buffers are drawn to; it waits for our fence. */
GST_START_TEST (camera_to_display_costs_no_copy)
{
  GstElement *pipeline = test_pipeline_new (
      CAMERA "vkcolorconvert name=c ! kmssink driver-name=vkms "
             "can-scale=false sync=false",
      20);
  struct seen in, out;

  seen_watch (pipeline, "c", "sink", &in);
  seen_watch (pipeline, "c", "src", &out);
  test_pipeline_run (pipeline, 100);
  assert_equals_uint64 (test_stat (pipeline, "c", "recorder", "submits"), 20);
  assert_no_wait (pipeline);
  seen_assert_imported_once (pipeline, &in, &out);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

/* A display server takes dmabufs from those who name them. */
GST_START_TEST (tone_mapped_frames_reach_a_display_server)
{
  if (!g_getenv ("WAYLAND_DISPLAY"))
    test_skip ("no weston");
  GstElement *pipeline = test_pipeline_new (
      CAMERA "vktonemap name=c exposure=1 ! video/x-raw(memory:DMABuf) ! "
             "waylandsink sync=false",
      20);
  struct seen in, out;

  seen_watch (pipeline, "c", "sink", &in);
  seen_watch (pipeline, "c", "src", &out);
  test_pipeline_run (pipeline, 100);
  assert_no_wait (pipeline);
  seen_assert_imported_once (pipeline, &in, &out);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

static GstPadProbeReturn
change_size (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  static gint n;

  if (++n == 10)
    gst_util_set_object_arg (
        data, "caps", "video/x-raw,format=RGBA,width=642,height=482");
  return GST_PAD_PROBE_OK;
}

/* Imports of the old size go with their pool. */
GST_START_TEST (size_may_change_mid_stream)
{
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=40 ! capsfilter name=f caps=video/x-raw,"
      "format=RGBA,width=320,height=240 ! vkcolorconvert name=c ! "
      "video/x-raw(memory:DMABuf),format=NV12 ! vkcolorconvert name=d ! "
      "video/x-raw,format=RGBA ! fakesink name=s");
  g_autoptr (GstElement) filter
      = gst_bin_get_by_name (GST_BIN (pipeline), "f");
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "s");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");
  g_autoptr (GstCaps) caps = NULL;
  gint width = 0;

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, change_size, filter,
                     NULL);
  test_pipeline_run (pipeline, 100);
  caps = gst_pad_get_current_caps (pad);
  gst_structure_get_int (gst_caps_get_structure (caps, 0), "width", &width);
  assert_equals_int (width, 642);
  assert_equals_uint64 (test_stat (pipeline, "c", "recorder", "submits"), 40);
  test_pipeline_free (pipeline);
  test_assert_all_gone ();
}
GST_END_TEST;

/* Frames of another process come as new descriptors each time. A camera whose
 * buffers are all on their way copies a frame now and then, which comes in other
 * memory; that of GStreamer 1.28 exports buffers anew that it takes for lost. */
GST_START_TEST (frames_of_another_process_are_imported_once)
{
  g_autoptr (GstElementFactory) factory
      = gst_element_factory_find ("unixfdsrc");
  const gchar *path = "/tmp/vkc-frames";

  if (factory == NULL)
    test_skip ("GStreamer before 1.24 has no unixfdsrc");
  g_autofree gchar *line = g_strdup_printf (
      "gst-launch-1.0 -q " CAMERA "unixfdsink socket-path=%s sync=false", 400,
      path);
  g_autoptr (GSubprocess) producer = NULL;
  g_auto (GStrv) arguments = NULL;

  fail_unless (g_shell_parse_argv (line, NULL, &arguments, NULL));
  producer = g_subprocess_newv ((const gchar *const *) arguments,
                                G_SUBPROCESS_FLAGS_NONE, NULL);
  fail_unless (producer != NULL);
  for (guint i = 0; i < 300 && !g_file_test (path, G_FILE_TEST_EXISTS); i++)
    g_usleep (100000);
  GstElement *pipeline = test_pipeline_new (
      "unixfdsrc socket-path=%s ! vkcolorconvert name=c ! "
      "video/x-raw,format=RGBA ! fakesink", path);
  struct seen in;

  seen_watch (pipeline, "c", "sink", &in);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i < 600 && in.dmabufs < 30; i++)
    g_usleep (100000);
  gst_element_set_state (pipeline, GST_STATE_READY);
  fail_unless (in.dmabufs >= 30, "%u frames", in.dmabufs);
  const guint64 imports = test_stat (pipeline, "c", "recorder", "imports");
  const guint n = g_hash_table_size (in.inodes);
  const guint copied = in.buffers - in.dmabufs;

  fail_unless (imports >= n && imports <= n + copied,
               "%u imports of %u buffers, %u frames copied", (guint) imports,
               n, copied);
  fail_unless (test_stat (pipeline, "c", "recorder", "uploads") <= copied);
  g_hash_table_unref (in.inodes);
  test_pipeline_free (pipeline);
  g_subprocess_force_exit (producer);
  g_subprocess_wait (producer, NULL, NULL);
  unlink (path);
}
GST_END_TEST;

static Suite *
pipelines_suite (void)
{
  Suite *suite = suite_create ("pipelines");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (suite, tc);
  tcase_add_test (tc, camera_frames_are_imported_once);
  tcase_add_test (tc, branches_share_their_imports);
  tcase_add_test (tc, peers_that_ask_get_dmabufs);
  tcase_add_test (tc, frames_for_others_carry_a_fence);
  tcase_add_test (tc, camera_to_display_costs_no_copy);
  tcase_add_test (tc, tone_mapped_frames_reach_a_display_server);
  tcase_add_test (tc, size_may_change_mid_stream);
  tcase_add_test (tc, frames_of_another_process_are_imported_once);
  return suite;
}

GST_CHECK_MAIN (pipelines);
