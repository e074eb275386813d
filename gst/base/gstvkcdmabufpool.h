/* Output frames in dmabufs of our own, for peers whose caps ask for
 * memory:DMABuf: GstVkcDmabufAllocator, which sinks know as a
 * GstDmaBufAllocator, and the pool of its frames. */
#pragma once

#include <gst/allocators/gstdmabuf.h>
#include <gst/video/video.h>

#include "gst/vk/device.h"
#include "gst/vk/owner.h"

G_BEGIN_DECLS

#define GST_TYPE_VKC_DMABUF_ALLOCATOR (gst_vkc_dmabuf_allocator_get_type ())
VKC_API
G_DECLARE_FINAL_TYPE (GstVkcDmabufAllocator, gst_vkc_dmabuf_allocator, GST,
                      VKC_DMABUF_ALLOCATOR, GstDmaBufAllocator)

#define GST_TYPE_VKC_DMABUF_POOL (gst_vkc_dmabuf_pool_get_type ())
VKC_API
G_DECLARE_FINAL_TYPE (GstVkcDmabufPool, gst_vkc_dmabuf_pool, GST,
                      VKC_DMABUF_POOL, GstBufferPool)

/* Buffers of one linear dmabuf each, or of one a plane if the modifier of the
 * caps is another one; with GstVideoMeta. Mapping one submits what it waits
 * for, and waits. @owner is told why a frame could not be made. Transfer full. */
VKC_API GstBufferPool *gst_vkc_dmabuf_pool_new (struct vkc_device *device,
                                                struct vkc_owner *owner);

G_END_DECLS
