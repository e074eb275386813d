/* Input frames: in place, imported or copied. */
#include "gstvkcinput.h"

#include <string.h>

#include "gst/vk/dmabuf.h"
#include "gst/vk/recorder.h"
#include "gstvkccaps.h"
#include "gstvkcdmabuf.h"
#include "gstvkchostimport.h"
#include "gstvkclog.h"
#include "gstvkcmemory.h"

struct gst_vkc_input
{
  struct vkc_device *device;
  GstVkcAllocator *uploads; /* of frames that have to be copied */
  guint64 modifier;         /* of dmabufs */
  gboolean in_images;       /* whatever is usual */
  gboolean is_settled;      /* whether that is so */
  gboolean has_warned;      /* that dmabufs are copied */
};

/* Keeps a foreign buffer mapped while the device reads it. */
struct mapped_buffer
{
  GstBuffer *buffer;
  GstMapInfo map;
  struct vkc_image *image;
};

struct gst_vkc_input *
gst_vkc_input_new (struct vkc_device *device)
{
  struct gst_vkc_input *input = g_new0 (struct gst_vkc_input, 1);

  input->device = vkc_device_ref (device);
  input->uploads = gst_vkc_allocator_new (device);
  return input;
}

void
gst_vkc_input_free (struct gst_vkc_input *input)
{
  if (input == NULL)
    return;
  gst_object_unref (input->uploads);
  vkc_dmabuf_trim (input->device);
  vkc_device_unref (input->device);
  g_free (input);
}

void
gst_vkc_input_set_modifier (struct gst_vkc_input *input, guint64 modifier)
{
  input->modifier = modifier;
  input->in_images = modifier != VKC_MODIFIER_LINEAR;
  input->is_settled = input->in_images || !input->device->can_import_dmabuf;
}

/* Of frames that come in one memory nobody can say what the next ones do. */
gboolean
gst_vkc_input_wants_images (struct gst_vkc_input *input,
                            const GstVideoInfo *info, GstBuffer *buffer)
{
  if (input->is_settled || gst_buffer_n_memory (buffer) < 2)
    return FALSE;
  input->is_settled = TRUE;
  return gst_vkc_storage_for (info) == VKC_STORAGE_BUFFER
         && gst_vkc_dmabuf_is_for_images (buffer, info, input->device);
}

void
gst_vkc_input_use_images (struct gst_vkc_input *input)
{
  input->in_images = TRUE;
}

/* The import goes first: it must not outlive its pages. */
static void
free_mapped (gpointer data)
{
  struct mapped_buffer *mapped = data;

  vkc_image_unref (mapped->image);
  gst_buffer_unmap (mapped->buffer, &mapped->map);
  gst_buffer_unref (mapped->buffer);
  g_free (mapped);
}

static gboolean
strides_are_possible (const GstVideoInfo *info, const gint stride[])
{
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    if (!gst_vkc_stride_is_possible (info, stride[i]))
      return FALSE;
  }
  return TRUE;
}

static gboolean
import_in_place (struct gst_vkc_input *input, GstVkcFrame *frame,
                 const gsize offset[], const gint stride[], struct vkc_job *job)
{
  struct mapped_buffer *mapped;
  struct vkc_image *image;
  GstMapInfo map;
  gsize start;

  if (frame->storage != VKC_STORAGE_BUFFER
      || gst_buffer_n_memory (frame->buffer) != 1
      || !gst_vkc_host_import_is_possible (
          input->device, gst_buffer_peek_memory (frame->buffer, 0))
      || !strides_are_possible (frame->info, stride)
      || !gst_buffer_map (frame->buffer, &map, GST_MAP_READ))
    return FALSE;

  image = gst_vkc_host_import (input->device, &map, frame->buffer->pool != NULL,
                               &start);
  if (image == NULL) {
    gst_buffer_unmap (frame->buffer, &map);
    return FALSE;
  }
  mapped = g_new (struct mapped_buffer, 1);
  *mapped = (struct mapped_buffer){ .buffer = gst_buffer_ref (frame->buffer),
                                    .map = map,
                                    .image = image };
  vkc_job_pin (job, mapped, free_mapped);

  frame->image = image;
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (frame->info); i++) {
    frame->offset[i] = start + offset[i];
    frame->stride[i] = stride[i];
  }
  return TRUE;
}

/* Copies the rows of a plane, which may lie in any of the buffer's memories or
 * across them. */
