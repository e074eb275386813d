/* Overlays that come along as a meta, for whoever shows the frame. */
#include "tests/elements/frames.h"
#include "tests/elements/shape_support.h"
#include "tests/support/support.h"

#define FEATURE "meta:GstVideoOverlayComposition"
#define SYSTEM  "memory:SystemMemory," FEATURE
#define SIZE    ",width=32,height=16,framerate=25/1"

static const gchar *const lines[] = {
  "vkcolorconvert",
  "vktonemap",
};

static gboolean
has_overlays (GstCaps *caps)
{
  return gst_caps_features_contains (gst_caps_get_features (caps, 0), FEATURE);
}

/* Who can show overlays is told so through the element, and frames are
 * converted all the same; who cannot is not promised any. */
GST_START_TEST (the_feature_stays_with_the_frames)
{
  static const gchar *const features[] = { SYSTEM, FEATURE };
  g_autofree gchar *in
      = g_strdup_printf ("video/x-raw(%s),format=NV12" SIZE, features[__i__]);
  g_autofree gchar *peer
      = g_strdup_printf ("video/x-raw(%s),format=RGBA", features[__i__]);

  for (guint i = 0; i < 2; i++) {
    GstHarness *h = test_shape_start (lines[i], in, peer);
    GstVideoInfo info = test_pad_info (h->srcpad);
    g_autoptr (GstCaps) out = gst_pad_get_current_caps (h->sinkpad);
    g_autoptr (GstCaps) plain
        = gst_caps_from_string ("video/x-raw,format=NV12" SIZE);

    fail_unless (has_overlays (out));
    gst_buffer_unref (test_pass (h, test_frame_new (&info, 1)));
    gst_caps_take (&out, gst_pad_peer_query_caps (h->srcpad, plain));
    fail_unless (gst_caps_is_empty (out));
    gst_harness_teardown (h);
  }
}
GST_END_TEST;

/* A peer that names no overlays gets none, nor one that takes anything. */
GST_START_TEST (nobody_gets_overlays_unasked)
{
  static const gchar *const peers[]
      = { "ANY", "video/x-raw", "video/x-raw(ANY)" };

  for (guint i = 0; i < 2; i++) {
    GstHarness *h = test_shape_start (lines[i], "video/x-raw,format=NV12" SIZE,
                                      peers[__i__]);
    g_autoptr (GstCaps) out = gst_pad_get_current_caps (h->sinkpad);

    fail_unless (out != NULL && !has_overlays (out));
    gst_harness_teardown (h);
  }
}
GST_END_TEST;

/* What upstream learns of the peer's overlays. */
static gboolean
ask (GstHarness *h, const GstStructure **params, GstQuery **query)
{
  GstCaps *caps = gst_pad_get_current_caps (h->srcpad);
  guint i;

  *query = gst_query_new_allocation (caps, FALSE);
  gst_caps_unref (caps);
  fail_unless (gst_pad_peer_query (h->srcpad, *query));
  if (!gst_query_find_allocation_meta (
          *query, GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, &i))
    return FALSE;
  gst_query_parse_nth_allocation_meta (*query, i, params);
  return TRUE;
}

