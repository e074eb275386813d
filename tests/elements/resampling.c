/* vkcolorconvert: planes that are scaled as they are, without a work frame. */
#include <math.h>
#include <string.h>

#include "gst/base/gstvkccaps.h"
#include "tests/elements/frames.h"
#include "tests/elements/scaling_model.h"
#include "tests/elements/shape_support.h"
#include "tests/support/support.h"

/* By enum color_filter_method. */
static const gchar *const methods[]
    = { "nearest", "bilinear", "bicubic", "mitchell", "lanczos", "area" };

/* Rows: formats in and out, method, sizes. */
static const struct
{
  const gchar *in, *out;
  gint method;
  gint size[4];
} rows[] = {
  { "P010_10LE", "P010_10LE", COLOR_FILTER_BICUBIC, { 66, 34, 44, 22 } },
  { "P016_LE", "P016_LE", COLOR_FILTER_LANCZOS, { 37, 19, 70, 38 } },
  { "I420_10LE", "P010_10LE", COLOR_FILTER_BILINEAR, { 64, 36, 41, 27 } },
  { "Y444_16LE", "Y444_16LE", COLOR_FILTER_MITCHELL, { 31, 41, 29, 17 } },
  { "GRAY16_LE", "GRAY16_LE", COLOR_FILTER_AREA, { 100, 9, 33, 4 } },
  { "GRAY8", "GRAY8", COLOR_FILTER_BICUBIC, { 1, 1, 9, 5 } },
  { "RGB", "BGR", COLOR_FILTER_BICUBIC, { 48, 32, 33, 21 } },
  { "RGBx", "xBGR", COLOR_FILTER_LANCZOS, { 51, 20, 17, 31 } },
  { "GBR", "RGBx", COLOR_FILTER_BILINEAR, { 21, 22, 33, 44 } },
  { "NV12", "I420", COLOR_FILTER_BICUBIC, { 64, 48, 40, 30 } },
  { "I420", "NV21", COLOR_FILTER_AREA, { 65, 47, 30, 21 } },
  { "NV16", "NV24", COLOR_FILTER_BICUBIC, { 40, 30, 60, 20 } },
  { "NV12", "Y42B", COLOR_FILTER_NEAREST, { 40, 30, 13, 77 } },
  { "Y41B", "Y41B", COLOR_FILTER_BILINEAR, { 64, 12, 40, 9 } },
  /* Sizes that are to each other as small numbers. */
  { "NV12", "NV12", COLOR_FILTER_BICUBIC, { 384, 54, 256, 36 } },
  { "NV12", "NV12", COLOR_FILTER_LANCZOS, { 200, 60, 100, 30 } },
  { "I420", "NV12", COLOR_FILTER_BILINEAR, { 96, 48, 144, 72 } },
  { "P010_10LE", "P010_10LE", COLOR_FILTER_AREA, { 160, 40, 120, 30 } },
  { "GRAY16_LE", "GRAY16_LE", COLOR_FILTER_MITCHELL, { 60, 21, 180, 63 } },
  { "RGBx", "xBGR", COLOR_FILTER_BICUBIC, { 96, 48, 64, 16 } },
};

/* Codes of both formats are the same colours', and as deep. */
static void
assert_scaled (GstBuffer *buffer, GstVideoInfo *out, const struct plane from[4],
               const GstVideoInfo *in, gint method)
{
  struct plane to[4] = { { 0 } };

  test_read_planes (buffer, out, to);
  for (guint c = 0; c < MIN (GST_VIDEO_INFO_N_COMPONENTS (in), 3); c++) {
    const gdouble most = (1 << GST_VIDEO_INFO_COMP_DEPTH (out, c)) - 1;
    const struct scaling_model s
        = { .method = method,
            .from_width = in->width,
            .from_height = in->height,
            .to_width = out->width,
            .to_height = out->height,
            .hsub = GST_VIDEO_FORMAT_INFO_W_SUB (in->finfo, c),
            .vsub = GST_VIDEO_FORMAT_INFO_H_SUB (in->finfo, c),
            .to_hsub = GST_VIDEO_FORMAT_INFO_W_SUB (out->finfo, c),
            .to_vsub = GST_VIDEO_FORMAT_INFO_H_SUB (out->finfo, c),
            .left = TRUE };

    for (gint i = 0; i < to[c].width * to[c].height; i++) {
      const gint x = i % to[c].width, y = i / to[c].width;
      const gdouble want = scaling_model_at (&s, &from[c], x, y);

      if (fabs (to[c].at[i] - CLAMP (want, 0, most)) > 1)
        fail ("%s to %s: component %u (%d, %d): %g, not %g", in->finfo->name,
              out->finfo->name, c, x, y, to[c].at[i], want);
    }
  }
  test_free_planes (to);
}