static gboolean
copy_plane (GstBuffer *buffer, const GstVideoInfo *info, guint plane,
            gsize offset, gint stride, guint8 *target)
{
  const guint rows = gst_vkc_plane_rows (info, plane);
  const gsize row_bytes = gst_vkc_plane_row_bytes (info, plane);
  const gsize span = (gsize)ABS ((gssize)stride) * (rows - 1);
  const gsize first = stride < 0 ? offset - span : offset;
  guint index, length;
  const guint8 *source;
  GstMapInfo map;
  gsize skip;

  if (!gst_buffer_find_memory (buffer, first, span + row_bytes, &index, &length,
                               &skip)
      || !gst_buffer_map_range (buffer, index, length, &map, GST_MAP_READ))
    return FALSE;

  source = map.data + skip + (offset - first);
  for (guint y = 0; y < rows; y++)
    memcpy (target + (gsize)y * GST_VIDEO_INFO_PLANE_STRIDE (info, plane),
            source + (gssize)y * stride, row_bytes);
  gst_buffer_unmap (buffer, &map);
  return TRUE;
}

static gboolean
copy_planes (GstVkcFrame *frame, const gsize offset[], const gint stride[],
             GstMemory *memory, GError **error)
{
  const GstVideoInfo *info = frame->info;
  gboolean ok = TRUE;
  GstMapInfo map;

  if (!gst_memory_map (memory, &map, GST_MAP_WRITE)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
                 "no host memory for a frame");
    return FALSE;
  }
  for (guint i = 0; ok && i < GST_VIDEO_INFO_N_PLANES (info); i++)
    ok = copy_plane (frame->buffer, info, i, offset[i], stride[i],
                     map.data + GST_VIDEO_INFO_PLANE_OFFSET (info, i));
  gst_memory_unmap (memory, &map);
  if (!ok)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
                 "a buffer could not be mapped");
  return ok;
}

static gboolean
copy (struct gst_vkc_input *input, GstVkcFrame *frame, const gsize offset[],
      const gint stride[], struct vkc_job *job, GError **error)
{
  const GstVideoInfo *info = frame->info;
  GstMemory *memory
      = gst_vkc_allocator_alloc_frame (input->uploads, info, frame->storage,
                                       error);

  if (memory == NULL)
    return FALSE;
  vkc_job_pin (job, memory, (GDestroyNotify)gst_memory_unref);
  /* Mapping would not say why it failed. */
  if (!vkc_image_reserve_host (((GstVkcMemory *)memory)->image, error)
      || !copy_planes (frame, offset, stride, memory, error))
    return FALSE;
  /* Where the CPU does not write the storage itself, the recorder counts when
   * it brings the frame over. */
  if (frame->storage == VKC_STORAGE_BUFFER && input->device->has_direct_memory)
    vkc_recorder_count_upload (input->device->recorder);

  frame->image = ((GstVkcMemory *)memory)->image;
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    frame->offset[i] = GST_VIDEO_INFO_PLANE_OFFSET (info, i);
    frame->stride[i] = GST_VIDEO_INFO_PLANE_STRIDE (info, i);
  }
  return TRUE;
}

static GstVkcDmabufResult
place_dmabuf (struct gst_vkc_input *input, GstVkcFrame *frame,
              const gsize offset[], const gint stride[], struct vkc_job *job,
              GError **error)
{
  g_autofree gchar *why = NULL;
  const GstVkcDmabufResult result
      = gst_vkc_dmabuf_place (frame, input->device, offset, stride,
                              input->modifier, FALSE, job, &why, error);

  if (why != NULL && !input->has_warned) {
    GST_WARNING ("dmabufs of %s are copied: %s",
                 GST_VIDEO_INFO_NAME (frame->info), why);
    input->has_warned = TRUE;
  }
  return result;
}

gboolean
gst_vkc_input_resolve (struct gst_vkc_input *input, GstVkcFrame *frame,
                       const GstVideoInfo *info, GstBuffer *buffer,
                       struct vkc_job *job, GError **error)
{
  gsize offset[GST_VIDEO_MAX_PLANES];
  gint stride[GST_VIDEO_MAX_PLANES];

  if (!gst_vkc_frame_layout (buffer, info, offset, stride, error))
    return FALSE;
  if (gst_vkc_frame_place (frame, info, buffer, input->device, offset,
                           stride)) {
    /* The buffer, not only its memory: its pool must not reuse it. */
    vkc_job_pin_frame (job, gst_buffer_ref (buffer),
                       (GDestroyNotify)gst_buffer_unref, frame->image,
                       gst_vkc_buffer_is_sole);
    return TRUE;
  }

  *frame = (GstVkcFrame){ .info = info,
                          .buffer = buffer,
                          .storage = input->in_images
                                         ? VKC_STORAGE_IMAGE
                                         : gst_vkc_storage_for (info) };
  switch (place_dmabuf (input, frame, offset, stride, job, error)) {
  case GST_VKC_DMABUF_PLACED:
    return TRUE;
  case GST_VKC_DMABUF_FAILED:
    return FALSE;
  default:
    break;
  }
  return import_in_place (input, frame, offset, stride, job)
         || copy (input, frame, offset, stride, job, error);
}
