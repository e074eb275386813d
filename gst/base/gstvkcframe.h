/* A buffer resolved for the device: which image holds it and where each plane
 * lies in it. */
#pragma once

#include <gst/video/video.h>

#include "gst/vk/image.h"
#include "gst/vk/job.h"

G_BEGIN_DECLS

typedef struct
{
  const GstVideoInfo *info;
  GstBuffer *buffer; /* borrowed */
  struct vkc_image *image;
  enum vkc_storage storage;

  /* BUFFER storage: bytes from the start of the buffer to the plane's first
   * visible sample (any value), and from row to row (a multiple of 4). */
  gsize offset[GST_VIDEO_MAX_PLANES];
  guint stride[GST_VIDEO_MAX_PLANES];

  /* IMAGE storage: texel of the plane's first visible sample. */
  guint origin_x[GST_VIDEO_MAX_PLANES];
  guint origin_y[GST_VIDEO_MAX_PLANES];
} GstVkcFrame;

/* Binds the frame where the kernel declares it: a storage buffer, or an array
 * of images with one element a plane. */
VKC_API gboolean gst_vkc_frame_bind (const GstVkcFrame *frame,
                                     struct vkc_job *job, guint binding,
                                     GError **error);

G_END_DECLS
