/* The CPU's side of a frame, and questions about its state. */
#include "gst/vk/image-private.h"

#include "gst/vk/recorder-private.h"
#include "gst/vk/result.h"

static bool
check_not_lost (struct vkc_image *image, GError **error)
{
  struct vkc_recorder *recorder = image->device->recorder;
  bool lost;

  vkc_recorder_lock (recorder);
  lost = image->failed;
  vkc_recorder_unlock (recorder);
  if (lost)
    g_set_error_literal (error, VKC_ERROR, VKC_ERROR_FAILED,
                         "the frame was lost with its job");
  return !lost;
}

/* Whoever learns of a failure tells the owner at once. */
static void
blame_writer (struct vkc_image *image, const GError *error)
{
  struct vkc_recorder *recorder = image->device->recorder;
  struct vkc_owner *writer;

  vkc_recorder_lock (recorder);
  writer = image->writer ? vkc_owner_ref (image->writer) : NULL;
  vkc_recorder_unlock (recorder);
  if (writer)
    vkc_owner_fail (writer, error);
  vkc_owner_unref (writer);
}

/* A reader waits for the content, a writer for every use of the storage. */
static bool
wait_for_access (struct vkc_image *image, enum vkc_map_flags flags,
                 uint64_t done, GError **error)
{
  struct vkc_recorder *recorder = image->device->recorder;
  g_autoptr (GError) reason = NULL;

  if (flags & VKC_MAP_WRITE) {
    vkc_recorder_lock (recorder);
    done = MAX (done, image->last_use);
    vkc_recorder_unlock (recorder);
  }
  if (vkc_recorder_wait (recorder, done, &reason))
    return true;
  blame_writer (image, reason);
  g_propagate_error (error, g_steal_pointer (&reason));
  return false;
}

bool
vkc_image_settle (struct vkc_image *image, enum vkc_map_flags flags,
                  GError **error)
{
  uint64_t done;

  return vkc_recorder_flush (image->device->recorder, image, VKC_FLUSH_MAP,
                             true, NULL, &done, error)
         && wait_for_access (image, flags, done, error)
         && check_not_lost (image, error);
}

void *
vkc_image_map (struct vkc_image *image, enum vkc_map_flags flags,
               GError **error)
{
  if (!vkc_image_reserve_host (image, error))
    return NULL;
  vkc_image_settle (image, flags, error);
  return vkc_image_host_side (image)->host;
}

void
vkc_image_unmap (struct vkc_image *image, enum vkc_map_flags flags)
{
  struct vkc_recorder *recorder = image->device->recorder;

  if (!(flags & VKC_MAP_WRITE))
    return;
  vkc_recorder_lock (recorder);
  image->failed = false;
  image->state.host_valid = true;
  image->state.device_valid = image->is_direct || image->dmabuf;
  vkc_recorder_unlock (recorder);
}

bool
vkc_image_is_idle (struct vkc_image *image)
{
  struct vkc_recorder *recorder = image->device->recorder;
  bool idle;

  vkc_recorder_lock (recorder);
  idle = image->planned == 0
         && vkc_recorder_is_reached (recorder, image->last_use);
  vkc_recorder_unlock (recorder);
  return idle;
}

bool
vkc_image_is_pending (struct vkc_image *image)
{
  struct vkc_recorder *recorder = image->device->recorder;
  bool pending;

  vkc_recorder_lock (recorder);
  pending = image->producer != NULL;
  vkc_recorder_unlock (recorder);
  return pending;
}

bool
vkc_image_is_planned (struct vkc_image *image)
{
  struct vkc_recorder *recorder = image->device->recorder;
  bool planned;

  vkc_recorder_lock (recorder);
  planned = image->planned > 0;
  vkc_recorder_unlock (recorder);
  return planned;
}

VkImageLayout
vkc_image_layout (struct vkc_image *image, uint32_t plane)
{
  struct vkc_recorder *recorder = image->device->recorder;
  VkImageLayout layout;

  vkc_recorder_lock (recorder);
  layout = image->state.planes[plane].layout;
  vkc_recorder_unlock (recorder);
  return layout;
}
