/* The filters of a shape. */
#pragma once

#include "gst/color/shape.h"
#include "workform.h"

G_BEGIN_DECLS

/* What frames are to become. */
struct shape_job
{
  struct color_shape shape;
  enum color_filter_method method;
  enum color_rows rows;
  const struct colorside *from, *to;
  guint border[4]; /* codes of @to */
};

/* Whether @shape changes sizes, not only places. */
gboolean shape_scales (const struct color_shape *shape);

/* The filter of component @c along rows or columns, of the picture before it is
 * turned. @first_column, @columns, @first_row, @rows: the source's that it
 * takes. FALSE: no memory. */
gboolean shape_filter_across (const struct shape_job *job, guint c,
                              struct color_filter *filter, guint *first_column,
                              guint *columns);
gboolean shape_filter_down (const struct shape_job *job, guint c,
                            struct color_filter *filter, guint *first_row,
                            guint *rows);

G_END_DECLS
