/* Resampling filters, made in double. */
#include "gst/color/filter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* Positions closer than this to a source sample are at it. */
#define AT_SAMPLE 1e-6

static double
sinc (double x)
{
  return x == 0 ? 1 : sin (PI * x) / (PI * x);
}

/* Two-parameter cubics: Mitchell and Netravali, 1988. */
static double
cubic (double x, double b, double c)
{
  if (x < 1)
    return ((12 - 9 * b - 6 * c) * x * x * x + (-18 + 12 * b + 6 * c) * x * x
            + (6 - 2 * b))
           / 6;
  return ((-b - 6 * c) * x * x * x + (6 * b + 30 * c) * x * x
          + (-12 * b - 48 * c) * x + (8 * b + 24 * c))
         / 6;
}

static double
radius_of (enum color_filter_method method)
{
  switch (method) {
  case COLOR_FILTER_BILINEAR:
    return 1;
  case COLOR_FILTER_BICUBIC:
  case COLOR_FILTER_MITCHELL:
    return 2;
  case COLOR_FILTER_LANCZOS:
    return 3;
  default:
    return 0.5;
  }
}

double
color_filter_kernel (enum color_filter_method method, double x)
{
  x = fabs (x);
  if (x >= radius_of (method))
    return 0;
  switch (method) {
  case COLOR_FILTER_BILINEAR:
    return 1 - x;
  case COLOR_FILTER_BICUBIC:
    return cubic (x, 0, 0.5);
  case COLOR_FILTER_MITCHELL:
    return cubic (x, 1.0 / 3, 1.0 / 3);
  case COLOR_FILTER_LANCZOS:
    return sinc (x) * sinc (x / 3);
  default:
    return 1;
  }
}

/* How much of target sample's area, @step wide around @centre, source sample
 * @k covers. */
static double
overlap (double centre, double step, int k)
{
  const double low = fmax (centre - step / 2, k - 0.5);
  const double high = fmin (centre + step / 2, k + 0.5);

  return fmax (high - low, 0);
}

static bool
is_at_sample (const struct color_axis *axis, double centre)
{
  return fabs (axis->step - 1) < 1e-9
         && fabs (centre - floor (centre + 0.5)) < AT_SAMPLE;
}

static int
clamp (int k, const struct color_axis *axis)
{
  return k < axis->first ? axis->first : k > axis->last ? axis->last : k;
}

/* What each source sample gives to one target sample: of @n from @first on. */
struct row
{
  int first, n;
  double *weight;
};

static double
reach_of (enum color_filter_method method, const struct color_axis *axis)
{
  if (method == COLOR_FILTER_AREA)
    return axis->step / 2 + 0.5;
  return radius_of (method) * fmax (axis->step, 1);
}

static void
weigh (enum color_filter_method method, const struct color_axis *axis, int i,
       struct row *row)
{
  const double centre = axis->origin + i * axis->step;
  const double scale = fmax (axis->step, 1);
  const double reach = reach_of (method, axis);
  const int from = (int)ceil (centre - reach), to = (int)floor (centre + reach);
  double sum = 0;

  if (method == COLOR_FILTER_NEAREST || is_at_sample (axis, centre)) {
    row->first = clamp ((int)floor (centre + 0.5 + AT_SAMPLE), axis);
    row->n = 1;
    row->weight[0] = 1;
    return;
  }
  row->first = clamp (from, axis);
  row->n = clamp (to, axis) - row->first + 1;
  memset (row->weight, 0, (size_t)row->n * sizeof *row->weight);
  for (int pass = 0; pass < 2; pass++) {
    for (int k = from; k <= to; k++) {
      const double w = method == COLOR_FILTER_AREA
                           ? overlap (centre, axis->step, k)
                           : color_filter_kernel (method, (k - centre) / scale);
      if (pass == 0)
        sum += w;
      else
        row->weight[clamp (k, axis) - row->first] += w / sum;
    }
  }
}

/* Leaves out the zeros on both sides. */
static int
trim (const struct row *row, int *from)
{
  int to = row->n - 1;

  *from = 0;
  while (*from < to && fabs (row->weight[*from]) < 1e-12)
    ++*from;
  while (to > *from && fabs (row->weight[to]) < 1e-12)
    to--;
  return to - *from + 1;
}

static int
count_taps (enum color_filter_method method, const struct color_axis *axis,
            struct row *row)
{
  int taps = 1;

  for (int i = 0; i < axis->n; i++) {
    int from, n;

    weigh (method, axis, i, row);
    n = trim (row, &from);
    taps = n > taps ? n : taps;
  }
  return taps;
}

static void
fill (struct color_filter *filter, enum color_filter_method method,
      const struct color_axis *axis, struct row *row)
{
  for (int i = 0; i < axis->n; i++) {
    int from, first;

    weigh (method, axis, i, row);
    trim (row, &from);
    /* All taps are samples that there are. */
    first = row->first + from;
    if (first > axis->last + 1 - filter->taps)
      first = axis->last + 1 - filter->taps;
    filter->first[i] = first;
    for (int k = 0; k < filter->taps; k++) {
      const int at = first + k - row->first;

      filter->weight[i * filter->taps + k]
          = at >= 0 && at < row->n ? (float)row->weight[at] : 0;
    }
  }
}

bool
color_filter_init (struct color_filter *filter, enum color_filter_method method,
                   const struct color_axis *axis)
{
  const size_t most = 2 * (size_t)ceil (reach_of (method, axis)) + 2;
  struct row row = { .weight = malloc (most * sizeof *row.weight) };

  memset (filter, 0, sizeof *filter);
  if (row.weight == NULL)
    return false;
  filter->n = axis->n;
  filter->taps = count_taps (method, axis, &row);
  filter->first = malloc ((size_t)axis->n * sizeof *filter->first);
  filter->weight = malloc ((size_t)axis->n * (size_t)filter->taps
                           * sizeof *filter->weight);
  if (filter->first != NULL && filter->weight != NULL)
    fill (filter, method, axis, &row);
  else
    color_filter_clear (filter);
  free (row.weight);
  return filter->first != NULL;
}

void
color_filter_clear (struct color_filter *filter)
{
  free (filter->first);
  free (filter->weight);
  memset (filter, 0, sizeof *filter);
}