static GstHarness *
start (guint row)
{
  g_autofree gchar *line
      = g_strdup_printf ("vkcolorconvert add-borders=false scaling-method=%s",
                         methods[rows[row].method]);
  const gboolean is_rgb = strstr (rows[row].in, "GB") != NULL;
  const gboolean is_grey = g_str_has_prefix (rows[row].in, "GRAY");
  const gchar *colours = is_rgb    ? ",colorimetry=sRGB"
                         : is_grey ? ",colorimetry=bt709"
                                   : ",colorimetry=bt709,chroma-site=mpeg2";
  g_autofree gchar *caps = g_strdup_printf (
      "video/x-raw,format=%s,width=%d,height=%d,framerate=25/1%s", rows[row].in,
      rows[row].size[0], rows[row].size[1], colours);
  g_autofree gchar *peer = g_strdup_printf (
      "video/x-raw,format=%s,width=%d,height=%d%s", rows[row].out,
      rows[row].size[2], rows[row].size[3], colours);

  return test_shape_start (line, caps, peer);
}

/* All depths, also where samples are 16 bits deep; from subsampling to
 * subsampling, from any order of planes to any other. Mutations of polyphase.comp
 * seen to fail this: nothing repeated beyond edges; nothing loaded for the
 * subgroup's outer lanes; strips that begin with their first complete row. */
GST_START_TEST (planes_are_the_definition_within_one_code)
{
  GstHarness *h = start (__i__);
  GstVideoInfo in = test_pad_info (h->srcpad), out;
  struct plane from[4] = { { 0 } };
  GstBuffer *buffer = test_frame_new (&in, __i__);

  test_read_planes (buffer, &in, from);
  buffer = test_pass (h, buffer);
  out = test_pad_info (h->sinkpad);
  assert_scaled (buffer, &out, from, &in, rows[__i__].method);
  test_free_planes (from);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}
GST_END_TEST;

