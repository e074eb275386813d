/* vkcolorconvert: scaling against its definition in double. */
#include <math.h>

#include "tests/elements/frames.h"
#include "tests/elements/scaling_model.h"
#include "tests/elements/shape_support.h"
#include "tests/support/support.h"

static const gchar *const methods[]
    = { "nearest", "bilinear", "bicubic", "mitchell", "lanczos", "area" };

static void
assert_near (gdouble got, gdouble want, gint c, gint x, gint y,
             const gchar *what)
{
  want = CLAMP (want, 0, 255);
  if (fabs (got - want) > 1)
    fail ("%s: component %d (%d, %d): %g, not %g", what, c, x, y, got, want);
}

/* From odd and even sizes to smaller and larger ones. */
static const gint scalings[][4]
    = { { 32, 18, 64, 36 }, { 33, 17, 20, 31 }, { 64, 48, 16, 12 },
        { 5, 7, 3, 9 },     { 1, 1, 4, 4 },     { 40, 30, 13, 7 } };

static const struct
{
  const gchar *name;
  gboolean left, top;
} sites[] = { { "mpeg2", TRUE, FALSE },
              { "jpeg", FALSE, FALSE },
              { "cosited", TRUE, TRUE } };

static void
check_scaling (GstContext *context, const gchar *format, guint method,
               const gint size[4], guint site)
{
  g_autofree gchar *line = g_strdup_printf (
      "vkcolorconvert add-borders=false scaling-method=%s", methods[method]);
  g_autofree gchar *caps = g_strdup_printf (
      "video/x-raw,format=%s,width=%d,height=%d,framerate=25/1,"
      "colorimetry=bt709%s%s",
      format, size[0], size[1], sites[site].name ? ",chroma-site=" : "",
      sites[site].name);
  g_autofree gchar *peer = g_strdup_printf (
      "video/x-raw,format=%s,width=%d,height=%d", format, size[2], size[3]);
  GstHarness *h = test_shape_start_on (context, line, caps, peer);
  GstVideoInfo in = test_pad_info (h->srcpad), out;
  struct plane from[4] = { { 0 } }, to[4] = { { 0 } };
  GstBuffer *buffer = test_frame_new (&in, 3);

  test_read_planes (buffer, &in, from);
  buffer = test_pass (h, buffer);
  out = test_pad_info (h->sinkpad);
  test_read_planes (buffer, &out, to);
  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (&in); c++) {
    const struct scaling_model s
        = { .method = method,
            .from_width = size[0],
            .from_height = size[1],
            .to_width = size[2],
            .to_height = size[3],
            .hsub = GST_VIDEO_FORMAT_INFO_W_SUB (in.finfo, c),
            .vsub = GST_VIDEO_FORMAT_INFO_H_SUB (in.finfo, c),
            .to_hsub = GST_VIDEO_FORMAT_INFO_W_SUB (in.finfo, c),
            .to_vsub = GST_VIDEO_FORMAT_INFO_H_SUB (in.finfo, c),
            .left = sites[site].left,
            .top = sites[site].top };

    for (gint y = 0; y < to[c].height; y++)
      for (gint x = 0; x < to[c].width; x++)
        assert_near (to[c].at[y * to[c].width + x], scaling_model_at (&s, &from[c], x, y),
                     c, x, y, line);
  }
  test_free_planes (from);
  test_free_planes (to);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}

/* Luma and chroma each where it belongs. Mutation seen to fail this: chroma
 * scaled as if it were between two columns. */
GST_START_TEST (scaling_is_the_definition_within_one_code)
{
  GstElement *keeper;
  GstContext *context = test_share_device (&keeper);

  for (guint i = 0; i < G_N_ELEMENTS (scalings); i++)
    check_scaling (context, "NV12", __i__, scalings[i],
                   i % G_N_ELEMENTS (sites));
  check_scaling (context, "I420", __i__, scalings[1], 1);
  test_unshare_device (context, keeper);
}
GST_END_TEST;

static void
paint (GstBuffer *buffer, const GstVideoInfo *info, guint seed)
{
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (guint i = 0; i < map.size; i++)
    map.data[i] = i % 4 == 3 && i % 12 != 3
                      ? (i / 4 % 3 == 0 ? 0 : 255)
                      : test_pattern (seed, 0, i % info->stride[0],
                                      i / info->stride[0]);
  gst_buffer_unmap (buffer, &map);
}

static gdouble
srgb_eotf (gdouble v)
{
  return v <= 0.04045 ? v / 12.92 : pow ((v + 0.055) / 1.055, 2.4);
}

static gdouble
srgb_inverse (gdouble l)
{
  return l <= 0.0031308 ? l * 12.92 : 1.055 * pow (l, 1 / 2.4) - 0.055;
}

