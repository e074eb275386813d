/* The colour elements between others: their pools, their memory, and caps that
 * differ by a feature. */
#include <gst/video/gstvideopool.h>

#include "tests/elements/dmabuf_frames.h"
#include "tests/elements/shape_support.h"
#include "tests/support/support.h"

#define SIZE ",width=66,height=50,framerate=25/1"
#define NV12 "video/x-raw,format=NV12" SIZE ",colorimetry=bt709"
#define I420 "video/x-raw,format=I420" SIZE ",colorimetry=bt709"
#define DMABUF                                                                 \
  "video/x-raw(memory:DMABuf),format=NV12" SIZE ",colorimetry=bt709"
#define HDR "video/x-raw,format=P010_10LE" SIZE ",colorimetry=bt2100-pq"

static GstPadProbeReturn
offer (GstPad *pad, GstPadProbeInfo *info, gpointer pool)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  gst_query_add_allocation_pool (query, pool, 2 * 66 * 50, 3, 3);
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  return GST_PAD_PROBE_HANDLED;
}

/* A peer's pool, as it configured it for itself. */
static GstBufferPool *
pool_of_peer (void)
{
  GstBufferPool *pool = gst_video_buffer_pool_new ();
  GstStructure *config = gst_buffer_pool_get_config (pool);
  g_autoptr (GstCaps) caps = gst_caps_from_string (I420);
  GstVideoAlignment align;

  gst_video_alignment_reset (&align);
  align.padding_right = 14;
  gst_buffer_pool_config_set_params (config, caps, 2 * 66 * 50, 3, 3);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  gst_buffer_pool_config_add_option (config,
                                     GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT);
  gst_buffer_pool_config_set_video_alignment (config, &align);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  return pool;
}

/* Frames come out of our memory; what the peer offers for others keeps its
 * settings and its state. __i__: whether it is active. */
GST_START_TEST (pools_of_peers_are_left_alone)
{
  static const gchar *const lines[] = { "vkcolorconvert", "vktonemap" };
  GstBufferPool *pool = pool_of_peer ();
  GstStructure *before, *after;

  fail_unless (gst_buffer_pool_set_active (pool, __i__));
  before = gst_buffer_pool_get_config (pool);
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++) {
    GstHarness *h = gst_harness_new (lines[i]);
    GstVideoInfo info;
    GstBuffer *buffer;

    gst_pad_add_probe (h->sinkpad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, offer,
                       pool, NULL);
    gst_harness_set_sink_caps_str (h, I420);
    gst_harness_set_src_caps_str (h, NV12);
    info = test_pad_info (h->srcpad);
    buffer = test_pass (h, test_frame_new (&info, 1));
    fail_unless (buffer->pool != pool);
    gst_buffer_unref (buffer);
    gst_harness_teardown (h);
  }
  after = gst_buffer_pool_get_config (pool);
  fail_unless (gst_structure_is_equal (before, after));
  assert_equals_int (gst_buffer_pool_is_active (pool), __i__);
  gst_structure_free (before);
  gst_structure_free (after);
  gst_buffer_pool_set_active (pool, FALSE);
  ASSERT_OBJECT_REFCOUNT (pool, "pool", 1);
  gst_object_unref (pool);
}
GST_END_TEST;

/* @buffer, which is taken, in @n memories. */
static GstBuffer *
in_parts (GstBuffer *buffer, guint n)
{
  const gsize size = gst_buffer_get_size (buffer);
  gsize cuts[4] = { 0 };

  g_assert (n <= G_N_ELEMENTS (cuts));
  for (guint i = 1; i < n; i++)
    cuts[i - 1] = size * i / n;
  return test_frame_cut (buffer, cuts);
}

/* Through all that there is, as the same frame in one piece. */
GST_START_TEST (frames_in_parts_are_those_in_one)
{
  GstHarness *h = test_shape_start (
      "vkcolorconvert ! video/x-raw,format=I420_10LE ! vktonemap dither=none ! "
      "vkcolorconvert dither=none",
      HDR, "video/x-raw,format=RGBA");
  GstVideoInfo in = test_pad_info (h->srcpad);
  GstVideoInfo out = test_pad_info (h->sinkpad);
  GstBuffer *whole = test_pass (h, test_frame_new (&in, 1));

  for (guint n = 2; n <= 4; n++) {
    GstBuffer *parts = test_pass (h, in_parts (test_frame_new (&in, 1), n));

    test_assert_same_planes (whole, parts, &out, "in parts");
    gst_buffer_unref (parts);
  }
  gst_buffer_unref (whole);
  gst_harness_teardown (h);
}
GST_END_TEST;

static GstBuffer *
frame_for (GstHarness *h, gboolean dmabuf)
{
  GstVideoInfo info = test_pad_info (h->srcpad);

  return dmabuf ? test_dmabuf_frame_new (&info, 1, test_dmabuf_size (&info))
                : test_frame_new (&info, 1);
}

/* What differs by its feature alone is the same picture, byte by byte; where
 * the feature is the same as well, nothing is done at all. */
GST_START_TEST (feature_alone_changes_no_picture)
{
  static const struct
  {
    const gchar *in, *out;
    guint64 most; /* dispatches */
  } rows[] = {
    { NV12, NV12, 0 },
    { NV12, "video/x-raw(memory:SystemMemory),format=NV12", 0 },
    { DMABUF, DMABUF, 0 },
    { DMABUF, NV12, 1 },
  };
  static const gchar *const lines[] = { "vkcolorconvert", "vktonemap" };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (rows); i++) {
    const gboolean dmabuf = g_str_has_prefix (rows[i / 2].in, DMABUF);
    GstHarness *h = test_shape_start (lines[i % 2], rows[i / 2].in, NULL);
    GstVideoInfo info;
    GstBuffer *buffer;

    gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
    gst_harness_set_sink_caps_str (h, rows[i / 2].out);
    info = test_pad_info (h->srcpad);
    buffer = test_pass (h, frame_for (h, dmabuf));
    test_frame_assert (buffer, &info, 1, 0);
    fail_unless (test_chain_stat (h, "dispatches") <= rows[i / 2].most,
                 "row %u", i);
    gst_buffer_unref (buffer);
    gst_harness_teardown (h);
  }
}
GST_END_TEST;

static Suite *
peerpools_suite (void)
{
  Suite *suite = suite_create ("peerpools");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 120);
  tcase_add_loop_test (cases, pools_of_peers_are_left_alone, 0, 2);
  tcase_add_test (cases, frames_in_parts_are_those_in_one);
  tcase_add_test (cases, feature_alone_changes_no_picture);
  return suite;
}

GST_CHECK_MAIN (peerpools);
