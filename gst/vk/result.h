/* VkResult and the layer's own refusals as GError. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <vulkan/vulkan.h>

#include "gst/vk/api.h"

#define VKC_ERROR (vkc_error_quark ())

enum vkc_error
{
  VKC_ERROR_FAILED,        /* any VkResult without a code of its own */
  VKC_ERROR_OUT_OF_MEMORY, /* host or device memory */
  VKC_ERROR_DEVICE_LOST,   /* also: a device that counts as hung */
  VKC_ERROR_TIMEOUT,       /* the work may still run */
  VKC_ERROR_NO_DEVICE,     /* no (matching) Vulkan 1.3 device */
  VKC_ERROR_REFUSED,       /* a plan that cannot be recorded; names the binding */
};

VKC_API GQuark vkc_error_quark (void);

/* "VK_ERROR_OUT_OF_DEVICE_MEMORY" ... */
const char *vkc_result_name (VkResult result);

/* True for success codes. Otherwise sets @error to "@call: VK_ERROR_..." . */
VKC_API bool vkc_check (VkResult result, const char *call, GError **error);

/* Sets @error to REFUSED with @why. False. */
bool vkc_refuse (GError **error, const char *why);
