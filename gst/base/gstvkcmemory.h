/* GstVkcMemory: one frame, all planes, backed by a vkc_image; and the allocator
 * that makes and recycles them. Mapping it submits what the frame waits for.
 *
 * Parts of a frame (gst_memory_share()) name the same image and map through the
 * same host pointer. */
#pragma once

#include <gst/video/video.h>

#include "gst/vk/image.h"

G_BEGIN_DECLS

#define GST_VKC_MEMORY_TYPE "VkcImage"

typedef struct
{
  GstMemory parent;
  struct vkc_image *image;
  /* The format and the layout of the whole frame: what black is. Owned by the
   * frame's own memory, borrowed by its parts. */
  GstVideoInfo *info;
} GstVkcMemory;

/* The memory that @memory is a part of, of a part... Borrowed. */
GstMemory *gst_vkc_root_memory (GstMemory *memory);

#define GST_TYPE_VKC_ALLOCATOR (gst_vkc_allocator_get_type ())
VKC_API
G_DECLARE_FINAL_TYPE (GstVkcAllocator, gst_vkc_allocator, GST, VKC_ALLOCATOR,
                      GstAllocator)

/* Takes its own reference of @device. An allocator is meant for one stream of
 * frames: it forgets its idle storage when another kind is asked for. */
VKC_API GstVkcAllocator *gst_vkc_allocator_new (struct vkc_device *device);

/* Borrowed. */
VKC_API struct vkc_device *gst_vkc_allocator_get_device (GstVkcAllocator *self);

/* A memory for a frame in the layout of @info, in @storage; content undefined. Storage of memories that were
 * freed is used again. Errors: as vkc_image_new(), or VKC_ERROR_REFUSED. */
VKC_API GstMemory *gst_vkc_allocator_alloc_frame (GstVkcAllocator *self,
                                                  const GstVideoInfo *info,
                                                  enum vkc_storage storage,
                                                  GError **error);

VKC_API gboolean gst_is_vkc_memory (const GstMemory *memory);

/* The image behind @buffer's memory if that is a single one of ours, else
 * NULL. Borrowed. */
VKC_API struct vkc_image *gst_vkc_buffer_get_image (GstBuffer *buffer);

enum vkc_map_flags gst_vkc_map_flags (GstMapFlags flags);

/* Whether @buffer, which its pool takes back, alone names its memories: no copy,
 * no part, no reference. */
gboolean gst_vkc_buffer_is_last_to_know (GstBuffer *buffer);

/* As a vkc_is_sole: the @n references to @object, a GstBuffer, are all that
 * names the frame in @image; its memory is in no other buffer, and no part of it
 * is anywhere. */
bool gst_vkc_buffer_is_sole (const void *object, const struct vkc_image *image,
                             unsigned n);

G_END_DECLS
