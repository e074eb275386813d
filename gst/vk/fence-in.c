/* Others' fences: what a submission waits for. */
#include "gst/vk/fence.h"

#include <unistd.h>

#include "gst/vk/job-private.h"
#include "gst/vk/result.h"
#include "gst/vk/syncfile.h"

static bool
take_semaphore (struct vkc_recorder *recorder, VkSemaphore *semaphore,
                GError **error)
{
  struct vkc_device *device = recorder->device;
  const VkSemaphoreCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
  };

  vkc_recorder_lock (recorder);
  *semaphore = vkc_fence_take_idle (recorder->idle_semaphores);
  vkc_recorder_unlock (recorder);
  return *semaphore
         || vkc_check (device->vk.CreateSemaphore (device->handle, &info, NULL,
                                                   semaphore),
                       "vkCreateSemaphore", error);
}

/* The submission of @job waits for @sync_file, which is taken. */
static bool
wait_on_device (struct vkc_job *job, struct vkc_device *device, int sync_file,
                GError **error)
{
  VkImportSemaphoreFdInfoKHR info = {
    .sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
    .flags = VK_SEMAPHORE_IMPORT_TEMPORARY_BIT,
    .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT,
    .fd = sync_file,
  };

  if (take_semaphore (device->recorder, &info.semaphore, error)) {
    if (!job->waits) {
      job->waits = g_array_new (FALSE, FALSE, sizeof (VkSemaphore));
      job->waits_device = vkc_device_ref (device);
    }
    g_array_append_val (job->waits, info.semaphore);
    if (vkc_check (device->vk.ImportSemaphoreFdKHR (device->handle, &info),
                   "vkImportSemaphoreFdKHR", error))
      return true;
    /* Without a payload nobody may wait for it. */
    g_array_set_size (job->waits, job->waits->len - 1);
    device->vk.DestroySemaphore (device->handle, info.semaphore, NULL);
  }
  close (sync_file);
  return false;
}

static bool
await_plane (struct vkc_job *job, struct vkc_image *image, uint32_t plane,
             bool writes, GError **error)
{
  struct vkc_device *device = image->device;
  struct vkc_dmabuf_import *import = image->dmabuf;
  const uint32_t timeout = device->recorder->settings.timeout_ms;
  int sync_file = -1;

  if (device->has_sync_fd && !g_atomic_int_get (&import->has_no_fences))
    sync_file = vkc_sync_file_export (import, plane, writes);
  if (sync_file >= 0) {
    if (!vkc_poll_until (sync_file, POLLIN, 0))
      return wait_on_device (job, device, sync_file, error);
    close (sync_file);
    return true;
  }
  if (vkc_poll_until (import->fds[plane], writes ? POLLOUT : POLLIN,
                      (int)timeout))
    return true;
  g_set_error (error, VKC_ERROR, VKC_ERROR_TIMEOUT,
               "%s: others still use the dmabuf after %u ms",
               vkc_owner_name (job->owner), timeout);
  return false;
}

bool
vkc_job_await_dmabuf (struct vkc_job *job, struct vkc_image *image, bool writes,
                      GError **error)
{
  for (uint32_t i = 0; i < image->params.n_planes; i++)
    if (!vkc_sync_file_is_shared (image->dmabuf, i)
        && !await_plane (job, image, i, writes, error))
      return false;
  return true;
}

void
vkc_fence_drop_waits (struct vkc_job *job)
{
  struct vkc_device *device = job->waits_device;

  if (!job->waits)
    return;
  for (guint i = 0; i < job->waits->len; i++)
    device->vk.DestroySemaphore (
        device->handle, g_array_index (job->waits, VkSemaphore, i), NULL);
  g_clear_pointer (&job->waits, g_array_unref);
  vkc_device_unref (g_steal_pointer (&job->waits_device));
}

const VkSemaphoreSubmitInfo *
vkc_fence_waits (struct vkc_recorder *recorder, uint32_t *n)
{
  struct vkc_batch *batch = &recorder->batch;

  g_array_set_size (batch->waits, 0);
  for (guint i = 0; i < batch->jobs->len; i++) {
    const struct vkc_job *job = g_ptr_array_index (batch->jobs, i);

    for (guint k = 0; job->waits && k < job->waits->len; k++) {
      const VkSemaphoreSubmitInfo wait = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = g_array_index (job->waits, VkSemaphore, k),
        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
      };

      g_array_append_val (batch->waits, wait);
    }
  }
  *n = batch->waits->len;
  return (void *)batch->waits->data;
}

void
vkc_fence_waits_accepted (struct vkc_recorder *recorder)
{
  struct vkc_batch *batch = &recorder->batch;

  for (guint i = 0; i < batch->jobs->len; i++) {
    struct vkc_job *job = g_ptr_array_index (batch->jobs, i);

    if (!job->waits)
      continue;
    g_array_append_vals (batch->slot->waits, job->waits->data, job->waits->len);
    g_array_set_size (job->waits, 0);
  }
}
