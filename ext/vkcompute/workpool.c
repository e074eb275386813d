/* Scratch frames. */
#include "workpool.h"

#include "databuffer.h"

gboolean
work_pool_set (struct work_pool *self, struct vkc_device *device, gsize size,
               GError **error)
{
  struct vkc_image_params params;

  if (size > device->limits.maxStorageBufferRange) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "Frames of this size cannot be given another shape: a step "
                 "needs %" G_GSIZE_FORMAT " bytes, %s allows %u",
                 size, device->name, device->limits.maxStorageBufferRange);
    return FALSE;
  }
  if (self->pool != NULL && self->size == size)
    return TRUE;
  work_pool_clear (self);
  data_buffer_params (&params, size);
  self->size = size;
  self->pool = scratch_pool_new (device, &params);
  return TRUE;
}

void
work_pool_clear (struct work_pool *self)
{
  g_clear_pointer (&self->pool, scratch_pool_unref);
}
