/* The VkImage of a plane that lies in a dmabuf. */
#include "gst/vk/dmabuf-private.h"
#include "gst/vk/result.h"

/* Formats that a view of an image of @format may have: with modifiers, they
 * must be named when the image is made. */
static uint32_t
view_formats (VkFormat format, VkFormat formats[2])
{
  static const VkFormat pairs[][2] = {
    { VK_FORMAT_R8_UINT, VK_FORMAT_R8_UNORM },
    { VK_FORMAT_R8G8_UINT, VK_FORMAT_R8G8_UNORM },
    { VK_FORMAT_R16_UINT, VK_FORMAT_R16_UNORM },
    { VK_FORMAT_R16G16_UINT, VK_FORMAT_R16G16_UNORM },
    { VK_FORMAT_R8G8B8A8_UINT, VK_FORMAT_R8G8B8A8_UNORM },
    { VK_FORMAT_R16G16B16A16_UINT, VK_FORMAT_R16G16B16A16_UNORM },
    { VK_FORMAT_R32_UINT, VK_FORMAT_A2B10G10R10_UNORM_PACK32 },
  };

  formats[0] = format;
  for (size_t i = 0; i < G_N_ELEMENTS (pairs); i++)
    if (pairs[i][0] == format) {
      formats[1] = pairs[i][1];
      return 2;
    }
  return 1;
}

bool
vkc_dmabuf_create_plane (struct vkc_device *device,
                         const struct vkc_plane *plane, const void *modifier,
                         VkImage *image, GError **error)
{
  VkFormat formats[2];
  const VkImageFormatListCreateInfo list = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
    .pNext = modifier,
    .viewFormatCount = view_formats (plane->format, formats),
    .pViewFormats = formats,
  };
  const VkExternalMemoryImageCreateInfo external = {
    .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO,
    .pNext = &list,
    .handleTypes = VKC_DMABUF_HANDLE,
  };
  const VkImageCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
    .pNext = &external,
    .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT,
    .imageType = VK_IMAGE_TYPE_2D,
    .format = plane->format,
    .extent = { plane->width, plane->height, 1 },
    .mipLevels = 1,
    .arrayLayers = 1,
    .samples = VK_SAMPLE_COUNT_1_BIT,
    .tiling = modifier ? VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT
                       : VK_IMAGE_TILING_LINEAR,
    .usage = VKC_IMAGE_USAGE,
    .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
  };

  return vkc_check (device->vk.CreateImage (device->handle, &info, NULL,
                                            image),
                    "vkCreateImage", error);
}
