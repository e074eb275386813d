/* What vkcolorconvert takes frames for whose caps say little, and what its
 * property reference-white does. */
#include <gst/check/gstharness.h>

#include "tests/elements/picture.h"
#include "tests/support/support.h"

static GstHarness *
start (const gchar *in, const gchar *out)
{
  GstHarness *h = gst_harness_new ("vkcolorconvert");

  gst_util_set_object_arg (G_OBJECT (h->element), "dither", "none");
  gst_harness_set_sink_caps_str (h, out);
  gst_harness_set_src_caps_str (h, in);
  return h;
}

static void
init_picture (struct picture *picture, GstVideoFormat format, gint width,
              gint height, const struct color_description *description)
{
  GstVideoInfo info;

  fail_unless (gst_video_info_set_format (&info, format, width, height));
  picture_init (picture, &info, description);
}

static void
convert (GstHarness *h, const struct picture *source, struct picture *target)
{
  GstBuffer *buffer
      = gst_harness_push_and_pull (h, picture_to_buffer (source));

  fail_unless (buffer != NULL);
  picture_from_buffer (target, buffer);
  gst_buffer_unref (buffer);
}

/* Rows: fields of caps, and what GStreamer says that they mean. */
static const struct
{
  gint height;
  const gchar *fields;
  enum color_matrix matrix;
  enum color_range range;
  struct color_site site;
} meanings[] = {
  { 576, "", COLOR_MATRIX_BT601, COLOR_RANGE_LIMITED, { false, false } },
  { 578, "", COLOR_MATRIX_BT709, COLOR_RANGE_LIMITED, { true, false } },
  { 64, ",colorimetry=(string)1:0:0:0", COLOR_MATRIX_BT601, COLOR_RANGE_FULL,
    { false, false } },
  { 64, ",colorimetry=(string)2:0:5:1", COLOR_MATRIX_BT601,
    COLOR_RANGE_LIMITED, { false, false } },
  { 64, ",colorimetry=bt709", COLOR_MATRIX_BT709, COLOR_RANGE_LIMITED,
    { true, false } }, /* GStreamer leaves the site open: MPEG-2's */
  { 64, ",chroma-site=cosited", COLOR_MATRIX_BT601, COLOR_RANGE_LIMITED,
    { true, true } },
  { 64, ",colorimetry=bt709,chroma-site=dv", COLOR_MATRIX_BT709,
    COLOR_RANGE_LIMITED, { true, true } },
};

GST_START_TEST (what_caps_leave_out_is_as_gstreamer_has_it)
{
  const struct color_description description
      = { .matrix = meanings[__i__].matrix,
          .range = meanings[__i__].range,
          .site = meanings[__i__].site };
  const struct color_description rgb
      = { .matrix = COLOR_MATRIX_RGB, .range = COLOR_RANGE_FULL };
  const gint height = meanings[__i__].height;
  g_autofree gchar *in
      = g_strdup_printf ("video/x-raw,format=I420,width=6,height=%d%s", height,
                         meanings[__i__].fields);
  g_autofree gchar *out = g_strdup_printf (
      "video/x-raw,format=RGBA,width=6,height=%d%s", height,
      strstr (meanings[__i__].fields, "709") != NULL
          ? ",colorimetry=(string)1:1:5:1"
          : "");
  struct picture source, target;
  struct exact_picture exact;
  GstHarness *h = start (in, out);

  init_picture (&source, GST_VIDEO_FORMAT_I420, 6, height, &description);
  init_picture (&target, GST_VIDEO_FORMAT_RGBA, 6, height, &rgb);
  picture_fill_randomly (&source, 5);
  convert (h, &source, &target);
  picture_convert (&source, &target, &exact);
  for (gint i = 0; i < 6 * height; i++) {
    for (guint k = 0; k < 3; k++) {
      const gdouble want = CLAMP (exact.values[k][i], 0, 255);

      if (target.codes[k][i] > want + 0.51 || target.codes[k][i] < want - 0.51)
        fail ("%s: component %u of pixel %d is %u, not %g", in, k, i,
              target.codes[k][i], want);
    }
  }
  exact_picture_clear (&exact);
  picture_clear (&source);
  picture_clear (&target);
  gst_harness_teardown (h);
}
GST_END_TEST;

GST_START_TEST (white_goes_where_the_property_says)
{
  static const struct
  {
    gdouble white;
    guint code;
  } rows[] = { { 0, 573 }, { 100, 509 }, { 250, 592 }, { 203, 573 } };
  const struct color_description description
      = { .matrix = COLOR_MATRIX_BT2020, .range = COLOR_RANGE_LIMITED };
  struct picture source, target;
  GstHarness *h
      = start ("video/x-raw,format=I420,width=8,height=8,colorimetry=bt709",
               "video/x-raw,format=P010_10LE,colorimetry=bt2100-pq");

  init_picture (&source, GST_VIDEO_FORMAT_I420, 8, 8, &description);
  init_picture (&target, GST_VIDEO_FORMAT_P010_10LE, 8, 8, &description);
  for (guint i = 0; i < 64; i++)
    source.codes[0][i] = i < 32 ? 235 : 16;
  for (guint i = 0; i < 16; i++)
    source.codes[1][i] = source.codes[2][i] = 128;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_object_set (h->element, "reference-white", rows[i].white, NULL);
    convert (h, &source, &target);
    fail_unless_equals_int (target.codes[0][0], rows[i].code);
    fail_unless_equals_int (target.codes[0][63], 64);
    fail_unless_equals_int (target.codes[1][0], 512);
  }
  picture_clear (&source);
  picture_clear (&target);
  gst_harness_teardown (h);
}
GST_END_TEST;

static Suite *
descriptions_suite (void)
{
  Suite *suite = suite_create ("descriptions");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 120);
  tcase_add_loop_test (cases, what_caps_leave_out_is_as_gstreamer_has_it, 0,
                       G_N_ELEMENTS (meanings));
  tcase_add_test (cases, white_goes_where_the_property_says);
  return suite;
}

GST_CHECK_MAIN (descriptions);
