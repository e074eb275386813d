/* Implicit fences of dmabufs, by way of sync files where there are any. */
#include "gst/vk/fence.h"

#include <errno.h>
#include <linux/dma-buf.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "gst/vk/dmabuf-private.h"
#include "gst/vk/job-private.h"
#include "gst/vk/result.h"

/* Older than the kernel's headers on Debian 12. */
#ifndef DMA_BUF_IOCTL_EXPORT_SYNC_FILE
struct dma_buf_export_sync_file
{
  __u32 flags;
  __s32 fd;
};
struct dma_buf_import_sync_file
{
  __u32 flags;
  __s32 fd;
};
#define DMA_BUF_IOCTL_EXPORT_SYNC_FILE                                        \
  _IOWR (DMA_BUF_BASE, 2, struct dma_buf_export_sync_file)
#define DMA_BUF_IOCTL_IMPORT_SYNC_FILE                                        \
  _IOW (DMA_BUF_BASE, 3, struct dma_buf_import_sync_file)
#endif

static int
system_ioctl (int fd, unsigned long request, void *argument)
{
  int result;

  do
    result = ioctl (fd, request, argument);
  while (result < 0 && errno == EINTR);
  return result;
}

static const struct vkc_dmabuf_calls system_calls = {
  .ioctl = system_ioctl,
  .poll = poll,
};
static const struct vkc_dmabuf_calls *calls = &system_calls;

void
vkc_dmabuf_set_calls (const struct vkc_dmabuf_calls *others)
{
  g_atomic_pointer_set (&calls, others ? others : &system_calls);
}

/* Bounded, and not ended early by signals. */
static bool
poll_until (int fd, short events, int timeout_ms)
{
  const int64_t end = g_get_monotonic_time () + timeout_ms * INT64_C (1000);

  for (;;) {
    struct pollfd item = { .fd = fd, .events = events };
    const int64_t left = (end - g_get_monotonic_time () + 999) / 1000;
    const int n = calls->poll (&item, 1, (int) MAX (left, 0));

    if (n > 0)
      return true;
    if (n == 0 || (errno != EINTR && errno != EAGAIN))
      return false;
  }
}

/* -1: the dmabuf has no fences to tell of. */
static int
export_sync_file (struct vkc_dmabuf_import *import, uint32_t plane, bool writes)
{
  struct dma_buf_export_sync_file request = {
    .flags = writes ? DMA_BUF_SYNC_WRITE : DMA_BUF_SYNC_READ,
    .fd = -1,
  };

  if (calls->ioctl (import->fds[plane], DMA_BUF_IOCTL_EXPORT_SYNC_FILE,
                    &request)
      == 0)
    return request.fd;
  g_atomic_int_set (&import->has_no_fences, true);
  return -1;
}

/* Planes that share a dmabuf share its fences. */
static bool
is_seen (const struct vkc_dmabuf_import *import, uint32_t plane)
{
  for (uint32_t i = 0; i < plane; i++)
    if (memcmp (&import->key.objects[i], &import->key.objects[plane],
                sizeof import->key.objects[i])
        == 0)
      return true;
  return false;
}

static VkSemaphore
take_idle (GArray *idle)
{
  VkSemaphore semaphore;

  if (idle->len == 0)
    return VK_NULL_HANDLE;
  semaphore = g_array_index (idle, VkSemaphore, idle->len - 1);
  g_array_set_size (idle, idle->len - 1);
  return semaphore;
}

static bool
take_semaphore (struct vkc_recorder *recorder, VkSemaphore *semaphore,
                GError **error)
{
  struct vkc_device *device = recorder->device;
  const VkSemaphoreCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
  };

  vkc_recorder_lock (recorder);
  *semaphore = take_idle (recorder->idle_semaphores);
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
    sync_file = export_sync_file (import, plane, writes);
  if (sync_file >= 0) {
    if (!poll_until (sync_file, POLLIN, 0))
      return wait_on_device (job, device, sync_file, error);
    close (sync_file);
    return true;
  }
  if (poll_until (import->fds[plane], writes ? POLLOUT : POLLIN,
                  (int) timeout))
    return true;
  g_set_error (error, VKC_ERROR, VKC_ERROR_TIMEOUT,
               "%s: others still use the dmabuf after %u ms", job->label,
               timeout);
  return false;
}

bool
vkc_job_await_dmabuf (struct vkc_job *job, struct vkc_image *image, bool writes,
                      GError **error)
{
  for (uint32_t i = 0; i < image->params.n_planes; i++)
    if (!is_seen (image->dmabuf, i)
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
  return (void *) batch->waits->data;
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
  semaphore = take_idle (recorder->idle_exportables);
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
      = g_ptr_array_new_with_free_func ((GDestroyNotify) vkc_image_unref);
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

  for (guint i = 0; i < batch->jobs->len; i++) {
    struct vkc_job *job = g_ptr_array_index (batch->jobs, i);

    if (!job->waits)
      continue;
    g_array_append_vals (batch->slot->waits, job->waits->data,
                         job->waits->len);
    g_array_set_size (job->waits, 0);
  }
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

/* Whether all of the dmabufs that hold @image have the fence now. */
static bool
attach (struct vkc_image *image, int sync_file)
{
  struct vkc_dmabuf_import *import = image->dmabuf;

  for (uint32_t i = 0; i < image->params.n_planes; i++) {
    struct dma_buf_import_sync_file request = {
      .flags = DMA_BUF_SYNC_WRITE,
      .fd = sync_file,
    };

    if (is_seen (import, i)
        || calls->ioctl (import->fds[i], DMA_BUF_IOCTL_IMPORT_SYNC_FILE,
                         &request)
               == 0)
      continue;
    g_atomic_int_set (&import->has_no_fences, true);
    return false;
  }
  return true;
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
    if (sync_file >= 0 && !attach (image, sync_file))
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
