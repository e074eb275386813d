/* Histogram, percentile, scenes and smoothing. Keep in step with peak.comp. */
#include "gst/color/peak.h"

#include <math.h>
#include <string.h>

/* Part of the way that is gone in @step seconds. */
static double
part (double step, double time)
{
  return time > 0 ? 1 - exp (-step / time) : 1;
}

struct color_peak_rates
color_peak_rates_of (double step, double smoothing)
{
  /* Highlights that come are taken in faster than they are let go. */
  return (struct color_peak_rates){ .rise = part (step, smoothing / 8),
                                    .fall = part (step, smoothing),
                                    .follow = part (step, smoothing / 3) };
}

void
color_peak_count (unsigned bins[PEAK_BINS], double signal)
{
  const double at = floor (fmin (fmax (signal, 0), 1) * PEAK_BINS);

  bins[at < PEAK_BINS ? (int)at : PEAK_BINS - 1]++;
}

static double
middle_of (int bin)
{
  return (bin + 0.5) / PEAK_BINS;
}

/* Replaces @shares by those of @bins. */
static struct color_peak_frame
measure (double shares[PEAK_BINS], const unsigned bins[PEAK_BINS],
         double percentile)
{
  struct color_peak_frame frame = { .black = true };
  double n = 0, sum = 0;

  for (int i = PEAK_BLACK; i < PEAK_BINS; i++)
    n += bins[i];
  if (n == 0)
    return frame;
  for (int i = PEAK_BLACK; i < PEAK_BINS; i++) {
    sum += bins[i];
    if (frame.black && sum >= percentile * n) {
      frame.black = false;
      frame.levels.peak = middle_of (i);
    }
    frame.levels.average += middle_of (i) * bins[i] / n;
    frame.moved += fabs (sum / n - shares[i]) / PEAK_BINS;
    shares[i] = sum / n;
  }
  return frame;
}

static double
towards (double from, double to, double part)
{
  return from + (to - from) * part;
}

struct color_peak_frame
color_peak_add (struct color_peak *state, const unsigned bins[PEAK_BINS],
                double percentile, const struct color_peak_rates *rates)
{
  const struct color_peak_frame frame
      = measure (state->shares, bins, percentile);
  const struct color_peak_levels *now = &frame.levels;

  state->frames++;
  if (frame.black)
    return frame;
  if (!state->seen || frame.moved > PEAK_SCENE_CHANGE) {
    state->seen = true;
    state->scenes++;
    state->first = state->second = *now;
    return frame;
  }
  state->first.peak
      = towards (state->first.peak, now->peak,
                 now->peak > state->first.peak ? rates->rise : rates->fall);
  state->first.average
      = towards (state->first.average, now->average, rates->fall);
  state->second.peak
      = towards (state->second.peak, state->first.peak, rates->follow);
  state->second.average
      = towards (state->second.average, state->first.average, rates->follow);
  return frame;
}
