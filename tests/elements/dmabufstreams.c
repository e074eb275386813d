/* Streams of dmabufs: in several pipelines and branches at once, into the tone
 * mapper, and where the driver fails to import them. */
#include <string.h>

#include "gst/base/gstvkcconsumer.h"
#include "gst/base/gstvkcfilter.h"
#include "gst/vk/device.h"
#include "tests/elements/adder.h"
#include "tests/elements/dmabuf_frames.h"
#include "tests/support/support.h"

/* The pitch of linear images on software drivers. */
#define WIDTH 256
#define HEIGHT 48
#define BUFFERS 2
#define FRAMES 50

static gboolean
can_import (GstHarness *harness)
{
  return gst_vkc_filter_get_device (GST_VKC_FILTER (harness->element))
      ->can_import_dmabuf;
}

static GstBuffer *
dmabuf_frame (const GstVideoInfo *info, guint seed)
{
  return test_dmabuf_frame_new (info, seed, test_dmabuf_size (info));
}

struct reader
{
  const GstVideoInfo *info;
  GstBuffer **frames;
  GstHarness *harness;
};

static gpointer
read_frames (gpointer data)
{
  struct reader *reader = data;

  for (guint i = 0; i < FRAMES; i++) {
    GstBuffer *out = gst_harness_push_and_pull (
        reader->harness, gst_buffer_ref (reader->frames[i % BUFFERS]));

    fail_unless (out != NULL);
    test_frame_assert (out, reader->info, i % BUFFERS, 1);
    gst_buffer_unref (out);
  }
  return NULL;
}

/* Loop: each with a device of its own, on one device. Both read the same
 * dmabufs; the model of layouts looks on. On one device they share the
 * images. Mutation seen to fail this: every acquire from UNDEFINED. */
GST_START_TEST (two_pipelines_read_one_dmabuf_at_once)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  GstVkcContext *context = __i__ ? gst_vkc_context_new (NULL) : NULL;
  struct reader readers[2];
  GstBuffer *frames[BUFFERS];
  GThread *thread;

  for (guint i = 0; i < BUFFERS; i++)
    frames[i] = dmabuf_frame (&info, i);
  for (guint i = 0; i < 2; i++)
    readers[i] = (struct reader){ &info, frames,
                                  test_adder_harness (&info, context, FALSE) };
  thread = g_thread_new ("other", read_frames, &readers[0]);
  read_frames (&readers[1]);
  g_thread_join (thread);
  for (guint i = 0; i < 2; i++) {
    if (can_import (readers[i].harness))
      assert_equals_uint64 (
          test_harness_stat (readers[i].harness, "recorder", "imports"),
          BUFFERS);
  }
  for (guint i = 0; i < 2; i++)
    gst_harness_teardown (readers[i].harness);
  for (guint i = 0; i < BUFFERS; i++)
    gst_buffer_unref (frames[i]);
  if (context != NULL)
    gst_object_unref (context);
  test_assert_all_gone ();
}
GST_END_TEST;

static GstElement *
by_name (GstElement *pipeline, const gchar *name)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), name);

  fail_unless (element != NULL);
  gst_object_unref (element); /* the pipeline's */
  return element;
}

static GstBuffer *
pull (GstElement *pipeline, const gchar *name)
{
  GstSample *sample;
  GstBuffer *buffer;

  g_signal_emit_by_name (by_name (pipeline, name), "pull-sample", &sample);
  fail_unless (sample != NULL);
  buffer = gst_buffer_ref (gst_sample_get_buffer (sample));
  gst_sample_unref (sample);
  return buffer;
}

/* Both branches read the same images; the frames of each come in order, and
 * nobody keeps the buffers. Mutation seen to fail this: every acquire from
 * UNDEFINED. */
