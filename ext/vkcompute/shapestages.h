/* The kernels that give a work frame another shape: scale.comp where something
 * is filtered along rows, then place.comp. One streaming thread. */
#pragma once

#include "shapepass.h"
#include "shapetable.h"
#include "workpool.h"

G_BEGIN_DECLS

struct shape_stages
{
  struct vkc_device *device;  /* borrowed */
  struct vkc_pipeline *scale; /* NULL: nothing along rows */
  struct vkc_pipeline *place;
  struct vkc_image *table;
  guint scale_groups[2], place_groups[2];
  guint n_planes;
  struct work_pool floats; /* between the two */
};

/* For frames of @n_planes planes that lie as @table says. */
gboolean shape_stages_set (struct shape_stages *self, struct vkc_device *device,
                           const struct shape_table *table,
                           const struct shape_traits *traits, guint n_planes,
                           GError **error);

/* Appends what makes @to out of @from as steps of @job. */
gboolean shape_stages_plan (struct shape_stages *self, struct scratch *from,
                            struct scratch *to, const struct vkc_job *job,
                            GError **error);

/* Accepts a zeroed one. */
void shape_stages_clear (struct shape_stages *self);

G_END_DECLS
