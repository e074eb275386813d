/* The tone curve as kernels apply it: a gain, as a rational function. */
#pragma once

#include <stdbool.h>

#include "gst/color/tonecurve.h"

/* What the gain is a function of. Values as DOMAIN_... in kernel_ids.h. */
enum color_gain_domain
{
  COLOR_GAIN_DOMAIN_PQ,   /* PQ signal */
  COLOR_GAIN_DOMAIN_ROOT, /* fourth root of the kernel's light */
};

/* With z = clamp (m scale + shift, 0, 1) the root of light is multiplied by
 *   min (P(z) / Q(z), cap / h)
 * m: where, in the domain; h: the root of light there; Q = 1 + q0 z + q1 z^2.
 */
struct color_gain
{
  float scale, shift;
  float p[5];
  float q[2];
  float cap;
};

struct color_gain_units
{
  double source;   /* cd/m2 of light 1 in the kernel before the gain */
  double target;   /* and after it */
  bool hdr;        /* the target is PQ or HLG: other errors are visible */
  double exposure; /* what light is multiplied by before the curve; 0: 1 */
};

/* Takes less than 2 ms. Returns the fit's largest error in codes: 8-bit for
 * SDR, 10-bit for HDR. */
double color_gain_fit (const struct color_tone *tone,
                       enum color_gain_domain domain,
                       const struct color_gain_units *units,
                       struct color_gain *gain);

/* The same in the PQ domain or, where that is not good enough, in the better
 * one of the two: *@domain. */
double color_gain_fit_best (const struct color_tone *tone,
                            const struct color_gain_units *units,
                            enum color_gain_domain *domain,
                            struct color_gain *gain);

/* What the fit follows, at @m of the domain: what the root of light is
 * multiplied by. */
double color_gain_exact (const struct color_tone *tone,
                         enum color_gain_domain domain,
                         const struct color_gain_units *units, double m);
