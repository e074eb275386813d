/* What a change of shape is between: both sides, and the work frames that
 * suit. */
#pragma once

#include "shapefilter.h"
#include "shapekernel.h"

G_BEGIN_DECLS

struct shape_work
{
  struct colorside in, out;
  struct color_light light;
  const struct color_shape *shape;
  const struct shape_settings *settings;
  enum color_rows rows;
  struct color_settings colour;
  gboolean alpha, scales, premultiply;
  gboolean keeps_chroma; /* it goes from grid to grid, as luma does */
};

/* Fills @w, whose shape, settings, rows and colour are there. */
void shape_work_init (struct shape_work *w, GstCaps *in_caps,
                      const GstVideoInfo *in, GstCaps *out_caps,
                      const GstVideoInfo *out);

/* From @from to @to; @to's border codes. */
struct shape_job shape_work_job (const struct shape_work *w,
                                 const struct colorside *from,
                                 const struct colorside *to);

/* Frames before and behind the kernels that change the shape. @seen: the part
 * of the input that they need. */
void shape_work_frames (const struct shape_work *w, const GstVideoInfo *seen,
                        struct colorside *from, struct colorside *to);

G_END_DECLS
