/* docs/examples/shaders against what the CPU computes from their definition:
 * those that need several passes, buffers or earlier frames. */
#include <glib/gstdio.h>
#include <math.h>

#include "tests/elements/compute_support.h"
#include "tests/support/support.h"

#define WIDTH  68 /* more than a workgroup of the blur */
#define HEIGHT 70

static GstHarness *
start (const gchar *name, const gchar *parameters, const gchar *given,
       GstVideoInfo *info)
{
  g_autofree gchar *path = compute_shader_path (name);
  GstElement *element = compute_element_new ();

  g_object_set (element, "location", path, NULL);
  if (parameters != NULL)
    gst_util_set_object_arg (G_OBJECT (element), "parameters", parameters);
  if (given != NULL)
    gst_util_set_object_arg (G_OBJECT (element), "buffers", given);
  return compute_start (element, "RGBA", WIDTH, HEIGHT, info);
}

static const guint8 *
pixel (const struct picture *in, gint x, gint y)
{
  x = CLAMP (x, 0, (gint)in->width - 1);
  y = CLAMP (y, 0, (gint)in->height - 1);
  return in->data[0] + (gsize)y * in->row_bytes[0] + 4 * x;
}

static guint8
code (gdouble value)
{
  return CLAMP (value, 0, 1) * 255 + 0.5;
}

/* All channels as numbers from 0 to 1. */
static void
to_numbers (const guint8 *pixel_codes, gdouble out[4])
{
  for (guint i = 0; i < 4; i++)
    out[i] = pixel_codes[i] / 255.0;
}

/* Calls @shade for each pixel: in[] to out[], numbers. */
static void
for_pixels (const struct picture *in, struct picture *out,
            void (*shade) (const gdouble in[4], guint x, guint y,
                           gdouble out[4]))
{
  for (guint y = 0; y < in->height; y++)
    for (guint x = 0; x < in->width; x++) {
      gdouble from[4], to[4];

      to_numbers (pixel (in, x, y), from);
      shade (from, x, y, to);
      for (guint i = 0; i < 4; i++)
        out->data[0][(gsize)y * out->row_bytes[0] + 4 * x + i] = code (to[i]);
    }
}