/* Sizes, and whether codes for BT.1886's displays become those for sRGB's. */
static const struct
{
  gint size[4];
  gboolean converts;
} alpha_scalings[] = { { { 23, 11, 9, 17 }, FALSE },
                       { { 48, 12, 32, 24 }, FALSE },
                       { { 23, 11, 9, 17 }, TRUE },
                       { { 48, 12, 32, 24 }, TRUE } };

/* Colours weigh as much as they are opaque, and are converted after that. */
GST_START_TEST (transparent_pixels_do_not_colour_their_neighbours)
{
  const gint *size = alpha_scalings[__i__].size;
  const gboolean converts = alpha_scalings[__i__].converts;
  g_autofree gchar *caps = g_strdup_printf (
      "video/x-raw,format=RGBA,width=%d,height=%d,framerate=25/1,"
      "colorimetry=%s",
      size[0], size[1], converts ? "1:1:5:1" : "sRGB");
  g_autofree gchar *peer = g_strdup_printf (
      "video/x-raw,format=RGBA,width=%d,height=%d,colorimetry=sRGB", size[2],
      size[3]);
  GstHarness *h = test_shape_start (
      "vkcolorconvert add-borders=false scaling-method=bilinear", caps, peer);
  const struct scaling_model s
      = { COLOR_FILTER_BILINEAR, size[0], size[1], size[2], size[3] };
  GstVideoInfo in = test_pad_info (h->srcpad), out;
  struct plane from[4] = { { 0 } }, to[4] = { { 0 } };
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, in.size, NULL);

  paint (buffer, &in, 5);
  test_read_planes (buffer, &in, from);
  for (gint c = 0; c < 3; c++)
    for (gint i = 0; i < size[0] * size[1]; i++)
      from[c].at[i] *= from[3].at[i];
  buffer = test_pass (h, buffer);
  out = test_pad_info (h->sinkpad);
  test_read_planes (buffer, &out, to);
  for (gint y = 0; y < size[3]; y++)
    for (gint x = 0; x < size[2]; x++) {
      const gdouble alpha = scaling_model_at (&s, &from[3], x, y);

      assert_near (to[3].at[y * size[2] + x], alpha, 3, x, y, "alpha");
      for (gint c = 0; c < 3 && alpha > 0.5; c++) {
        gdouble want = scaling_model_at (&s, &from[c], x, y) / alpha;

        if (converts)
          want = 255 * srgb_inverse (pow (CLAMP (want / 255, 0, 1), 2.4));
        assert_near (to[c].at[y * size[2] + x], want, c, x, y, "colour");
      }
    }
  test_free_planes (from);
  test_free_planes (to);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}
GST_END_TEST;

GST_START_TEST (light_is_mixed_in_linear_light)
{
  GstHarness *h = test_shape_start (
      "vkcolorconvert add-borders=false scaling-method=mitchell "
      "linear-light=true",
      "video/x-raw,format=RGBA,width=21,height=34,framerate=25/1,"
      "colorimetry=sRGB",
      "video/x-raw,format=RGBA,width=40,height=13");
  const struct scaling_model s = { COLOR_FILTER_MITCHELL, 21, 34, 40, 13 };
  GstVideoInfo in = test_pad_info (h->srcpad), out;
  struct plane from[4] = { { 0 } }, to[4] = { { 0 } };
  GstBuffer *buffer = test_frame_new (&in, 9);
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (guint i = 3; i < map.size; i += 4)
    map.data[i] = 255;
  gst_buffer_unmap (buffer, &map);
  test_read_planes (buffer, &in, from);
  for (gint c = 0; c < 3; c++)
    for (gint i = 0; i < 21 * 34; i++)
      from[c].at[i] = srgb_eotf (from[c].at[i] / 255);
  buffer = test_pass (h, buffer);
  out = test_pad_info (h->sinkpad);
  test_read_planes (buffer, &out, to);
  for (gint c = 0; c < 3; c++)
    for (gint y = 0; y < 13; y++)
      for (gint x = 0; x < 40; x++)
        assert_near (to[c].at[y * 40 + x],
                     255 * srgb_inverse (scaling_model_at (&s, &from[c], x, y)), c, x, y,
                     "linear");
  test_free_planes (from);
  test_free_planes (to);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* Every sample of what comes out is @codes of its component. */
static void
assert_flat (GstHarness *h, GstBuffer *buffer, const guint8 codes[4],
             const gchar *what)
{
  GstVideoInfo out = test_pad_info (h->sinkpad);
  struct plane planes[4] = { { 0 } };

  test_read_planes (buffer, &out, planes);
  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (&out); c++)
    for (gint i = 0; i < planes[c].width * planes[c].height; i++)
      if (planes[c].at[i] != codes[c])
        fail ("%s: component %u, sample %d: %g, not %u", what, c, i,
              planes[c].at[i], codes[c]);
  test_free_planes (planes);
  gst_buffer_unref (buffer);
}

