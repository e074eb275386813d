/* Ownership of dmabufs: acquired from whoever had them, and released again. */
#include "gst/vk/record-foreign.h"

#include "gst/vk/dmabuf-private.h"

/* A dmabuf comes from whoever had it. The first time nobody can say in which
 * layout: UNDEFINED, which keeps the content of imported memory. */
static void
acquire_plane (struct vkc_barriers *barriers, struct vkc_image *image,
               uint32_t plane, const struct vkc_access *next)
{
  barriers->images[barriers->n_images++] = (VkImageMemoryBarrier2){
    .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
    .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    .dstStageMask = next->stages,
    .dstAccessMask = next->mask,
    .oldLayout = image->next.planes[plane].layout,
    .newLayout = next->layout,
    .srcQueueFamilyIndex = image->device->foreign_family,
    .dstQueueFamilyIndex = image->device->queue_family,
    .image = image->planes[plane],
    .subresourceRange = vkc_whole_image,
  };
  image->next.planes[plane] = *next;
}

void
vkc_foreign_acquire (struct vkc_barriers *barriers, struct vkc_image *image,
                     struct vkc_access next)
{
  image->next.is_ours = true;
  if (image->params.storage == VKC_STORAGE_IMAGE) {
    for (uint32_t i = 0; i < image->params.n_planes; i++)
      acquire_plane (barriers, image, i, &next);
    return;
  }
  next.layout = VK_IMAGE_LAYOUT_UNDEFINED;
  barriers->buffers[barriers->n_buffers++] = (VkBufferMemoryBarrier2){
    .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
    .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    .dstStageMask = next.stages,
    .dstAccessMask = next.mask,
    .srcQueueFamilyIndex = image->device->foreign_family,
    .dstQueueFamilyIndex = image->device->queue_family,
    .buffer = image->buffer.handle,
    .size = VK_WHOLE_SIZE,
  };
  image->next.planes[0] = next;
}

struct releases
{
  GArray *images;  /* VkImageMemoryBarrier2 */
  GArray *buffers; /* VkBufferMemoryBarrier2 */
};

static void
release_plane (struct releases *releases, struct vkc_image *image,
               uint32_t plane)
{
  struct vkc_access *last = &image->next.planes[plane];
  const VkImageMemoryBarrier2 barrier = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
    .srcStageMask = last->stages,
    .srcAccessMask = last->mask,
    /* What acquires it again on this queue comes after. */
    .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    .oldLayout = last->layout,
    .newLayout = VK_IMAGE_LAYOUT_GENERAL,
    .srcQueueFamilyIndex = image->device->queue_family,
    .dstQueueFamilyIndex = image->device->foreign_family,
    .image = image->planes[plane],
    .subresourceRange = vkc_whole_image,
  };

  g_array_append_val (releases->images, barrier);
  *last = (struct vkc_access){ .layout = VK_IMAGE_LAYOUT_GENERAL };
}

static void
release_buffer (struct releases *releases, struct vkc_image *image)
{
  struct vkc_access *last = &image->next.planes[0];
  const VkBufferMemoryBarrier2 barrier = {
    .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
    .srcStageMask = last->stages,
    .srcAccessMask = last->mask,
    .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    .srcQueueFamilyIndex = image->device->queue_family,
    .dstQueueFamilyIndex = image->device->foreign_family,
    .buffer = image->buffer.handle,
    .size = VK_WHOLE_SIZE,
  };

  g_array_append_val (releases->buffers, barrier);
  *last = vkc_access_none;
}

static void
release (struct releases *releases, struct vkc_image *image)
{
  if (image->params.storage == VKC_STORAGE_BUFFER)
    release_buffer (releases, image);
  else
    for (uint32_t i = 0; i < image->params.n_planes; i++)
      release_plane (releases, image, i);
  image->next.is_ours = false;
}

static bool
must_be_released (const struct vkc_image *image,
                  const struct vkc_image *alias_of)
{
  return image->next.is_ours
         && (!alias_of
             || (image != alias_of && vkc_dmabuf_is_alias (image, alias_of)));
}

static void
record (struct vkc_recorder *recorder, const struct releases *releases)
{
  const VkDependencyInfo info = {
    .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
    .imageMemoryBarrierCount = releases->images->len,
    .pImageMemoryBarriers = (void *) releases->images->data,
    .bufferMemoryBarrierCount = releases->buffers->len,
    .pBufferMemoryBarriers = (void *) releases->buffers->data,
  };

  recorder->device->vk.CmdPipelineBarrier2 (recorder->batch.slot->commands,
                                            &info);
  recorder->batch.counted.barriers++;
}

static void
release_some (struct vkc_recorder *recorder, const struct vkc_image *alias_of)
{
  const GPtrArray *images = recorder->batch.images;
  struct releases releases = { NULL };

  for (guint i = 0; i < images->len; i++) {
    struct vkc_image *image = g_ptr_array_index (images, i);

    if (!must_be_released (image, alias_of))
      continue;
    if (!releases.images)
      releases = (struct releases){
        .images = g_array_new (FALSE, FALSE, sizeof (VkImageMemoryBarrier2)),
        .buffers = g_array_new (FALSE, FALSE, sizeof (VkBufferMemoryBarrier2)),
      };
    release (&releases, image);
  }
  /* Most frames are no dmabufs. */
  if (!releases.images)
    return;
  record (recorder, &releases);
  g_array_unref (releases.images);
  g_array_unref (releases.buffers);
}

void
vkc_foreign_release_all (struct vkc_recorder *recorder)
{
  release_some (recorder, NULL);
}

void
vkc_foreign_release_aliases (struct vkc_recorder *recorder,
                             const struct vkc_image *image)
{
  release_some (recorder, image);
}
