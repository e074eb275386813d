/* What the driver does not have. Part of wrap.c.
 *
 * A modifier: where a device lists linear images, it is listed as well, and what
 * is made with it is linear. Tiled frames can so be tested on drivers that tile
 * nothing, if they have modifiers at all.
 *
 * Exports: memory that is to become a dmabuf is a memfd, which software drivers
 * import as one. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

/* 0: no longer. Any thread, before devices are made. */
void test_wrap_pretend_modifier (uint64_t modifier);

/* The same. */
void test_wrap_pretend_exports (bool on);

struct pretended_allocation
{
  VkMemoryAllocateInfo info;
  VkMemoryAllocateFlagsInfo flags; /* if it has any, before the export */
};

/* @info, or @copy without the wish for an export. */
const VkMemoryAllocateInfo *
pretend_allocation (const VkMemoryAllocateInfo *info,
                    struct pretended_allocation *copy);

/* Whether *@fd is now what this thread has allocated last. */
bool pretend_export (int *fd);

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