static GstBuffer *
flat_frame (const GstVideoInfo *info, const guint8 codes[4])
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, info->size, NULL);
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (info); c++)
    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, c); y++)
      for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (&frame, c); x++)
        ((guint8 *)GST_VIDEO_FRAME_COMP_DATA (
            &frame, c))[y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, c)
                        + x * GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, c)]
            = codes[c];
  gst_video_frame_unmap (&frame);
  return buffer;
}

/* Also colours that no R'G'B' has. */
GST_START_TEST (flat_colours_stay_flat)
{
  static const guint8 colours[][4] = { { 63, 102, 240, 200 },
                                       { 255, 0, 255, 0 },
                                       { 1, 254, 3, 255 },
                                       { 235, 128, 128, 7 } };
  static const gchar *const formats[] = { "NV12", "I420", "RGBA" };
  static const gint sizes[][4] = {
    { 31, 9, 62, 17 }, { 31, 9, 8, 5 }, { 1, 1, 3, 3 }, { 70, 70, 1, 1 }
  };

  GstElement *keeper;
  GstContext *context = test_share_device (&keeper);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const guint f = (i + __i__) % G_N_ELEMENTS (formats);
    g_autofree gchar *line = g_strdup_printf (
        "vkcolorconvert add-borders=false scaling-method=%s", methods[__i__]);
    g_autofree gchar *caps = g_strdup_printf (
        "video/x-raw,format=%s,width=%d,height=%d,framerate=25/1", formats[f],
        sizes[i][0], sizes[i][1]);
    g_autofree gchar *peer
        = g_strdup_printf ("video/x-raw,format=%s,width=%d,height=%d",
                           formats[f], sizes[i][2], sizes[i][3]);
    GstHarness *h = test_shape_start_on (context, line, caps, peer);
    GstVideoInfo in = test_pad_info (h->srcpad);

    for (guint k = 0; k < G_N_ELEMENTS (colours); k++)
      assert_flat (h, test_pass (h, flat_frame (&in, colours[k])), colours[k],
                   formats[f]);
    gst_harness_teardown (h);
  }
  test_unshare_device (context, keeper);
}
GST_END_TEST;

/* A pattern of single pixels, four times smaller. */
GST_START_TEST (checkerboard_becomes_grey)
{
  static const gint size[4] = { 64, 64, 16, 16 };
  g_autofree gchar *line
      = g_strdup_printf ("vkcolorconvert scaling-method=%s", methods[__i__]);
  GstHarness *h = test_shape_start (
      line, "video/x-raw,format=RGBA,width=64,height=64,framerate=25/1",
      "video/x-raw,format=RGBA,width=16,height=16");
  GstVideoInfo in = test_pad_info (h->srcpad), out;
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, in.size, NULL);
  struct plane to[4] = { { 0 } };
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (gint i = 0; i < size[0] * size[1]; i++) {
    const guint8 v = ((i % 64) + (i / 64)) % 2 ? 255 : 0;

    memset (map.data + i * 4, v, 3);
    map.data[i * 4 + 3] = 255;
  }
  gst_buffer_unmap (buffer, &map);
  buffer = test_pass (h, buffer);
  out = test_pad_info (h->sinkpad);
  test_read_planes (buffer, &out, to);
  /* At the edges pixels are repeated, which is no checkerboard any more. */
  for (gint y = 3; y < 13; y++)
    for (gint x = 3; x < 13; x++)
      if (fabs (to[0].at[y * 16 + x] - 127.5) > 1)
        fail ("%s: (%d, %d) is %g", line, x, y, to[0].at[y * 16 + x]);
  test_free_planes (to);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}
GST_END_TEST;

static Suite *
scaling_suite (void)
{
  Suite *suite = suite_create ("scaling");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 240);
  tcase_add_loop_test (cases, scaling_is_the_definition_within_one_code, 0,
                       G_N_ELEMENTS (methods));
  tcase_add_loop_test (cases, transparent_pixels_do_not_colour_their_neighbours,
                       0, G_N_ELEMENTS (alpha_scalings));
  tcase_add_test (cases, light_is_mixed_in_linear_light);
  tcase_add_loop_test (cases, flat_colours_stay_flat, 0,
                       G_N_ELEMENTS (methods));
  tcase_add_loop_test (cases, checkerboard_becomes_grey, 1,
                       G_N_ELEMENTS (methods));
  return suite;
}

GST_CHECK_MAIN (scaling);
