/* Tone curves, and the gain that kernels get of them. */
#include <gst/check/gstcheck.h>
#include <math.h>

#include "gst/color/gain.h"
#include "gst/color/kernel.h"
#include "gst/color/transfer.h"
#include "vectors.h"

static const char *const curve_names[COLOR_N_CURVES] = {
  [COLOR_CURVE_CLIP] = "clip",         [COLOR_CURVE_BT2390] = "bt2390",
  [COLOR_CURVE_SPLINE] = "spline",     [COLOR_CURVE_MOBIUS] = "mobius",
  [COLOR_CURVE_REINHARD] = "reinhard", [COLOR_CURVE_HABLE] = "hable",
  [COLOR_CURVE_LINEAR] = "linear",     [COLOR_CURVE_GAMMA] = "gamma",
  [COLOR_CURVE_BT2446A] = "bt2446a",   [COLOR_CURVE_BT2446C] = "bt2446c",
};

static const double peaks[][2] = {
  { 203, 203 },  { 400, 203 },   { 1000, 203 }, { 1000, 100 }, { 4000, 203 },
  { 4000, 600 }, { 10000, 203 }, { 10000, 80 }, { 100, 203 },
};

static enum color_curve
curve_by_name (const char *name)
{
  for (int i = 0; i < COLOR_N_CURVES; i++) {
    if (g_str_equal (curve_names[i], name))
      return (enum color_curve)i;
  }
  ck_abort_msg ("no curve %s", name);
  return COLOR_CURVE_CLIP;
}

static void
assert_near (const struct vector *v, double got)
{
  fail_unless (fabs (got - v->expected[0]) <= v->tol, "%s: %.9g, not %.9g",
               v->id, got, v->expected[0]);
}

GST_START_TEST (vectors_of_curves_hold)
{
  FOR_VECTORS (v, "bt2390_nits")
  {
    const struct color_tone tone = { .curve = COLOR_CURVE_BT2390,
                                     .source_peak = v->src_peak,
                                     .target_peak = v->dst_peak };
    assert_near (v, color_tone_map (&tone, v->input[0]));
  }
  FOR_VECTORS (v, "bt2390_black_nits")
  {
    const struct color_tone tone = { .curve = COLOR_CURVE_BT2390,
                                     .source_peak = v->src_peak,
                                     .target_peak = v->dst_peak,
                                     .target_black = v->dst_black };
    assert_near (v, color_tone_map (&tone, v->input[0]));
  }
  FOR_VECTORS (v, "curve")
  {
    const struct color_tone tone = { .curve = curve_by_name (v->curve),
                                     .source_peak = 100 * v->peak,
                                     .target_peak = 100 };
    assert_near (v, color_tone_map (&tone, 100 * v->input[0]) / 100);
  }
}
GST_END_TEST;

/* Where one peak is all but the other, curves do all but nothing. Filmic,
 * Reinhard's, power functions and method A change light at any peaks. */
GST_START_TEST (peaks_that_almost_meet_change_next_to_nothing)
{
  static const enum color_curve curves[]
      = { COLOR_CURVE_CLIP,   COLOR_CURVE_BT2390, COLOR_CURVE_SPLINE,
          COLOR_CURVE_MOBIUS, COLOR_CURVE_LINEAR, COLOR_CURVE_BT2446C };

  for (unsigned i = 0; i < G_N_ELEMENTS (curves) * G_N_ELEMENTS (peaks); i++) {
    const double peak = peaks[i % G_N_ELEMENTS (peaks)][0];
    const struct color_tone tone
        = { .curve = curves[i / G_N_ELEMENTS (peaks)],
            .source_peak = peak,
            .target_peak = peak * 0.999 };

    for (int k = 1; k <= 1000; k++) {
      const double light = peak * k / 1000;
      const double codes
          = 876
            * (color_pq_inverse_eotf (color_tone_map (&tone, light))
               - color_pq_inverse_eotf (light));

      fail_unless (fabs (codes) < 1, "%s, %g of %g cd/m2: %g codes of 10 bits",
                   curve_names[tone.curve], light, peak, codes);
    }
  }
}
GST_END_TEST;

