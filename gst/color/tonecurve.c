/* Tone curves. In the descriptions below x is source light, both relative to
 * the target's peak, as the users of ffmpeg and mpv know them. */
#include "gst/color/tonecurve.h"

#include <math.h>

#include "gst/color/transfer.h"

/* Where the static spline bends, PQ signals: at most at a usual scene's average
 * of 10 cd/m2, and not in the blackest shadows. */
#define HIGHEST_PIVOT 0.302
#define LOWEST_PIVOT  0.1

/* ITU-R BT.2390, EETF, on PQ signals. */
static double
bt2390 (double e, double source_peak, double target_peak, double black)
{
  const double e1 = fmin (e / source_peak, 1);
  const double max_lum = target_peak / source_peak;
  const double min_lum = black / source_peak;
  const double ks = 1.5 * max_lum - 0.5;
  double e2 = e1;

  if (max_lum < 1 && e1 >= ks) {
    const double t = (e1 - ks) / (1 - ks);
    const double t2 = t * t, t3 = t2 * t;
    e2 = (2 * t3 - 3 * t2 + 1) * ks + (t3 - 2 * t2 + t) * (1 - ks)
         + (3 * t2 - 2 * t3) * max_lum;
  }
  return source_peak * (e2 + min_lum * pow (1 - e2, 4));
}

struct spline
{
  double pivot;       /* PQ signal; the curve goes through (pivot, pivot) */
  double slope;       /* there */
  double end_slope;   /* at the source's peak */
  double source_peak; /* PQ signal */
};

static struct spline
spline_of (const struct color_tone *tone)
{
  const double source = color_pq_inverse_eotf (tone->source_peak);
  const double target = color_pq_inverse_eotf (tone->target_peak);
  const double pivot
      = fmin (fmax (fmin (2 * target - source, HIGHEST_PIVOT), LOWEST_PIVOT),
              0.5 * target);
  const double secant = (target - pivot) / (source - pivot);
  const double slope = fmin (1, 2 * secant);

  return (struct spline){ .pivot = pivot,
                          .slope = slope,
                          .end_slope = 2 * secant - slope,
                          .source_peak = source };
}

/* Two parabolas in PQ. The upper one goes from the pivot to the peaks. Its
 * slope at the pivot is 1, so that what is darker stays as it is. The pivot is
 * low enough for it not to turn down before the peak; where it would have to be
 * too low for that, the slope is what makes the parabola arrive level, and the
 * lower one brings that slope to black. */
static double
spline (const struct color_tone *tone, double e)
{
  const struct spline s = spline_of (tone);
  double u = e - s.pivot;

  if (u < 0)
    return e * (2 - s.slope + (s.slope - 1) * e / s.pivot);
  u = fmin (u, s.source_peak - s.pivot);
  return s.pivot + u * s.slope
         + u * u * (s.end_slope - s.slope) / (2 * (s.source_peak - s.pivot));
}

static double
mobius (double x, double peak)
{
  const double knee = 0.3;
  const double a = -knee * knee * (peak - 1) / (knee * knee - 2 * knee + peak);
  const double b
      = (knee * knee - 2 * knee * peak + peak) / fmax (peak - 1, 1e-6);

  if (x <= knee || peak <= 1)
    return x;
  return (b * b + 2 * b * knee + knee * knee) / (b - a) * (x + a) / (x + b);
}

static double
reinhard (double x, double peak)
{
  return x / (x + 1) * (peak + 1) / peak;
}

static double
filmic (double x)
{
  return (x * (0.15 * x + 0.05) + 0.004) / (x * (0.15 * x + 0.5) + 0.06)
         - 0.02 / 0.3;
}

static double
gamma_curve (double x, double peak)
{
  if (x > 0.05)
    return pow (x / peak, 1 / 1.8);
  return x * pow (0.05 / peak, 1 / 1.8) / 0.05;
}

/* @x and @peak relative to the target's peak; @peak is at least 1. */
static double
relative_curve (enum color_curve curve, double x, double peak)
{
  switch (curve) {
  case COLOR_CURVE_MOBIUS:
    return mobius (x, peak);
  case COLOR_CURVE_REINHARD:
    return reinhard (x, peak);
  case COLOR_CURVE_HABLE:
    return filmic (x) / filmic (peak);
  case COLOR_CURVE_LINEAR:
    return x / peak;
  case COLOR_CURVE_GAMMA:
    return gamma_curve (x, peak);
  default:
    return fmin (x, 1);
  }
}

double
color_tone_map (const struct color_tone *tone, double light)
{
  const double n = fmin (fmax (light, 0), tone->source_peak);
  const double peak = fmax (tone->source_peak / tone->target_peak, 1);

  if (tone->curve == COLOR_CURVE_BT2390)
    return color_pq_eotf (bt2390 (
        color_pq_inverse_eotf (n), color_pq_inverse_eotf (tone->source_peak),
        color_pq_inverse_eotf (tone->target_peak),
        tone->target_black > 0 ? color_pq_inverse_eotf (tone->target_black)
                               : 0));
  if (tone->curve == COLOR_CURVE_SPLINE)
    return peak > 1 ? color_pq_eotf (spline (tone, color_pq_inverse_eotf (n)))
                    : n;
  return tone->target_peak
         * relative_curve (tone->curve, n / tone->target_peak, peak);
}

double
color_tone_knee (const struct color_tone *tone)
{
  const double source = tone->source_peak, target = tone->target_peak;

  switch (tone->curve) {
  case COLOR_CURVE_BT2390:
    if (tone->target_black > 0)
      return 0;
    if (source <= target)
      return source;
    return color_pq_eotf (1.5 * color_pq_inverse_eotf (target)
                          - 0.5 * color_pq_inverse_eotf (source));
  case COLOR_CURVE_SPLINE:
    if (source <= target)
      return source;
    return spline_of (tone).slope > 1 - 1e-9
               ? color_pq_eotf (spline_of (tone).pivot)
               : 0;
  case COLOR_CURVE_MOBIUS:
    return source <= target ? source : 0.3 * target;
  case COLOR_CURVE_GAMMA:
    return 0.05 * target;
  case COLOR_CURVE_CLIP:
  case COLOR_CURVE_LINEAR:
    return source;
  default:
    return 0;
  }
}
