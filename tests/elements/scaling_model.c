/* Scaling in double. */
#include "tests/elements/scaling_model.h"

#include <math.h>

static gdouble
site_of (gint sub, gboolean cosited)
{
  return cosited ? 0 : ((1 << sub) - 1) / 2.0;
}

/* Where sample @i of a component is in the source's. */
static gdouble
position (gint i, gdouble scale, gint sub, gint to_sub, gboolean cosited)
{
  const gdouble pixel = (i << to_sub) + site_of (to_sub, cosited) + 0.5;

  return (pixel * scale - 0.5 - site_of (sub, cosited)) / (1 << sub);
}

static gdouble
weight (gint method, gdouble distance, gdouble scale)
{
  if (method == COLOR_FILTER_NEAREST)
    return distance >= -0.5 && distance < 0.5;
  if (method == COLOR_FILTER_AREA)
    return MAX (0, MIN (distance + scale / 2, 0.5)
                       - MAX (distance - scale / 2, -0.5));
  return color_filter_kernel (method, distance / MAX (scale, 1));
}

/* One sample of the scaled plane, by the definition. */
static gdouble
reference (const struct plane *in, gint method, gdouble cx, gdouble cy,
           gdouble scale_x, gdouble scale_y)
{
  const gint rx = ceil (3 * MAX (scale_x, 1)), ry = ceil (3 * MAX (scale_y, 1));
  gdouble sum = 0, weights = 0;

  for (gint y = floor (cy) - ry; y <= cy + ry + 1; y++) {
    const gdouble wy = weight (method, cy - y, scale_y);

    if (wy == 0)
      continue;
    for (gint x = floor (cx) - rx; x <= cx + rx + 1; x++) {
      const gdouble w = wy * weight (method, cx - x, scale_x);

      weights += w;
      sum += w
             * in->at[CLAMP (y, 0, in->height - 1) * in->width
                      + CLAMP (x, 0, in->width - 1)];
    }
  }
  return sum / weights;
}

gdouble
scaling_model_at (const struct scaling_model *s, const struct plane *in, gint x,
                  gint y)
{
  const gdouble across = (gdouble)s->from_width / s->to_width;
  const gdouble down = (gdouble)s->from_height / s->to_height;

  return reference (
      in, s->method, position (x, across, s->hsub, s->to_hsub, s->left),
      position (y, down, s->vsub, s->to_vsub, s->top),
      ldexp (across, s->to_hsub - s->hsub), ldexp (down, s->to_vsub - s->vsub));
}
