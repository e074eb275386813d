/* Our fences: how others learn that a submission is over. */
#include "gst/vk/fence.h"

#include <unistd.h>

#include "gst/vk/job-private.h"
#include "gst/vk/syncfile.h"

VkSemaphore
vkc_fence_take_idle (GArray *idle)
{
  VkSemaphore semaphore;

  if (idle->len == 0)
    return VK_NULL_HANDLE;
  semaphore = g_array_index (idle, VkSemaphore, idle->len - 1);
  g_array_set_size (idle, idle->len - 1);
  return semaphore;
}

/* The dmabufs that @job writes and that take fences. */
static struct vkc_image *
fenced_output (const struct vkc_job *job, uint32_t i)
{
  struct vkc_image *image = job->images[i].image;

  return job->images[i].writes && image->dmabuf
                 && !g_atomic_int_get (&image->dmabuf->has_no_fences)
             ? image
             : NULL;
}

static bool
writes_fenced (const struct vkc_batch *batch)
{
  for (guint i = 0; i < batch->jobs->len; i++) {
    const struct vkc_job *job = g_ptr_array_index (batch->jobs, i);

    for (uint32_t k = 0; k < job->n_images; k++)
      if (fenced_output (job, k))
        return true;
  }
  return false;
}

/* What was delivered and is over: a semaphore without its signal is free again,
 * any other goes. */
static void
retire_delivered (struct vkc_recorder *recorder, uint64_t reached)
{
  struct vkc_device *device = recorder->device;

  for (guint i = recorder->delivered->len; i-- > 0;) {
    const struct vkc_outgoing_fence *fence
        = &g_array_index (recorder->delivered, struct vkc_outgoing_fence, i);

    if (fence->value > reached)
      continue;
    if (fence->is_exported)
      g_array_append_val (recorder->idle_exportables, fence->semaphore);
    else
      device->vk.DestroySemaphore (device->handle, fence->semaphore, NULL);
    g_array_remove_index_fast (recorder->delivered, i);
  }
}

VkSemaphore
vkc_fence_signal (struct vkc_recorder *recorder)
{
  struct vkc_device *device = recorder->device;
  const VkExportSemaphoreCreateInfo export = {
    .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
    .handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT,
  };
  const VkSemaphoreCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
    .pNext = &export,
  };
  VkSemaphore semaphore;

  if (!device->has_sync_fd || !writes_fenced (&recorder->batch))
    return VK_NULL_HANDLE;
  retire_delivered (recorder, recorder->completed);
  semaphore = vkc_fence_take_idle (recorder->idle_exportables);
  if (!semaphore
      && device->vk.CreateSemaphore (device->handle, &info, NULL, &semaphore)
             != VK_SUCCESS)
    return VK_NULL_HANDLE; /* then the host waits */
  return semaphore;
}

void
vkc_fence_refused (struct vkc_recorder *recorder, VkSemaphore signal)
{
  if (signal)
    g_array_append_val (recorder->idle_exportables, signal);
}

static void
note_written (struct vkc_outgoing_fence *fence, const struct vkc_batch *batch)
{
  fence->images
      = g_ptr_array_new_with_free_func ((GDestroyNotify)vkc_image_unref);
  for (guint i = 0; i < batch->jobs->len; i++) {
    const struct vkc_job *job = g_ptr_array_index (batch->jobs, i);

    for (uint32_t k = 0; k < job->n_images; k++) {
      struct vkc_image *image = fenced_output (job, k);

      if (image)
        g_ptr_array_add (fence->images, vkc_image_ref (image));
    }
  }
}

void
vkc_fence_accepted (struct vkc_recorder *recorder, VkSemaphore signal,
                    uint64_t value)
{
  struct vkc_batch *batch = &recorder->batch;
  struct vkc_outgoing_fence fence = { .semaphore = signal, .value = value };

  if (!signal)
    return;
  note_written (&fence, batch);
  if (!batch->fences)
    batch->fences
        = g_array_new (FALSE, FALSE, sizeof (struct vkc_outgoing_fence));
  g_array_append_val (batch->fences, fence);
}

GArray *
vkc_fence_take (struct vkc_recorder *recorder)
{
  return g_steal_pointer (&recorder->batch.fences);
}

static void
deliver (struct vkc_recorder *recorder, struct vkc_outgoing_fence *fence)
{
  struct vkc_device *device = recorder->device;
  const VkSemaphoreGetFdInfoKHR info = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
    .semaphore = fence->semaphore,
    .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT,
  };
  int sync_file = -1;
  const bool ok
      = device->vk.GetSemaphoreFdKHR (device->handle, &info, &sync_file)
        == VK_SUCCESS;

  fence->is_exported = ok;
  for (guint i = 0; ok && i < fence->images->len; i++) {
    struct vkc_image *image = g_ptr_array_index (fence->images, i);

    /* A driver may say with -1 that all is over already. */
    if (sync_file >= 0 && !vkc_sync_file_attach (image->dmabuf, sync_file))
      continue;
    vkc_recorder_lock (recorder);
    image->dmabuf->fenced = MAX (image->dmabuf->fenced, fence->value);
    vkc_recorder_unlock (recorder);
  }
  if (ok && sync_file >= 0)
    close (sync_file);
  g_clear_pointer (&fence->images, g_ptr_array_unref);
  vkc_recorder_lock (recorder);
  g_array_append_val (recorder->delivered, *fence);
  vkc_recorder_unlock (recorder);
}

void
vkc_fence_deliver (struct vkc_recorder *recorder, GArray *fences)
{
  if (!fences)
    return;
  for (guint i = 0; i < fences->len; i++)
    deliver (recorder, &g_array_index (fences, struct vkc_outgoing_fence, i));
  g_array_unref (fences);
}

static void
destroy_all (struct vkc_device *device, GArray *semaphores)
{
  for (guint i = 0; i < semaphores->len; i++)
    device->vk.DestroySemaphore (
        device->handle, g_array_index (semaphores, VkSemaphore, i), NULL);
  g_array_unref (semaphores);
}

void
vkc_fence_clear (struct vkc_recorder *recorder)
{
  retire_delivered (recorder, UINT64_MAX);
  g_array_unref (recorder->delivered);
  destroy_all (recorder->device, recorder->idle_semaphores);
  destroy_all (recorder->device, recorder->idle_exportables);
}

bool
vkc_dmabuf_publish (struct vkc_image *image, uint64_t done, GError **error)
{
  struct vkc_recorder *recorder = image->device->recorder;
  bool fenced;

  vkc_recorder_lock (recorder);
  fenced = image->dmabuf->fenced >= done;
  vkc_recorder_unlock (recorder);
  return fenced || vkc_recorder_wait (recorder, done, error);
}
