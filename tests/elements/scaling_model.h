/* What scaling is by its definition, in double. */
#pragma once

#include "gst/color/filter.h"
#include "tests/elements/shape_support.h"

struct scaling_model
{
  gint method; /* enum color_filter_method */
  gint from_width, from_height, to_width, to_height;
  gint hsub, vsub; /* of the component: log2 of the pixels a sample */
  gint to_hsub, to_vsub;
  gboolean left, top;
};

/* Sample (@x, @y) of what @in becomes. */
gdouble scaling_model_at (const struct scaling_model *s, const struct plane *in,
                          gint x, gint y);
