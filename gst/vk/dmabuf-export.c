/* Memory of the device's as dmabufs. */
#include "gst/vk/dmabuf-private.h"
#include "gst/vk/result.h"

int
vkc_dmabuf_new (struct vkc_device *device, size_t size, GError **error)
{
  const VkExportMemoryAllocateInfo export = {
    .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
    .handleTypes = VKC_DMABUF_HANDLE,
  };
  const VkMemoryAllocateInfo info = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
    .pNext = &export,
    .allocationSize = (size + 4095) & ~(size_t)4095,
    .memoryTypeIndex
    = vkc_device_memory_type (device, UINT32_MAX, 0,
                              VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
                                  | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT),
  };
  VkMemoryGetFdInfoKHR get = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
    .handleType = VKC_DMABUF_HANDLE,
  };
  int fd = -1;

  if (!device->can_import_dmabuf) {
    vkc_refuse (error, "the device knows no dmabufs");
    return -1;
  }
  if (!vkc_device_allocate (device, &info, &get.memory, error))
    return -1;
  /* The descriptor keeps the memory. */
  if (vkc_check (device->vk.GetMemoryFdKHR (device->handle, &get, &fd),
                 "vkGetMemoryFdKHR", error)
      && fd < 0)
    vkc_refuse (error, "the driver gave no file descriptor");
  device->vk.FreeMemory (device->handle, get.memory, NULL);
  return fd;
}
