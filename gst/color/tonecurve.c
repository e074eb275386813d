/* Tone curves. In the descriptions below x is source light, both relative to
 * the target's peak, as the users of ffmpeg and mpv know them. */
#include "gst/color/tonecurve.h"

#include <math.h>

#include "gst/color/transfer.h"

/* Where the spline bends, PQ signals: at most at the scene's average, a usual
 * one's is 10 cd/m2, and not in the blackest shadows. */
#define USUAL_PIVOT  0.302
#define LOWEST_PIVOT 0.1

static double
or_default (double value, double usual)
{
  return value > 0 ? value : usual;
}

/* ITU-R BT.2390, EETF, on PQ signals. The report's knee has @offset 0.5. */
static double
bt2390 (double e, double source_peak, double target_peak, double black,
        double offset)
{
  const double e1 = fmin (e / source_peak, 1);
  const double max_lum = target_peak / source_peak;
  const double min_lum = black / source_peak;
  const double ks = fmax ((1 + offset) * max_lum - offset, 0);
  double e2 = e1;

  /* The report's slope at the knee is 1. To a target of a few cd/m2, where the
   * knee is at black, that would rise above the peak and fall again. */
  if (max_lum < 1 && e1 >= ks) {
    const double slope = fmin (1 - ks, 3 * (max_lum - ks));
    const double t = (e1 - ks) / (1 - ks);
    const double t2 = t * t, t3 = t2 * t;
    e2 = (2 * t3 - 3 * t2 + 1) * ks + (t3 - 2 * t2 + t) * slope
         + (3 * t2 - 2 * t3) * max_lum;
  }
  /* The report's exponent is 4. Where black is lifted by more than a quarter of
   * the range, that would make the curve fall at first. */
  return source_peak
         * (e2 + min_lum * pow (1 - e2, min_lum > 0.25 ? 1 / min_lum : 4));
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
  const double scene = tone->params.spline_pivot > 0
                           ? color_pq_inverse_eotf (tone->params.spline_pivot)
                           : USUAL_PIVOT;
  const double pivot = fmin (
      fmax (fmin (2 * target - source, scene), LOWEST_PIVOT), 0.8 * target);
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
mobius (double x, double peak, double knee)
{
  const double a = -knee * knee * (peak - 1) / (knee * knee - 2 * knee + peak);
  const double b
      = (knee * knee - 2 * knee * peak + peak) / fmax (peak - 1, 1e-6);

  if (x <= knee || peak <= 1)
    return x;
  return (b * b + 2 * b * knee + knee * knee) / (b - a) * (x + a) / (x + b);
}

static double
reinhard (double x, double peak, double contrast)
{
  const double offset = (1 - contrast) / contrast;

  return x / (x + offset) * (peak + offset) / peak;
}

static double
filmic (double x)
{
  return (x * (0.15 * x + 0.05) + 0.004) / (x * (0.15 * x + 0.5) + 0.06)
         - 0.02 / 0.3;
}

static double
gamma_curve (double x, double peak, double exponent)
{
  if (x > 0.05)
    return pow (x / peak, 1 / exponent);
  return x * pow (0.05 / peak, 1 / exponent) / 0.05;
}

/* ITU-R BT.2446-1, 4.2: the perceptual scale of a display of @peak cd/m2. */
static double
bt2446a_rho (double peak)
{
  return 1 + 32 * pow (peak / 10000, 1 / 2.4);
}

/* The three pieces of method A. The report's rounded constants leave a step of
 * 0.0006 between the first two; here the first one climbs it smoothly. */
static double
bt2446a_knee (double p)
{
  const double joint = 0.7399, from = 0.68;
  const double step = (-1.1510 * joint + 1.7041) * joint - 0.6302;
  const double t = fmax ((p - from) / (joint - from), 0);

  if (p <= joint)
    return 1.0770 * p + step * t * t * (3 - 2 * t);
  if (p < 0.9909)
    return (-1.1510 * p + 2.7811) * p - 0.6302;
  return 0.5 * p + 0.5;
}

/* ITU-R BT.2446-1, method A, of luminance. */
static double
bt2446a (double light, double source_peak, double target_peak)
{
  const double rho_source = bt2446a_rho (source_peak);
  const double rho_target = bt2446a_rho (target_peak);
  const double y = pow (light / source_peak, 1 / 2.4);
  const double p = log (1 + (rho_source - 1) * y) / log (rho_source);

  if (source_peak <= target_peak)
    return light;
  return target_peak
         * pow ((pow (rho_target, bt2446a_knee (p)) - 1) / (rho_target - 1),
                2.4);
}

/* ITU-R BT.2446-1, method C: linear up to skin, then a logarithm. The report
 * gives the constants for 1000 cd/m2 on a display of 118 cd/m2. With C1 kept,
 * one constant is free, and the peaks fix it. */
struct bt2446c
{
  double slope; /* below the inflection point */
  double bend;  /* cd/m2 of the target, the inflection point */
  double a;     /* the logarithm's weight, relative to bend */
};

static struct bt2446c
bt2446c_of (double source_peak, double target_peak)
{
  const double bend = target_peak * (58.5 / 118.36);
  const double slope = fmax (0.83802, 0.5 * (1 + target_peak / source_peak));
  const double reach = source_peak * slope / bend - 1;
  const double rise = target_peak / bend - 1;
  double low = 1e-4, high = 1e6;

  for (int i = 0; i < 80; i++) {
    const double a = sqrt (low * high);

    if (a * log1p (reach / a) < rise)
      low = a;
    else
      high = a;
  }
  return (struct bt2446c){ .slope = slope, .bend = bend, .a = low };
}

static double
bt2446c (double light, double source_peak, double target_peak)
{
  struct bt2446c c;
  double x;

  if (source_peak <= target_peak)
    return light;
  c = bt2446c_of (source_peak, target_peak);
  x = light * c.slope / c.bend - 1;
  return x < 0 ? light * c.slope : c.bend * (1 + c.a * log1p (x / c.a));
}

/* @x and @peak relative to the target's peak; @peak is at least 1. */
static double
relative_curve (const struct color_tone *tone, double x, double peak)
{
  const struct color_curve_params *p = &tone->params;

  switch (tone->curve) {
  case COLOR_CURVE_MOBIUS:
    return mobius (x, peak, or_default (p->mobius_knee, 0.3));
  case COLOR_CURVE_REINHARD:
    return reinhard (x, peak, or_default (p->reinhard_contrast, 0.5));
  case COLOR_CURVE_HABLE:
    return filmic (x) / filmic (peak);
  case COLOR_CURVE_LINEAR:
    return x / peak;
  case COLOR_CURVE_GAMMA:
    return gamma_curve (x, peak, or_default (p->gamma_exponent, 1.8));
  default:
    return fmin (x, 1);
  }
}

static double
map_forward (const struct color_tone *tone, double light)
{
  const double source = tone->source_peak, target = tone->target_peak;
  const double n = fmin (fmax (light, 0), source);

  switch (tone->curve) {
  case COLOR_CURVE_BT2390:
    return color_pq_eotf (bt2390 (
        color_pq_inverse_eotf (n), color_pq_inverse_eotf (source),
        color_pq_inverse_eotf (target),
        tone->target_black > 0 ? color_pq_inverse_eotf (tone->target_black) : 0,
        or_default (tone->params.bt2390_knee_offset, 0.5)));
  case COLOR_CURVE_SPLINE:
    return source > target
               ? color_pq_eotf (spline (tone, color_pq_inverse_eotf (n)))
               : n;
  case COLOR_CURVE_BT2446A:
    return bt2446a (n, source, target);
  case COLOR_CURVE_BT2446C:
    return bt2446c (n, source, target);
  default:
    return target
           * relative_curve (tone, n / target, fmax (source / target, 1));
  }
}

static struct color_tone
turned_around (const struct color_tone *tone)
{
  struct color_tone forward = *tone;

  forward.inverse = false;
  forward.source_peak = tone->target_peak;
  forward.target_peak = tone->source_peak;
  return forward;
}

double
color_tone_map (const struct color_tone *tone, double light)
{
  const double n = fmin (fmax (light, 0), tone->source_peak);
  struct color_tone forward;
  double low = 0, high = tone->target_peak;

  if (!tone->inverse)
    return map_forward (tone, light);
  if (tone->target_peak <= tone->source_peak)
    return n;
  forward = turned_around (tone);
  if (n <= map_forward (&forward, 0))
    return 0;
  if (n >= tone->source_peak)
    return high;
  /* First by decades, so that shadows are as exact as highlights. */
  while (low == 0 && map_forward (&forward, high / 8) > n && high > 1e-9)
    high /= 8;
  low = high / 8;
  for (int i = 0; i < 40; i++) {
    const double middle = 0.5 * (low + high);

    if (map_forward (&forward, middle) < n)
      low = middle;
    else
      high = middle;
  }
  return 0.5 * (low + high);
}

static double
forward_knee (const struct color_tone *tone)
{
  const double source = tone->source_peak, target = tone->target_peak;
  const double offset = or_default (tone->params.bt2390_knee_offset, 0.5);

  switch (tone->curve) {
  case COLOR_CURVE_BT2390:
    if (tone->target_black > 0)
      return 0;
    if (source <= target)
      return source;
    return color_pq_eotf (fmax ((1 + offset) * color_pq_inverse_eotf (target)
                                    - offset * color_pq_inverse_eotf (source),
                                0));
  case COLOR_CURVE_SPLINE:
    if (source <= target)
      return source;
    return spline_of (tone).slope > 1 - 1e-9
               ? color_pq_eotf (spline_of (tone).pivot)
               : 0;
  case COLOR_CURVE_MOBIUS:
    return source <= target
               ? source
               : or_default (tone->params.mobius_knee, 0.3) * target;
  case COLOR_CURVE_GAMMA:
    return 0.05 * target;
  case COLOR_CURVE_BT2446A:
    return source <= target ? source : 0;
  case COLOR_CURVE_BT2446C:
    if (source <= target)
      return source;
    return bt2446c_of (source, target).bend / bt2446c_of (source, target).slope;
  case COLOR_CURVE_CLIP:
  case COLOR_CURVE_LINEAR:
    return source;
  default:
    return 0;
  }
}

double
color_tone_knee (const struct color_tone *tone)
{
  struct color_tone forward;

  if (!tone->inverse)
    return forward_knee (tone);
  if (tone->target_peak <= tone->source_peak)
    return tone->source_peak;
  forward = turned_around (tone);
  return fmin (map_forward (&forward, forward_knee (&forward)),
               tone->source_peak);
}
