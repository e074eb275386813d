/* Resampling filters: which source samples make a target sample, and how much
 * of each. */
#pragma once

#include <stdbool.h>

enum color_filter_method
{
  COLOR_FILTER_NEAREST,
  COLOR_FILTER_BILINEAR, /* triangle */
  COLOR_FILTER_BICUBIC,  /* Catmull-Rom: B = 0, C = 1/2 */
  COLOR_FILTER_MITCHELL, /* Mitchell and Netravali: B = C = 1/3 */
  COLOR_FILTER_LANCZOS,  /* three lobes */
  COLOR_FILTER_AREA,     /* mean over the area that a target sample covers */
};

/* Where target samples lie along one axis, in source samples: the centre of
 * source sample i is at i. */
struct color_axis
{
  int n;               /* target samples */
  double origin, step; /* target sample i is at origin + i * step */
  int first, last;     /* source samples that there are; others repeat these */
};

/* Target sample i is the sum of @taps source samples from first[i] on, weighted
 * with weight[i * taps]...; the weights of a sample sum up to 1. */
struct color_filter
{
  int n, taps;
  int *first;
  float *weight;
};

/* Filters grow with @axis' step where that is above 1, so that nothing is left
 * out (NEAREST excepted). A target sample that is at a source sample, in steps
 * of one, is that sample whatever the method. False: no memory. */
bool color_filter_init (struct color_filter *filter,
                        enum color_filter_method method,
                        const struct color_axis *axis);

/* Accepts a zeroed one. */
void color_filter_clear (struct color_filter *filter);

/* The kernel of @method at distance @x from the centre; 0 from the radius on.
 */
double color_filter_kernel (enum color_filter_method method, double x);
