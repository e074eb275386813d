/* System memory as the device's own, without a copy. */
#pragma once

#include <gst/gst.h>

#include "gst/vk/image.h"

G_BEGIN_DECLS

/* The import of the whole pages around the memory that @map maps, made now or
 * earlier; *@start: bytes from its first page to map->data. Only memories of
 * GStreamer's own allocator qualify, at their second sight or at once if
 * @pooled: making an import costs more than one copy. It is kept with the
 * memory and goes right before it does. NULL where a copy is the way.
 * Transfer full. */
struct vkc_image *gst_vkc_host_import (struct vkc_device *device,
                                       const GstMapInfo *map, gboolean pooled,
                                       gsize *start);

G_END_DECLS
