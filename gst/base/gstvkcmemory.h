/* GstVkcMemory: one frame, all planes, backed by a vkc_image; and the allocator
 * that makes and recycles them. Mapping it submits what the frame waits for. */
#pragma once

#include <gst/video/video.h>

#include "gst/vk/image.h"

G_BEGIN_DECLS

#define GST_VKC_MEMORY_TYPE "VkcImage"

typedef struct
{
  GstMemory parent;
  struct vkc_image *image;
} GstVkcMemory;

#define GST_TYPE_VKC_ALLOCATOR (gst_vkc_allocator_get_type ())
VKC_API
G_DECLARE_FINAL_TYPE (GstVkcAllocator, gst_vkc_allocator, GST, VKC_ALLOCATOR,
                      GstAllocator)

VKC_API GstVkcAllocator *gst_vkc_allocator_new (struct vkc_device *device);

/* A memory for a frame of @params. Storage of memories that were freed is used
 * again. Errors: as vkc_image_new(). */
VKC_API GstMemory *
gst_vkc_allocator_alloc_frame (GstVkcAllocator *self,
                               const struct vkc_image_params *params,
                               GError **error);

VKC_API gboolean gst_is_vkc_memory (const GstMemory *memory);

G_END_DECLS
