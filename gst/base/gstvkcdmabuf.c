/* From dmabuf memories to images. */
#include "gstvkcdmabuf.h"

#include <gst/allocators/gstdmabuf.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gst/vk/dmabuf.h"
#include "gst/vk/recorder.h"
#include "gst/vk/result.h"
#include "gstvkccaps.h"
#include "gstvkclog.h"
#include "gstvkcmemory.h"

/* The images that a memory keeps: they go with it. */
static GMutex lock;

static GQuark
images_quark (void)
{
  return g_quark_from_static_string ("gst-vkc-dmabuf-images");
}

/* @memory holds @image from now on; the import of a pool's memory dies with
 * it, not before. */
static void
keep_with (GstMemory *memory, struct vkc_image *image)
{
  GstMiniObject *root = GST_MINI_OBJECT (gst_vkc_root_memory (memory));
  GPtrArray *images;

  g_mutex_lock (&lock);
  images = gst_mini_object_get_qdata (root, images_quark ());
  if (images == NULL) {
    images = g_ptr_array_new_with_free_func ((GDestroyNotify)vkc_image_unref);
    gst_mini_object_set_qdata (root, images_quark (), images,
                               (GDestroyNotify)g_ptr_array_unref);
  }
  if (!g_ptr_array_find (images, image, NULL))
    g_ptr_array_add (images, vkc_image_ref (image));
  g_mutex_unlock (&lock);
}

struct vkc_image *
gst_vkc_dmabuf_memory_image (GstMemory *memory, struct vkc_device *device)
{
  struct vkc_image *image = NULL;
  GPtrArray *images;

  g_mutex_lock (&lock);
  images = gst_mini_object_get_qdata (
      GST_MINI_OBJECT (gst_vkc_root_memory (memory)), images_quark ());
  for (guint i = 0; images != NULL && i < images->len; i++) {
    struct vkc_image *view = g_ptr_array_index (images, i);

    if (vkc_image_device (view) == device
        && (image == NULL || vkc_image_is_pending (view)))
      image = view;
  }
  g_mutex_unlock (&lock);
  return image;
}

struct vkc_image *
gst_vkc_dmabuf_get_image (GstBuffer *buffer, struct vkc_device *device)
{
  return gst_buffer_n_memory (buffer) == 0
             ? NULL
             : gst_vkc_dmabuf_memory_image (gst_buffer_peek_memory (buffer, 0),
                                            device);
}

static gboolean
is_all_dmabuf (GstBuffer *buffer)
{
  const guint n = gst_buffer_n_memory (buffer);

  for (guint i = 0; i < n; i++) {
    if (!gst_is_dmabuf_memory (gst_buffer_peek_memory (buffer, i)))
      return FALSE;
  }
  return n > 0;
}

/* Where plane @i, at byte @offset of the buffer, lies in which dmabuf. */
static gboolean
find_plane (const GstVkcFrame *frame, guint i, gsize offset, gint stride,
            struct vkc_dmabuf_plane *plane)
{
  const gsize row = gst_vkc_plane_row_bytes (frame->info, i);
  const gsize span
      = (gsize)stride * (gst_vkc_plane_rows (frame->info, i) - 1) + row;
  guint index, length;
  GstMemory *memory;
  gsize skip;

  if (!gst_vkc_stride_is_possible (frame->info, stride)
      || !gst_buffer_find_memory (frame->buffer, offset, span, &index, &length,
                                  &skip)
      || length != 1)
    return FALSE;
  memory = gst_buffer_peek_memory (frame->buffer, index);
  plane->fd = gst_dmabuf_memory_get_fd (memory);
  plane->offset = memory->offset + skip;
  plane->stride = stride;
  return TRUE;
}

/* Whether all planes are in one dmabuf, by however many descriptors. */
static gboolean
is_one_dmabuf (const struct vkc_dmabuf *view)
{
  struct stat first, other;

  for (guint i = 1; i < view->n_planes; i++) {
    if (view->planes[i].fd == view->planes[0].fd)
      continue;
    if (fstat (view->planes[0].fd, &first) != 0
        || fstat (view->planes[i].fd, &other) != 0
        || first.st_dev != other.st_dev || first.st_ino != other.st_ino)
      return FALSE;
  }
  return TRUE;
}

static gboolean
view_as_buffer (GstVkcFrame *frame, struct vkc_dmabuf *view)
{
  for (guint i = 0; i < view->n_planes; i++) {
    frame->offset[i] = view->planes[i].offset;
    frame->stride[i] = view->planes[i].stride;
  }
  return is_one_dmabuf (view);
}

