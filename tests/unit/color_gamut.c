/* Gamut mapping: what is inside stays, what is outside keeps its gradation. */
#include <gst/check/gstcheck.h>
#include <math.h>
#include <stdlib.h>

#include "gst/color/kernel-private.h"
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

/* The same conversion with the curve on intensity. */
static struct color_plan
intensity_plan (bool native_log)
{
  const struct color_side source = side_of (
      COLOR_MATRIX_RGB, COLOR_PRIMARIES_BT2020, COLOR_TRANSFER_PQ, 10);
  const struct color_side target = side_of (
      COLOR_MATRIX_BT709, COLOR_PRIMARIES_BT709, COLOR_TRANSFER_BT1886, 8);
  const struct color_light light = { .max_cll = 1000 };
  const struct color_settings settings = { .tone_map = true,
                                           .curve = COLOR_CURVE_CLIP,
                                           .mode = COLOR_TONE_ICTCP,
                                           .gamut = COLOR_GAMUT_CLIP,
                                           .native_log = native_log };
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

/* __i__: 1: with the device's own logarithms. The same, by way of ICtCp, whose
 * signals a curve that changes nothing leaves: what roundings and fits make of
 * a channel that is 0 beside a bright one. */
GST_START_TEST (intensity_leaves_the_target_s_cube)
{
  const struct color_plan plain
      = plan_of (COLOR_MATRIX_RGB, COLOR_CURVE_CLIP, COLOR_GAMUT_CLIP);
  const struct color_plan mapped = intensity_plan (__i__);
  const struct color_matrix3 m
      = color_convert_primaries (COLOR_PRIMARIES_BT709, COLOR_PRIMARIES_BT2020);
  int exact = 0, all = 0;

  for (int n = 0; n < 21 * 21 * 21; n++) {
    const double rgb[3] = { n % 21 / 20.0, n / 21 % 21 / 20.0, n / 441 / 20.0 };
    double linear[3], light[3];
    float in[3];
    int a[3], b[3];

    for (int i = 0; i < 3; i++)
      linear[i] = pow (rgb[i], 2.4);
    color_matrix3_apply (&m, linear, light);
    for (int i = 0; i < 3; i++)
      in[i] = (float)(1023 * color_pq_inverse_eotf (203 * light[i]));
    run (&plain, in, a);
    run (&mapped, in, b);
    for (int i = 0; i < 3; i++) {
      exact += a[i] == b[i];
      all++;
      fail_unless (abs (a[i] - b[i]) <= 2, "%g %g %g: %d, not %d", rgb[0],
                   rgb[1], rgb[2], b[i], a[i]);
    }
  }
  fail_unless (exact >= 0.96 * all, "%d of %d exact", exact, all);
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

/* @light of BT.709, 1 is white; without the rest of the kernel, whose fits are
 * not that fine. */
static void
map_light (const struct color_plan *plan, const double light[3], double out[3])
{
  struct vec3 l;

  for (int i = 0; i < 3; i++)
    l.at[i] = (float)light[i];
  l = color_kernel_gamut_map (plan, l);
  for (int i = 0; i < 3; i++)
    out[i] = (double)l.at[i];
}

/* __i__: channel that ends at 0. In roots of its light, along a line that
 * leaves the gamut: the core stays, the border is past softly, and what is far
 * outside is on it.
 * Mutation seen to fail this: GAMUT_KNEE a tenth of what it is. */
GST_START_TEST (perceptual_bends_softly_at_the_border)
{
  const struct color_plan plan
      = plan_of (COLOR_MATRIX_RGB, COLOR_CURVE_CLIP, COLOR_GAMUT_PERCEPTUAL);
  const double step = 3e-3;
  double last = 0, last_fall = step;

  /* Not at 0 itself: a root has all of a float's rounding there. */
  for (double v = 19.5; v > -20; v--) {
    double light[3] = { 0.3, 0.3, 0.3 }, out[3], root;

    light[__i__] = v * fabs (v) * step * step;
    map_light (&plan, light, out);
    root = sqrt (out[__i__]);
    if (v < 19) {
      fail_unless (last - root > -3e-4, "rises to %g at %g", root, v);
      fail_unless (fabs (last - root - last_fall) < 1e-3,
                   "bends from %g to %g at %g", last_fall, last - root, v);
      last_fall = last - root;
    }
    if (v > 12)
      fail_unless (fabs (root - v * step) < 3e-4, "%g at %g", root, v);
    if (fabs (v) < 1)
      fail_unless (root > 1e-3 && root < 0.01, "%g", root);
    if (v < -12)
      fail_unless (root < 5e-4, "%g at %g", root, v);
    last = root;
  }
}
GST_END_TEST;

/* Linear BT.709 to Oklab (Ottosson, 2020). */
static void
to_oklab (const double rgb[3], double lab[3])
{
  static const struct color_matrix3 lms
      = { { { 0.4122214708, 0.5363325363, 0.0514459929 },
            { 0.2119034982, 0.6806995451, 0.1073969566 },
            { 0.0883024619, 0.2817188376, 0.6299787005 } } };
  static const struct color_matrix3 back
      = { { { 0.2104542553, 0.7936177850, -0.0040720468 },
            { 1.9779984951, -2.4285922050, 0.4505937099 },
            { 0.0259040371, 0.7827717662, -0.8086757660 } } };
  double v[3];

  color_matrix3_apply (&lms, rgb, v);
  for (int i = 0; i < 3; i++)
    v[i] = cbrt (v[i]);
  color_matrix3_apply (&back, v, lab);
}

/* BT.2020's cube: lightness stays, and hue to within 4 degrees where the way to
 * the border costs little of the colour.
 * Mutation seen to fail this: grey as light as the medium cone alone says. */
GST_START_TEST (perceptual_keeps_hue_and_lightness)
{
  const struct color_plan plan
      = plan_of (COLOR_MATRIX_RGB, COLOR_CURVE_CLIP, COLOR_GAMUT_PERCEPTUAL);
  const struct color_matrix3 m
      = color_convert_primaries (COLOR_PRIMARIES_BT2020, COLOR_PRIMARIES_BT709);
  int outside = 0, near = 0;

  for (int n = 0; n < 17 * 17 * 17; n++) {
    const double code[3]
        = { n % 17 / 16.0, n / 17 % 17 / 16.0, n / 289 / 16.0 };
    double wide[3], light[3], mapped[3], a[3], b[3], chroma;

    for (int i = 0; i < 3; i++)
      wide[i] = 0.9 * pow (code[i], 2.4);
    color_matrix3_apply (&m, wide, light);
    map_light (&plan, light, mapped);
    to_oklab (light, a);
    to_oklab (mapped, b);
    chroma = hypot (b[1], b[2]);
    if (fmin (light[0], fmin (light[1], light[2])) > -1e-3)
      continue;
    outside++;
    fail_unless (fabs (a[0] - b[0]) < 0.02, "%g %g %g: lightness %g, not %g",
                 code[0], code[1], code[2], b[0], a[0]);
    if (chroma < 0.9 * hypot (a[1], a[2]))
      continue;
    near++;
    fail_unless (fabs (a[1] * b[2] - a[2] * b[1])
                     < sin (4 * M_PI / 180) * chroma * hypot (a[1], a[2]),
                 "%g %g %g: hue", code[0], code[1], code[2]);
  }
  fail_unless (outside > 2000 && near > 200, "%d and %d colours", outside,
               near);
}
GST_END_TEST;

/* Of BT.2020's primaries, @kept of the chroma has to stay, and hue to within
 * @degrees: only blue gives it up.
 * Mutations seen to fail this: HUE_BEND 0 or three times what it is. */
GST_START_TEST (perceptual_keeps_the_colour_of_primaries)
{
  static const struct
  {
    double wide[3], kept, degrees;
  } rows[] = { { { 1, 0, 0 }, 0.6, 3 },
               { { 0, 1, 0 }, 0.45, 4 },
               { { 0, 0, 1 }, 0.6, 20 },
               { { 1, 0.5, 0 }, 0.6, 4 } };
  const struct color_plan plan
      = plan_of (COLOR_MATRIX_RGB, COLOR_CURVE_CLIP, COLOR_GAMUT_PERCEPTUAL);
  const struct color_matrix3 m
      = color_convert_primaries (COLOR_PRIMARIES_BT2020, COLOR_PRIMARIES_BT709);

  for (unsigned r = 0; r < G_N_ELEMENTS (rows); r++) {
    double wide[3], light[3], mapped[3], a[3], b[3], chroma, turn;

    for (int i = 0; i < 3; i++)
      wide[i] = 0.9 * rows[r].wide[i];
    color_matrix3_apply (&m, wide, light);
    map_light (&plan, light, mapped);
    to_oklab (light, a);
    to_oklab (mapped, b);
    chroma = hypot (b[1], b[2]);
    turn = asin (fabs (a[1] * b[2] - a[2] * b[1])
                 / (chroma * hypot (a[1], a[2])));
    fail_unless (chroma > rows[r].kept * hypot (a[1], a[2]),
                 "row %u: chroma %g of %g", r, chroma, hypot (a[1], a[2]));
    fail_unless (turn * 180 / M_PI < rows[r].degrees, "row %u: %g degrees", r,
                 turn * 180 / M_PI);
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
  tcase_add_loop_test (cases, intensity_leaves_the_target_s_cube, 0, 2);
  tcase_add_test (cases, bright_red_keeps_its_gradation);
  tcase_add_test (cases, saturated_green_stays_green);
  tcase_add_loop_test (cases, perceptual_bends_softly_at_the_border, 0, 3);
  tcase_add_test (cases, perceptual_keeps_hue_and_lightness);
  tcase_add_test (cases, perceptual_keeps_the_colour_of_primaries);
  return suite;
}

GST_CHECK_MAIN (color_gamut);
