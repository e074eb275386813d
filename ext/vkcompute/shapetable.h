/* The table that tells the kernels of shapes where everything lies. */
#pragma once

#include "shapefilter.h"

G_BEGIN_DECLS

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

G_END_DECLS
