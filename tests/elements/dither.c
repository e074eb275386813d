/* The property `dither`: noise where the depth falls, none in the mean. */
#include <gst/check/gstharness.h>
#include <math.h>

#include "tests/elements/picture.h"
#include "tests/support/support.h"

#define TILE 64

static const struct color_description limited = {
  .matrix = COLOR_MATRIX_BT709, .range = COLOR_RANGE_LIMITED
};

/* The caps of @format, of which @picture becomes one. */
static gchar *
describe (const gchar *format, gint width, gint height,
          struct picture *picture)
{
  GstVideoInfo info;

  fail_unless (gst_video_info_set_format (
      &info, gst_video_format_from_string (format), width, height));
  picture_init (picture, &info, &limited);
  return g_strdup_printf ("video/x-raw,format=%s,width=%d,height=%d,"
                          "framerate=25/1",
                          format, width, height);
}

static GstHarness *
start (const gchar *in, const gchar *out)
{
  GstHarness *h = gst_harness_new ("vkcolorconvert");

  gst_harness_set_sink_caps_str (h, out);
  gst_harness_set_src_caps_str (h, in);
  return h;
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

/* Fields of 64x64, their codes one apart. */
GST_START_TEST (fields_keep_their_mean)
{
  struct picture source, target;
  g_autofree gchar *in = describe ("P010_10LE", 4 * TILE, TILE, &source);
  g_autofree gchar *out = describe ("NV12", 4 * TILE, TILE, &target);
  GstHarness *h = start (in, out);
  guint sum[4] = { 0 };

  for (guint i = 0; i < 4 * TILE * TILE; i++)
    source.codes[0][i] = 400 + i / TILE % 4;
  for (guint i = 0; i < TILE * TILE; i++)
    source.codes[1][i] = source.codes[2][i] = 514;
  convert (h, &source, &target);
  for (guint i = 0; i < 4 * TILE * TILE; i++) {
    if (target.codes[0][i] < 100 || target.codes[0][i] > 101)
      fail ("luma %u", target.codes[0][i]);
    sum[i / TILE % 4] += target.codes[0][i];
  }
  for (guint i = 0; i < 4; i++)
    fail_unless (fabs (sum[i] / (gdouble) (TILE * TILE) - 100 - 0.25 * i)
                     < 0.01,
                 "field %u: %u", i, sum[i]);
  sum[0] = 0;
  for (guint i = 0; i < TILE * TILE; i++)
    sum[0] += target.codes[1][i] + target.codes[2][i];
  fail_unless (fabs (sum[0] / (2.0 * TILE * TILE) - 128.5) < 0.01, "%u",
               sum[0]);
  picture_clear (&source);
  picture_clear (&target);
  gst_harness_teardown (h);
}
GST_END_TEST;

GST_START_TEST (no_part_of_a_ramp_is_brighter_than_it_was)
{
  const gint width = 30 * TILE;
  struct picture source, target;
  g_autofree gchar *in = describe ("Y444_16LE", width, TILE, &source);
  g_autofree gchar *out = describe ("Y444", width, TILE, &target);
  GstHarness *h = start (in, out);
  gdouble bias = 0, part = 0;

  for (gint i = 0; i < width * TILE; i++)
    source.codes[0][i] = 0x1000 + i % width * 29;
  convert (h, &source, &target);
  for (gint x = 0; x < width; x++) {
    for (gint y = 0; y < TILE; y++) {
      const gint i = y * width + x;
      const gdouble off
          = target.codes[0][i] - source.codes[0][i] / 256.0;

      if (fabs (off) >= 1)
        fail ("%d, %d: %g codes", x, y, off);
      part += off;
    }
    if (x % TILE == TILE - 1) {
      fail_unless (fabs (part) / (TILE * TILE) < 0.03, "until %d: %g", x,
                   part / (TILE * TILE));
      bias += part;
      part = 0;
    }
  }
  fail_unless (fabs (bias) / (width * TILE) < 0.01, "bias %g",
               bias / (width * TILE));
  picture_clear (&source);
  picture_clear (&target);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* Whole codes as well: black, white and what fits stay what they are. */
GST_START_TEST (grey_stays_grey_and_alpha_exact)
{
  struct picture source, target;
  g_autofree gchar *in = describe ("RGBA64_LE", TILE, TILE, &source);
  g_autofree gchar *out = describe ("RGBA", TILE, TILE, &target);
  GstHarness *h = start (in, out);

  for (guint i = 0; i < TILE * TILE; i++) {
    for (guint k = 0; k < 3; k++)
      source.codes[k][i] = i < 1024 ? i / 4 * 257 : i * 15;
    source.codes[3][i] = i * 16;
  }
  convert (h, &source, &target);
  for (guint i = 0; i < TILE * TILE; i++) {
    const guint red = target.codes[0][i];

    if (target.codes[1][i] != red || target.codes[2][i] != red)
      fail ("pixel %u is not grey", i);
    if (i < 1024 && red != i / 4)
      fail ("code %u became %u", i / 4, red);
    if (target.codes[3][i] != (i * 16 * 2 + 257) / (2 * 257))
      fail ("alpha %u became %u", i * 16, target.codes[3][i]);
  }
  picture_clear (&source);
  picture_clear (&target);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* The second frame, and one of another element. */
GST_START_TEST (noise_is_the_same_in_every_frame)
{
  struct picture source, first, second;
  g_autofree gchar *in = describe ("I420_12LE", 45, 37, &source);
  g_autofree gchar *out = describe ("I420", 45, 37, &first);
  g_autofree gchar *again = describe ("I420", 45, 37, &second);

  picture_fill_randomly (&source, 1);
  for (guint run = 0; run < 2; run++) {
    GstHarness *h = start (in, out);

    convert (h, &source, &first);
    for (guint frame = 0; frame < 2; frame++) {
      convert (h, &source, &second);
      for (guint k = 0; k < 3; k++)
        fail_unless (memcmp (first.codes[k], second.codes[k],
                             picture_columns (&first, k)
                                 * picture_rows (&first, k) * sizeof (guint))
                     == 0);
    }
    gst_harness_teardown (h);
  }
  picture_clear (&source);
  picture_clear (&first);
  picture_clear (&second);
}
GST_END_TEST;

/* Rows: from, to, whether there is noise by default. */
static const struct
{
  const gchar *from, *to;
  gboolean noise;
} rows[] = {
  { "I420", "RGBA", FALSE },      { "I420", "P010_10LE", FALSE },
  { "P010_10LE", "RGBA", TRUE },  { "RGBA", "RGB16", TRUE },
  { "RGBA", "RGB10A2_LE", FALSE }, { "AYUV64", "GRAY8", TRUE },
};

GST_START_TEST (noise_is_for_lost_depth_only)
{
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    struct picture source, target;
    g_autofree gchar *in = describe (rows[i].from, 16, 8, &source);
    g_autofree gchar *out = describe (rows[i].to, 16, 8, &target);
    GstHarness *h = start (in, out);
    g_autoptr (GstStructure) stats = NULL, element = NULL, color = NULL;
    gboolean dithered = -1;

    convert (h, &source, &target);
    g_object_get (h->element, "stats", &stats, NULL);
    gst_structure_get (stats, "element", GST_TYPE_STRUCTURE, &element, NULL);
    fail_unless (gst_structure_get_boolean (element, "dithered", &dithered));
    fail_unless_equals_int (dithered, rows[i].noise);
    picture_clear (&source);
    picture_clear (&target);
    gst_harness_teardown (h);
  }
}
GST_END_TEST;

static Suite *
dither_suite (void)
{
  Suite *suite = suite_create ("dither");
  TCase *cases = tcase_create ("ordered");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 120);
  tcase_add_test (cases, fields_keep_their_mean);
  tcase_add_test (cases, no_part_of_a_ramp_is_brighter_than_it_was);
  tcase_add_test (cases, grey_stays_grey_and_alpha_exact);
  tcase_add_test (cases, noise_is_the_same_in_every_frame);
  tcase_add_test (cases, noise_is_for_lost_depth_only);
  return suite;
}

GST_CHECK_MAIN (dither);
