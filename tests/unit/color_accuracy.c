/* What tone mapping promises: the kernel's witness against the same conversion
 * in double precision, over a cube of all colours. The conversion itself is
 * held by the vectors (tests/data/vectors.json). */
#include <gst/check/gstcheck.h>
#include <math.h>
#include <stdlib.h>

#include "gst/color/kernel.h"
#include "gst/color/matrix.h"
#include "gst/color/transfer.h"
#include "shaders/include/curve_constants.h"
#include "tests/unit/sides.h"
#include "vectors.h"

#define EDGE  33
#define PEAK  1000.0
#define WHITE 203.0

static struct color_matrix3 to_bt709, to_bt2020;

static void
setup (void)
{
  to_bt709
      = color_convert_primaries (COLOR_PRIMARIES_BT2020, COLOR_PRIMARIES_BT709);
  to_bt2020
      = color_convert_primaries (COLOR_PRIMARIES_BT709, COLOR_PRIMARIES_BT2020);
}

/* PQ R'G'B' to R'G'B' of an SDR display, with one gain of the largest and
 * clipped. */
static void
exact_signal (const struct color_tone *tone, const double in[3], double out[3])
{
  double light[3], mapped[3], most = 0;

  for (int i = 0; i < 3; i++) {
    light[i] = color_pq_eotf (in[i]);
    most = fmax (most, light[i]);
  }
  for (int i = 0; i < 3; i++)
    light[i] *= most > 0 ? color_tone_map (tone, most) / most : 0;
  color_matrix3_apply (&to_bt709, light, mapped);
  for (int i = 0; i < 3; i++)
    out[i] = pow (fmin (fmax (mapped[i] / WHITE, 0), 1), 1 / 2.4);
}

/* ITU-R BT.2124, of SDR R'G'B'. */
static double
delta_e_itp (const double a[3], const double b[3])
{
  double itp[2][3];

  for (int k = 0; k < 2; k++) {
    const double *signal = k == 0 ? a : b;
    double light[3], rgb[3], lms[3];

    for (int i = 0; i < 3; i++)
      light[i] = WHITE * pow (signal[i], 2.4);
    color_matrix3_apply (&to_bt2020, light, rgb);
    color_matrix3_apply (&color_bt2020_to_lms, rgb, lms);
    for (int i = 0; i < 3; i++)
      lms[i] = color_pq_inverse_eotf (lms[i]);
    itp[k][0] = 0.5 * (lms[0] + lms[1]);
    itp[k][1] = 0.5 * (6610 * lms[0] - 13613 * lms[1] + 7003 * lms[2]) / 4096;
    itp[k][2] = (17933 * lms[0] - 17390 * lms[1] - 543 * lms[2]) / 4096;
  }
  return 720
         * sqrt (pow (itp[0][0] - itp[1][0], 2) + pow (itp[0][1] - itp[1][1], 2)
                 + pow (itp[0][2] - itp[1][2], 2));
}

/* Codes that differ by 1, of all; none may differ by more. */
struct tally
{
  struct color_affine to_codes;
  long all, off;
};

static void
count_codes (struct tally *tally, const struct color_plan *plan,
             const float signal[3], const double expected[3], int bits)
{
  double codes[3];

  color_affine_apply (&tally->to_codes, expected, codes);
  for (int i = 0; i < 3; i++) {
    const long off = labs ((long)color_kernel_code (plan, i, signal)
                           - (long)floor (codes[i] + 0.5));

    fail_unless (off <= 1, "%d bits, component %d: %ld codes", bits, i, off);
    tally->off += off;
    tally->all++;
  }
}

static struct color_plan
plan_of (enum color_curve curve, int bits, bool native_log)
{
  const struct color_side source = side_of (
      COLOR_MATRIX_RGB, COLOR_PRIMARIES_BT2020, COLOR_TRANSFER_PQ, 16);
  const struct color_side target = side_of (
      COLOR_MATRIX_BT709, COLOR_PRIMARIES_BT709, COLOR_TRANSFER_BT1886, bits);
  const struct color_light light = { .max_cll = PEAK };
  const struct color_settings settings = { .tone_map = true,
                                           .curve = curve,
                                           .mode = COLOR_TONE_MAX,
                                           .native_log = native_log };
  struct color_plan plan;

  color_plan_init (&plan, &source, &light, &target, &settings);
  return plan;
}

