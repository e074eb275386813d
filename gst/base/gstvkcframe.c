/* From a buffer to the places of its planes. */
#include "gstvkcframe.h"

#include "gst/vk/format.h"
#include "gstvkccaps.h"
#include "gstvkcdrm.h"
#include "gstvkcmemory.h"

gboolean
gst_vkc_frame_bind (const GstVkcFrame *frame, struct vkc_job *job,
                    guint binding, GError **error)
{
  return vkc_job_bind (job, binding, frame->image, 0,
                       GST_VIDEO_INFO_N_PLANES (frame->info), error);
}

/* The bytes that a plane with its first row at @offset covers. */
static gboolean
plane_fits (const GstVideoInfo *info, guint plane, gsize offset, gint stride,
            gsize size)
{
  const gsize rows = gst_vkc_plane_rows (info, plane);
  const gsize row_bytes = gst_vkc_plane_row_bytes (info, plane);
  const gsize span = (rows - 1) * (gsize)ABS ((gssize)stride);

  if (offset > size)
    return FALSE;
  /* A picture may be stored bottom up. */
  if (stride < 0)
    return span <= offset && size - offset >= row_bytes;
  return size - offset >= row_bytes && size - offset - row_bytes >= span;
}

/* Producers of dmabufs may call the format DMA_DRM there as well as in caps. */
static gboolean
is_format (GstVideoFormat format, const GstVideoInfo *info)
{
  return format == GST_VIDEO_INFO_FORMAT (info)
         || (gst_vkc_drm_is_known ()
             && format == gst_video_format_from_string (GST_VKC_DMA_DRM));
}

gboolean
gst_vkc_frame_layout (GstBuffer *buffer, const GstVideoInfo *info,
                      gsize offset[GST_VIDEO_MAX_PLANES],
                      gint stride[GST_VIDEO_MAX_PLANES], GError **error)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  const gsize size = gst_buffer_get_size (buffer);

  if (meta != NULL
      && (!is_format (meta->format, info)
          || meta->width != (guint)GST_VIDEO_INFO_WIDTH (info)
          || meta->height != (guint)GST_VIDEO_INFO_HEIGHT (info)
          || meta->n_planes != GST_VIDEO_INFO_N_PLANES (info))) {
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_DECODE,
                 "buffer of a %ux%u frame where the caps say %dx%d %s",
                 meta->width, meta->height, GST_VIDEO_INFO_WIDTH (info),
                 GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_NAME (info));
    return FALSE;
  }

  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    offset[i] = meta ? meta->offset[i] : GST_VIDEO_INFO_PLANE_OFFSET (info, i);
    stride[i] = meta ? meta->stride[i] : GST_VIDEO_INFO_PLANE_STRIDE (info, i);
    if (plane_fits (info, i, offset[i], stride[i], size))
      continue;
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_DECODE,
                 "truncated frame: %" G_GSIZE_FORMAT
                 " bytes end before plane %u of %dx%d %s does",
                 size, i, GST_VIDEO_INFO_WIDTH (info),
                 GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_NAME (info));
    return FALSE;
  }
  return TRUE;
}

/* Where a plane at byte @start of the linear layout is in the plane's image. */
static gboolean
locate_in_image (GstVkcFrame *frame, const struct vkc_plane *have,
                 const struct vkc_plane *want, guint plane, gsize start)
{
  const guint texel = vkc_format_texel_size (have->format);
  gsize delta, x, y;

  if (have->format != want->format || have->stride != want->stride
      || start < have->offset)
    return FALSE;
  delta = start - have->offset;
  x = delta % have->stride;
  y = delta / have->stride;
  if (x % texel != 0 || x / texel + want->width > have->width
      || y + want->height > have->height)
    return FALSE;
  frame->origin_x[plane] = x / texel;
  frame->origin_y[plane] = y;
  return TRUE;
}

/* @offset counts from the start of the linear layout, here and below. */
static gboolean
locate_in_images (GstVkcFrame *frame, const struct vkc_image_params *have,
                  const gsize offset[], const gint stride[])
{
  struct vkc_image_params want;
  GstVideoInfo info = *frame->info;

  for (guint i = 0; i < have->n_planes; i++)
    info.stride[i] = stride[i];
  if (!gst_vkc_image_params_from_info (&want, &info, VKC_STORAGE_IMAGE))
    return FALSE;
  for (guint i = 0; i < have->n_planes; i++) {
    if (!locate_in_image (frame, &have->planes[i], &want.planes[i], i,
                          offset[i]))
      return FALSE;
  }
  return TRUE;
}

static gboolean
locate_in_buffer (GstVkcFrame *frame, const gsize offset[], const gint stride[])
{
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (frame->info); i++) {
    if (!gst_vkc_stride_is_possible (frame->info, stride[i]))
      return FALSE;
    frame->offset[i] = offset[i];
    frame->stride[i] = stride[i];
  }
  return TRUE;
}

gboolean
gst_vkc_frame_place (GstVkcFrame *frame, const GstVideoInfo *info,
                     GstBuffer *buffer, struct vkc_device *device,
                     const gsize offset[], const gint stride[])
{
  struct vkc_image *image = gst_vkc_buffer_get_image (buffer);
  const struct vkc_image_params *params;
  gsize from_start[GST_VIDEO_MAX_PLANES];

  if (image == NULL || vkc_image_device (image) != device)
    return FALSE;
  params = vkc_image_params (image);
  if (params->storage != gst_vkc_storage_for (info)
      || params->n_planes != GST_VIDEO_INFO_N_PLANES (info))
    return FALSE;

  *frame = (GstVkcFrame){
    .info = info, .buffer = buffer, .image = image, .storage = params->storage
  };
  for (guint i = 0; i < params->n_planes; i++)
    from_start[i] = gst_buffer_peek_memory (buffer, 0)->offset + offset[i];
  return params->storage == VKC_STORAGE_BUFFER
             ? locate_in_buffer (frame, from_start, stride)
             : locate_in_images (frame, params, from_start, stride);
}
