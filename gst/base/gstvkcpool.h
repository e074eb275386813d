/* GstVkcPool: buffers of one GstVkcMemory each, with GstVideoMeta. Offered to
 * upstream, which then writes its frames where the device reads them, and the
 * source of every output frame. Knows the VideoAlignment option; without it the
 * layout is GStreamer's default one. */
#pragma once

#include <gst/video/gstvideopool.h>
#include <gst/video/video.h>

#include "gst/vk/owner.h"
#include "gstvkcmemory.h"

G_BEGIN_DECLS

#define GST_TYPE_VKC_POOL (gst_vkc_pool_get_type ())
VKC_API
G_DECLARE_FINAL_TYPE (GstVkcPool, gst_vkc_pool, GST, VKC_POOL, GstBufferPool)

/* Transfer full. Storage is recycled by @allocator, so that it outlives the
 * pool and its configurations. @owner (may be NULL) is told when a frame cannot
 * be made: a pool's user hears no more than that it failed. */
VKC_API GstBufferPool *gst_vkc_pool_new (GstVkcAllocator *allocator,
                                         struct vkc_owner *owner);

/* Configures for any number of frames of @caps, made when they are needed. */
VKC_API gboolean gst_vkc_pool_configure (GstBufferPool *pool, GstCaps *caps);

/* The marker in an allocation query that says "I am one of ours": a meta API
 * that no buffer ever carries. It has no parameters, because only such metas
 * pass a tee. */
VKC_API GType gst_vkc_marker_api_get_type (void);
#define GST_VKC_MARKER_API_TYPE (gst_vkc_marker_api_get_type ())

G_END_DECLS
