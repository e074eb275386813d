/* vkcolorconvert: frames of which a part is shown. */
#include "tests/elements/frames.h"
#include "tests/elements/shape_support.h"
#include "tests/support/support.h"

/* A frame of @width x @height of which @crop is shown. */
static GstBuffer *
cropped_frame (GstVideoFormat format, gint width, gint height,
               const guint crop[4], guint seed)
{
  GstVideoInfo info = test_info (format, width, height);
  GstBuffer *buffer = test_frame_new (&info, seed);
  GstVideoCropMeta *meta;

  gst_buffer_add_video_meta_full (
      buffer, GST_VIDEO_FRAME_FLAG_NONE, format, width, height,
      GST_VIDEO_INFO_N_PLANES (&info), info.offset, info.stride);
  meta = gst_buffer_add_video_crop_meta (buffer);
  meta->x = crop[0];
  meta->y = crop[1];
  meta->width = crop[2];
  meta->height = crop[3];
  return buffer;
}

/* Also where nothing else is to be done, and where the crop moves. */
GST_START_TEST (crops_are_made_and_their_meta_is_gone)
{
  static const struct
  {
    GstVideoFormat format;
    guint crop[4];
  } rows[] = { { GST_VIDEO_FORMAT_NV12, { 4, 6, 16, 8 } },
               { GST_VIDEO_FORMAT_NV12, { 24, 2, 16, 8 } },
               { GST_VIDEO_FORMAT_RGBA, { 5, 3, 16, 8 } } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree gchar *caps = g_strdup_printf (
        "video/x-raw,format=%s,width=16,height=8,framerate=25/1",
        gst_video_format_to_string (rows[i].format));
    GstHarness *h = test_shape_start ("vkcolorconvert", caps, NULL);
    GstVideoInfo out = test_pad_info (h->srcpad);

    for (guint k = 0; k < 3; k++) {
      /* Once not, once more. */
      GstBuffer *buffer
          = k == 1 ? test_frame_new (&out, k)
                   : cropped_frame (rows[i].format, 42, 24, rows[i].crop, k);

      buffer = test_pass (h, buffer);
      fail_unless (gst_buffer_get_video_crop_meta (buffer) == NULL);
      test_frame_assert_part (buffer, &out, k, 0, k == 1 ? 0 : rows[i].crop[0],
                              k == 1 ? 0 : rows[i].crop[1]);
      gst_buffer_unref (buffer);
    }
    gst_harness_teardown (h);
  }
}
GST_END_TEST;

/* The part of a frame that @crop says, by itself. */
static GstBuffer *
cut (GstVideoFormat format, gint width, gint height, const guint crop[4],
     guint seed)
{
  GstVideoInfo whole = test_info (format, width, height);
  GstVideoInfo info = test_info (format, crop[2], crop[3]);
  GstBuffer *from = test_frame_new (&whole, seed);
  GstBuffer *to = gst_buffer_new_allocate (NULL, info.size, NULL);
  GstVideoFrame a, b;

  fail_unless (gst_video_frame_map (&a, &whole, from, GST_MAP_READ)
               && gst_video_frame_map (&b, &info, to, GST_MAP_WRITE));
  for (gint c = 0; c < (gint)GST_VIDEO_INFO_N_COMPONENTS (&info); c++) {
    const gint step = GST_VIDEO_FRAME_COMP_PSTRIDE (&b, c);
    const gint left = (gint)crop[0] >> info.finfo->w_sub[c];
    const gint top = (gint)crop[1] >> info.finfo->h_sub[c];

    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&b, c); y++)
      for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (&b, c); x++)
        ((guint8 *)GST_VIDEO_FRAME_COMP_DATA (
            &b, c))[y * GST_VIDEO_FRAME_COMP_STRIDE (&b, c) + x * step]
            = ((guint8 *)GST_VIDEO_FRAME_COMP_DATA (
                &a, c))[(y + top) * GST_VIDEO_FRAME_COMP_STRIDE (&a, c)
                        + (x + left) * step];
  }
  gst_video_frame_unmap (&a);
  gst_video_frame_unmap (&b);
  gst_buffer_unref (from);
  return to;
}

/* Over work frames, which hold what is seen and what lies around it: nothing of
 * that gets into the picture, wherever it lies. (Only chroma that is made for
 * every pixel is made out of all that there is.) */
