/* What every tone curve promises, at any peaks and parameters. */
#include <gst/check/gstcheck.h>
#include <math.h>
#include <string.h>

#include "gst/color/tonecurve.h"
#include "gst/color/transfer.h"

#define TONES 50 /* of each curve; 400 hold as well */

static double
between (GRand *rand, double low, double high)
{
  return low * pow (high / low, g_rand_double (rand));
}

/* Anything that the properties allow, by the ratio. */
static struct color_tone
any_tone (GRand *rand, enum color_curve curve)
{
  return (struct color_tone){
    .curve = curve,
    .source_peak = between (rand, 100, 10000),
    .target_peak = between (rand, 1, 4000),
    .target_black = g_rand_boolean (rand) ? 0 : between (rand, 0.001, 10),
    .params
    = { .spline_pivot = g_rand_boolean (rand) ? 0 : between (rand, 0.01, 1000),
        .bt2390_knee_offset = between (rand, 0.5, 2),
        .mobius_knee = between (rand, 0.01, 0.99),
        .reinhard_contrast = between (rand, 0.01, 0.99),
        .gamma_exponent = between (rand, 1, 4) }
  };
}

static gchar *
name_of (const struct color_tone *tone)
{
  const struct color_curve_params *p = &tone->params;

  return g_strdup_printf (
      "curve %d, %g to %g, black %g, pivot %g, offset %g, knee %g, contrast "
      "%g, exponent %g",
      (int)tone->curve, tone->source_peak, tone->target_peak,
      tone->target_black, p->spline_pivot, p->bt2390_knee_offset,
      p->mobius_knee, p->reinhard_contrast, p->gamma_exponent);
}

static double
pq_map (const struct color_tone *tone, double e)
{
  return color_pq_inverse_eotf (color_tone_map (tone, color_pq_eotf (e)));
}

/* The peak; BT.2390 lifts it, too, when it lifts black. */
static double
expected_end (const struct color_tone *tone)
{
  const double source = color_pq_inverse_eotf (tone->source_peak);
  const double target = color_pq_inverse_eotf (tone->target_peak);
  const double black = color_pq_inverse_eotf (tone->target_black);
  const double exponent = fmin (4, source / black);

  if (tone->curve != COLOR_CURVE_BT2390 || tone->target_black == 0)
    return tone->target_peak;
  return color_pq_eotf (target + black * pow (1 - target / source, exponent));
}

static void
assert_ends (const struct color_tone *tone, const gchar *name)
{
  const double end = color_tone_map (tone, tone->source_peak);
  const double black
      = tone->curve == COLOR_CURVE_BT2390 ? tone->target_black : 0;

  /* PQ's own signal of black is 7e-7, not 0. */
  fail_unless (fabs (color_tone_map (tone, 0) - black) < 1e-6 + 3e-5 * black,
               "%s: black becomes %g", name, color_tone_map (tone, 0));
  if (tone->source_peak >= tone->target_peak)
    fail_unless (fabs (end / expected_end (tone) - 1) < 1e-6, "%s: ends at %g",
                 name, end);
  else
    fail_unless (end <= tone->target_peak * (1 + 1e-6), "%s: ends at %g", name,
                 end);
  fail_unless (color_tone_map (tone, 2 * tone->source_peak) == end,
               "%s: goes on behind the peak", name);
}

static void
assert_never_falls (const struct color_tone *tone, const gchar *name)
{
  double last = 0;

  for (int i = 0; i <= 1000; i++) {
    const double e = i / 1000.0, mapped = pq_map (tone, e);

    fail_unless (mapped >= last - 1e-9, "%s: falls from %.9f to %.9f at %g",
                 name, last, mapped, e);
    last = mapped;
  }
}

/* The largest change of slope from step to step in [@from, @to], and where. */
static double
largest_bend (const struct color_tone *tone, double from, double to,
              double step, double *where)
{
  double most = 0, before = pq_map (tone, from);
  double here = pq_map (tone, from + step);

  for (double e = from + 2 * step; e <= to; e += step) {
    const double next = pq_map (tone, e);
    const double bend = fabs (next - 2 * here + before) / step;

    if (bend > most) {
      most = bend;
      *where = e - step;
    }
    before = here;
    here = next;
  }
  return most;
}

/* Smooth in PQ: where it bends most, half the step bends half as much, until
 * nothing is left. A corner would stay. */
static void
assert_smooth (const struct color_tone *tone, const gchar *name)
{
  const double end = color_pq_inverse_eotf (tone->source_peak);
  double step = 1.0 / 256, where = 0.04;
  double bend = largest_bend (tone, 0.04, end, step, &where);

  for (int i = 0; i < 12 && bend > 0.01; i++) {
    const double from = fmax (where - 4 * step, 0.04);
    const double to = fmin (where + 4 * step, end);

    step /= 2;
    bend = largest_bend (tone, from, to, step, &where);
  }
  fail_unless (bend <= 0.01, "%s: a corner of %g at %g", name, bend, where);
}

/* __i__: curve. CLIP has a corner by definition, GAMMA where ffmpeg's does.
 * Mutation seen to fail this: a spline that leaves its pivot with 0.85 of its
 * slope. */
GST_START_TEST (curve_keeps_its_promises)
{
  const enum color_curve curve = (enum color_curve)__i__;
  GRand *rand = g_rand_new_with_seed (3 + (guint32)__i__);

  for (int n = 0; n < TONES; n++) {
    const struct color_tone tone = any_tone (rand, curve);
    g_autofree gchar *name = name_of (&tone);

    assert_ends (&tone, name);
    assert_never_falls (&tone, name);
    if (curve != COLOR_CURVE_CLIP && curve != COLOR_CURVE_GAMMA)
      assert_smooth (&tone, name);
  }
  g_rand_free (rand);
}
GST_END_TEST;

/* Both that `inverse` is meant for, turned around: they rise, too, from black
 * to the peak. */
GST_START_TEST (inverse_keeps_its_promises)
{
  static const enum color_curve curves[]
      = { COLOR_CURVE_SPLINE, COLOR_CURVE_BT2446A };
  GRand *rand = g_rand_new_with_seed (7);

  for (int n = 0; n < 40; n++) {
    struct color_tone tone = any_tone (rand, curves[n % 2]);
    double last = 0;

    tone.inverse = true;
    tone.source_peak = between (rand, 48, 300);
    tone.target_peak = tone.source_peak * between (rand, 1.1, 20);
    tone.target_black = 0;
    fail_unless (color_tone_map (&tone, 0) == 0);
    fail_unless (
        fabs (color_tone_map (&tone, tone.source_peak) / tone.target_peak - 1)
        < 1e-6);
    for (int i = 0; i <= 100; i++) {
      const double mapped = color_tone_map (&tone, tone.source_peak * i / 100);

      fail_unless (mapped >= last - 1e-9);
      last = mapped;
    }
  }
  g_rand_free (rand);
}
GST_END_TEST;

static Suite *
color_curvesweep_suite (void)
{
  Suite *suite = suite_create ("color_curvesweep");
  TCase *cases = tcase_create ("curves");

  suite_add_tcase (suite, cases);
  tcase_add_loop_test (cases, curve_keeps_its_promises, 0, COLOR_N_CURVES);
  tcase_add_test (cases, inverse_keeps_its_promises);
  return suite;
}

GST_CHECK_MAIN (color_curvesweep);
