/* What validation layers and debuggers see: a messenger and labels. */
#pragma once

#include "gst/vk/device.h"

/* Every validation message becomes a critical of the log domain
 * "vkc-validation". Without a layer nothing is ever said. */
void vkc_debug_attach (struct vkc_device *device);
void vkc_debug_detach (struct vkc_device *device);

void vkc_debug_begin_label (struct vkc_device *device, VkCommandBuffer commands,
                            const char *owner, const char *kernel);
void vkc_debug_end_label (struct vkc_device *device, VkCommandBuffer commands);
