/* Synchronisation decided from the last access and the next one. */
#include "gst/vk/access.h"

#define WRITES                                                                \
  (VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT      \
   | VK_ACCESS_2_HOST_WRITE_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT)

const struct vkc_access vkc_access_none = { 0 };

struct vkc_access
vkc_access_storage (bool reads, bool writes)
{
  return (struct vkc_access){
    .stages = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
    .mask = (reads ? VK_ACCESS_2_SHADER_STORAGE_READ_BIT : 0)
            | (writes ? VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT : 0),
    .layout = VK_IMAGE_LAYOUT_GENERAL,
  };
}

struct vkc_access
vkc_access_sampled (void)
{
  return (struct vkc_access){
    .stages = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
    .mask = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT,
    .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
  };
}

struct vkc_access
vkc_access_copy_source (void)
{
  return (struct vkc_access){
    .stages = VK_PIPELINE_STAGE_2_COPY_BIT,
    .mask = VK_ACCESS_2_TRANSFER_READ_BIT,
    .layout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
  };
}

struct vkc_access
vkc_access_copy_target (void)
{
  return (struct vkc_access){
    .stages = VK_PIPELINE_STAGE_2_COPY_BIT,
    .mask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
    .layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
  };
}

/* Two reads can need a barrier as well: the write before them was made visible
 * to the first reader's scope only. */
static bool
is_visible (const struct vkc_access *last, const struct vkc_access *next)
{
  return last->stages == 0
         || ((next->stages & ~last->stages) == 0
             && (next->mask & ~last->mask) == 0);
}

bool
vkc_access_barrier (const struct vkc_access *last,
                    const struct vkc_access *next,
                    VkImageMemoryBarrier2 *barrier, struct vkc_access *now)
{
  const bool writes = (last->mask | next->mask) & WRITES;
  const bool relayout = last->layout != next->layout;
  const bool first = last->stages == 0;

  if (!relayout && (first || (!writes && is_visible (last, next)))) {
    *now = (struct vkc_access){ .stages = last->stages | next->stages,
                                .mask = last->mask | next->mask,
                                .layout = next->layout };
    return false;
  }

  /* A first touch has an unknown past: wait for whatever came before. */
  *barrier = (VkImageMemoryBarrier2){
    .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
    .srcStageMask = first ? VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT : last->stages,
    .srcAccessMask = first ? VK_ACCESS_2_MEMORY_WRITE_BIT : last->mask & WRITES,
    .dstStageMask = next->stages,
    .dstAccessMask = next->mask,
    .oldLayout = last->layout,
    .newLayout = next->layout,
    .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
    .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
  };
  *now = *next;
  return true;
}
