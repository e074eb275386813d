/* Command buffers in flight and their descriptors. */
#include "gst/vk/recorder-private.h"
#include "gst/vk/release.h"
#include "gst/vk/result.h"
#include "gst/vk/timing.h"
#include "gst/vk/trace-private.h"

#define SETS_PER_POOL 64
#define DESCRIPTORS_PER_POOL 256 /* of each type */

struct vkc_slot *
vkc_slot_idle (const struct vkc_recorder *recorder)
{
  for (uint32_t i = 0; i < recorder->n_slots; i++)
    if (!recorder->slots[i].in_flight)
      return &recorder->slots[i];
  return NULL;
}

struct vkc_slot *
vkc_slot_oldest (const struct vkc_recorder *recorder)
{
  struct vkc_slot *oldest = NULL;

  for (uint32_t i = 0; i < recorder->n_slots; i++) {
    struct vkc_slot *slot = &recorder->slots[i];

    if (slot->in_flight && (!oldest || slot->value < oldest->value))
      oldest = slot;
  }
  return oldest;
}

struct vkc_slot *
vkc_slot_of (const struct vkc_recorder *recorder, uint64_t value)
{
  for (uint32_t i = 0; i < recorder->n_slots; i++)
    if (recorder->slots[i].in_flight && recorder->slots[i].value == value)
      return &recorder->slots[i];
  return NULL;
}

static bool
create_commands (struct vkc_recorder *recorder, struct vkc_slot *slot,
                 GError **error)
{
  struct vkc_device *device = recorder->device;
  const VkCommandPoolCreateInfo pool = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
    .queueFamilyIndex = device->queue_family,
  };
  VkCommandBufferAllocateInfo info = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
    .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
    .commandBufferCount = 1,
  };

  if (!slot->pool
      && !vkc_check (device->vk.CreateCommandPool (device->handle, &pool, NULL,
                                                   &slot->pool),
                     "vkCreateCommandPool", error))
    return false;
  info.commandPool = slot->pool;
  return slot->commands
         || vkc_check (device->vk.AllocateCommandBuffers (
                           device->handle, &info, &slot->commands),
                       "vkAllocateCommandBuffers", error);
}

static bool
add_descriptor_pool (struct vkc_recorder *recorder, struct vkc_slot *slot,
                     GError **error)
{
  struct vkc_device *device = recorder->device;
  const VkDescriptorPoolSize sizes[] = {
    { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, DESCRIPTORS_PER_POOL },
    { VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, DESCRIPTORS_PER_POOL },
    { VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, DESCRIPTORS_PER_POOL },
    { VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, DESCRIPTORS_PER_POOL },
    { VK_DESCRIPTOR_TYPE_SAMPLER, DESCRIPTORS_PER_POOL },
    { VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, DESCRIPTORS_PER_POOL },
  };
  const VkDescriptorPoolCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
    .maxSets = SETS_PER_POOL,
    .poolSizeCount = G_N_ELEMENTS (sizes),
    .pPoolSizes = sizes,
  };
  VkDescriptorPool pool;

  if (!vkc_check (device->vk.CreateDescriptorPool (device->handle, &info, NULL,
                                                   &pool),
                  "vkCreateDescriptorPool", error))
    return false;
  g_array_append_val (slot->descriptor_pools, pool);
  return true;
}

static bool
reset_descriptors (struct vkc_recorder *recorder, struct vkc_slot *slot,
                   GError **error)
{
  struct vkc_device *device = recorder->device;

  for (guint i = 0; i < slot->descriptor_pools->len; i++)
    if (!vkc_check (device->vk.ResetDescriptorPool (
                        device->handle,
                        g_array_index (slot->descriptor_pools,
                                       VkDescriptorPool, i),
                        0),
                    "vkResetDescriptorPool", error))
      return false;
  slot->descriptor_pool = 0;
  return true;
}

