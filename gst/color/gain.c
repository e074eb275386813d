/* Fits the gain of a tone curve. Below the knee it is constant and above the
 * peak `cap` takes over, so only what is between needs a fit. */
#include "gst/color/gain.h"

#include <math.h>
#include <string.h>

#include "gst/color/rational.h"
#include "gst/color/transfer.h"

#define POINTS     120
#define ITERATIONS 40

/* Codes; worse is worth a second fit. */
#define GOOD_ENOUGH 0.08

/* Nothing below shows: the gain stays as it is here, cd/m2. */
#define DARKEST 0.003

static double
to_domain (enum color_gain_domain domain, double unit, double light)
{
  return domain == COLOR_GAIN_DOMAIN_PQ ? color_pq_inverse_eotf (light)
                                        : pow (light / unit, 0.25);
}

static double
from_domain (enum color_gain_domain domain, double unit, double m)
{
  return domain == COLOR_GAIN_DOMAIN_PQ ? color_pq_eotf (m) : unit * pow (m, 4);
}

static double
exposure_of (const struct color_gain_units *units)
{
  return units->exposure > 0 ? units->exposure : 1;
}

static double
root_gain (const struct color_tone *tone, const struct color_gain_units *units,
           double light)
{
  return sqrt (color_tone_map (tone, light * exposure_of (units)) / light);
}

/* How many codes a relative error of the root of light @light is. For SDR,
 * 219 l^(1/2.4); for PQ, whose slope over ln (l) is about 0.1 anywhere, 876 of
 * that. */
static double
codes_per_error (double light, const struct color_gain_units *units)
{
  return units->hdr ? 2 * 876 * 0.1
                    : 2 * 219 / 2.4 * pow (light / units->target, 1 / 2.4);
}

static bool
has_pole (const struct color_rational *r)
{
  for (int i = 0; i <= 256; i++) {
    const double z = i / 256.0;
    double q = 0;
    for (int k = r->n_q - 1; k >= 0; k--)
      q = q * z + r->q[k];
    if (q <= 0)
      return true;
  }
  return false;
}

static double
fit (const struct color_tone *tone, enum color_gain_domain domain,
     const struct color_gain_units *units, double lo, double hi,
     struct color_rational *r)
{
  double z[POINTS], root[POINTS], weight[POINTS], error;
  const struct color_rational_samples samples
      = { .n = POINTS, .u = z, .f = root, .weight = weight };

  for (int i = 0; i < POINTS; i++) {
    z[i] = 0.5 - 0.5 * cos (M_PI * (i + 0.5) / POINTS);
    const double light
        = from_domain (domain, units->source, lo + (hi - lo) * z[i]);
    root[i] = root_gain (tone, units, light);
    weight[i] = codes_per_error (root[i] * root[i] * light, units) / root[i];
  }
  /* A pole between the samples: with one root less there may be none. */
  for (int n_q = 3; n_q > 1; n_q--) {
    *r = (struct color_rational){ .n_p = 5, .n_q = n_q };
    error = color_rational_fit (&samples, true, false, ITERATIONS, r);
    if (isfinite (error) && !has_pole (r))
      return error;
  }
  *r = (struct color_rational){ .n_p = 5, .n_q = 1 };
  return color_rational_fit (&samples, true, false, ITERATIONS, r);
}

double
color_gain_fit (const struct color_tone *tone, enum color_gain_domain domain,
                const struct color_gain_units *units, struct color_gain *gain)
{
  const double exposure = exposure_of (units);
  const double source_peak = tone->source_peak / exposure;
  const double knee = fmax (color_tone_knee (tone) / exposure, DARKEST);
  const double peak = color_tone_map (tone, tone->source_peak);
  const double scale = sqrt (units->source / units->target);
  struct color_rational r = { .n_p = 1, .n_q = 1, .q = { 1 } };
  double error = 0;

  memset (gain, 0, sizeof *gain);
  gain->cap = sqrt (peak / units->target);
  if (knee >= source_peak) {
    r.p[0] = root_gain (tone, units, DARKEST);
  } else {
    const double lo = to_domain (domain, units->source, knee);
    const double hi = to_domain (domain, units->source, source_peak);
    error = fit (tone, domain, units, lo, hi, &r);
    gain->scale = 1 / (hi - lo);
    gain->shift = -lo / (hi - lo);
  }
  for (int i = 0; i < r.n_p; i++)
    gain->p[i] = r.p[i] * scale;
  for (int i = 1; i < r.n_q; i++)
    gain->q[i - 1] = r.q[i];
  return error;
}

double
color_gain_fit_best (const struct color_tone *tone,
                     const struct color_gain_units *units,
                     enum color_gain_domain *domain, struct color_gain *gain)
{
  const double error = color_gain_fit (tone, COLOR_GAIN_DOMAIN_PQ, units, gain);
  struct color_gain other;
  double other_error;

  *domain = COLOR_GAIN_DOMAIN_PQ;
  if (error < GOOD_ENOUGH)
    return error;
  other_error = color_gain_fit (tone, COLOR_GAIN_DOMAIN_ROOT, units, &other);
  if (other_error > 0.7 * error)
    return error;
  *gain = other;
  *domain = COLOR_GAIN_DOMAIN_ROOT;
  return other_error;
}

double
color_gain_exact (const struct color_tone *tone, enum color_gain_domain domain,
                  const struct color_gain_units *units, double m)
{
  const double light = fmax (from_domain (domain, units->source, m), DARKEST);

  return root_gain (tone, units, light) * sqrt (units->source / units->target);
}
