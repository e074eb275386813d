/* A modifier that the driver does not have: where a device lists linear images,
 * the modifier is listed as well, and what is made with it is linear. Tiled
 * frames can so be tested on drivers that tile nothing, if they have modifiers
 * at all. Part of wrap.c. */
#pragma once

#include <stdint.h>
#include <vulkan/vulkan.h>

/* 0: no longer. Any thread, before devices are made. */
void test_wrap_pretend_modifier (uint64_t modifier);

struct pretended_image
{
  VkImageCreateInfo info;
  VkExternalMemoryImageCreateInfo external;
  VkImageFormatListCreateInfo list;
  VkImageDrmFormatModifierExplicitCreateInfoEXT modifier; /* or */
  VkImageDrmFormatModifierListCreateInfoEXT modifiers;
};

/* @info, or @copy with the modifier put right. */
const VkImageCreateInfo *pretend_image (const VkImageCreateInfo *info,
                                        struct pretended_image *copy);

struct pretended_format
{
  VkPhysicalDeviceImageFormatInfo2 info;
  VkPhysicalDeviceExternalImageFormatInfo external;
  VkPhysicalDeviceImageDrmFormatModifierInfoEXT modifier;
};

const VkPhysicalDeviceImageFormatInfo2 *
pretend_format (const VkPhysicalDeviceImageFormatInfo2 *info,
                struct pretended_format *copy);

/* After the driver has answered. */
void pretend_properties (VkFormatProperties2 *properties);
