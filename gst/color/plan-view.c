/* The part of a plan that shows how the rest works. Without a view all of its
 * constants are 0, so that kernels do not differ by them. */
#include <string.h>

#include "gst/color/plan-private.h"
#include "gst/color/transfer.h"

/* What there is to show. */
static enum color_view
resolve (const struct color_work *w)
{
  const bool replaced = w->plan->cube && w->settings->cube_instead;

  if (w->plan->affine || (replaced && w->settings->view != COLOR_VIEW_SPLIT))
    return COLOR_VIEW_NORMAL;
  return w->settings->view;
}

/* The light's matrix as it is without curve, gamut mapping and table. */
static void
put_matrix (struct color_work *w, const struct color_light *light)
{
  struct color_settings plain = *w->settings;
  struct color_plan unmapped;

  plain.curve = COLOR_CURVE_NONE;
  plain.gamut = COLOR_GAMUT_CLIP;
  plain.view = COLOR_VIEW_NORMAL;
  plain.cube = NULL;
  color_plan_init (&unmapped, w->source, light, w->target, &plain);
  memcpy (w->plan->constants + ID_VIEW_MATRIX,
          unmapped.constants + ID_LIGHT_MATRIX, 9 * sizeof *unmapped.constants);
}

/* What OUT_MATRIX takes for the reference white. */
static double
white_signal (const struct color_work *w)
{
  const double white = w->plan->reference_white;
  float unit;

  memcpy (&unit, &w->plan->constants[ID_LUT_UNIT], sizeof unit);
  switch (w->target->description.transfer) {
  case COLOR_TRANSFER_PQ:
    return color_pq_inverse_eotf (white) / (double)unit;
  case COLOR_TRANSFER_HLG:
    return 0.75 / (double)unit;
  default:
    return 1 / (double)unit;
  }
}

void
color_plan_put_view (struct color_work *w, const struct color_light *light)
{
  struct color_plan *plan = w->plan;

  plan->view = resolve (w);
  color_plan_put_int (plan, ID_VIEW, (int)plan->view);
  if (plan->view == COLOR_VIEW_NORMAL)
    return;
  color_plan_put_float (plan, ID_VIEW_WHITE, white_signal (w));
  if (plan->view == COLOR_VIEW_SPLIT)
    put_matrix (w, light);
  if (plan->view != COLOR_VIEW_CURVE)
    return;
  color_plan_put_float (plan, ID_VIEW_SOURCE_PEAK,
                        color_pq_inverse_eotf (plan->source_peak));
  color_plan_put_float (plan, ID_VIEW_TARGET_PEAK,
                        color_pq_inverse_eotf (plan->target_peak));
  color_plan_put_float (plan, ID_VIEW_SOURCE_UNIT, plan->units.source / 10000);
  color_plan_put_float (plan, ID_VIEW_TARGET_UNIT, plan->units.target / 10000);
}
