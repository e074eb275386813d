/* Frames in memfds that GstDmaBufAllocator wraps, which are dmabufs to software
 * drivers. */
#pragma once

#include <gst/allocators/gstdmabuf.h>

#include "tests/elements/frames.h"

/* Borrowed. */
GstAllocator *test_dmabuf_allocator (void);

/* Whole pages for a frame of @info. */
gsize test_dmabuf_size (const GstVideoInfo *info);

/* test_frame_new() in a dmabuf of @size bytes, which may be fewer than the
 * frame has, with a GstVideoMeta. */
GstBuffer *test_dmabuf_frame_new (const GstVideoInfo *info, guint seed,
                                  gsize size);
