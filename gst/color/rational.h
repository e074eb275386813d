/* Fitting: a rational function that is closest to samples of another. */
#pragma once

#include <stdbool.h>

#define COLOR_RATIONAL_TERMS  8
#define COLOR_RATIONAL_POINTS 512

/* (p[0] + p[1] u + ...) / (q[0] + q[1] u + ...), q[0] = 1. */
struct color_rational
{
  int n_p, n_q;
  double p[COLOR_RATIONAL_TERMS];
  double q[COLOR_RATIONAL_TERMS];
};

double color_rational_evaluate (const struct color_rational *r, double u);

/* What to fit: @n points @u, values @f, and @weight that errors are measured
 * by. */
struct color_rational_samples
{
  int n;
  const double *u, *f, *weight;
};

/* Fits @r, whose n_p and n_q say how many coefficients it has (together at
 * most 12 free ones). @minimax: the largest weighted error is made small
 * (Lawson's reweighting), otherwise the sum of squares is. @zero_at_0: p[0] is
 * kept 0. Returns the largest weighted error, INFINITY if there is no fit. */
double color_rational_fit (const struct color_rational_samples *samples,
                           bool minimax, bool zero_at_0, int iterations,
                           struct color_rational *r);
