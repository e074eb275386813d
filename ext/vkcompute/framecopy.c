/* A frame from one place to another, as jobs. */
#include "framecopy.h"

#include "gst/base/gstvkccaps.h"
#include "gst/vk/format.h"

/* Bytes of one texel of plane @plane in the images that take part. */
static guint
texel_size (const GstVkcFrame *from, const GstVkcFrame *to, guint plane)
{
  const GstVkcFrame *in_images = to->storage == VKC_STORAGE_IMAGE ? to : from;

  if (in_images->storage != VKC_STORAGE_IMAGE)
    return 1;
  return vkc_format_texel_size (
      vkc_image_params (in_images->image)->planes[plane].format);
}

static gboolean
is_whole_texels (const GstVkcFrame *frame, guint plane, guint texel)
{
  return frame->storage == VKC_STORAGE_IMAGE
         || (frame->offset[plane] % texel == 0
             && frame->stride[plane] % texel == 0);
}

gboolean
frame_copy_in_one_step (const GstVkcFrame *from, const GstVkcFrame *to)
{
  if (from->storage == VKC_STORAGE_IMAGE && to->storage == VKC_STORAGE_IMAGE)
    return FALSE;
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (from->info); i++) {
    const guint texel = texel_size (from, to, i);

    if (!is_whole_texels (from, i, texel) || !is_whole_texels (to, i, texel))
      return FALSE;
  }
  return TRUE;
}

struct vkc_copy_side
frame_copy_side (const GstVkcFrame *frame, guint plane)
{
  return (struct vkc_copy_side){
    .plane = plane,
    .offset = frame->offset[plane],
    .stride = frame->stride[plane],
    .x = frame->origin_x[plane],
    .y = frame->origin_y[plane],
  };
}

gboolean
frame_copy_fill (struct vkc_job *job, const GstVkcFrame *from,
                 const GstVkcFrame *to, GError **error)
{
  struct vkc_copy copies[GST_VIDEO_MAX_PLANES];
  const guint n = GST_VIDEO_INFO_N_PLANES (from->info);

  for (guint i = 0; i < n; i++) {
    const guint texel = texel_size (from, to, i);

    copies[i] = (struct vkc_copy){
      .from = frame_copy_side (from, i),
      .to = frame_copy_side (to, i),
      .width = gst_vkc_plane_row_bytes (from->info, i) / texel,
      .height = gst_vkc_plane_rows (from->info, i),
      .texel_size = texel,
    };
  }
  return vkc_job_set_copy (job, from->image, to->image, n, copies, error);
}

void
frame_from_scratch (GstVkcFrame *frame, const GstVideoInfo *info,
                    struct scratch *scratch)
{
  frame_from_image (frame, info, scratch_image (scratch));
}

struct scratch *
frame_new_scratch (GstVkcFrame *frame, const GstVideoInfo *info,
                   struct scratch_pool *pool, GError **error)
{
  struct scratch *scratch = scratch_new (pool, error);

  if (scratch != NULL)
    frame_from_scratch (frame, info, scratch);
  return scratch;
}

void
frame_from_image (GstVkcFrame *frame, const GstVideoInfo *info,
                  struct vkc_image *image)
{
  *frame = (GstVkcFrame){
    .info = info,
    .image = image,
    .storage = vkc_image_params (image)->storage,
    .is_final = TRUE,
  };
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    frame->offset[i] = GST_VIDEO_INFO_PLANE_OFFSET (info, i);
    frame->stride[i] = GST_VIDEO_INFO_PLANE_STRIDE (info, i);
  }
}
