/* System memory as the device's own, without a copy. */
#pragma once

#include <gst/gst.h>

#include "gst/vk/image.h"

G_BEGIN_DECLS

/* Whether @device may take the pages of @memory: memories of GStreamer's own
 * allocator only. */
gboolean gst_vkc_host_import_is_possible (const struct vkc_device *device,
                                          GstMemory *memory);

/* The import of the whole pages around the memory that @map maps, made now or
 * earlier: at the memory's second sight, or at once if @pooled or if @device is
 * software, because elsewhere making one costs more than a copy. *@start: bytes
 * from its first page to map->data. It is kept with the memory and goes right
 * before it does. NULL where a copy is the way. Transfer full. */
struct vkc_image *gst_vkc_host_import (struct vkc_device *device,
                                       const GstMapInfo *map, gboolean pooled,
                                       gsize *start);

/* @device is about to be closed: drops its imports, so that memories that live
 * on do not keep it open. */
void gst_vkc_host_import_forget (const struct vkc_device *device);

G_END_DECLS