/* __i__: curve. */
GST_START_TEST (curve_never_falls_and_ends_at_the_peak)
{
  for (unsigned p = 0; p < G_N_ELEMENTS (peaks); p++) {
    const struct color_tone tone = { .curve = (enum color_curve)__i__,
                                     .source_peak = peaks[p][0],
                                     .target_peak = peaks[p][1] };
    const double end = color_tone_map (&tone, tone.source_peak);
    double last = 0;

    fail_unless (end <= tone.target_peak * (1 + 1e-9), "ends at %g", end);
    fail_unless (tone.source_peak < tone.target_peak
                     || fabs (end / tone.target_peak - 1) < 1e-9,
                 "ends at %g", end);
    fail_unless (color_tone_map (&tone, 0) < 1e-9);
    for (int i = 0; i <= 4096; i += 8) {
      const double light = color_pq_eotf (i / 4096.0);
      const double mapped = color_tone_map (&tone, light);

      fail_unless (mapped >= last - 1e-9, "%g falls to %g at %g", last, mapped,
                   light);
      last = mapped;
    }
    fail_unless (fabs (last - end) < 1e-9, "goes on beyond the peak");
  }
}
GST_END_TEST;

/* Greys of method A; method C as the report gives it, whose peak of 1000 cd/m2
 * becomes 118.36. */
GST_START_TEST (vectors_of_bt2446_hold)
{
  int n = 0;

  FOR_VECTORS (v, "bt2446a")
  {
    const struct color_tone tone = { .curve = COLOR_CURVE_BT2446A,
                                     .source_peak = 1000,
                                     .target_peak = 100 };
    const double got = color_tone_map (&tone, 1000 * v->input[0]) / 100;

    if (v->input[0] != v->input[1] || v->input[1] != v->input[2])
      continue;
    fail_unless (fabs (pow (got, 1 / 2.4) - v->expected[0]) <= v->tol, "%s",
                 v->id);
    n++;
  }
  FOR_VECTORS (v, "bt2446c_nits")
  {
    const struct color_tone tone = { .curve = COLOR_CURVE_BT2446C,
                                     .source_peak = 1000,
                                     .target_peak = 118.36 };
    const double got = color_tone_map (&tone, v->input[0]);

    /* The report's five rounded constants leave a step of 0.04 cd/m2 at the
     * bend; here there is none. */
    fail_unless (fabs (got - v->expected[0]) <= 0.05, "%s: %g, not %g", v->id,
                 got, v->expected[0]);
    n++;
  }
  fail_unless (n >= 14, "%d vectors", n);
}
GST_END_TEST;

static double
pq_slope (const struct color_tone *tone, double e, double step)
{
  return (color_pq_inverse_eotf (
              color_tone_map (tone, color_pq_eotf (e + step)))
          - color_pq_inverse_eotf (color_tone_map (tone, color_pq_eotf (e))))
         / step;
}

/* __i__: curve. In PQ, where steps are as large as they look. CLIP bends by
 * definition, and GAMMA where ffmpeg's does. */
GST_START_TEST (curve_is_smooth)
{
  const enum color_curve curve = (enum color_curve)__i__;
  const double step = 5e-4;

  if (curve == COLOR_CURVE_CLIP || curve == COLOR_CURVE_GAMMA)
    return;
  for (unsigned p = 0; p < G_N_ELEMENTS (peaks); p++) {
    const struct color_tone tone = { .curve = curve,
                                     .source_peak = peaks[p][0],
                                     .target_peak = peaks[p][1] };
    const double end = color_pq_inverse_eotf (tone.source_peak);
    double last = pq_slope (&tone, 0.05, step);

    for (double e = 0.05; e + step < end; e += 2e-4) {
      const double slope = pq_slope (&tone, e, step);

      fail_unless (fabs (slope - last) < 0.03, "%g to %g: %g to %g at %g",
                   tone.source_peak, tone.target_peak, last, slope, e);
      last = slope;
    }
  }
}
GST_END_TEST;

/* Both that `inverse` offers: what the curve takes, its inverse gives back. */
GST_START_TEST (inverse_curve_undoes_the_curve)
{
  static const enum color_curve invertible[]
      = { COLOR_CURVE_SPLINE, COLOR_CURVE_BT2446A };

  for (int i = 0; i < 2; i++) {
    const struct color_tone down
        = { .curve = invertible[i], .source_peak = 1000, .target_peak = 203 };
    const struct color_tone up = { .curve = invertible[i],
                                   .source_peak = 203,
                                   .target_peak = 1000,
                                   .inverse = true };
    double last = -1;

    fail_unless (color_tone_map (&up, 0) == 0);
    fail_unless (fabs (color_tone_map (&up, 203) - 1000) < 1e-6);
    fail_unless (fabs (color_tone_map (&up, 300) - 1000) < 1e-6);
    for (int k = 1; k < 200; k++) {
      const double sdr = 203 * k / 200.0, hdr = color_tone_map (&up, sdr);

      fail_unless (hdr > last);
      fail_unless (fabs (color_tone_map (&down, hdr) / sdr - 1) < 2e-3,
                   "%g: %g", sdr, hdr);
      last = hdr;
    }
  }
}
GST_END_TEST;

