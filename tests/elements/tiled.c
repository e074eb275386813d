/* Frames that are tiled in dmabufs, in and out. Software drivers tile nothing:
 * linear images pass for tiled ones (tests/support/pretend.h). */
#include <string.h>

#include "gst/base/gstvkcdrm.h"
#include "gst/base/gstvkcfilter.h"
#include "gst/vk/device.h"
#include "tests/elements/dmabuf_frames.h"
#include "tests/support/pretend.h"
#include "tests/support/support.h"

#define WIDTH 256
#define HEIGHT 48
/* Intel's Y tiling. */
#define TILED G_GUINT64_CONSTANT (0x0100000000000002)
#define TILED_NAME "0x0100000000000002"

#define RGBA                                                                  \
  "video/x-raw,format=RGBA,width=256,height=48,framerate=25/1"
#define DRM(names)                                                            \
  "video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format=" names

/* A harness around a vkcolorconvert whose device has the modifier; NULL: this
 * machine has none at all. */
static GstHarness *
new_harness (void)
{
  GstHarness *harness;

  if (!gst_vkc_drm_is_known ())
    return NULL;
  test_wrap_install ();
  test_wrap_pretend_modifier (TILED);
  harness = gst_harness_new ("vkcolorconvert");
  gst_harness_play (harness);
  gst_harness_add_propose_allocation_meta (harness, GST_VIDEO_META_API_TYPE,
                                           NULL);
  if (gst_vkc_filter_get_device (GST_VKC_FILTER (harness->element))
          ->has_modifiers)
    return harness;
  gst_harness_teardown (harness);
  return NULL;
}

#define NEEDS_MODIFIERS(harness)                                              \
  if (harness == NULL)                                                        \
  test_skip ("no DMA_DRM before GStreamer 1.24, or a driver without modifiers")

static void
end (GstHarness *harness)
{
  gst_harness_teardown (harness);
  test_wrap_pretend_modifier (0);
  test_assert_all_gone ();
}

/* The `drm-format`s that a pad offers. */
static gchar *
offered (GstHarness *harness, const gchar *name)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (harness->element, name);
  g_autoptr (GstCaps) caps = gst_pad_query_caps (pad, NULL);

  return gst_caps_to_string (caps);
}

/* Both pads, as the device reads and makes them. */
GST_START_TEST (modifiers_are_offered_both_ways)
{
  GstHarness *harness = new_harness ();
  g_autofree gchar *in = NULL;
  g_autofree gchar *out = NULL;

  NEEDS_MODIFIERS (harness);
  in = offered (harness, "sink");
  out = offered (harness, "src");
  fail_unless (strstr (in, "NV12:" TILED_NAME), "%s", in);
  fail_unless (strstr (out, "NV12:" TILED_NAME), "%s", out);
  end (harness);
}
GST_END_TEST;

/* Whatever storage is usual, tiled frames are images; what they become is of the
 * usual kind. Mutation seen to fail this: storage that does not look at the
 * modifier. */
GST_START_TEST (tiled_frames_are_read_as_images)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_RGBA, WIDTH, HEIGHT);
  GstHarness *harness = new_harness ();
  GstBuffer *frame, *out;
  GstMapInfo map, result;

  NEEDS_MODIFIERS (harness);
  gst_harness_set_sink_caps_str (harness, "video/x-raw,format=BGRA");
  gst_harness_set_src_caps_str (
      harness,
      DRM ("AB24:" TILED_NAME) ",width=256,height=48,framerate=25/1");
  test_wrap_reset ();
  frame = test_dmabuf_frame_new (&info, 7, test_dmabuf_size (&info));
  out = gst_harness_push_and_pull (harness, gst_buffer_ref (frame));
  fail_unless (out != NULL);
  fail_unless (test_wrap_count ("vkCreateImage") > 0);
  fail_unless (gst_buffer_map (frame, &map, GST_MAP_READ));
  fail_unless (gst_buffer_map (out, &result, GST_MAP_READ));
  for (gsize i = 0; i < info.size; i += 4)
    fail_unless (map.data[i] == result.data[i + 2]
                 && map.data[i + 1] == result.data[i + 1]
                 && map.data[i + 2] == result.data[i]);
  gst_buffer_unmap (out, &result);
  gst_buffer_unmap (frame, &map);
  gst_buffer_unref (out);
  gst_buffer_unref (frame);
  end (harness);
}
GST_END_TEST;

