/* A VkBuffer with memory of its own. */
#pragma once

#include "gst/vk/device.h"

#define VKC_HOST_ACCESS                                                        \
  (VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)

struct vkc_storage_buffer
{
  VkBuffer handle;
  VkDeviceMemory memory;
  void *host; /* mapped for good; NULL if not host-visible */
};

/* @size bytes; @for_host: host-visible, mapped. Nothing is left of it on
 * failure. */
bool vkc_storage_init (struct vkc_device *device,
                       struct vkc_storage_buffer *buffer, size_t size,
                       bool for_host, GError **error);

/* The handle alone, for memory from elsewhere; @next: VkBufferCreateInfo's. */
bool vkc_storage_create (struct vkc_device *device,
                         struct vkc_storage_buffer *buffer, size_t size,
                         const void *next, GError **error);

void vkc_storage_clear (struct vkc_device *device,
                        struct vkc_storage_buffer *buffer);