GST_START_TEST (branches_of_a_tee_read_one_image)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  g_autoptr (GstCaps) caps = gst_video_info_to_caps (&info);
  g_autofree gchar *text = gst_caps_to_string (caps);
  GstElement *pipeline = test_pipeline_new (
      "appsrc name=src format=time caps=\"%s\" ! tee name=t ! queue ! "
      "vkctestadd name=a ! appsink name=first sync=false t. ! queue ! "
      "vkctestadd amount=3 ! vkctestadd amount=4 ! appsink name=second "
      "sync=false",
      text);
  GstBuffer *frames[BUFFERS];

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i < BUFFERS; i++)
    frames[i] = dmabuf_frame (&info, i);
  for (guint i = 0; i < FRAMES; i++) {
    GstFlowReturn ret;
    GstBuffer *out;

    g_signal_emit_by_name (by_name (pipeline, "src"), "push-buffer",
                           frames[i % BUFFERS], &ret);
    fail_unless_equals_int (ret, GST_FLOW_OK);
    out = pull (pipeline, "first");
    test_frame_assert (out, &info, i % BUFFERS, 1);
    gst_buffer_unref (out);
    out = pull (pipeline, "second");
    test_frame_assert (out, &info, i % BUFFERS, 7);
    gst_buffer_unref (out);
  }
  if (gst_vkc_filter_get_device (GST_VKC_FILTER (by_name (pipeline, "a")))
          ->can_import_dmabuf)
    assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "imports"),
                          BUFFERS);
  test_pipeline_free (pipeline);
  for (guint i = 0; i < BUFFERS; i++) {
    ASSERT_MINI_OBJECT_REFCOUNT (frames[i], "frame", 1);
    gst_buffer_unref (frames[i]);
  }
  test_assert_all_gone ();
}
GST_END_TEST;

#define HDR10                                                                 \
  "video/x-raw,format=P010_10LE,width=256,height=48,framerate=25/1,"          \
  "colorimetry=bt2100-pq,chroma-site=v-cosited+h-cosited,"                    \
  "content-light-level=(string)1000:400"

/* Decoders give HDR10 as P010 in dmabufs. */
GST_START_TEST (hdr_dmabufs_become_what_other_frames_become)
{
  GstVideoInfo info;
  g_autoptr (GstCaps) caps = gst_caps_from_string (HDR10);
  GstHarness *harness;
  GstBuffer *plain, *dmabuf;
  g_autoptr (GBytes) expected = NULL;
  g_autoptr (GBytes) seen = NULL;
  guint64 imports;
  GstMapInfo map;

  fail_unless (gst_video_info_from_caps (&info, caps));
  plain = gst_buffer_new_and_alloc (info.size);
  fail_unless (gst_buffer_map (plain, &map, GST_MAP_WRITE));
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = (guint8) (i * 7 + i / 512 * 3);
  dmabuf = dmabuf_frame (&info, 0);
  gst_buffer_fill (dmabuf, 0, map.data, map.size);
  gst_buffer_unmap (plain, &map);

  test_wrap_install ();
  harness = gst_harness_new ("vktonemap");
  gst_harness_set_sink_caps_str (harness, "video/x-raw,format=NV12");
  gst_harness_set_src_caps_str (harness, HDR10);
  expected = test_harness_bytes (harness, plain);
  /* Host pages count as well. */
  imports = test_harness_stat (harness, "recorder", "imports");
  seen = test_harness_bytes (harness, dmabuf);
  fail_unless (g_bytes_equal (expected, seen));
  if (can_import (harness))
    assert_equals_uint64 (test_harness_stat (harness, "recorder", "imports"),
                          imports + 1);
  gst_harness_teardown (harness);
}
GST_END_TEST;

static gint warnings;

static void
count_warnings (GstDebugCategory *category, GstDebugLevel level,
                const gchar *file, const gchar *function, gint line,
                GObject *object, GstDebugMessage *message, gpointer data)
{
  if (strstr (gst_debug_message_get (message), "are copied"))
    g_atomic_int_inc (&warnings);
}

/* What the driver will not take is copied: a stream does not die of it.
 * Mutation seen to fail this: a warning for each frame. */
