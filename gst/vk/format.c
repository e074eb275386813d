/* Texels of frames. */
#include "gst/vk/format.h"

uint32_t
vkc_format_texel_size (VkFormat format)
{
  /* VkFormat's core numbers go up with the texel's size. */
  if (format >= VK_FORMAT_R8_UNORM && format <= VK_FORMAT_R8_SRGB)
    return 1;
  if (format >= VK_FORMAT_R8G8_UNORM && format <= VK_FORMAT_R8G8_SRGB)
    return 2;
  if (format >= VK_FORMAT_R8G8B8A8_UNORM
      && format <= VK_FORMAT_A2B10G10R10_SINT_PACK32)
    return 4;
  if (format >= VK_FORMAT_R16_UNORM && format <= VK_FORMAT_R16_SFLOAT)
    return 2;
  if (format >= VK_FORMAT_R16G16_UNORM && format <= VK_FORMAT_R16G16_SFLOAT)
    return 4;
  if (format >= VK_FORMAT_R16G16B16A16_UNORM
      && format <= VK_FORMAT_R16G16B16A16_SFLOAT)
    return 8;
  if (format >= VK_FORMAT_R32_UINT && format <= VK_FORMAT_R32_SFLOAT)
    return 4;
  if (format >= VK_FORMAT_R32G32_UINT && format <= VK_FORMAT_R32G32_SFLOAT)
    return 8;
  if (format >= VK_FORMAT_R32G32B32A32_UINT
      && format <= VK_FORMAT_R32G32B32A32_SFLOAT)
    return 16;
  return 0;
}
