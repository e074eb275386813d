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
  COLOR_CURVE_BT2446A, /* ITU-R BT.2446, method A, on luminance */
  COLOR_CURVE_BT2446C, /* ITU-R BT.2446, method C, fitted to the peaks */
  COLOR_N_CURVES,

  /* In settings only. */
  COLOR_CURVE_AUTO = COLOR_N_CURVES,
  COLOR_CURVE_NONE /* light stays as it is, and is clipped */
};

/* What the curves can be tuned by. 0: the default named. */
struct color_curve_params
{
  double spline_pivot;       /* cd/m2, a scene's average: 10 */
  double bt2390_knee_offset; /* 0.5 to 2: 0.5, as in the report */
  double mobius_knee;        /* 0 to 1, of the target's peak: 0.3 */
  double reinhard_contrast;  /* 0 to 1, at the target's peak: 0.5 */
  double gamma_exponent;     /* 1 to 4: 1.8 */
};

struct color_tone
{
  enum color_curve curve;
  double source_peak;  /* cd/m2 */
  double target_peak;  /* cd/m2 */
  double target_black; /* cd/m2; only BT.2390 lifts black to it */
  bool inverse;        /* from SDR up: the peaks' roles, and the curve, are
                        * turned around */
  struct color_curve_params params;
};

/* Never decreases with @light, and stays where it is at source_peak from there
 * on. A target that is brighter than the source gains nothing, unless the curve
 * is inverse. Smooth (C1) between black and the peak, but for CLIP, and
 * for GAMMA, which ffmpeg's users know with its bend at 5 % of the target's
 * peak. */
double color_tone_map (const struct color_tone *tone, double light);

/* Up to here, cd/m2, the curve multiplies by a constant, or has already
 * reached what it is at source_peak. 0: nowhere. */
double color_tone_knee (const struct color_tone *tone);
