/* One copy in place of two ways through the bus. */
#include "localcopy.h"

#include "gst/base/gstvkccaps.h"
#include "gst/vk/recorder.h"

struct localcopy
{
  struct vkc_device *device; /* borrowed */
  struct scratch_pool *pool;
  gsize size; /* bytes of each of its images */
};

struct localcopy *
localcopy_new (struct vkc_device *device)
{
  struct localcopy *self = g_new0 (struct localcopy, 1);

  self->device = device;
  return self;
}

void
localcopy_free (struct localcopy *self)
{
  if (self == NULL)
    return;
  scratch_pool_unref (self->pool);
  g_free (self);
}

/* Images, which drivers tile, come from the device itself. */
static gboolean
pays (const GstVkcFrame *frame)
{
  return frame->storage == VKC_STORAGE_BUFFER
         && vkc_image_is_remote (frame->image);
}

/* The bytes of @frame's buffer that have all of its samples. */
static void
find_span (const GstVkcFrame *frame, gsize *first, gsize *end)
{
  *first = G_MAXSIZE;
  *end = 0;
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (frame->info); i++) {
    const gsize rows = gst_vkc_plane_rows (frame->info, i);

    *first = MIN (*first, frame->offset[i]);
    *end = MAX (*end, frame->offset[i] + (rows - 1) * frame->stride[i]
                          + gst_vkc_plane_row_bytes (frame->info, i));
  }
}

/* One stream's frames have one layout, unless upstream changes its mind. */
static void
reserve (struct localcopy *self, gsize size)
{
  struct vkc_image_params params
      = { .storage = VKC_STORAGE_BUFFER,
          .n_planes = 1,
          .planes = { { .width = 1, .height = 1, .stride = 4 } } };

  if (size == self->size)
    return;
  self->size = params.size = size;
  scratch_pool_unref (self->pool);
  self->pool = scratch_pool_new (self->device, &params);
}

static gboolean
append_copy (struct localcopy *self, const GstVkcFrame *frame,
             const struct vkc_copy *span, struct scratch *scratch,
             struct vkc_job *job, GError **error)
{
  struct vkc_job *step = vkc_job_new_step (job);

  if (vkc_job_set_copy (step, frame->image, scratch_image (scratch), 1, span,
                        error))
    return vkc_recorder_append (self->device->recorder, step, error);
  vkc_job_unref (step);
  return FALSE;
}

gboolean
localcopy_plan (struct localcopy *self, const GstVkcFrame *frame,
                struct vkc_job *job, GstVkcFrame *local,
                struct scratch **scratch, GError **error)
{
  struct vkc_copy span = { .height = 1, .texel_size = 1 };
  gsize end;

  *local = *frame;
  *scratch = NULL;
  if (!pays (frame))
    return TRUE;
  find_span (frame, &span.from.offset, &end);
  span.width = (guint32)(end - span.from.offset);
  reserve (self, span.width);
  *scratch = scratch_new (self->pool, error);
  if (*scratch == NULL)
    return FALSE;
  local->image = scratch_image (*scratch);
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (frame->info); i++)
    local->offset[i] -= span.from.offset;
  scratch_pin (*scratch, job);
  return append_copy (self, frame, &span, *scratch, job, error);
}
