/* Frames that lie in dmabufs, placed on the device without a copy. */
#pragma once

#include "gstvkcframe.h"

G_BEGIN_DECLS

typedef enum
{
  GST_VKC_DMABUF_NONE,   /* no dmabufs, or ones that have to be copied */
  GST_VKC_DMABUF_PLACED,
  GST_VKC_DMABUF_FAILED, /* there is an error */
} GstVkcDmabufResult;

/* Imports the dmabufs of frame->buffer, in which the planes lie at @offset and
 * with @stride, and fills image, offset, stride and origin of @frame, whose
 * info, buffer and storage are set. @job is to read or (@writes) write it, after
 * what others still do to it; it keeps image and buffer. Linear frames that
 * cannot be imported are NONE, with the reason in @why, which may be NULL;
 * others fail. */
VKC_API GstVkcDmabufResult gst_vkc_dmabuf_place (
    GstVkcFrame *frame, struct vkc_device *device, const gsize offset[],
    const gint stride[], guint64 modifier, gboolean writes, struct vkc_job *job,
    gchar **why, GError **error);

/* Whether @buffer's planes are in dmabufs of their own, which no storage buffer
 * can be, and @device takes them as images. */
VKC_API gboolean gst_vkc_dmabuf_is_for_images (GstBuffer *buffer,
                                               const GstVideoInfo *info,
                                               struct vkc_device *device);

/* The image that a memory or buffer was placed in for writing, of several views
 * the one that is pending; NULL for others. Borrowed. */
struct vkc_image *gst_vkc_dmabuf_memory_image (GstMemory *memory,
                                               struct vkc_device *device);
VKC_API struct vkc_image *gst_vkc_dmabuf_get_image (GstBuffer *buffer,
                                                    struct vkc_device *device);

G_END_DECLS
