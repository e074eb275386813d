/* vkcolorconvert: where pictures, clicks and metas go. */
#include "tests/elements/frames.h"
#include "tests/elements/shape_support.h"
#include "tests/support/support.h"

/* Rows: format, colour, its codes. */
static const struct
{
  const gchar *format;
  guint color;
  guint8 codes[4];
} borders[] = {
  { "RGBA", 0x80ff4000, { 0xff, 0x40, 0, 0x80 } },
  { "NV12", 0xff00ff00, { 173, 42, 26 } },
  { "I420", 0xff000000, { 16, 128, 128 } },
};

GST_START_TEST (borders_keep_the_aspect_and_have_their_colour)
{
  g_autofree gchar *line = g_strdup_printf ("vkcolorconvert border-color=%u",
                                            borders[__i__].color);
  g_autofree gchar *caps = g_strdup_printf (
      "video/x-raw,format=%s,width=40,height=20,framerate=25/1,"
      "pixel-aspect-ratio=1/1,colorimetry=%s",
      borders[__i__].format, __i__ == 0 ? "sRGB" : "bt709");
  g_autofree gchar *peer = g_strdup_printf (
      "video/x-raw,format=%s,width=40,height=40,pixel-aspect-ratio=1/1",
      borders[__i__].format);
  GstHarness *h = test_shape_start (line, caps, peer);
  GstVideoInfo in = test_pad_info (h->srcpad), out;
  struct plane from[4] = { { 0 } }, to[4] = { { 0 } };
  GstBuffer *buffer = test_frame_new (&in, 4);

  test_read_planes (buffer, &in, from);
  buffer = test_pass (h, buffer);
  out = test_pad_info (h->sinkpad);
  test_read_planes (buffer, &out, to);
  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (&out); c++) {
    const gint width = to[c].width, height = to[c].height;

    for (gint i = 0; i < width * height; i++) {
      const gint y = i / width - height / 4;
      const gdouble want = y >= 0 && y < height / 2
                               ? from[c].at[y * width + i % width]
                               : borders[__i__].codes[c];

      if (to[c].at[i] != want)
        fail ("component %u, sample %d: %g, not %g", c, i, to[c].at[i], want);
    }
  }
  test_free_planes (from);
  test_free_planes (to);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* Rows: what is done to 40x20, a pixel of the output, and which of the input
 * is there. */
static const struct
{
  const gchar *line, *peer;
  gdouble x, y, from_x, from_y;
} clicks[] = {
  { "vkcolorconvert", "video/x-raw,width=80,height=40", 30.5, 20.5, 15, 10 },
  { "vkcolorconvert", "video/x-raw,width=40,height=40,pixel-aspect-ratio=1/1",
    7, 13, 7, 3 },
  { "vkcolorconvert", "video/x-raw,width=40,height=40,pixel-aspect-ratio=1/1",
    7, 1, 7, 0 },
  { "vkcolorconvert video-direction=horiz", NULL, 0, 3, 39, 3 },
  { "vkcolorconvert video-direction=90r", NULL, 19, 0, 0, 0 },
  { "vkcolorconvert video-direction=90r", NULL, 0, 39, 39, 19 },
  { "vkcolorconvert video-direction=90l", NULL, 0, 0, 39, 0 },
  { "vkcolorconvert video-direction=180", "video/x-raw,width=80,height=40", 0.5,
    0.5, 39, 19 },
  { "vkcolorconvert", NULL, 12.25, 4, 12.25, 4 },
};

