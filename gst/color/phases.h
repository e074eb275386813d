/* Filters that repeat: where sizes are to each other as small numbers, a few
 * target samples have all the weights that there are. */
#pragma once

#include <stdbool.h>

#include "gst/color/filter.h"

#define COLOR_PHASES_MOST      4 /* target samples until they repeat */
#define COLOR_PHASES_MOST_TAPS 24

/* Target sample g * @to + i, i < @to, is the sum of @taps source samples from
 * g * @from + first[i] on, weighted with weight[i]. Samples that there are not
 * are the one at the edge. */
struct color_phases
{
  int from, to;
  int taps;
  int first[COLOR_PHASES_MOST];
  float weight[COLOR_PHASES_MOST][COLOR_PHASES_MOST_TAPS];
};

/* @filter, whose source has samples @axis_first to @axis_last. False: it does
 * not repeat soon enough, or is too short to tell. */
bool color_phases_init (struct color_phases *phases,
                        const struct color_filter *filter, int axis_first,
                        int axis_last);