static gboolean
view_as_images (const GstVkcFrame *frame, const gint stride[],
                struct vkc_dmabuf *view)
{
  GstVideoInfo info = *frame->info;
  struct vkc_image_params params;

  for (guint i = 0; i < view->n_planes; i++)
    info.stride[i] = stride[i];
  if (!gst_vkc_image_params_from_info (&params, &info, VKC_STORAGE_IMAGE))
    return FALSE;
  for (guint i = 0; i < view->n_planes; i++) {
    view->planes[i].width = params.planes[i].width;
    view->planes[i].height = params.planes[i].height;
    view->planes[i].format = params.planes[i].format;
  }
  return TRUE;
}

static gboolean
make_view (GstVkcFrame *frame, const gsize offset[], const gint stride[],
           guint64 modifier, struct vkc_dmabuf *view)
{
  *view = (struct vkc_dmabuf){
    .storage
    = modifier != VKC_MODIFIER_LINEAR ? VKC_STORAGE_IMAGE : frame->storage,
    .modifier = modifier,
    .n_planes = GST_VIDEO_INFO_N_PLANES (frame->info),
  };
  for (guint i = 0; i < view->n_planes; i++) {
    if (!find_plane (frame, i, offset[i], stride[i], &view->planes[i]))
      return FALSE;
  }
  return view->storage == VKC_STORAGE_BUFFER
             ? view_as_buffer (frame, view)
             : view_as_images (frame, stride, view);
}

gboolean
gst_vkc_dmabuf_is_for_images (GstBuffer *buffer, const GstVideoInfo *info,
                              struct vkc_device *device)
{
  GstVkcFrame frame = { .info = info,
                        .buffer = buffer,
                        .storage = VKC_STORAGE_IMAGE };
  gsize offset[GST_VIDEO_MAX_PLANES];
  gint stride[GST_VIDEO_MAX_PLANES];
  struct vkc_image *image;
  struct vkc_dmabuf view;

  if (gst_buffer_n_memory (buffer) < 2 || !is_all_dmabuf (buffer)
      || !gst_vkc_frame_layout (buffer, info, offset, stride, NULL)
      || !make_view (&frame, offset, stride, VKC_MODIFIER_LINEAR, &view)
      || is_one_dmabuf (&view))
    return FALSE;
  image = vkc_dmabuf_import (device, &view, TRUE, NULL);
  vkc_image_unref (image);
  return image != NULL;
}

/* The last visible byte is in the storage. */
static gboolean
buffer_reaches (const GstVkcFrame *frame, const struct vkc_image *image)
{
  const gsize size = vkc_image_params (image)->size;

  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (frame->info); i++) {
    const gsize end
        = frame->offset[i]
          + (gsize)frame->stride[i] * (gst_vkc_plane_rows (frame->info, i) - 1)
          + gst_vkc_plane_row_bytes (frame->info, i);

    if (GST_ROUND_UP_4 (end) > size)
      return FALSE;
  }
  return TRUE;
}

static struct vkc_image *
import (GstVkcFrame *frame, struct vkc_device *device,
        const struct vkc_dmabuf *view, gboolean writes, GError **error)
{
  GstBuffer *buffer = frame->buffer;
  const gboolean lasts = writes || buffer->pool != NULL;
  struct vkc_image *image = vkc_dmabuf_import (device, view, !lasts, error);

  if (image == NULL)
    return NULL;
  if (view->storage == VKC_STORAGE_BUFFER && !buffer_reaches (frame, image)) {
    g_set_error_literal (error, VKC_ERROR, VKC_ERROR_REFUSED,
                         "the dmabuf ends before the frame does");
    vkc_image_unref (image);
    return NULL;
  }
  for (guint i = 0; lasts && i < gst_buffer_n_memory (buffer); i++)
    keep_with (gst_buffer_peek_memory (buffer, i), image);
  return image;
}

/* Bytes 0 to @end of @memory are in its dmabuf, as far as that can be told. */
static gboolean
holds (GstMemory *memory, gsize end)
{
  const off_t size = lseek (gst_dmabuf_memory_get_fd (memory), 0, SEEK_END);

  return size < 0 || memory->offset + end <= (guint64)size;
}

/* Before the CPU touches the frame: pages behind the end of a dmabuf are
 * mapped like others, but to read them kills the process. */
