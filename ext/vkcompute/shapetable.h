/* The table that tells the kernels of shapes where everything lies. */
#pragma once

#include "gst/color/shape.h"
#include "workform.h"

G_BEGIN_DECLS

/* What a table is made for. */
struct shape_job
{
  struct color_shape shape;
  enum color_filter_method method;
  enum color_rows rows;
  const struct colorkernel_side *from, *to; /* work frames */
  guint border[4];                          /* codes of @to */
};

struct shape_table
{
  GArray *words; /* guint32 */
  gsize between; /* floats between both kernels; 0: none are needed */
  guint scale_groups[2], place_groups[2];
};

/* FALSE: no memory. */
gboolean shape_table_init (struct shape_table *table,
                           const struct shape_job *job);

/* Accepts a zeroed one. */
void shape_table_clear (struct shape_table *table);

/* Whether @shape changes sizes, not only places. */
gboolean shape_scales (const struct color_shape *shape);

G_END_DECLS
