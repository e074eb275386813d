/* A peer's own pool of dmabufs, for frames of ours: displays and encoders have
 * memory that they can show or read as it is. */
#pragma once

#include <gst/video/video.h>

#include "gst/vk/owner.h"
#include "gst/vk/device.h"

G_BEGIN_DECLS

/* The first pool in the answer to an allocation @query that gives dmabufs which
 * @device can write frames of @caps to: configured, active, tried. Only pools
 * that are known to have dmabufs are tried: of peers that take memory:DMABuf,
 * with an allocator of dmabufs, of V4L2, and of displays that can export theirs.
 * @info: of @caps. *@needs_wait: its peer looks at no fences, so that frames
 * must be ready when they are pushed. NULL: there is none. Transfer full. */
VKC_API GstBufferPool *gst_vkc_peer_pool_adopt (GstQuery *query, GstCaps *caps,
                                                const GstVideoInfo *info,
                                                struct vkc_device *device,
                                                struct vkc_owner *owner,
                                                gboolean *needs_wait);

G_END_DECLS
