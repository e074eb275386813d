/* What detection makes of histograms: percentile, bars, sparkles, scenes,
 * smoothing. The device does the same: tests/elements/peakmodel.c. */
#include <gst/check/gstcheck.h>
#include <math.h>

#include "gst/color/peak.h"
#include "gst/color/tonecurve.h"
#include "gst/color/transfer.h"

#define PERCENTILE 0.99995
#define BIN        (1.0 / PEAK_BINS)

struct histogram
{
  unsigned bins[PEAK_BINS];
};

/* @n pixels of @light, cd/m2. */
static void
add_light (struct histogram *h, unsigned n, double light)
{
  for (unsigned i = 0; i < n; i++)
    color_peak_count (h->bins, color_pq_inverse_eotf (light));
}

static struct color_peak_frame
push (struct color_peak *state, const struct histogram *h, double smoothing)
{
  const struct color_peak_rates rates
      = color_peak_rates_of (1 / 24.0, smoothing);

  return color_peak_add (state, h->bins, PERCENTILE, &rates);
}

/* 8-bit code of a field of 100 cd/m2 under the default curve. */
static double
field (const struct color_peak *state)
{
  const struct color_tone tone
      = { .curve = COLOR_CURVE_SPLINE,
          .source_peak = color_pq_eotf (state->second.peak),
          .target_peak = 203,
          .params = { .spline_pivot = color_pq_eotf (state->second.average) } };

  return 16 + 219 * pow (color_tone_map (&tone, 100) / 203, 1 / 2.4);
}

/* __i__: percent above the peak, in a ramp with a pixel a level. */
GST_START_TEST (peak_is_where_the_percentile_is)
{
  struct color_peak state = { 0 };
  const struct color_peak_rates rates = { 1, 1, 1 };
  struct histogram h = { { 0 } };
  struct color_peak_frame frame;
  const int n = PEAK_BINS - PEAK_BLACK;

  for (int i = PEAK_BLACK; i < PEAK_BINS; i++)
    color_peak_count (h.bins, (i + 0.5) * BIN);
  frame = color_peak_add (&state, h.bins, 1 - __i__ / 100.0, &rates);
  fail_unless (fabs (frame.levels.peak - (1 - __i__ / 100.0 * n * BIN)) <= BIN);
  fail_unless (fabs (frame.levels.average - (1 - n * BIN / 2)) < 1e-9);
}
GST_END_TEST;

GST_START_TEST (signals_past_the_ends_are_counted)
{
  struct histogram h = { { 0 } };

  color_peak_count (h.bins, -0.1);
  color_peak_count (h.bins, 1);
  color_peak_count (h.bins, 1.5);
  assert_equals_int (h.bins[0], 1);
  assert_equals_int (h.bins[PEAK_BINS - 1], 2);
}
GST_END_TEST;

GST_START_TEST (black_bars_change_nothing)
{
  struct color_peak a = { 0 }, b = { 0 };

  for (int n = 0; n < 30; n++) {
    struct histogram h = { { 0 } };

    add_light (&h, 9000, 50 + n);
    add_light (&h, 300, 400 + 10 * n);
    push (&a, &h, 1);
    add_light (&h, 3100, 0);
    push (&b, &h, 1);
    fail_unless (a.second.peak == b.second.peak);
    fail_unless (a.second.average == b.second.average);
  }
}
GST_END_TEST;

/* An interval of black, as between two spots: neither a scene nor darker. */
GST_START_TEST (black_frame_changes_nothing)
{
  struct color_peak state = { 0 };
  struct histogram h = { { 0 } }, black = { { 0 } };
  struct color_peak before;

  add_light (&black, 9300, 0);
  fail_unless (push (&state, &black, 1).black);
  fail_if (state.seen);
  add_light (&h, 9000, 50);
  add_light (&h, 300, 400);
  push (&state, &h, 1);
  before = state;
  fail_unless (push (&state, &black, 1).black);
  push (&state, &h, 1);
  fail_unless (state.second.peak == before.second.peak);
  fail_unless (state.second.average == before.second.average);
  assert_equals_int (state.scenes, 1);
  assert_equals_int (state.frames, 4);
}
GST_END_TEST;

/* Four of 640x360, of which every other row is looked at. */
GST_START_TEST (sparkles_change_nothing)
{
  struct color_peak a = { 0 }, b = { 0 };

  for (int n = 0; n < 30; n++) {
    struct histogram h = { { 0 } };

    add_light (&h, 100000, 50);
    add_light (&h, 15200, 300 + 20 * n);
    push (&a, &h, 1);
    add_light (&h, 4, 10000);
    push (&b, &h, 1);
    fail_unless (fabs (a.second.peak - b.second.peak) < 1e-6);
    fail_unless (fabs (field (&a) - field (&b)) < 0.01);
  }
}
GST_END_TEST;

