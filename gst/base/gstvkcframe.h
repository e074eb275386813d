/* A buffer resolved for the device: which image holds it and where each plane
 * lies in it. */
#pragma once

#include <gst/video/video.h>

#include "gst/vk/image.h"
#include "gst/vk/job.h"

G_BEGIN_DECLS

typedef struct
{
  const GstVideoInfo *info; /* of the caps; its strides are not the frame's */
  GstBuffer *buffer;        /* borrowed */
  struct vkc_image *image;  /* borrowed: bind it to the job to keep it */
  enum vkc_storage storage; /* gst_vkc_storage_for_caps (), always */

  /* BUFFER storage: bytes from the start of the buffer to the plane's first
   * visible sample (an input's: any value, an output's: a multiple of 4), and
   * from row to row (as gst_vkc_stride_is_possible() says). The buffer may end
   * with the last visible sample, rounded up to 4 bytes. */
  gsize offset[GST_VIDEO_MAX_PLANES];
  guint stride[GST_VIDEO_MAX_PLANES];

  /* IMAGE storage: texel of the plane's first visible sample. An output's are
   * 0. The VkImage may be larger than the frame. */
  guint origin_x[GST_VIDEO_MAX_PLANES];
  guint origin_y[GST_VIDEO_MAX_PLANES];

  /* Of an output: no other element will plan on it, as far as is known. */
  gboolean is_final;
} GstVkcFrame;

/* Binds the frame where the kernel declares it: a storage buffer, or an array
 * of images with one element a plane. */
VKC_API gboolean gst_vkc_frame_bind (const GstVkcFrame *frame,
                                     struct vkc_job *job, guint binding,
                                     GError **error);

/* Where the planes of a frame of @info lie in @buffer: its GstVideoMeta's
 * layout or, without one, @info's. FALSE with @error (STREAM/DECODE) when the
 * buffer ends before the frame does or its meta is of another format or size.
 */
gboolean gst_vkc_frame_layout (GstBuffer *buffer, const GstVideoInfo *info,
                               gsize offset[GST_VIDEO_MAX_PLANES],
                               gint stride[GST_VIDEO_MAX_PLANES],
                               GError **error);

/* Places @buffer, without a copy, in the image that its memory is; @offset and
 * @stride as gst_vkc_frame_layout() says. FALSE where that cannot be: no memory
 * of ours or of another device, other storage, a layout that the storage cannot
 * express. @info must outlive @frame. */
gboolean gst_vkc_frame_place (GstVkcFrame *frame, const GstVideoInfo *info,
                              GstBuffer *buffer, struct vkc_device *device,
                              const gsize offset[], const gint stride[]);

G_END_DECLS