bool
vkc_slot_open (struct vkc_recorder *recorder, struct vkc_slot *slot,
               GError **error)
{
  struct vkc_device *device = recorder->device;
  const VkCommandBufferBeginInfo begin = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
    .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
  };

  g_assert (!slot->in_flight);
  if (!slot->descriptor_pools) {
    slot->descriptor_pools
        = g_array_new (FALSE, FALSE, sizeof (VkDescriptorPool));
    slot->jobs = g_ptr_array_new ();
    slot->images = g_ptr_array_new ();
    slot->waits = g_array_new (FALSE, FALSE, sizeof (VkSemaphore));
  }
  /* The reset brings the command buffer back from whatever state a recording
   * that failed has left it in. */
  return create_commands (recorder, slot, error)
         && reset_descriptors (recorder, slot, error)
         && vkc_check (device->vk.ResetCommandPool (device->handle, slot->pool,
                                                    0),
                       "vkResetCommandPool", error)
         && vkc_check (device->vk.BeginCommandBuffer (slot->commands, &begin),
                       "vkBeginCommandBuffer", error);
}

VkDescriptorSet
vkc_slot_descriptor_set (struct vkc_recorder *recorder, struct vkc_slot *slot,
                         VkDescriptorSetLayout layout, GError **error)
{
  struct vkc_device *device = recorder->device;

  for (;; slot->descriptor_pool++) {
    VkDescriptorSetAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
      .descriptorSetCount = 1,
      .pSetLayouts = &layout,
    };
    const bool is_fresh = slot->descriptor_pool == slot->descriptor_pools->len;
    VkDescriptorSet set;
    VkResult result;

    if (is_fresh && !add_descriptor_pool (recorder, slot, error))
      return VK_NULL_HANDLE;
    info.descriptorPool = g_array_index (
        slot->descriptor_pools, VkDescriptorPool, slot->descriptor_pool);
    result = device->vk.AllocateDescriptorSets (device->handle, &info, &set);
    if (result == VK_SUCCESS)
      return set;
    if (is_fresh
        || (result != VK_ERROR_OUT_OF_POOL_MEMORY
            && result != VK_ERROR_FRAGMENTED_POOL)) {
      vkc_check (result, "vkAllocateDescriptorSets", error);
      return VK_NULL_HANDLE;
    }
  }
}

void
vkc_slot_retire (struct vkc_recorder *recorder, struct vkc_slot *slot)
{
  vkc_release_note_over (slot);
  vkc_trace_slot_over (recorder, slot, vkc_timing_take (recorder, slot));
  g_ptr_array_extend (recorder->finished_jobs, slot->jobs, NULL, NULL);
  g_ptr_array_extend (recorder->finished_images, slot->images, NULL, NULL);
  g_ptr_array_set_size (slot->jobs, 0);
  g_ptr_array_set_size (slot->images, 0);
  /* The submission has taken the payloads out of them. */
  g_array_append_vals (recorder->idle_semaphores, slot->waits->data,
                       slot->waits->len);
  g_array_set_size (slot->waits, 0);
  slot->in_flight = false;
  recorder->counters.in_flight--;
}

void
vkc_slot_clear (struct vkc_recorder *recorder, struct vkc_slot *slot)
{
  struct vkc_device *device = recorder->device;

  if (!slot->descriptor_pools)
    return;
  for (guint i = 0; i < slot->descriptor_pools->len; i++)
    device->vk.DestroyDescriptorPool (
        device->handle,
        g_array_index (slot->descriptor_pools, VkDescriptorPool, i), NULL);
  device->vk.DestroyQueryPool (device->handle, slot->queries, NULL);
  device->vk.DestroyCommandPool (device->handle, slot->pool, NULL);
  g_array_unref (slot->waits);
  g_array_unref (slot->descriptor_pools);
  g_ptr_array_unref (slot->jobs);
  g_ptr_array_unref (slot->images);
}