GST_START_TEST (a_layout_changes_no_pixel)
{
  GstHarness *h = start (__i__);
  GstVideoInfo in = test_pad_info (h->srcpad), out;
  GstBuffer *usual = test_pass (h, test_frame_new (&in, 1));
  GstBuffer *moved = test_pass (h, test_move_rows (test_frame_new (&in, 1), &in, 5));

  out = test_pad_info (h->sinkpad);
  test_assert_same_planes (usual, moved, &out, rows[__i__].in);
  gst_buffer_unref (usual);
  gst_buffer_unref (moved);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* Rows: what is done to frames, and the kernels of it. */
static const struct
{
  const gchar *line, *caps, *peer;
  guint kernels;
} costs[] = {
  { "vkcolorconvert", "format=NV12", "format=NV12,width=32,height=24", 2 },
  { "vkcolorconvert", "format=I420", "format=I420,width=32,height=24", 3 },
  { "vkcolorconvert", "format=RGBA", "format=BGRA,width=32,height=24", 1 },
  { "vkcolorconvert video-direction=180", "format=RGBA", "format=RGBA", 1 },
  { "vkcolorconvert border-color=0xff00ff00", "format=P010_10LE",
    "format=P010_10LE,width=64,height=80,pixel-aspect-ratio=1/1", 2 },
  { "vkcolorconvert", "format=NV12", "format=RGBA,width=32,height=24", 4 },
  { "vkcolorconvert", "format=RGBA,colorimetry=1:1:5:1",
    "format=RGBA,width=32,height=24,colorimetry=sRGB", 2 },
};

/* A plane is a kernel; other colours are one more. */
GST_START_TEST (planes_take_no_detour)
{
  g_autofree gchar *caps
      = g_strdup_printf ("video/x-raw,width=64,height=48,framerate=25/1,"
                         "pixel-aspect-ratio=1/1,%s",
                         costs[__i__].caps);
  g_autofree gchar *peer
      = g_strdup_printf ("video/x-raw,%s", costs[__i__].peer);
  GstHarness *h = test_shape_start (costs[__i__].line, caps, peer);
  GstVideoInfo in = test_pad_info (h->srcpad);

  for (guint i = 0; i < 3; i++)
    gst_buffer_unref (test_pass (h, test_frame_new (&in, i)));
  fail_unless_equals_uint64 (test_chain_stat (h, "dispatches"),
                             3 * costs[__i__].kernels);
  fail_unless_equals_uint64 (test_chain_stat (h, "submits"), 3);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* What a crop shows of a plane. */
static struct plane
cut (const struct plane *whole, gint x, gint y, gint width, gint height)
{
  struct plane part = { width, height, g_new (gdouble, width * height) };

  for (gint i = 0; i < width * height; i++)
    part.at[i] = whole->at[(y + i / width) * whole->width + x + i % width];
  return part;
}

static const gchar *const crop_targets[] = { "width=33,height=41",
                                             "width=22,height=15",
                                             "width=66,height=60" };

/* Nothing around the crop gets into the picture. */
GST_START_TEST (crops_are_scaled_as_if_there_were_no_more)
{
  static const guint crop[4] = { 6, 4, 44, 30 };
  g_autofree gchar *peer = g_strdup_printf ("video/x-raw,format=NV12,%s",
                                            crop_targets[__i__]);
  GstHarness *h = test_shape_start (
      "vkcolorconvert scaling-method=lanczos add-borders=false",
      "video/x-raw,format=NV12,width=44,height=30,framerate=25/1,"
      "colorimetry=bt709,chroma-site=mpeg2",
      peer);
  GstVideoInfo in = test_pad_info (h->srcpad), out;
  GstVideoInfo whole = test_info (GST_VIDEO_FORMAT_NV12, 64, 48);
  struct plane from[4] = { { 0 } }, shown[4] = { { 0 } };
  GstBuffer *buffer = test_frame_new (&whole, 3);
  GstVideoCropMeta *meta;

  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
                                  GST_VIDEO_FORMAT_NV12, 64, 48, 2,
                                  whole.offset, whole.stride);
  meta = gst_buffer_add_video_crop_meta (buffer);
  meta->x = crop[0];
  meta->y = crop[1];
  meta->width = crop[2];
  meta->height = crop[3];
  test_read_planes (buffer, &whole, from);
  for (guint c = 0; c < 3; c++) {
    const guint sub = c > 0;

    shown[c] = cut (&from[c], crop[0] >> sub, crop[1] >> sub, crop[2] >> sub,
                    crop[3] >> sub);
  }
  buffer = test_pass (h, buffer);
  out = test_pad_info (h->sinkpad);
  assert_scaled (buffer, &out, shown, &in, COLOR_FILTER_LANCZOS);
  test_free_planes (from);
  test_free_planes (shown);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}
GST_END_TEST;

static Suite *
resampling_suite (void)
{
  Suite *suite = suite_create ("resampling");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 240);
  tcase_add_loop_test (cases, planes_are_the_definition_within_one_code, 0,
                       G_N_ELEMENTS (rows));
  tcase_add_loop_test (cases, a_layout_changes_no_pixel, 0, 2);
  tcase_add_loop_test (cases, a_layout_changes_no_pixel, 6, 10);
  tcase_add_loop_test (cases, a_layout_changes_no_pixel, 14, 20);
  tcase_add_loop_test (cases, crops_are_scaled_as_if_there_were_no_more, 0,
                       G_N_ELEMENTS (crop_targets));
  tcase_add_loop_test (cases, planes_take_no_detour, 0, G_N_ELEMENTS (costs));
  return suite;
}

GST_CHECK_MAIN (resampling);