GST_START_TEST (parameters_shape_their_curve)
{
  struct color_tone tone = { .source_peak = 1000, .target_peak = 203 };
  double usual;

#define CHANGES(which, field, value, light, brighter)                          \
  tone.curve = COLOR_CURVE_##which;                                            \
  tone.params = (struct color_curve_params){ 0 };                              \
  usual = color_tone_map (&tone, light);                                       \
  tone.params.field = value;                                                   \
  fail_unless (brighter ? color_tone_map (&tone, light) > usual                \
                        : color_tone_map (&tone, light) < usual);              \
  fail_unless (fabs (color_tone_map (&tone, 1000) - 203) < 1e-6)
  CHANGES (SPLINE, spline_pivot, 2, 100, false);
  CHANGES (BT2390, bt2390_knee_offset, 2, 100, false);
  CHANGES (MOBIUS, mobius_knee, 0.6, 120, true);
  CHANGES (REINHARD, reinhard_contrast, 0.7, 50, true);
  CHANGES (GAMMA, gamma_exponent, 2.4, 50, true);
#undef CHANGES
}
GST_END_TEST;

/* __i__: curve. The knee is what the kernel's gain is constant below. */
GST_START_TEST (curve_is_a_constant_gain_below_its_knee)
{
  for (unsigned p = 0; p < G_N_ELEMENTS (peaks); p++) {
    const struct color_tone tone = { .curve = (enum color_curve)__i__,
                                     .source_peak = peaks[p][0],
                                     .target_peak = peaks[p][1] };
    const double knee = fmin (color_tone_knee (&tone), tone.source_peak);
    const double end = color_tone_map (&tone, tone.source_peak);

    for (int i = 1; i <= 64 && knee > 0; i++) {
      const double light = knee * i / 64;
      const double gain = color_tone_map (&tone, knee / 64) / (knee / 64);

      fail_unless (
          fabs (color_tone_map (&tone, light) / fmin (gain * light, end) - 1)
              < 1e-6,
          "%g", light);
    }
  }
}
GST_END_TEST;

GST_START_TEST (spline_is_smooth_and_keeps_grey_bright)
{
  const struct color_tone tone = { .curve = COLOR_CURVE_SPLINE,
                                   .source_peak = 1000,
                                   .target_peak = 203 };
  const double grey = color_tone_map (&tone, 203);
  double last_slope = 1;

  fail_unless (floor (16 + 219 * pow (grey / 203, 1 / 2.4) + 0.5) >= 160);
  for (unsigned p = 0; p < G_N_ELEMENTS (peaks); p++) {
    const struct color_tone t = { .curve = COLOR_CURVE_SPLINE,
                                  .source_peak = peaks[p][0],
                                  .target_peak = peaks[p][1] };
    const double end = color_pq_inverse_eotf (peaks[p][0]);

    last_slope = -1;
    for (int i = 1; i < 500 && peaks[p][0] > peaks[p][1]; i++) {
      const double e = end * i / 500, h = 1e-4;
      const double slope
          = (color_pq_inverse_eotf (color_tone_map (&t, color_pq_eotf (e + h)))
             - color_pq_inverse_eotf (color_tone_map (&t, color_pq_eotf (e))))
            / h;
      fail_unless (last_slope < 0 || e + h > end
                       || fabs (slope - last_slope) < 0.02,
                   "slope jumps from %g to %g at %g", last_slope, slope, e);
      last_slope = slope;
    }
  }
}
GST_END_TEST;

/* What the kernel makes of @light, in cd/m2. */
static double
apply_gain (const struct color_gain *gain, enum color_gain_domain domain,
            const struct color_gain_units *units, double light)
{
  const float h = (float)sqrt (light / units->source);
  const float m = domain == COLOR_GAIN_DOMAIN_PQ
                      ? (float)color_pq_inverse_eotf (light)
                      : sqrtf (h);
  const float mapped = h * color_kernel_tone_gain (gain, m, h);
  return (double)mapped * mapped * units->target;
}

