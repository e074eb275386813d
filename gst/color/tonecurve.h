/* Tone curves: luminance of the source to luminance of the target, cd/m2. */
#pragma once

#include <stdbool.h>

enum color_curve
{
  COLOR_CURVE_CLIP,
  COLOR_CURVE_BT2390, /* ITU-R BT.2390, EETF */
  COLOR_CURVE_SPLINE, /* two polynomials in PQ that meet at a pivot */
  COLOR_CURVE_MOBIUS,
  COLOR_CURVE_REINHARD,
  COLOR_CURVE_HABLE,
  COLOR_CURVE_LINEAR,
  COLOR_CURVE_GAMMA,
  COLOR_N_CURVES
};

struct color_tone
{
  enum color_curve curve;
  double source_peak;  /* cd/m2 */
  double target_peak;  /* cd/m2 */
  double target_black; /* cd/m2; only BT.2390 lifts black to it */
};

/* Never decreases with @light, and stays where it is at source_peak from there
 * on. A target that is brighter than the source gains nothing. */
double color_tone_map (const struct color_tone *tone, double light);

/* Up to here, cd/m2, the curve multiplies by a constant, or has already
 * reached what it is at source_peak. 0: nowhere. */
double color_tone_knee (const struct color_tone *tone);
