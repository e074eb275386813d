/* vktonemap on the device: all colours of a cube through every curve, against
 * double precision. */
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include "tests/elements/shape_support.h"
#include "tests/support/support.h"
#include "tests/unit/exact_map.h"

#define PEAK 1000
/* A frame with a colour a pixel. */
#define WIDTH  EXACT_MAP_EDGE
#define HEIGHT (EXACT_MAP_EDGE * EXACT_MAP_EDGE)
#define SOURCE                                                                 \
  "video/x-raw,format=RGBA64_LE,width=33,height=1089,framerate=25/1,"          \
  "colorimetry=(string)1:1:14:7,content-light-level=(string)1000:200"

static GstBuffer *
make_cube (void)
{
  GstBuffer *buffer = gst_buffer_new_and_alloc (EXACT_MAP_CUBE * 8);
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (gint n = 0; n < EXACT_MAP_CUBE; n++) {
    guint codes[3];

    exact_map_colour (n, codes);
    for (guint i = 0; i < 3; i++)
      GST_WRITE_UINT16_LE (map.data + n * 8 + i * 2, codes[i]);
    GST_WRITE_UINT16_LE (map.data + n * 8 + 6, 65535);
  }
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

/* What the cube becomes by @settings; @frame is mapped, its buffer is the
 * caller's. */
static GstBuffer *
map_cube (GstContext *context, const gchar *settings, const gchar *peer,
          GstVideoFrame *frame)
{
  g_autofree gchar *line = g_strdup_printf (
      "vktonemap curve-mode=max gamut-mapping=clip dither=none "
      "peak-detection=off %s",
      settings);
  GstHarness *h = test_shape_start_on (context, line, SOURCE, peer);
  GstBuffer *buffer = test_pass (h, make_cube ());
  GstVideoInfo info = test_pad_info (h->sinkpad);

  fail_unless (gst_video_frame_map (frame, &info, buffer, GST_MAP_READ));
  gst_harness_teardown (h);
  return buffer;
}

static guint
code_at (const GstVideoFrame *frame, guint component, gint n)
{
  const guint8 *at
      = (const guint8 *)GST_VIDEO_FRAME_COMP_DATA (frame, component)
        + n / WIDTH * GST_VIDEO_FRAME_COMP_STRIDE (frame, component)
        + n % WIDTH * GST_VIDEO_FRAME_COMP_PSTRIDE (frame, component);

  return GST_VIDEO_FRAME_COMP_DEPTH (frame, component) > 8
             ? GST_READ_UINT16_LE (at)
             : *at;
}

static void
expected_for (const struct exact_map *map, gint n, gdouble expected[3])
{
  gdouble in[3];
  guint codes[3];

  exact_map_colour (n, codes);
  for (guint i = 0; i < 3; i++)
    in[i] = codes[i] / 65535.0;
  exact_map_signal (map, in, expected);
}

static void
count_codes (GstContext *context, const struct exact_map *map,
             const gchar *settings, const gchar *peer,
             struct exact_tally *tally)
{
  GstVideoFrame frame;
  GstBuffer *buffer = map_cube (context, settings, peer, &frame);

  for (gint n = 0; n < EXACT_MAP_CUBE; n++) {
    const guint codes[3] = { code_at (&frame, 0, n), code_at (&frame, 1, n),
                             code_at (&frame, 2, n) };
    gdouble expected[3];

    expected_for (map, n, expected);
    exact_tally_count (tally, codes, expected);
  }
  gst_video_frame_unmap (&frame);
  gst_buffer_unref (buffer);
}

/* In R'G'B' of 16 bits, so that rounding does not count. */
static void
add_delta_e (GstContext *context, const struct exact_map *map,
             const gchar *settings, struct exact_report *report)
{
  GstVideoFrame frame;
  GstBuffer *buffer
      = map_cube (context, settings,
                  "video/x-raw,format=RGBA64_LE,colorimetry=1:1:5:1", &frame);

  for (gint n = 0; n < EXACT_MAP_CUBE; n++) {
    gdouble got[3], expected[3];

    for (guint i = 0; i < 3; i++)
      got[i] = code_at (&frame, i, n) / 65535.0;
    expected_for (map, n, expected);
    exact_report_add_delta_e (report, exact_map_delta_e (map, got, expected));
  }
  gst_video_frame_unmap (&frame);
  gst_buffer_unref (buffer);
}

static void
check_cube (enum color_curve curve, gdouble black)
{
  g_autofree gchar *settings = g_strdup_printf (
      "curve=%s target-black=%g", exact_map_curve_names[curve], black);
  GstElement *keeper;
  GstContext *context = test_share_device (&keeper);
  struct exact_report report;
  struct exact_map map;

  exact_report_init (&report);
  exact_map_init (&map, curve, PEAK, black);
  count_codes (context, &map, settings,
               "video/x-raw,format=Y444,colorimetry=bt709", &report.eight);
  count_codes (context, &map, settings,
               "video/x-raw,format=Y444_10LE,colorimetry=bt709", &report.ten);
  if (black == 0)
    add_delta_e (context, &map, settings, &report);
  exact_report_finish (&report, settings);
  test_unshare_device (context, keeper);
}

/* __i__: curve. */
GST_START_TEST (cube_is_within_the_promised_bounds)
{
  check_cube ((enum color_curve)__i__, 0);
}
GST_END_TEST;

/* Where the gain comes out of a table. */
GST_START_TEST (lifted_black_is_within_them_too)
{
  check_cube (COLOR_CURVE_BT2390, 0.1);
}
GST_END_TEST;

static Suite *
cube_suite (void)
{
  Suite *suite = suite_create ("cube");
  TCase *cases = tcase_create ("accuracy");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 120);
  tcase_add_loop_test (cases, cube_is_within_the_promised_bounds, 0,
                       COLOR_N_CURVES);
  tcase_add_test (cases, lifted_black_is_within_them_too);
  return suite;
}

GST_CHECK_MAIN (cube);
