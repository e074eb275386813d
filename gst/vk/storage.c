/* Buffers with memory of their own. */
#include "gst/vk/storage.h"

#include "gst/vk/result.h"

static bool
bind_memory (struct vkc_device *device, struct vkc_storage_buffer *buffer,
             bool for_host, GError **error)
{
  VkMemoryRequirements needs;
  VkMemoryAllocateInfo info = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
  };

  device->vk.GetBufferMemoryRequirements (device->handle, buffer->handle,
                                          &needs);
  info.allocationSize = needs.size;
  info.memoryTypeIndex = vkc_device_memory_type (
      device, needs.memoryTypeBits,
      for_host ? VKC_HOST_ACCESS : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
      for_host ? VK_MEMORY_PROPERTY_HOST_CACHED_BIT
                     | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
               : 0);
  if (!vkc_device_allocate (device, &info, &buffer->memory, error)
      || !vkc_check (device->vk.BindBufferMemory (
                         device->handle, buffer->handle, buffer->memory, 0),
                     "vkBindBufferMemory", error))
    return false;
  return !for_host
         || vkc_check (device->vk.MapMemory (device->handle, buffer->memory, 0,
                                             VK_WHOLE_SIZE, 0, &buffer->host),
                       "vkMapMemory", error);
}

void
vkc_storage_clear (struct vkc_device *device, struct vkc_storage_buffer *buffer)
{
  device->vk.DestroyBuffer (device->handle, buffer->handle, NULL);
  device->vk.FreeMemory (device->handle, buffer->memory, NULL);
  *buffer = (struct vkc_storage_buffer){ 0 };
}

bool
vkc_storage_create (struct vkc_device *device,
                    struct vkc_storage_buffer *buffer, size_t size,
                    const void *next, GError **error)
{
  /* Kernels load whole words, also at the end. */
  VkBufferCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
    .pNext = next,
    .size = (size + 3) & ~(size_t)3,
    .usage
    = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT
      | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
  };

  if (device->has_addresses)
    info.usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  return vkc_check (
      device->vk.CreateBuffer (device->handle, &info, NULL, &buffer->handle),
      "vkCreateBuffer", error);
}

bool
vkc_storage_init (struct vkc_device *device, struct vkc_storage_buffer *buffer,
                  size_t size, bool for_host, GError **error)
{
  *buffer = (struct vkc_storage_buffer){ 0 };
  if (vkc_storage_create (device, buffer, size, NULL, error)
      && bind_memory (device, buffer, for_host, error))
    return true;
  vkc_storage_clear (device, buffer);
  return false;
}