/* __i__: curve, and behind them all once more with the device's logarithms. */
GST_START_TEST (cube_is_within_the_promised_bounds)
{
  const enum color_curve curve = (enum color_curve) (__i__ % COLOR_N_CURVES);
  const bool native = __i__ >= COLOR_N_CURVES;
  const struct color_tone tone
      = { .curve = curve, .source_peak = PEAK, .target_peak = WHITE };
  const struct color_plan eight = plan_of (curve, 8, native);
  const struct color_plan ten = plan_of (curve, 10, native);
  struct tally of_eight = { color_rgb_to_codes (
      COLOR_MATRIX_BT709, COLOR_RANGE_LIMITED, (int[]){ 8, 8, 8 }) };
  struct tally of_ten = { color_rgb_to_codes (
      COLOR_MATRIX_BT709, COLOR_RANGE_LIMITED, (int[]){ 10, 10, 10 }) };
  double sum = 0, worst = 0;

  for (int n = 0; n < EDGE * EDGE * EDGE; n++) {
    const int at[3] = { n % EDGE, n / EDGE % EDGE, n / EDGE / EDGE };
    double in[3], expected[3], got[3], e;
    float codes[3], signal[3];

    for (int i = 0; i < 3; i++) {
      codes[i] = (float)(at[i] * 2048 < 65535 ? at[i] * 2048 : 65535);
      in[i] = codes[i] / 65535.0;
    }
    exact_signal (&tone, in, expected);
    color_kernel_signal (&eight, codes, signal);
    for (int i = 0; i < 3; i++)
      got[i] = fmin (fmax (signal[i] * BT1886_SCALE, 0), 1);
    e = delta_e_itp (got, expected);
    sum += e;
    worst = fmax (worst, e);
    count_codes (&of_eight, &eight, signal, expected, 8);
    color_kernel_signal (&ten, codes, signal);
    count_codes (&of_ten, &ten, signal, expected, 10);
  }
  sum /= EDGE * EDGE * EDGE;
  fail_unless (sum <= 0.1 && worst <= 0.8, "dE_ITP: mean %g, most %g", sum,
               worst);
  fail_unless (of_eight.off <= 0.01 * of_eight.all, "8 bits: %ld of %ld off",
               of_eight.off, of_eight.all);
  fail_unless (of_ten.off <= 0.03 * of_ten.all, "10 bits: %ld of %ld off",
               of_ten.off, of_ten.all);
  g_print ("curve %d: dE_ITP mean %.4f, most %.3f; exact: 8 bits %.2f %%, 10 "
           "bits %.2f %%\n",
           (int)curve, sum, worst, 100 - 100.0 * of_eight.off / of_eight.all,
           100 - 100.0 * of_ten.off / of_ten.all);
}
GST_END_TEST;

/* The conversion above is the one that the vectors know. */
GST_START_TEST (exact_conversion_makes_the_vectors)
{
  const int eight[3] = { 8, 8, 8 }, ten[3] = { 10, 10, 10 };
  const struct color_affine from
      = color_codes_to_rgb (COLOR_MATRIX_BT2020, COLOR_RANGE_LIMITED, ten);
  const struct color_affine to
      = color_rgb_to_codes (COLOR_MATRIX_BT709, COLOR_RANGE_LIMITED, eight);
  const struct color_tone tone = { .curve = COLOR_CURVE_BT2390,
                                   .source_peak = PEAK,
                                   .target_peak = WHITE };
  int n = 0;

  FOR_VECTORS (v, "hdr10_to_sdr8")
  {
    double rgb[3], out[3], codes[3];

    if (strcmp (v->curve, "bt2390") || strcmp (v->mode, "max")
        || strcmp (v->gamut, "clip") || v->src_peak != PEAK
        || v->ref_white != WHITE || v->contrast > 0)
      continue;
    color_affine_apply (&from, v->input, rgb);
    for (int i = 0; i < 3; i++)
      rgb[i] = fmin (fmax (rgb[i], 0), 1);
    exact_signal (&tone, rgb, out);
    color_affine_apply (&to, out, codes);
    for (int i = 0; i < 3; i++)
      fail_unless (floor (codes[i] + 0.5) == v->expected[i], "%s", v->id);
    n++;
  }
  fail_unless (n >= 20, "%d vectors", n);
}
GST_END_TEST;

static Suite *
color_accuracy_suite (void)
{
  Suite *suite = suite_create ("color_accuracy");
  TCase *cases = tcase_create ("witness");

  suite_add_tcase (suite, cases);
  tcase_add_unchecked_fixture (cases, setup, NULL);
  tcase_add_loop_test (cases, cube_is_within_the_promised_bounds, 0,
                       2 * COLOR_N_CURVES);
  tcase_add_test (cases, exact_conversion_makes_the_vectors);
  return suite;
}

GST_CHECK_MAIN (color_accuracy);