static gdouble
luma_of (const gdouble c[4])
{
  return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

/* The two-dimensional sum, all at once. */
static void
expect_gaussian (const struct picture *in, struct picture *out)
{
  const gint radius = 6;
  const gdouble sigma = 1.7;

  for (gint y = 0; y < (gint)in->height; y++)
    for (gint i = 0; i < (gint)in->row_bytes[0]; i++) {
      gdouble sum = 0, weights = 0;

      for (gint b = -radius; b <= radius; b++)
        for (gint a = -radius; a <= radius; a++) {
          const gdouble w = exp (-(a * a + b * b) / (2 * sigma * sigma));

          sum += w * pixel (in, i / 4 + a, y + b)[i % 4];
          weights += w;
        }
      out->data[0][y * out->row_bytes[0] + i] = sum / weights + 0.5;
    }
}

GST_START_TEST (gaussian_equals_a_sum_over_the_square)
{
  GstVideoInfo info;
  GstHarness *harness = start ("gaussian.vkc", "p,sigma=1.7", NULL, &info);

  compute_check (harness, &info, 1, 1, expect_gaussian);
  compute_check (harness, &info, 2, 1, expect_gaussian);
  gst_harness_teardown (harness);
}
GST_END_TEST;

static guint32
scramble (guint32 v)
{
  v = (v ^ (v >> 15)) * 0x9e3779b1u;
  v = (v ^ (v >> 13)) * 0x85ebca77u;
  return v ^ (v >> 16);
}

static guint32 grain_frame;

static void
shade_grain (const gdouble in[4], guint x, guint y, gdouble out[4])
{
  const guint32 bits = scramble (x + 7919 * y + 104729 * grain_frame);
  const gdouble noise = (bits & 0xffff) / 65535.0 + (bits >> 16) / 65535.0 - 1;
  const gdouble luma = luma_of (in);

  for (guint i = 0; i < 3; i++)
    out[i] = in[i] + 0.3 * 4 * luma * (1 - luma) * noise;
  out[3] = in[3];
}

static void
expect_grain (const struct picture *in, struct picture *out)
{
  for_pixels (in, out, shade_grain);
}

GST_START_TEST (grain_is_new_in_every_frame)
{
  GstVideoInfo info;
  GstHarness *harness = start ("grain.comp", "p,strength=0.3", NULL, &info);

  for (grain_frame = 0; grain_frame < 3; grain_frame++)
    compute_check (harness, &info, 5, 1, expect_grain);
  gst_harness_teardown (harness);
}
GST_END_TEST;

static void
shade_key (const gdouble in[4], guint x, guint y, gdouble out[4])
{
  static const gdouble key[4] = { 0.1, 0.9, 0.2 };
  static const gdouble background[] = { 0.2, 0.3, 0.9 };
  const gdouble blue = (in[2] - luma_of (in) - key[2] + luma_of (key)) / 1.8556;
  const gdouble red = (in[0] - luma_of (in) - key[0] + luma_of (key)) / 1.5748;
  const gdouble kept = CLAMP ((hypot (blue, red) - 0.2) / 0.3, 0, 1);

  for (guint i = 0; i < 3; i++)
    out[i] = kept * in[i] + (1 - kept) * background[i];
  out[3] = in[3];
}

static void
expect_key (const struct picture *in, struct picture *out)
{
  for_pixels (in, out, shade_key);
}

GST_START_TEST (chromakey_replaces_the_key_colour)
{
  GstVideoInfo info;
  GstHarness *harness
      = start ("chromakey.comp",
               "p,key=<0.1,0.9,0.2>,background=<0.2,0.3,0.9>,inner=0.2,"
               "outer=0.5",
               NULL, &info);

  compute_check (harness, &info, 1, 1, expect_key);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* A function that is linear in each colour is met exactly between the entries
 * of a table: products of the colours. */
static void
shade_table (const gdouble in[4], guint x, guint y, gdouble out[4])
{
  out[0] = in[0] * in[1];
  out[1] = 1 - in[2] * in[0] * 0.5;
  out[2] = 0.25 + 0.5 * in[0] * in[1] * in[2];
  out[3] = in[3];
}

static void
expect_table (const struct picture *in, struct picture *out)
{
  for_pixels (in, out, shade_table);
}

static gchar *
write_table (guint n)
{
  g_autofree gfloat *entries = g_new (gfloat, 4 * n * n * n);

  for (guint i = 0; i < n * n * n; i++) {
    const gdouble in[4]
        = { i % n / (n - 1.0), i / n % n / (n - 1.0), i / n / n / (n - 1.0) };
    gdouble out[4];

    shade_table (in, 0, 0, out);
    for (guint k = 0; k < 4; k++)
      entries[4 * i + k] = out[k];
  }
  return test_temporary_file (".lut", entries, 16 * n * n * n);
}

GST_START_TEST (lut_interpolates_between_the_entries)
{
  const guint n = __i__ == 0 ? 2 : 17;
  g_autofree gchar *path = write_table (n);
  g_autofree gchar *given = g_strdup_printf ("b,table=(string)file:%s", path);
  GstVideoInfo info;
  GstHarness *harness = start ("lut.comp", NULL, given, &info);

  compute_check (harness, &info, 1, 1, expect_table);
  gst_harness_teardown (harness);
  g_unlink (path);
}
GST_END_TEST;

static guint bins[256];

static void
count_luma (const struct picture *in)
{
  memset (bins, 0, sizeof bins);
  for (guint y = 0; y < in->height; y++)
    for (guint x = 0; x < in->width; x++) {
      const guint8 *p = pixel (in, x, y);

      bins[(54 * p[0] + 183 * p[1] + 19 * p[2]) / 256]++;
    }
}

static void
expect_histogram (const struct picture *in, struct picture *out)
{
  static const gdouble bar[] = { 1, 0.8, 0.2 };

  count_luma (in);
  for (guint y = 0; y < in->height; y++)
    for (guint x = 0; x < in->width; x++) {
      const guint height = 32 * bins[x * 256 / in->width] / in->width;
      const guint8 *p = pixel (in, x, y);

      for (guint i = 0; i < 4; i++)
        out->data[0][y * out->row_bytes[0] + 4 * x + i]
            = i < 3 && in->height - 1 - y < height
                  ? code (0.25 * p[i] / 255 + 0.75 * bar[i])
                  : p[i];
    }
}

GST_START_TEST (histogram_counts_and_draws)
{
  GstVideoInfo info;
  GstHarness *harness = start ("histogram.vkc", NULL, NULL, &info);

  for (guint i = 0; i < 3; i++) {
    GBytes *bytes = NULL;

    compute_check (harness, &info, i, 1, expect_histogram);
    g_signal_emit_by_name (harness->element, "read-buffer", "bins", &bytes);
    fail_unless (bytes != NULL);
    assert_equals_int (g_bytes_get_size (bytes), sizeof bins);
    fail_unless (memcmp (g_bytes_get_data (bytes, NULL), bins, sizeof bins)
                 == 0);
    g_bytes_unref (bytes);
  }
  gst_harness_teardown (harness);
}
GST_END_TEST;

static guint8 trail[WIDTH * HEIGHT * 4];

static void
expect_trail (const struct picture *in, struct picture *out)
{
  for (gsize i = 0; i < sizeof trail; i++) {
    if (i % 4 == 3)
      trail[i] = in->data[0][i];
    else
      trail[i] = MAX (in->data[0][i], trail[i] * 0.5 + 0.5);
    out->data[0][i] = trail[i];
  }
}

GST_START_TEST (trail_fades)
{
  GstVideoInfo info;
  GstHarness *harness = start ("trail.comp", "p,decay=0.5", NULL, &info);

  memset (trail, 0, sizeof trail);
  for (guint i = 0; i < 6; i++)
    compute_check (harness, &info, i, 1, expect_trail);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* A bilinear look-up at @u, @v from 0 to 1. */
static gdouble
sample (const struct picture *in, gdouble u, gdouble v, guint channel)
{
  const gdouble x = u * in->width - 0.5, y = v * in->height - 0.5;
  const gint left = floor (x), top = floor (y);
  const gdouble a = x - left, b = y - top;

  return ((1 - b)
              * ((1 - a) * pixel (in, left, top)[channel]
                 + a * pixel (in, left + 1, top)[channel])
          + b
                * ((1 - a) * pixel (in, left, top + 1)[channel]
                   + a * pixel (in, left + 1, top + 1)[channel]))
         / 255;
}

static void
expect_crt (const struct picture *in, struct picture *out)
{
  for (guint y = 0; y < in->height; y++)
    for (guint x = 0; x < in->width; x++) {
      const gdouble px = (x + 0.5) / in->width * 2 - 1;
      const gdouble py = (y + 0.5) / in->height * 2 - 1;
      const gdouble bx = px * (1 + 0.1 * py * py);
      const gdouble by = py * (1 + 0.1 * px * px);
      const gdouble dark = 0.5 + 0.5 * cos (2 * G_PI * (by * 0.5 + 0.5) * 23);
      guint8 *p = out->data[0] + (gsize)y * out->row_bytes[0] + 4 * x;

      for (guint i = 0; i < 3; i++)
        p[i] = fabs (bx) < 1 && fabs (by) < 1
                   ? code (sample (in, bx / 2 + 0.5, by / 2 + 0.5, i)
                           * (1 - 0.5 * dark) * (x % 3 == i ? 1 : 0.75))
                   : 0;
      p[3] = 255;
    }
}

/* A smooth picture: how exactly textures are interpolated is the device's
 * choice, in steps of a 256th of a texel. */
static GstBuffer *
make_gradient (const GstVideoInfo *info)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, info->size, NULL);
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  for (gsize i = 0; i < map.size; i++) {
    const guint x = i / 4 % WIDTH, y = i / 4 / WIDTH;

    map.data[i] = i % 4 == 0   ? 3 * x
                  : i % 4 == 1 ? 3 * y
                  : i % 4 == 2 ? 255 - x - y
                               : 255;
  }
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

GST_START_TEST (crt_bends_and_darkens)
{
  GstVideoInfo info;
  GstHarness *harness = start (
      "crt.comp", "p,bulge=0.1,lines=23,depth=0.5,mask=0.25", NULL, &info);
  GstBuffer *frame = make_gradient (&info);
  struct picture source, expected;

  picture_from_buffer (&source, &info, frame);
  picture_init (&expected, &info);
  expect_crt (&source, &expected);
  fail_unless_equals_int (gst_harness_push (harness, frame), GST_FLOW_OK);
  compute_assert_frame ("crt", gst_harness_pull (harness), &info, &expected, 1);
  picture_clear (&source);
  picture_clear (&expected);
  gst_harness_teardown (harness);
}
GST_END_TEST;

static Suite *
examples_suite (void)
{
  Suite *suite = suite_create ("examples");
  TCase *cases = tcase_create ("all");

  suite_add_tcase (suite, cases);
  tcase_add_test (cases, gaussian_equals_a_sum_over_the_square);
  tcase_add_test (cases, grain_is_new_in_every_frame);
  tcase_add_test (cases, chromakey_replaces_the_key_colour);
  tcase_add_loop_test (cases, lut_interpolates_between_the_entries, 0, 2);
  tcase_add_test (cases, histogram_counts_and_draws);
  tcase_add_test (cases, trail_fades);
  tcase_add_test (cases, crt_bends_and_darkens);
  return suite;
}

GST_CHECK_MAIN (examples);
