/* Rational least squares: P - f Q ~ 0 is linear in the coefficients; dividing
 * each equation by Q of the round before makes its residual that of P/Q - f
 * (Loeb; Sanathanan and Koerner). Lawson's weights, which grow where the error
 * is large, turn that into minimax. */
#include "gst/color/rational.h"

#include <math.h>
#include <string.h>

#define MAX_UNKNOWNS 12

/* Column by column: unknown j of equation i is at[j][i]. */
struct equations
{
  int n, unknowns;
  double at[MAX_UNKNOWNS][COLOR_RATIONAL_POINTS];
  double right[COLOR_RATIONAL_POINTS];
};

static double
dot (const double *a, const double *b, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/* Takes from @v what lies along @unit; returns how much that was. */
static double
project_out (double *v, const double *unit, int n)
{
  const double s = dot (unit, v, n);
  for (int i = 0; i < n; i++)
    v[i] -= s * unit[i];
  return s;
}

/* Modified Gram-Schmidt, twice, which is as good as Householder. Overwrites
 * the equations. */
static bool
least_squares (struct equations *e, double *x)
{
  double r[MAX_UNKNOWNS][MAX_UNKNOWNS] = { { 0 } };
  double y[MAX_UNKNOWNS];

  for (int j = 0; j < e->unknowns; j++) {
    for (int twice = 0; twice < 2; twice++) {
      for (int k = 0; k < j; k++)
        r[k][j] += project_out (e->at[j], e->at[k], e->n);
    }
    r[j][j] = sqrt (dot (e->at[j], e->at[j], e->n));
    if (!(r[j][j] > 0))
      return false;
    for (int i = 0; i < e->n; i++)
      e->at[j][i] /= r[j][j];
  }
  for (int j = 0; j < e->unknowns; j++)
    y[j] = project_out (e->right, e->at[j], e->n);
  for (int j = e->unknowns - 1; j >= 0; j--) {
    x[j] = y[j];
    for (int k = j + 1; k < e->unknowns; k++)
      x[j] -= r[j][k] * x[k];
    x[j] /= r[j][j];
  }
  return true;
}

static double
horner (const double *c, int n, double u)
{
  double s = 0;
  for (int i = n - 1; i >= 0; i--)
    s = s * u + c[i];
  return s;
}

double
color_rational_evaluate (const struct color_rational *r, double u)
{
  return horner (r->p, r->n_p, u) / horner (r->q, r->n_q, u);
}

/* @lawson and @q: the weight and Q of the round before, at each point. */
static void
set_up (struct equations *e, const struct color_rational_samples *s,
        const double *lawson, const double *q, int first_p,
        const struct color_rational *r)
{
  const int n_p = r->n_p - first_p;

  e->n = s->n;
  e->unknowns = n_p + r->n_q - 1;
  for (int i = 0; i < s->n; i++) {
    const double w = sqrt (lawson[i]) * s->weight[i] / q[i];
    double power = first_p ? s->u[i] : 1;
    for (int j = 0; j < n_p; j++, power *= s->u[i])
      e->at[j][i] = w * power;
    power = -s->f[i] * s->u[i];
    for (int j = 0; j < r->n_q - 1; j++, power *= s->u[i])
      e->at[n_p + j][i] = w * power;
    e->right[i] = w * s->f[i];
  }
}

static void
take_solution (struct color_rational *r, const double *x, int first_p)
{
  const int n_p = r->n_p - first_p;

  r->p[0] = 0;
  memcpy (r->p + first_p, x, n_p * sizeof *x);
  r->q[0] = 1;
  memcpy (r->q + 1, x + n_p, (r->n_q - 1) * sizeof *x);
}

double
color_rational_fit (const struct color_rational_samples *s, bool minimax,
                    bool zero_at_0, int iterations, struct color_rational *r)
{
  struct equations equations;
  struct color_rational now = *r;
  double lawson[COLOR_RATIONAL_POINTS], q[COLOR_RATIONAL_POINTS];
  double error[COLOR_RATIONAL_POINTS], x[MAX_UNKNOWNS];
  double best = INFINITY, best_worst = INFINITY;

  for (int i = 0; i < s->n; i++)
    lawson[i] = q[i] = 1;
  for (int round = 0; round < iterations; round++) {
    double worst = 0, squares = 0, sum = 0;

    set_up (&equations, s, lawson, q, zero_at_0, r);
    if (!least_squares (&equations, x))
      break;
    take_solution (&now, x, zero_at_0);
    for (int i = 0; i < s->n; i++) {
      q[i] = horner (now.q, now.n_q, s->u[i]);
      error[i] = fabs (horner (now.p, now.n_p, s->u[i]) / q[i] - s->f[i])
                 * s->weight[i];
      worst = fmax (worst, error[i]);
      squares += error[i] * error[i];
    }
    if ((minimax ? worst : squares) < best) {
      best = minimax ? worst : squares;
      best_worst = worst;
      *r = now;
    }
    if (!minimax || worst == 0)
      continue;
    for (int i = 0; i < s->n; i++)
      sum += lawson[i] *= error[i] / worst + 1e-3;
    for (int i = 0; i < s->n; i++)
      lawson[i] *= s->n / sum;
  }
  return best_worst;
}