GST_START_TEST (clicks_are_on_what_was_there)
{
  GstHarness *h = test_shape_start (
      clicks[__i__].line,
      "video/x-raw,format=RGBA,width=40,height=20,framerate=25/1,"
      "pixel-aspect-ratio=1/1",
      clicks[__i__].peer);
  GstVideoInfo in = test_pad_info (h->srcpad);
  gdouble x = -1, y = -1;
  GstEvent *event;

  gst_buffer_unref (test_pass (h, test_frame_new (&in, 0)));
  gst_harness_push_upstream_event (
      h, gst_navigation_event_new_mouse_move (clicks[__i__].x, clicks[__i__].y,
                                              GST_NAVIGATION_MODIFIER_NONE));
  while ((event = gst_harness_try_pull_upstream_event (h)) != NULL) {
    if (GST_EVENT_TYPE (event) == GST_EVENT_NAVIGATION)
      fail_unless (gst_navigation_event_get_coordinates (event, &x, &y));
    gst_event_unref (event);
  }
  fail_unless (ABS (x - clicks[__i__].from_x) < 1e-6
                   && ABS (y - clicks[__i__].from_y) < 1e-6,
               "(%g, %g)", x, y);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* 32x16 at (4,2) of 40x20, turned and doubled, between borders. What sent the
 * frame knows of the picture only: it counts from the crop's corner. */
GST_START_TEST (clicks_go_through_all_at_once)
{
  GstHarness *h = test_shape_start (
      "vkcolorconvert video-direction=90r",
      "video/x-raw,format=RGBA,width=32,height=16,framerate=25/1,"
      "pixel-aspect-ratio=1/1",
      "video/x-raw,width=64,height=64,pixel-aspect-ratio=1/1");
  const GstVideoInfo whole = test_info (GST_VIDEO_FORMAT_RGBA, 40, 20);
  GstBuffer *buffer = test_frame_new (&whole, 0);
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);
  gdouble x = -1, y = -1;
  GstEvent *event;

  gst_buffer_add_video_meta (buffer, GST_VIDEO_FRAME_FLAG_NONE,
                             GST_VIDEO_FORMAT_RGBA, 40, 20);
  crop->x = 4;
  crop->y = 2;
  crop->width = 32;
  crop->height = 16;
  gst_buffer_unref (test_pass (h, buffer));
  /* 32x64 from column 16 on: down is to the right, left is down. */
  gst_harness_push_upstream_event (
      h, gst_navigation_event_new_mouse_move (16.5, 20.5,
                                              GST_NAVIGATION_MODIFIER_NONE));
  while ((event = gst_harness_try_pull_upstream_event (h)) != NULL) {
    if (GST_EVENT_TYPE (event) == GST_EVENT_NAVIGATION)
      fail_unless (gst_navigation_event_get_coordinates (event, &x, &y));
    gst_event_unref (event);
  }
  fail_unless (ABS (x - 10) < 1e-6 && ABS (y - 15) < 1e-6, "(%g, %g)", x, y);
  gst_harness_teardown (h);
}
GST_END_TEST;

