/* What the files of the plan share. */
#pragma once

#include "gst/color/matrix.h"
#include "gst/color/plan.h"

/* What color_plan_init() works with. */
struct color_work
{
  const struct color_side *source, *target;
  const struct color_settings *settings;
  struct color_plan *plan;
  double source_unit, target_unit; /* cd/m2 of light 1 */
  bool pq_root;                    /* the kernel takes the root of PQ's light */
};

void color_plan_put_int (struct color_plan *plan, int id, int value);
void color_plan_put_float (struct color_plan *plan, int id, double value);
void color_plan_put_matrix3 (struct color_plan *plan, int id,
                             const struct color_matrix3 *m, double scale);

/* In plan-light.c. Peaks and units, and whether there is a curve at all. */
void color_plan_resolve_light (struct color_work *w,
                               const struct color_light *light);

/* Primaries, gain and gamut. */
void color_plan_put_light (struct color_work *w);

/* In plan-view.c. After all else. */
void color_plan_put_view (struct color_work *w,
                          const struct color_light *light);

/* In plan-transfer.c. */
void color_plan_put_source_transfer (struct color_work *w);

/* Returns what the kernel's result has to be multiplied by. */
double color_plan_put_target_transfer (struct color_work *w);
