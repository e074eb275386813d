/* Memory of the device's as dmabufs. */
#include "gst/vk/dmabuf-private.h"
#include "gst/vk/result.h"

/* Memory of @size bytes of one of @types as a dmabuf; -1 with @error. The
 * descriptor keeps the memory. */
static int
export_memory (struct vkc_device *device, size_t size, uint32_t types,
               VkMemoryPropertyFlags wanted, VkImage dedicated, GError **error)
{
  const VkMemoryDedicatedAllocateInfo dedicated_info = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
    .image = dedicated,
  };
  const VkExportMemoryAllocateInfo export = {
    .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
    .pNext = dedicated ? &dedicated_info : NULL,
    .handleTypes = VKC_DMABUF_HANDLE,
  };
  const VkMemoryAllocateInfo info = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
    .pNext = &export,
    .allocationSize = size,
    .memoryTypeIndex = vkc_device_memory_type (device, types, 0, wanted),
  };
  VkMemoryGetFdInfoKHR get = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
    .handleType = VKC_DMABUF_HANDLE,
  };
  int fd = -1;

  if (!vkc_device_allocate (device, &info, &get.memory, error))
    return -1;
  if (vkc_check (device->vk.GetMemoryFdKHR (device->handle, &get, &fd),
                 "vkGetMemoryFdKHR", error)
      && fd < 0)
    vkc_refuse (error, "the driver gave no file descriptor");
  device->vk.FreeMemory (device->handle, get.memory, NULL);
  return fd;
}

int
vkc_dmabuf_new (struct vkc_device *device, size_t size, GError **error)
{
  if (!device->can_import_dmabuf) {
    vkc_refuse (error, "the device knows no dmabufs");
    return -1;
  }
  return export_memory (device, (size + 4095) & ~(size_t) 4095, UINT32_MAX,
                        VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
                            | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT,
                        VK_NULL_HANDLE, error);
}

/* How the driver has laid @image out. */
static void
read_layout (struct vkc_device *device, VkImage image,
             struct vkc_dmabuf_plane *plane)
{
  const VkImageSubresource subresource = {
    .aspectMask = VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT,
  };
  VkSubresourceLayout layout;

  device->vk.GetImageSubresourceLayout (device->handle, image, &subresource,
                                        &layout);
  plane->offset = layout.offset;
  plane->stride = (uint32_t) layout.rowPitch;
}

/* The image is made to learn what the driver wants: whoever uses the dmabuf,
 * here or elsewhere, imports it. */
bool
vkc_dmabuf_new_plane (struct vkc_device *device, uint64_t modifier,
                      struct vkc_dmabuf_plane *plane, GError **error)
{
  const VkImageDrmFormatModifierListCreateInfoEXT list = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_LIST_CREATE_INFO_EXT,
    .drmFormatModifierCount = 1,
    .pDrmFormatModifiers = &modifier,
  };
  const struct vkc_plane wanted = {
    .width = plane->width,
    .height = plane->height,
    .format = plane->format,
  };
  VkMemoryRequirements needs;
  VkImage image;

  if (!device->has_modifiers)
    return vkc_refuse (error, "the device knows no modifiers");
  if (!vkc_dmabuf_create_plane (device, &wanted, &list, &image, error))
    return false;
  device->vk.GetImageMemoryRequirements (device->handle, image, &needs);
  plane->fd = export_memory (device, needs.size, needs.memoryTypeBits,
                             VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, image,
                             error);
  if (plane->fd >= 0)
    read_layout (device, image, plane);
  device->vk.DestroyImage (device->handle, image, NULL);
  return plane->fd >= 0;
}
