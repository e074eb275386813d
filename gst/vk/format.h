/* Texels of frames. */
#pragma once

#include <stdint.h>
#include <vulkan/vulkan.h>

#include "gst/vk/api.h"

/* Bytes of a texel of an uncompressed one-plane format; 0 for others. */
VKC_API uint32_t vkc_format_texel_size (VkFormat format);
