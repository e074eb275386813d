/* Where planes lie, what their rows are multiples of, and what is bound. */
#include "kernelframe.h"

#include "gst/base/gstvkccaps.h"
#include "gst/vk/result.h"

const guint kernel_alignments[KERNEL_ALIGNMENTS] = { 1, 4, 16 };

void
kernel_frame_describe (struct vkc_binding_info *info, const char *name,
                       guint binding, enum vkc_storage storage, gboolean writes)
{
  const gboolean image = storage == VKC_STORAGE_IMAGE;

  *info = (struct vkc_binding_info){
    .name = name,
    .binding = binding,
    .type = !image   ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
            : writes ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
                     : VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
    .count = image ? MAX_PLANES : 1,
    .reads = !writes,
    .writes = writes,
  };
}

guint
kernel_alignment_index (gsize bytes)
{
  guint i = KERNEL_ALIGNMENTS - 1;

  while (bytes % kernel_alignments[i] != 0)
    i--;
  return i;
}

guint
kernel_frame_usual_alignment (const GstVideoInfo *info,
                              enum vkc_storage storage)
{
  gsize bits = 0;

  if (storage != VKC_STORAGE_IMAGE) {
    for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++)
      bits |= GST_VIDEO_INFO_PLANE_OFFSET (info, i)
              | (gsize)GST_VIDEO_INFO_PLANE_STRIDE (info, i);
  }
  return kernel_alignments[kernel_alignment_index (bits)];
}

/* Where the planes of a frame lie. */
static void
place_planes (const GstVkcFrame *frame, uint32_t planes[MAX_PLANES][2])
{
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (frame->info); i++) {
    const gboolean image = frame->storage == VKC_STORAGE_IMAGE;

    planes[i][0] = image ? frame->origin_x[i] : frame->offset[i];
    planes[i][1] = image ? frame->origin_y[i] : frame->stride[i];
  }
}

/* The last word of the buffer that holds visible samples. */
static gsize
last_word (const GstVkcFrame *frame)
{
  gsize end = 0;

  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (frame->info); i++)
    end = MAX (end, frame->offset[i]
                        + (gsize)(gst_vkc_plane_rows (frame->info, i) - 1)
                              * frame->stride[i]
                        + gst_vkc_plane_row_bytes (frame->info, i));
  return (end + 3) / 4 - 1;
}

guint
kernel_frame_alignment (const GstVkcFrame *frame)
{
  gsize bits = 0;

  if (frame->storage != VKC_STORAGE_IMAGE) {
    for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (frame->info); i++)
      bits |= frame->offset[i] | (gsize)frame->stride[i];
  }
  return kernel_alignments[kernel_alignment_index (bits)];
}

gboolean
kernel_frame_place (const GstVkcFrame *frame, const char *binding,
                    uint32_t planes[MAX_PLANES][2], uint32_t *word,
                    GError **error)
{
  const gsize last
      = frame->storage == VKC_STORAGE_BUFFER ? last_word (frame) : 0;

  /* The kernel counts bytes in 32 bits. */
  if (last >= G_MAXUINT32 / 4) {
    g_set_error (error, VKC_ERROR, VKC_ERROR_REFUSED,
                 "binding `%s`: the frame is larger than 4 GiB", binding);
    return FALSE;
  }
  place_planes (frame, planes);
  *word = (guint32)last;
  return TRUE;
}