GST_START_TEST (orientation_tags_are_followed_and_taken)
{
  GstHarness *h = test_shape_start (
      "vkcolorconvert video-direction=auto",
      "video/x-raw,format=RGBA,width=8,height=4,framerate=25/1", NULL);
  GstVideoInfo in = test_pad_info (h->srcpad), out;
  gboolean seen = FALSE;
  GstEvent *event;

  gst_harness_push_event (
      h, gst_event_new_tag (
             gst_tag_list_new (GST_TAG_IMAGE_ORIENTATION, "rotate-90", NULL)));
  gst_buffer_unref (test_pass (h, test_frame_new (&in, 0)));
  out = test_pad_info (h->sinkpad);
  fail_unless (out.width == 4 && out.height == 8);
  while ((event = gst_harness_try_pull_event (h)) != NULL) {
    if (GST_EVENT_TYPE (event) == GST_EVENT_TAG) {
      g_autofree gchar *said = NULL;
      GstTagList *tags;

      gst_event_parse_tag (event, &tags);
      seen = gst_tag_list_get_string (tags, GST_TAG_IMAGE_ORIENTATION, &said);
      assert_equals_string (said, "rotate-0");
    }
    gst_event_unref (event);
  }
  fail_unless (seen);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* What speaks of time goes along, what speaks of places is moved, and what
 * speaks of a shape that is no more stays behind. */
GST_START_TEST (metas_travel)
{
  GstHarness *h = test_shape_start (
      "vkcolorconvert video-direction=horiz",
      "video/x-raw,format=NV12,width=32,height=16,framerate=25/1",
      "video/x-raw,format=NV12,width=64,height=32");
  GstVideoInfo in = test_pad_info (h->srcpad);
  GstBuffer *buffer = test_frame_new (&in, 0);
  g_autoptr (GstCaps) clock = gst_caps_from_string ("timestamp/x-unix");
  static const guint8 caption[3] = { 0xfc, 0x80, 0x80 };
  GstVideoRegionOfInterestMeta *region;

  region = gst_buffer_add_video_region_of_interest_meta (buffer, "face", 2, 1,
                                                         4, 3);
  region->id = 7;
  gst_video_region_of_interest_meta_add_param (
      region, gst_structure_new_empty ("detector"));
  gst_buffer_add_video_time_code_meta_full (buffer, 25, 1, NULL, 0, 1, 2, 3, 4,
                                            0);
  gst_buffer_add_reference_timestamp_meta (buffer, clock, 42, 7);
  gst_buffer_add_video_caption_meta (buffer, GST_VIDEO_CAPTION_TYPE_CEA708_RAW,
                                     caption, sizeof caption);
  buffer = test_pass (h, buffer);

  region = gst_buffer_get_video_region_of_interest_meta_id (buffer, 7);
  fail_unless (region != NULL);
  fail_unless (region->x == 52 && region->y == 2 && region->w == 8
                   && region->h == 6,
               "%u %u %u %u", region->x, region->y, region->w, region->h);
  fail_unless (
      gst_video_region_of_interest_meta_get_param (region, "detector"));
  fail_unless (gst_buffer_get_video_time_code_meta (buffer) != NULL);
  fail_unless (gst_buffer_get_reference_timestamp_meta (buffer, clock));
  fail_unless (gst_buffer_get_video_caption_meta (buffer) != NULL);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* Sizes, directions and methods while frames flow; then none of it. */
GST_START_TEST (shapes_change_while_playing)
{
  GstHarness *h
      = test_shape_start ("vkcolorconvert",
                          "video/x-raw,format=NV12,width=32,height=16,"
                          "framerate=25/1",
                          NULL);
  GstElement *element = gst_bin_get_by_interface (GST_BIN (h->element),
                                                  GST_TYPE_VIDEO_DIRECTION);
  GstVideoInfo in = test_pad_info (h->srcpad), out;

  fail_unless (element != NULL);
  for (gint i = 0; i < GST_VIDEO_ORIENTATION_AUTO; i++) {
    const gboolean turned = i == GST_VIDEO_ORIENTATION_90R
                            || i == GST_VIDEO_ORIENTATION_90L
                            || i == GST_VIDEO_ORIENTATION_UL_LR
                            || i == GST_VIDEO_ORIENTATION_UR_LL;

    g_object_set (element, "video-direction", i, NULL);
    gst_buffer_unref (test_pass (h, test_frame_new (&in, i)));
    out = test_pad_info (h->sinkpad);
    fail_unless_equals_int (out.width, turned ? 16 : 32);
  }
  g_object_set (element, "video-direction", GST_VIDEO_ORIENTATION_IDENTITY,
                NULL);
  gst_harness_set_src_caps_str (
      h, "video/x-raw,format=NV12,width=20,height=10,framerate=25/1");
  in = test_pad_info (h->srcpad);
  GstBuffer *buffer = test_frame_new (&in, 1);
  gst_buffer_ref (buffer);
  fail_unless (test_pass (h, buffer) == buffer);
  gst_buffer_unref (buffer);
  gst_buffer_unref (buffer);
  gst_object_unref (element);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* Sizes, formats, colours and rates of the source; the output stays what it
 * is. */
GST_START_TEST (sources_may_change_while_the_output_stays)
{
  static const gchar *const sources[] = {
    "format=NV12,width=32,height=24,framerate=25/1",
    "format=NV12,width=32,height=24,framerate=30/1",
    "format=NV12,width=64,height=48,framerate=30/1",
    "format=RGBA,width=64,height=48,framerate=30/1",
    "format=I420,width=33,height=17,framerate=30/1,colorimetry=bt709",
    "format=I420,width=33,height=17,framerate=30/1,colorimetry=bt2020",
    "format=NV12,width=1,height=1,framerate=30/1",
    "format=NV12,width=32,height=24,framerate=25/1",
  };
  GstHarness *h = gst_harness_new ("vkcolorconvert");

  gst_harness_set_sink_caps_str (
      h, "video/x-raw,format=NV12,width=64,height=48,colorimetry=bt601");
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++) {
    g_autofree gchar *caps = g_strconcat ("video/x-raw,", sources[i], NULL);
    GstVideoInfo in, out;

    gst_harness_set_src_caps_str (h, caps);
    in = test_pad_info (h->srcpad);
    for (guint k = 0; k < 2; k++)
      gst_buffer_unref (test_pass (h, test_frame_new (&in, k)));
    out = test_pad_info (h->sinkpad);
    fail_unless (out.width == 64 && out.height == 48
                     && GST_VIDEO_INFO_FORMAT (&out) == GST_VIDEO_FORMAT_NV12
                     && out.fps_n == in.fps_n,
                 "%s", sources[i]);
  }
  gst_harness_teardown (h);
}
GST_END_TEST;

static Suite *
placing_suite (void)
{
  Suite *suite = suite_create ("placing");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 240);
  tcase_add_loop_test (cases, borders_keep_the_aspect_and_have_their_colour, 0,
                       G_N_ELEMENTS (borders));
  tcase_add_loop_test (cases, clicks_are_on_what_was_there, 0,
                       G_N_ELEMENTS (clicks));
  tcase_add_test (cases, clicks_go_through_all_at_once);
  tcase_add_test (cases, orientation_tags_are_followed_and_taken);
  tcase_add_test (cases, metas_travel);
  tcase_add_test (cases, shapes_change_while_playing);
  tcase_add_test (cases, sources_may_change_while_the_output_stays);
  return suite;
}

GST_CHECK_MAIN (placing);