GST_START_TEST (exposure_is_light_before_the_curve)
{
  const struct color_tone tone = { .curve = COLOR_CURVE_SPLINE,
                                   .source_peak = 2000,
                                   .target_peak = 203 };
  const struct color_gain_units units
      = { .source = 10000, .target = 203, .exposure = 2 };
  struct color_gain gain;

  for (int domain = 0; domain < 2; domain++) {
    color_gain_fit (&tone, (enum color_gain_domain)domain, &units, &gain);
    for (double light = 0.1; light < 1500; light *= 1.3) {
      const double expected = color_tone_map (&tone, 2 * light);
      const double got
          = apply_gain (&gain, (enum color_gain_domain)domain, &units, light);

      fail_unless (fabs (got / expected - 1) < 2e-3, "%g: %g, not %g", light,
                   got, expected);
    }
  }
}
GST_END_TEST;

/* The largest error, in 8-bit codes. */
static double
gain_error (const struct color_gain *gain, enum color_gain_domain domain,
            const struct color_gain_units *units, const struct color_tone *tone)
{
  double worst = 0;

  for (int i = 100; i <= 4096; i += 8) {
    const double light = color_pq_eotf (i / 4096.0);
    const double got = apply_gain (gain, domain, units, light);
    const double expected = color_tone_map (tone, light);

    worst
        = fmax (worst, 219
                           * fabs (pow (got / units->target, 1 / 2.4)
                                   - pow (expected / units->target, 1 / 2.4)));
  }
  return worst;
}

/* __i__: curve. In the domain that is best for PQ, and in the one that is left
 * for other sources. */
GST_START_TEST (fitted_gain_is_within_a_fifth_of_a_code)
{
  for (unsigned p = 0; p < G_N_ELEMENTS (peaks); p++) {
    const struct color_tone tone = { .curve = (enum color_curve)__i__,
                                     .source_peak = peaks[p][0],
                                     .target_peak = peaks[p][1] };
    const struct color_gain_units units
        = { .source = 10000, .target = peaks[p][1] };
    enum color_gain_domain domain;
    struct color_gain gain;
    double error;

    color_gain_fit_best (&tone, &units, &domain, &gain);
    error = gain_error (&gain, domain, &units, &tone);
    fail_unless (error < 0.15, "%g to %g: %g codes", peaks[p][0], peaks[p][1],
                 error);
    color_gain_fit (&tone, COLOR_GAIN_DOMAIN_ROOT, &units, &gain);
    error = gain_error (&gain, COLOR_GAIN_DOMAIN_ROOT, &units, &tone);
    /* No HLG display is that bright. */
    fail_unless (
        error < (tone.curve == COLOR_CURVE_BT2446A && peaks[p][0] > 4000 ? 0.3
                                                                         : 0.2),
        "%g to %g, root: %g codes", peaks[p][0], peaks[p][1], error);
  }
}
GST_END_TEST;

static Suite *
color_tonecurve_suite (void)
{
  Suite *suite = suite_create ("color_tonecurve");
  TCase *cases = tcase_create ("curves");

  suite_add_tcase (suite, cases);
  tcase_add_test (cases, vectors_of_curves_hold);
  tcase_add_test (cases, peaks_that_almost_meet_change_next_to_nothing);
  tcase_add_loop_test (cases, curve_never_falls_and_ends_at_the_peak, 0,
                       COLOR_N_CURVES);
  tcase_add_loop_test (cases, curve_is_a_constant_gain_below_its_knee, 0,
                       COLOR_N_CURVES);
  tcase_add_test (cases, vectors_of_bt2446_hold);
  tcase_add_loop_test (cases, curve_is_smooth, 0, COLOR_N_CURVES);
  tcase_add_test (cases, inverse_curve_undoes_the_curve);
  tcase_add_test (cases, parameters_shape_their_curve);
  tcase_add_test (cases, exposure_is_light_before_the_curve);
  tcase_add_test (cases, spline_is_smooth_and_keeps_grey_bright);
  tcase_add_loop_test (cases, fitted_gain_is_within_a_fifth_of_a_code, 0,
                       COLOR_N_CURVES);
  return suite;
}

GST_CHECK_MAIN (color_tonecurve);
