/* Gamut mapping: what is inside stays, what is outside keeps its gradation. */
#include <gst/check/gstcheck.h>
#include <math.h>
#include <stdlib.h>

#include "gst/color/kernel.h"
#include "gst/color/matrix.h"
#include "gst/color/transfer.h"
#include "tests/unit/sides.h"

#define N_MODES (COLOR_GAMUT_DARKEN + 1)

/* PQ to 8-bit BT.709, from YCbCr or from R'G'B'. */
static struct color_plan
plan_of (enum color_matrix matrix, enum color_curve curve,
         enum color_gamut gamut)
{
  const struct color_side source
      = side_of (matrix, COLOR_PRIMARIES_BT2020, COLOR_TRANSFER_PQ, 10);
  const struct color_side target = side_of (
      COLOR_MATRIX_BT709, COLOR_PRIMARIES_BT709, COLOR_TRANSFER_BT1886, 8);
  const struct color_light light = { .max_cll = 1000 };
  const struct color_settings settings = {
    .tone_map = true, .curve = curve, .mode = COLOR_TONE_MAX, .gamut = gamut
  };
  struct color_plan plan;

  color_plan_init (&plan, &source, &light, &target, &settings);
  return plan;
}

static void
run (const struct color_plan *plan, const float in[3], int out[3])
{
  float signal[3];

  color_kernel_signal (plan, in, signal);
  for (int i = 0; i < 3; i++)
    out[i] = (int)color_kernel_code (plan, i, signal);
}

/* __i__: mode. Bars of BT.709 at 100 cd/m2, whose colours are on the border. */
GST_START_TEST (colours_that_fit_stay_as_they_are)
{
  static const float bars[7][3]
      = { { 341, 446, 601 }, { 468, 430, 476 }, { 238, 654, 536 },
          { 483, 526, 472 }, { 366, 586, 587 }, { 497, 421, 518 },
          { 509, 512, 512 } };
  static const int expected[7][3]
      = { { 51, 111, 211 }, { 137, 62, 62 },  { 32, 209, 122 },
          { 145, 147, 44 }, { 68, 189, 200 }, { 167, 45, 136 },
          { 179, 128, 128 } };
  const struct color_plan plan = plan_of (COLOR_MATRIX_BT2020, COLOR_CURVE_CLIP,
                                          (enum color_gamut)__i__);
  int out[3];

  for (int b = 0; b < 7; b++) {
    run (&plan, bars[b], out);
    for (int i = 0; i < 3; i++)
      fail_unless (abs (out[i] - expected[b][i]) <= 2,
                   "bar %d: component %d is %d, not %d", b, i, out[i],
                   expected[b][i]);
  }
}
GST_END_TEST;

/* __i__: mode. All colours that BT.709 has at up to 203 cd/m2. */
GST_START_TEST (the_target_s_cube_is_untouched)
{
  const struct color_plan clip
      = plan_of (COLOR_MATRIX_RGB, COLOR_CURVE_CLIP, COLOR_GAMUT_CLIP);
  const struct color_plan mapped
      = plan_of (COLOR_MATRIX_RGB, COLOR_CURVE_CLIP, (enum color_gamut)__i__);
  const struct color_matrix3 m
      = color_convert_primaries (COLOR_PRIMARIES_BT709, COLOR_PRIMARIES_BT2020);

  for (int n = 0; n < 11 * 11 * 11; n++) {
    const double rgb[3] = { n % 11 / 10.0, n / 11 % 11 / 10.0, n / 121 / 10.0 };
    double light[3];
    float in[3];
    int a[3], b[3];

    color_matrix3_apply (&m, rgb, light);
    for (int i = 0; i < 3; i++)
      in[i] = (float)(1023 * color_pq_inverse_eotf (203 * light[i]));
    run (&clip, in, a);
    run (&mapped, in, b);
    for (int i = 0; i < 3; i++)
      fail_unless (abs (a[i] - b[i]) <= 2, "%g %g %g: %d, not %d", rgb[0],
                   rgb[1], rgb[2], b[i], a[i]);
  }
}
GST_END_TEST;

/* How many different luma codes a ramp of BT.2020 red up to 1000 cd/m2 gets,
 * and at which light the last one comes. Never falls, but where the last three
 * modes hold red, luma is level, and a tie rounds either way. */
static int
red_ramp (enum color_gamut gamut, double *last_change)
{
  const struct color_plan plan
      = plan_of (COLOR_MATRIX_RGB, COLOR_CURVE_BT2390, gamut);
  const int tie = gamut >= COLOR_GAMUT_RELATIVE;
  int distinct = 0, last = -1;

  for (int code = 64; code <= 723; code++) {
    const double signal = (code - 64) / 876.0;
    const float in[3] = { (float)(1023 * signal), 0, 0 };
    int out[3];

    run (&plan, in, out);
    fail_unless (out[0] >= last - tie, "mode %d: %d falls to %d at %g cd/m2",
                 (int)gamut, last, out[0], color_pq_eotf (signal));
    if (out[0] > last) {
      distinct++;
      *last_change = color_pq_eotf (signal);
    }
    last = out[0];
  }
  return distinct;
}

GST_START_TEST (bright_red_keeps_its_gradation)
{
  double last;

  fail_unless (red_ramp (COLOR_GAMUT_CLIP, &last) == 48 && last < 140,
               "clip ends at %g", last);
  fail_unless (red_ramp (COLOR_GAMUT_DESATURATE, &last) >= 80 && last > 600,
               "desaturate ends at %g", last);
  fail_unless (red_ramp (COLOR_GAMUT_PERCEPTUAL, &last) >= 60 && last > 500,
               "perceptual ends at %g", last);
  red_ramp (COLOR_GAMUT_RELATIVE, &last);
  red_ramp (COLOR_GAMUT_SATURATION, &last);
  red_ramp (COLOR_GAMUT_DARKEN, &last);
}
GST_END_TEST;

/* Green of BT.2020 at the peak: no channel wraps around. */
GST_START_TEST (saturated_green_stays_green)
{
  int out[3];

  for (int mode = 0; mode < N_MODES; mode++) {
    const struct color_plan plan
        = plan_of (COLOR_MATRIX_RGB, COLOR_CURVE_CLIP, (enum color_gamut)mode);
    const float green[3] = { 0, 769, 0 };

    run (&plan, green, out);
    fail_unless (out[1] < 128 && out[2] < 128, "mode %d: %d %d %d", mode,
                 out[0], out[1], out[2]);
    if (mode == COLOR_GAMUT_CLIP)
      fail_unless (out[0] == 173 && out[1] == 42 && out[2] == 26);
  }
}
GST_END_TEST;

static Suite *
color_gamut_suite (void)
{
  Suite *suite = suite_create ("color_gamut");
  TCase *cases = tcase_create ("witness");

  suite_add_tcase (suite, cases);
  tcase_add_loop_test (cases, colours_that_fit_stay_as_they_are, 0, N_MODES);
  tcase_add_loop_test (cases, the_target_s_cube_is_untouched, 0, N_MODES);
  tcase_add_test (cases, bright_red_keeps_its_gradation);
  tcase_add_test (cases, saturated_green_stays_green);
  return suite;
}

GST_CHECK_MAIN (color_gamut);