static gboolean
is_tiled (GstHarness *harness)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (harness->sinkpad);
  GstVideoInfo info;
  guint64 modifier = 0;

  fail_unless (caps != NULL
               && gst_vkc_video_info_from_caps (&info, caps, &modifier));
  return modifier == TILED;
}

static const struct
{
  const gchar *names;
  gboolean tiled;
} peers[] = {
  { DRM ("NV12:" TILED_NAME), TRUE },
  { DRM ("{NV12:" TILED_NAME ",NV12}"), FALSE },
  { DRM ("NV12:" TILED_NAME) ";" DRM ("NV12"), TRUE },
  { DRM ("NV12") ";" DRM ("NV12:" TILED_NAME), FALSE },
  { DRM ("{NV12:0x0100000000000001,NV12}"), FALSE },
};

/* Loop: peers. Of what the device has, linear, unless the peer takes none or
 * names it later. */
GST_START_TEST (peers_choose_the_modifier)
{
  GstHarness *harness = new_harness ();

  NEEDS_MODIFIERS (harness);
  gst_harness_set_sink_caps_str (harness, peers[__i__].names);
  gst_harness_set_src_caps_str (harness, RGBA);
  assert_equals_int (is_tiled (harness), peers[__i__].tiled);
  end (harness);
}
GST_END_TEST;

/* Plane @plane of @buffer, whose rows are read where its meta says. */
static void
assert_same_plane (GstBuffer *buffer, GstVideoFrame *expected, guint plane)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  const guint rows = plane == 0 ? HEIGHT : HEIGHT / 2;
  guint index, length;
  GstMapInfo map;
  gsize skip;

  fail_unless (meta != NULL
               && gst_buffer_find_memory (buffer, meta->offset[plane], WIDTH,
                                          &index, &length, &skip));
  assert_equals_int (index, plane);
  fail_unless (gst_buffer_map_range (buffer, index, 1, &map, GST_MAP_READ));
  for (guint y = 0; y < rows; y++)
    fail_unless (
        memcmp (map.data + skip + y * meta->stride[plane],
                (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (expected, plane)
                    + y * GST_VIDEO_FRAME_PLANE_STRIDE (expected, plane),
                WIDTH)
            == 0,
        "plane %u, row %u", plane, y);
  gst_buffer_unmap (buffer, &map);
}

/* What comes out for the RGBA frame with @seed and a peer that takes @caps. */
static GstBuffer *
converted (GstHarness *harness, const gchar *caps, guint seed)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_RGBA, WIDTH, HEIGHT);
  GstBuffer *out;

  gst_harness_set_sink_caps_str (harness, caps);
  gst_harness_set_src_caps_str (harness, RGBA);
  out = gst_harness_push_and_pull (harness, test_frame_new (&info, seed));
  fail_unless (out != NULL);
  return out;
}

/* A tiled frame has a dmabuf for each plane, says where its rows are, and is
 * what a linear one would be. Mutation seen to fail this: a pool that is kept
 * when only the modifier changes. */
