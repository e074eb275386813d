/* What tone mapping promises: the kernel's witness against the same conversion
 * in double precision, over a cube of all colours. The conversion itself is
 * held by the vectors (tests/data/vectors.json). */
#include <gst/check/gstcheck.h>
#include <math.h>

#include "gst/color/kernel.h"
#include "shaders/include/curve_constants.h"
#include "tests/unit/exact_map.h"
#include "tests/unit/sides.h"
#include "vectors.h"

#define PEAK 1000.0

static struct color_plan
plan_of (enum color_curve curve, double black, int bits, bool native_log)
{
  const struct color_side source = side_of (
      COLOR_MATRIX_RGB, COLOR_PRIMARIES_BT2020, COLOR_TRANSFER_PQ, 16);
  const struct color_side target = side_of (
      COLOR_MATRIX_BT709, COLOR_PRIMARIES_BT709, COLOR_TRANSFER_BT1886, bits);
  const struct color_light light = { .max_cll = PEAK };
  const struct color_settings settings = { .tone_map = true,
                                           .curve = curve,
                                           .mode = COLOR_TONE_MAX,
                                           .target_black = black,
                                           .native_log = native_log };
  struct color_plan plan;

  color_plan_init (&plan, &source, &light, &target, &settings);
  return plan;
}

static void
count_codes (struct exact_tally *tally, const struct color_plan *plan,
             const float signal[3], const double expected[3])
{
  unsigned codes[3];

  for (int i = 0; i < 3; i++)
    codes[i] = color_kernel_code (plan, i, signal);
  exact_tally_count (tally, codes, expected);
}

static void
map_cube (enum color_curve curve, double black, bool native, const char *name)
{
  const struct color_plan eight = plan_of (curve, black, 8, native);
  const struct color_plan ten = plan_of (curve, black, 10, native);
  struct exact_report report;
  struct exact_map map;

  exact_report_init (&report);
  exact_map_init (&map, curve, PEAK, black);
  for (int n = 0; n < EXACT_MAP_CUBE; n++) {
    double in[3], expected[3], got[3];
    float codes[3], signal[3];
    unsigned colour[3];

    exact_map_colour (n, colour);
    for (int i = 0; i < 3; i++) {
      codes[i] = (float)colour[i];
      in[i] = colour[i] / 65535.0;
    }
    exact_map_signal (&map, in, expected);
    color_kernel_signal (&eight, codes, signal);
    for (int i = 0; i < 3; i++)
      got[i] = fmin (fmax (signal[i] * BT1886_SCALE, 0), 1);
    if (black == 0)
      exact_report_add_delta_e (&report,
                                exact_map_delta_e (&map, got, expected));
    count_codes (&report.eight, &eight, signal, expected);
    color_kernel_signal (&ten, codes, signal);
    count_codes (&report.ten, &ten, signal, expected);
  }
  exact_report_finish (&report, name);
}

/* __i__: curve, and behind them all once more with the device's logarithms. */
GST_START_TEST (cube_is_within_the_promised_bounds)
{
  const enum color_curve curve = (enum color_curve) (__i__ % COLOR_N_CURVES);
  const bool native = __i__ >= COLOR_N_CURVES;
  g_autofree char *name = g_strdup_printf ("%s%s", exact_map_curve_names[curve],
                                           native ? ", logarithms" : "");

  map_cube (curve, 0, native, name);
}
GST_END_TEST;

/* Near black the gain of a curve that lifts it goes to infinity. */
GST_START_TEST (lifted_black_is_within_them_too)
{
  static const double blacks[] = { 0.001, 0.01, 0.1, 1, 10 };
  g_autofree char *name = g_strdup_printf ("bt2390, black %g", blacks[__i__]);

  map_cube (COLOR_CURVE_BT2390, blacks[__i__], false, name);
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
  struct exact_map map;
  int n = 0;

  exact_map_init (&map, COLOR_CURVE_BT2390, PEAK, 0);
  FOR_VECTORS (v, "hdr10_to_sdr8")
  {
    double rgb[3], out[3], codes[3];

    if (strcmp (v->curve, "bt2390") || strcmp (v->mode, "max")
        || strcmp (v->gamut, "clip") || v->src_peak != PEAK
        || v->ref_white != EXACT_MAP_WHITE || v->contrast > 0)
      continue;
    color_affine_apply (&from, v->input, rgb);
    for (int i = 0; i < 3; i++)
      rgb[i] = fmin (fmax (rgb[i], 0), 1);
    exact_map_signal (&map, rgb, out);
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
  tcase_add_loop_test (cases, cube_is_within_the_promised_bounds, 0,
                       2 * COLOR_N_CURVES);
  tcase_add_loop_test (cases, lifted_black_is_within_them_too, 0, 5);
  tcase_add_test (cases, exact_conversion_makes_the_vectors);
  return suite;
}

GST_CHECK_MAIN (color_accuracy);
