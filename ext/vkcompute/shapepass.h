/* What the kernels of shapes are made of: pipelines and the table on the
 * device. */
#pragma once

#include <glib.h>

#include "gst/color/shape.h"
#include "gst/vk/image.h"
#include "gst/vk/pipeline.h"

G_BEGIN_DECLS

/* What changes their code. */
struct shape_traits
{
  gboolean premultiply, square;
  gboolean scaled; /* scale.comp runs before place.comp */
  const struct color_shape *shape;
};

/* A storage buffer. */
struct vkc_binding_info shape_pass_binding (const gchar *name, guint binding,
                                            gboolean writes);

/* Transfer full. */
struct vkc_pipeline *shape_pass_scale (struct vkc_device *device,
                                       const struct shape_traits *traits,
                                       GError **error);
struct vkc_pipeline *shape_pass_place (struct vkc_device *device,
                                       const struct shape_traits *traits,
                                       GError **error);

/* @words, guint32, in a buffer. Transfer full. */
struct vkc_image *shape_pass_upload (struct vkc_device *device,
                                     const GArray *words, GError **error);

G_END_DECLS