GST_START_TEST (tiled_frames_are_made)
{
  GstHarness *harness = new_harness ();
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  GstBuffer *plain, *tiled;
  GstVideoFrame frame;

  NEEDS_MODIFIERS (harness);
  for (guint i = 0; i < 3; i++) {
    plain = converted (harness, "video/x-raw,format=NV12", i);
    tiled = converted (harness, DRM ("NV12:" TILED_NAME), i);
    fail_unless (is_tiled (harness));
    assert_equals_int (gst_buffer_n_memory (tiled), 2);
    for (guint k = 0; k < 2; k++)
      fail_unless (gst_is_dmabuf_memory (gst_buffer_peek_memory (tiled, k)));
    fail_unless (gst_video_frame_map (&frame, &info, plain, GST_MAP_READ));
    for (guint k = 0; k < 2; k++)
      assert_same_plane (tiled, &frame, k);
    gst_video_frame_unmap (&frame);
    gst_buffer_unref (plain);
    gst_buffer_unref (tiled);
    plain = converted (harness, DRM ("NV12"), i);
    assert_equals_int (gst_buffer_n_memory (plain), 1);
    gst_buffer_unref (plain);
  }
  end (harness);
}
GST_END_TEST;

/* Frames of one size and format, but tiled in another way, are other frames;
 * tiled in the same way they go through. Mutation seen to fail this: no look at
 * the modifiers. */
GST_START_TEST (other_tiling_is_another_frame)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_RGBA, WIDTH, HEIGHT);
  const gchar *names[] = { DRM ("AB24"), DRM ("AB24:" TILED_NAME) };
  GstHarness *harness = new_harness ();

  NEEDS_MODIFIERS (harness);
  for (guint i = 0; i < 2; i++) {
    GstBuffer *in
        = test_dmabuf_frame_new (&info, 4, test_dmabuf_size (&info));
    GstBuffer *out;

    gst_harness_set_sink_caps_str (harness, names[i]);
    gst_harness_set_src_caps_str (
        harness, DRM ("AB24:" TILED_NAME)
        ",width=256,height=48,framerate=25/1");
    out = gst_harness_push_and_pull (harness, gst_buffer_ref (in));
    fail_unless (out != NULL);
    assert_equals_int (is_tiled (harness), i);
    assert_equals_int (out == in, i);
    test_frame_assert (out, &info, 4, 0);
    gst_buffer_unref (out);
    gst_buffer_unref (in);
  }
  end (harness);
}
GST_END_TEST;

/* One of ours reads the very images that another one tiled, in the same
 * submission. Mutation seen to fail this: outputs that are taken for linear. */
GST_START_TEST (tiled_frames_go_through_a_chain)
{
  if (!gst_vkc_drm_is_known ())
    test_skip ("GStreamer before 1.24 has no DMA_DRM");
  test_wrap_install ();
  test_wrap_pretend_modifier (TILED);
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=5 ! " RGBA " ! vkcolorconvert name=a ! "
      DRM ("NV12:" TILED_NAME) " ! vkcolorconvert ! "
      "video/x-raw,format=BGRA ! fakesink");
  g_autoptr (GError) error = test_pipeline_run_to_error (pipeline, 60);
  g_autoptr (GstElement) element
      = gst_bin_get_by_name (GST_BIN (pipeline), "a");
  struct vkc_device *device
      = gst_vkc_filter_get_device (GST_VKC_FILTER (element));

  if (device != NULL && device->has_modifiers) {
    fail_unless (error == NULL, "%s", error ? error->message : "");
    assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "submits"), 5);
    assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "dispatches"),
                          10);
  }
  test_pipeline_free (pipeline);
  test_wrap_pretend_modifier (0);
}
GST_END_TEST;

static Suite *
tiled_suite (void)
{
  Suite *suite = suite_create ("tiled");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (suite, tc);
  tcase_add_test (tc, modifiers_are_offered_both_ways);
  tcase_add_test (tc, tiled_frames_are_read_as_images);
  tcase_add_loop_test (tc, peers_choose_the_modifier, 0,
                       G_N_ELEMENTS (peers));
  tcase_add_test (tc, tiled_frames_are_made);
  tcase_add_test (tc, other_tiling_is_another_frame);
  tcase_add_test (tc, tiled_frames_go_through_a_chain);
  return suite;
}

GST_CHECK_MAIN (tiled);
