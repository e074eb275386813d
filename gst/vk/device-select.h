/* Which physical device a selector means. */
#pragma once

#include "gst/vk/device.h"

/* What is asked for: @selector, or $VKC_DEVICE if it is NULL or empty. NULL
 * means any. */
const char *vkc_device_effective_selector (const char *selector);

/* Sets device->physical, name, uuid, is_cpu and limits. */
bool vkc_device_select (struct vkc_device *device, const char *selector,
                        GError **error);