GST_START_TEST (failed_imports_are_copies_and_one_warning)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  GstHarness *harness = test_adder_harness (&info, NULL, FALSE);

  if (!can_import (harness)) {
    gst_harness_teardown (harness);
    test_skip ("the driver cannot import dmabufs");
  }
  warnings = 0;
  gst_debug_set_threshold_for_name ("vkc", GST_LEVEL_WARNING);
  gst_debug_remove_log_function (gst_debug_log_default);
  gst_debug_add_log_function (count_warnings, NULL, NULL);
  test_wrap_fail_from ("vkGetMemoryFdPropertiesKHR", 1,
                       VK_ERROR_INVALID_EXTERNAL_HANDLE);
  for (guint i = 0; i < 5; i++) {
    GstBuffer *out
        = gst_harness_push_and_pull (harness, dmabuf_frame (&info, i));

    fail_unless (out != NULL);
    test_frame_assert (out, &info, i, 1);
    gst_buffer_unref (out);
  }
  gst_debug_remove_log_function (count_warnings);
  test_wrap_reset ();
  assert_equals_int (warnings, 1);
  assert_equals_uint64 (test_harness_stat (harness, "recorder", "imports"), 0);
  assert_equals_uint64 (test_harness_stat (harness, "recorder", "uploads"), 5);
  gst_harness_teardown (harness);
  test_assert_all_gone ();
}
GST_END_TEST;

/* What V4L2's elements are derived from, by name. */
G_DECLARE_FINAL_TYPE (GstV4l2Test, gst_v4l2_test, GST, V4L2_TEST, GstBin)

struct _GstV4l2Test
{
  GstBin parent;
};

G_DEFINE_FINAL_TYPE (GstV4l2Test, gst_v4l2_test, GST_TYPE_BIN)

static void
gst_v4l2_test_init (GstV4l2Test *self)
{
  GstPad *pad = gst_pad_new ("sink", GST_PAD_SINK);

  gst_element_add_pad (GST_ELEMENT (self), pad);
}

static void
gst_v4l2_test_class_init (GstV4l2TestClass *klass)
{
}

static const struct
{
  const gchar *line;
  gboolean feeds;
} ways[] = {
  { "identity name=s ! v4l2test", TRUE },
  { "identity name=s ! queue ! capsfilter ! identity ! v4l2test", TRUE },
  { "identity name=s ! tee name=t ! queue ! fakesink t. ! queue ! v4l2test",
    TRUE },
  { "bin. ( identity name=s ! queue ) ! v4l2test", TRUE },
  { "identity name=s ! bin. ( queue ! v4l2test )", TRUE },
  { "identity name=s ! queue ! fakesink fakesrc ! v4l2test", FALSE },
  { "identity name=s", FALSE },
};

/* Loop: ways. Nothing but the pads says who reads frames in the end. Mutation
 * seen to fail this: a look at the peer alone. */
GST_START_TEST (v4l2_is_found_behind_other_elements)
{
  g_autoptr (GError) error = NULL;
  GstElement *pipeline = gst_parse_launch (ways[__i__].line, &error);
  g_autoptr (GstElement) start = NULL;
  g_autoptr (GstPad) src = NULL;

  fail_unless (error == NULL, "%s", error ? error->message : "");
  start = g_str_equal (GST_OBJECT_NAME (pipeline), "s")
              ? gst_object_ref (pipeline)
              : gst_bin_get_by_name (GST_BIN (pipeline), "s");
  src = gst_element_get_static_pad (start, "src");
  assert_equals_int (gst_vkc_pad_feeds_v4l2 (src), ways[__i__].feeds);
  gst_object_unref (pipeline);
}
GST_END_TEST;

static Suite *
dmabufstreams_suite (void)
{
  Suite *suite = suite_create ("dmabufstreams");
  TCase *tc = tcase_create ("general");

  test_adder_register ();
  gst_element_register (NULL, "v4l2test", GST_RANK_NONE,
                        gst_v4l2_test_get_type ());
  suite_add_tcase (suite, tc);
  tcase_add_loop_test (tc, two_pipelines_read_one_dmabuf_at_once, 0, 2);
  tcase_add_test (tc, branches_of_a_tee_read_one_image);
  tcase_add_test (tc, hdr_dmabufs_become_what_other_frames_become);
  tcase_add_test (tc, failed_imports_are_copies_and_one_warning);
  tcase_add_loop_test (tc, v4l2_is_found_behind_other_elements, 0,
                       G_N_ELEMENTS (ways));
  return suite;
}

GST_CHECK_MAIN (dmabufstreams);
