/* Filters that repeat. */
#include "gst/color/phases.h"

#include <math.h>
#include <string.h>

/* What floats that mean the same may differ by. */
#define NEAR 1e-6f

static float
weight_of (const struct color_filter *filter, int i, int sample)
{
  const int k = sample - filter->first[i];

  return k >= 0 && k < filter->taps ? filter->weight[i * filter->taps + k] : 0;
}

static float
phase_weight (const struct color_phases *phases, int i, int sample)
{
  const int k
      = sample - i / phases->to * phases->from - phases->first[i % phases->to];

  return k >= 0 && k < phases->taps ? phases->weight[i % phases->to][k] : 0;
}

/* Takes the weights of the samples from @i on, without zeros around them. */
static bool
take (struct color_phases *phases, const struct color_filter *filter, int i)
{
  for (int q = 0; q < phases->to; q++) {
    int first = filter->first[i + q], last = first + filter->taps - 1;

    while (first < last && weight_of (filter, i + q, first) == 0)
      first++;
    while (last > first && weight_of (filter, i + q, last) == 0)
      last--;
    phases->first[q] = first - i / phases->to * phases->from;
    if (last - first + 1 > phases->taps)
      phases->taps = last - first + 1;
  }
  if (phases->taps > COLOR_PHASES_MOST_TAPS)
    return false;
  for (int q = 0; q < phases->to; q++)
    for (int k = 0; k < phases->taps; k++)
      phases->weight[q][k] = weight_of (
          filter, i + q, i / phases->to * phases->from + phases->first[q] + k);
  return true;
}

static bool
is_alike (const struct color_phases *phases, const struct color_filter *filter,
          int i)
{
  const int first
      = i / phases->to * phases->from + phases->first[i % phases->to];
  const int from = first < filter->first[i] ? first : filter->first[i];

  for (int s = from; s < from + filter->taps + phases->taps; s++)
    if (fabsf (weight_of (filter, i, s) - phase_weight (phases, i, s)) > NEAR)
      return false;
  return true;
}

/* Whether nothing that sample @i takes is beyond an edge. */
static bool
is_inside (const struct color_phases *phases, int i, int axis_first,
           int axis_last)
{
  const int first
      = i / phases->to * phases->from + phases->first[i % phases->to];

  return first >= axis_first && first + phases->taps - 1 <= axis_last;
}

static bool
repeats (struct color_phases *phases, const struct color_filter *filter,
         int axis_first, int axis_last)
{
  const int middle = filter->n / 2 / phases->to * phases->to;

  if (middle + 2 * phases->to > filter->n)
    return false;
  phases->from = filter->first[middle + phases->to] - filter->first[middle];
  if (phases->from < 1 || !take (phases, filter, middle))
    return false;
  for (int i = middle; i < middle + phases->to; i++)
    if (!is_inside (phases, i, axis_first, axis_last))
      return false;
  for (int i = 0; i < filter->n; i++)
    if (is_inside (phases, i, axis_first, axis_last)
        && !is_alike (phases, filter, i))
      return false;
  return true;
}

bool
color_phases_init (struct color_phases *phases,
                   const struct color_filter *filter, int axis_first,
                   int axis_last)
{
  for (int to = 1; to <= COLOR_PHASES_MOST; to++) {
    memset (phases, 0, sizeof *phases);
    phases->to = to;
    if (repeats (phases, filter, axis_first, axis_last))
      return true;
  }
  return false;
}