GST_START_TEST (crops_that_are_turned_are_the_part_by_itself)
{
  static const GstVideoFormat formats[]
      = { GST_VIDEO_FORMAT_RGBA, GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_Y42B };
  static const guint crops[][2]
      = { { 0, 0 }, { 2, 4 }, { 36, 6 }, { 38, 20 }, { 70, 40 }, { 88, 52 } };
  const gchar *name = gst_video_format_to_string (formats[__i__]);
  g_autofree gchar *caps = g_strdup_printf (
      "video/x-raw,format=%s,width=32,height=24,framerate=25/1", name);
  g_autofree gchar *peer
      = g_strdup_printf ("video/x-raw,format=%s,width=20,height=50", name);
  GstHarness *h
      = test_shape_start ("vkcolorconvert video-direction=90r", caps, peer);
  GstVideoInfo out = test_pad_info (h->sinkpad);

  for (guint i = 0; i < G_N_ELEMENTS (crops); i++) {
    const guint crop[4] = { crops[i][0], crops[i][1], 32, 24 };
    GstBuffer *got
        = test_pass (h, cropped_frame (formats[__i__], 120, 76, crop, i));
    GstBuffer *want = test_pass (h, cut (formats[__i__], 120, 76, crop, i));
    GstMapInfo a, b;

    fail_unless (gst_buffer_map (got, &a, GST_MAP_READ)
                 && gst_buffer_map (want, &b, GST_MAP_READ));
    fail_unless_equals_int (a.size, b.size);
    fail_unless (a.size >= out.size && memcmp (a.data, b.data, out.size) == 0,
                 "%s from %u,%u", name, crop[0], crop[1]);
    gst_buffer_unmap (got, &a);
    gst_buffer_unmap (want, &b);
    gst_buffer_unref (got);
    gst_buffer_unref (want);
  }
  gst_harness_teardown (h);
}
GST_END_TEST;

/* A work frame of all of it would be larger than what devices of this kind let
 * a kernel see: 192 MB. */
GST_START_TEST (crops_of_large_frames_need_small_work_frames)
{
  static const guint crop[4] = { 5000, 3000, 32, 16 };
  GstHarness *h = test_shape_start (
      "vkcolorconvert video-direction=90r",
      "video/x-raw,format=RGBA,width=32,height=16,framerate=25/1",
      "video/x-raw,format=RGBA,width=16,height=32");

  gst_buffer_unref (test_pass (
      h, cropped_frame (GST_VIDEO_FORMAT_RGBA, 6000, 4000, crop, 1)));
  gst_harness_teardown (h);
}
GST_END_TEST;

static gboolean
upstream_may_crop (GstHarness *h)
{
  GstCaps *caps = gst_pad_get_current_caps (h->srcpad);
  GstQuery *query = gst_query_new_allocation (caps, FALSE);
  gboolean found;

  fail_unless (gst_pad_peer_query (h->srcpad, query));
  found = gst_query_find_allocation_meta (query, GST_VIDEO_CROP_META_API_TYPE,
                                          NULL);
  gst_query_unref (query);
  gst_caps_unref (caps);
  return found;
}

GST_START_TEST (crops_are_offered_and_left_to_a_peer_that_does_them)
{
  static const guint crop[4] = { 4, 6, 16, 8 };
  const gchar *caps
      = "video/x-raw,format=NV12,width=16,height=8,framerate=25/1";
  GstHarness *h
      = test_shape_start ("vkcolorconvert", caps, "video/x-raw,format=RGBA");
  GstBuffer *buffer;

  fail_unless (upstream_may_crop (h));
  gst_harness_teardown (h);

  h = test_shape_start ("vkcolorconvert", caps, NULL);
  fail_unless (upstream_may_crop (h));
  gst_harness_teardown (h);

  h = gst_harness_new ("vkcolorconvert");
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_CROP_META_API_TYPE,
                                           NULL);
  gst_harness_set_src_caps_str (h, caps);
  fail_unless (upstream_may_crop (h));
  buffer
      = test_pass (h, cropped_frame (GST_VIDEO_FORMAT_NV12, 42, 24, crop, 1));
  fail_unless (gst_buffer_get_video_crop_meta (buffer) != NULL);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}
GST_END_TEST;

static Suite *
crops_suite (void)
{
  Suite *suite = suite_create ("crops");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 240);
  tcase_add_test (cases, crops_are_made_and_their_meta_is_gone);
  tcase_add_loop_test (cases, crops_that_are_turned_are_the_part_by_itself, 0,
                       3);
  tcase_add_test (cases, crops_of_large_frames_need_small_work_frames);
  tcase_add_test (cases, crops_are_offered_and_left_to_a_peer_that_does_them);
  return suite;
}

GST_CHECK_MAIN (crops);
