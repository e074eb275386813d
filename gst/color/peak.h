/* Peak detection: the witness of shaders/peak.comp, in double. Signals are PQ,
 * in [0, 1]. Tests compare it with the device and prove its behaviour. */
#pragma once

#include <stdbool.h>

#include "shaders/include/peak_ids.h"

/* How fast the levels follow: parts of the way that are gone with one frame. */
struct color_peak_rates
{
  double rise, fall; /* of the first stage */
  double follow;     /* of the second, to the first */
};

/* @step: seconds from frame to frame. @smoothing: seconds; 0: every frame by
 * itself. */
struct color_peak_rates color_peak_rates_of (double step, double smoothing);

struct color_peak_levels
{
  double peak, average;
};

/* What is carried from frame to frame; all 0 to begin with. */
struct color_peak
{
  bool seen; /* a frame that was not black */
  unsigned frames, scenes;
  struct color_peak_levels first, second; /* stages of the smoothing */
  double shares[PEAK_BINS];               /* of the last frame, summed up */
};

/* Of one frame. */
struct color_peak_frame
{
  bool black;
  struct color_peak_levels levels;
  double moved; /* mean distance of the shares from those before */
};

/* Counts a pixel. @signal: the largest of R, G and B. */
void color_peak_count (unsigned bins[PEAK_BINS], double signal);

/* Takes a frame's histogram. @percentile: 0 to 1, of the pixels that are not
 * black. @state's second stage is what the curve gets, unless nothing has been
 * seen yet. */
struct color_peak_frame color_peak_add (struct color_peak *state,
                                        const unsigned bins[PEAK_BINS],
                                        double percentile,
                                        const struct color_peak_rates *rates);