static gboolean
holds_planes (const GstVkcFrame *frame, const gsize offset[],
              const gint stride[])
{
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (frame->info); i++) {
    const gsize row = gst_vkc_plane_row_bytes (frame->info, i);
    const gsize span = (gsize)ABS ((gssize)stride[i])
                       * (gst_vkc_plane_rows (frame->info, i) - 1);
    const gsize first = stride[i] < 0 ? offset[i] - span : offset[i];
    guint index, length;
    gsize skip, left = span + row;

    if (!gst_buffer_find_memory (frame->buffer, first, left, &index, &length,
                                 &skip))
      return FALSE;
    for (; length-- > 0; index++, skip = 0) {
      GstMemory *memory = gst_buffer_peek_memory (frame->buffer, index);
      const gsize part = MIN (left, memory->size - skip);

      if (!holds (memory, skip + part))
        return FALSE;
      left -= part;
    }
  }
  return TRUE;
}

/* Frames elsewhere are copied, but for tiled ones. */
static GstVkcDmabufResult
without_dmabuf (guint64 modifier, GError **error)
{
  if (modifier == VKC_MODIFIER_LINEAR)
    return GST_VKC_DMABUF_NONE;
  g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_DECODE,
               "a buffer without a dmabuf, where the caps say that frames are "
               "tiled in one");
  return GST_VKC_DMABUF_FAILED;
}

/* What cannot be imported is copied (NONE), if the CPU can read it. */
static GstVkcDmabufResult
not_placed (const GstVkcFrame *frame, const gsize offset[],
            const gint stride[], guint64 modifier, gboolean writes,
            const gchar *text, gchar **why, GError **error)
{
  const gboolean linear = modifier == VKC_MODIFIER_LINEAR;

  if (linear && !holds_planes (frame, offset, stride)) {
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_DECODE,
                 "truncated frame: a dmabuf ends before %dx%d %s does",
                 GST_VIDEO_INFO_WIDTH (frame->info),
                 GST_VIDEO_INFO_HEIGHT (frame->info),
                 GST_VIDEO_INFO_NAME (frame->info));
    return GST_VKC_DMABUF_FAILED;
  }
  if (linear && !writes) {
    if (why != NULL)
      *why = g_strdup (text);
    return GST_VKC_DMABUF_NONE;
  }
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
               "a dmabuf of %s with modifier 0x%016" G_GINT64_MODIFIER
               "x cannot be imported: %s",
               GST_VIDEO_INFO_NAME (frame->info), modifier, text);
  return GST_VKC_DMABUF_FAILED;
}

/* What is still to be written to the same memory by another view of it is
 * submitted: jobs are ordered by the image that they name. */
static gboolean
submit_other_views (const GstVkcFrame *frame, const struct vkc_image *image,
                    struct vkc_device *device, GError **error)
{
  for (guint i = 0; i < gst_buffer_n_memory (frame->buffer); i++) {
    struct vkc_image *pending = gst_vkc_dmabuf_memory_image (
        gst_buffer_peek_memory (frame->buffer, i), device);

    if (pending != NULL && pending != image && vkc_image_is_pending (pending)
        && !vkc_recorder_flush (device->recorder, pending, VKC_FLUSH_DRAIN,
                                false, NULL, NULL, error))
      return FALSE;
  }
  return TRUE;
}

GstVkcDmabufResult
gst_vkc_dmabuf_place (GstVkcFrame *frame, struct vkc_device *device,
                      const gsize offset[], const gint stride[],
                      guint64 modifier, gboolean writes, struct vkc_job *job,
                      gchar **why, GError **error)
{
  g_autoptr (GError) reason = NULL;
  struct vkc_image *image = NULL;
  struct vkc_dmabuf view;

  if (!is_all_dmabuf (frame->buffer))
    return without_dmabuf (modifier, error);
  if (make_view (frame, offset, stride, modifier, &view)
      && view.storage == frame->storage)
    image = import (frame, device, &view, writes, &reason);
  if (image == NULL)
    return not_placed (frame, offset, stride, modifier, writes,
                       reason != NULL
                           ? reason->message
                           : "the storage in use cannot express its layout",
                       why, error);
  /* An output is kept by its memory: the image owns the job that writes it. */
  if (writes) {
    vkc_image_unref (image);
  } else {
    vkc_job_pin (job, image, (GDestroyNotify)vkc_image_unref);
    /* Its pool must not hand it out again. */
    vkc_job_pin (job, gst_buffer_ref (frame->buffer),
                 (GDestroyNotify)gst_buffer_unref);
  }
  if (!submit_other_views (frame, image, device, error)
      || !vkc_job_await_dmabuf (job, image, writes, error))
    return GST_VKC_DMABUF_FAILED;
  frame->image = image;
  return GST_VKC_DMABUF_PLACED;
}