/* Half a percent of the picture toggles between 200 and 1000 cd/m2. */
GST_START_TEST (flicker_moves_a_field_by_less_than_a_code)
{
  struct color_peak state = { 0 };
  double last = 0;

  for (int n = 0; n < 60; n++) {
    struct histogram h = { { 0 } };

    add_light (&h, 114624, 100);
    add_light (&h, 576, n % 2 ? 1000 : 200);
    push (&state, &h, 1);
    fail_unless (n <= 10 || fabs (field (&state) - last) < 1, "frame %d", n);
    last = field (&state);
  }
  assert_equals_int (state.scenes, 1);
}
GST_END_TEST;

GST_START_TEST (cut_starts_anew)
{
  struct color_peak state = { 0 };
  struct histogram dark = { { 0 } }, bright = { { 0 } };
  struct color_peak_frame frame;

  add_light (&dark, 1000, 50);
  add_light (&bright, 900, 100);
  add_light (&bright, 100, 1000);
  for (int n = 0; n < 30; n++)
    push (&state, &dark, 1);
  frame = push (&state, &bright, 1);
  fail_unless (frame.moved > PEAK_SCENE_CHANGE);
  assert_equals_int (state.scenes, 2);
  fail_unless (state.second.peak == frame.levels.peak);
  fail_unless (state.second.average == frame.levels.average);
  fail_unless (fabs (frame.levels.peak - color_pq_inverse_eotf (1000)) < BIN);
}
GST_END_TEST;

/* A pan brightens little by little: smoothed, one scene. */
GST_START_TEST (slow_change_is_no_cut)
{
  struct color_peak state = { 0 };

  for (int n = 0; n < 48; n++) {
    struct histogram h = { { 0 } };

    add_light (&h, 1000, 50 + 10 * n);
    push (&state, &h, 1);
  }
  assert_equals_int (state.scenes, 1);
  fail_unless (state.second.peak < color_pq_inverse_eotf (50 + 470) - BIN);
}
GST_END_TEST;

/* Both stages in closed form: alike rates, after n frames of a step. */
GST_START_TEST (smoothing_follows_its_time)
{
  const double smoothing = 2, step = 0.04, d = 10 * BIN;
  struct color_peak_rates rates = color_peak_rates_of (step, smoothing);
  struct color_peak state = { 0 };
  struct histogram from = { { 0 } }, to = { { 0 } };
  double keep, start;

  fail_unless (fabs (rates.fall - (1 - exp (-step / smoothing))) < 1e-12);
  fail_unless (fabs (rates.rise - (1 - exp (-8 * step / smoothing))) < 1e-12);
  fail_unless (fabs (rates.follow - (1 - exp (-3 * step / smoothing))) < 1e-12);
  rates.rise = rates.follow = rates.fall;
  keep = 1 - rates.fall;
  color_peak_count (from.bins, 500.5 * BIN);
  color_peak_count (to.bins, 510.5 * BIN);
  color_peak_add (&state, from.bins, PERCENTILE, &rates);
  start = state.second.peak;
  for (int n = 1; n <= 100; n++) {
    color_peak_add (&state, to.bins, PERCENTILE, &rates);
    fail_unless (fabs (state.first.peak - start - d * (1 - pow (keep, n)))
                 < 1e-9);
    fail_unless (
        fabs (state.second.peak - start
              - d * (1 - pow (keep, n) - n * rates.fall * pow (keep, n)))
        < 1e-9);
  }
  rates = color_peak_rates_of (step, 0);
  fail_unless (rates.rise == 1 && rates.fall == 1 && rates.follow == 1);
}
GST_END_TEST;

static Suite *
color_peak_suite (void)
{
  Suite *suite = suite_create ("color_peak");
  TCase *cases = tcase_create ("witness");

  suite_add_tcase (suite, cases);
  tcase_add_loop_test (cases, peak_is_where_the_percentile_is, 0, 50);
  tcase_add_test (cases, signals_past_the_ends_are_counted);
  tcase_add_test (cases, black_bars_change_nothing);
  tcase_add_test (cases, black_frame_changes_nothing);
  tcase_add_test (cases, sparkles_change_nothing);
  tcase_add_test (cases, flicker_moves_a_field_by_less_than_a_code);
  tcase_add_test (cases, cut_starts_anew);
  tcase_add_test (cases, slow_change_is_no_cut);
  tcase_add_test (cases, smoothing_follows_its_time);
  return suite;
}

GST_CHECK_MAIN (color_peak);