/* __i__: 0: same size, 1: another, 2: a peer that knows no overlays. */
GST_START_TEST (who_draws_overlays_is_known_upstream)
{
  static const gchar *const peers[] = {
    "video/x-raw(" SYSTEM "),format=RGBA",
    "video/x-raw(" SYSTEM "),format=RGBA,width=64",
    "video/x-raw(" SYSTEM "),format=RGBA",
  };
  GstHarness *h = gst_harness_new ("vkcolorconvert");
  GstStructure *window = gst_structure_new (
      "overlay", "width", G_TYPE_UINT, 640, "height", G_TYPE_UINT, 480, NULL);
  const GstStructure *params = NULL;
  g_autoptr (GstQuery) query = NULL;

  if (__i__ < 2)
    gst_harness_add_propose_allocation_meta (
        h, GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, window);
  gst_harness_set_sink_caps_str (h, peers[__i__]);
  gst_harness_set_src_caps_str (h, "video/x-raw(" SYSTEM "),format=NV12" SIZE);
  fail_unless (ask (h, &params, &query) == (__i__ < 2));
  fail_unless ((params != NULL) == (__i__ == 0));
  gst_structure_free (window);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* 4x2 pixels that tell where they are, shown at 8,4 as 8x4 of the frame. */
static void
add_overlay (GstBuffer *buffer)
{
  GstBuffer *pixels = gst_buffer_new_allocate (NULL, 4 * 2 * 4, NULL);
  GstVideoOverlayComposition *composition;
  GstVideoOverlayRectangle *rectangle;
  guint32 words[8];

  for (guint i = 0; i < 8; i++)
    words[i] = 0x01010101 * (i + 1);
  gst_buffer_fill (pixels, 0, words, sizeof words);
  gst_buffer_add_video_meta (pixels, GST_VIDEO_FRAME_FLAG_NONE,
                             GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, 4, 2);
  rectangle = gst_video_overlay_rectangle_new_raw (
      pixels, 8, 4, 8, 4, GST_VIDEO_OVERLAY_FORMAT_FLAG_PREMULTIPLIED_ALPHA);
  composition = gst_video_overlay_composition_new (rectangle);
  gst_buffer_add_video_overlay_composition_meta (buffer, composition);
  gst_video_overlay_composition_unref (composition);
  gst_video_overlay_rectangle_unref (rectangle);
  gst_buffer_unref (pixels);
}

static const struct
{
  const gchar *line, *peer;
  gint x, y, width, height; /* where it is then */
  guint8 first, next;       /* its first two pixels */
  gint columns;             /* of its pixels */
} moves[] = {
  { "vkcolorconvert", "format=RGBA", 8, 4, 8, 4, 1, 2, 4 },
  { "vktonemap", "format=RGBA", 8, 4, 8, 4, 1, 2, 4 },
  { "vkcolorconvert", "format=RGBA,width=64,height=48", 16, 12, 16, 12, 1, 2,
    4 },
  { "vkcolorconvert add-borders=true",
    "format=RGBA,width=32,height=32,pixel-aspect-ratio=1/1", 8, 12, 8, 4, 1, 2,
    4 },
  { "vkcolorconvert video-direction=horiz", "format=NV12", 16, 4, 8, 4, 4, 3,
    4 },
  { "vkcolorconvert video-direction=180", "format=NV12", 16, 8, 8, 4, 8, 7, 4 },
  { "vkcolorconvert video-direction=90r", "format=NV12", 8, 8, 4, 8, 5, 1, 2 },
  { "vkcolorconvert video-direction=90l", "format=NV12", 4, 16, 4, 8, 4, 8, 2 },
};

/* The frame's only overlay; the harness's output is without a feature, as the
 * meta does not depend on it. */
GST_START_TEST (overlays_go_where_their_pixels_go)
{
  g_autofree gchar *peer
      = g_strdup_printf ("video/x-raw,%s", moves[__i__].peer);
  GstHarness *h = test_shape_start (
      moves[__i__].line, "video/x-raw,format=NV12,pixel-aspect-ratio=1/1" SIZE,
      peer);
  GstVideoInfo in = test_pad_info (h->srcpad);
  GstBuffer *buffer = test_frame_new (&in, 1);
  GstVideoOverlayCompositionMeta *meta;
  GstVideoOverlayRectangle *rectangle;
  GstBuffer *pixels;
  guint32 words[8];
  guint width, height;
  gint x, y;

  add_overlay (buffer);
  buffer = test_pass (h, buffer);
  meta = gst_buffer_get_video_overlay_composition_meta (buffer);
  fail_unless (meta != NULL);
  fail_unless_equals_int (
      gst_video_overlay_composition_n_rectangles (meta->overlay), 1);
  rectangle = gst_video_overlay_composition_get_rectangle (meta->overlay, 0);
  gst_video_overlay_rectangle_get_render_rectangle (rectangle, &x, &y, &width,
                                                    &height);
  fail_unless (x == moves[__i__].x && y == moves[__i__].y
                   && (gint)width == moves[__i__].width
                   && (gint)height == moves[__i__].height,
               "%d %d %u %u", x, y, width, height);
  pixels = gst_video_overlay_rectangle_get_pixels_unscaled_raw (
      rectangle, GST_VIDEO_OVERLAY_FORMAT_FLAG_PREMULTIPLIED_ALPHA);
  fail_unless_equals_int (gst_buffer_get_video_meta (pixels)->width,
                          moves[__i__].columns);
  gst_buffer_extract (pixels, 0, words, sizeof words);
  fail_unless_equals_int (words[0] & 0xff, moves[__i__].first);
  fail_unless_equals_int (words[1] & 0xff, moves[__i__].next);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* What is beside a crop is not seen. */
GST_START_TEST (crops_move_overlays_or_leave_them_out)
{
  GstHarness *h = test_shape_start ("vkcolorconvert",
                                    "video/x-raw,format=NV12,width=16,"
                                    "height=8,framerate=25/1",
                                    "video/x-raw,format=RGBA");
  const GstVideoInfo whole = test_info (GST_VIDEO_FORMAT_NV12, 32, 16);
  GstBuffer *buffer = test_frame_new (&whole, 1);
  GstVideoOverlayCompositionMeta *meta;
  GstVideoCropMeta *crop;
  guint width, height, n;
  gint x, y;

  gst_buffer_add_video_meta (buffer, GST_VIDEO_FRAME_FLAG_NONE,
                             GST_VIDEO_FORMAT_NV12, 32, 16);
  crop = gst_buffer_add_video_crop_meta (buffer);
  crop->x = __i__ == 0 ? 4 : 16;
  crop->y = 2;
  crop->width = 16;
  crop->height = 8;
  add_overlay (buffer);
  buffer = test_pass (h, buffer);
  meta = gst_buffer_get_video_overlay_composition_meta (buffer);
  fail_unless (meta != NULL);
  n = gst_video_overlay_composition_n_rectangles (meta->overlay);
  fail_unless_equals_int (n, __i__ == 0);
  if (n > 0) {
    gst_video_overlay_rectangle_get_render_rectangle (
        gst_video_overlay_composition_get_rectangle (meta->overlay, 0), &x, &y,
        &width, &height);
    fail_unless (x == 4 && y == 2 && width == 8 && height == 4);
  }
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}
GST_END_TEST;

static Suite *
overlays_suite (void)
{
  Suite *suite = suite_create ("overlays");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 120);
  tcase_add_loop_test (cases, the_feature_stays_with_the_frames, 0, 2);
  tcase_add_loop_test (cases, nobody_gets_overlays_unasked, 0, 3);
  tcase_add_loop_test (cases, who_draws_overlays_is_known_upstream, 0, 3);
  tcase_add_loop_test (cases, overlays_go_where_their_pixels_go, 0,
                       G_N_ELEMENTS (moves));
  tcase_add_loop_test (cases, crops_move_overlays_or_leave_them_out, 0, 2);
  return suite;
}

GST_CHECK_MAIN (overlays);
