/* VkResult as text and as GError. */
#include "gst/vk/result.h"

G_DEFINE_QUARK (vkc-error-quark, vkc_error)

const char *
vkc_result_name (VkResult result)
{
  switch (result) {
#define NAME(code)                                                            \
  case code:                                                                  \
    return #code;
    NAME (VK_SUCCESS)
    NAME (VK_NOT_READY)
    NAME (VK_TIMEOUT)
    NAME (VK_INCOMPLETE)
    NAME (VK_ERROR_OUT_OF_HOST_MEMORY)
    NAME (VK_ERROR_OUT_OF_DEVICE_MEMORY)
    NAME (VK_ERROR_INITIALIZATION_FAILED)
    NAME (VK_ERROR_DEVICE_LOST)
    NAME (VK_ERROR_MEMORY_MAP_FAILED)
    NAME (VK_ERROR_LAYER_NOT_PRESENT)
    NAME (VK_ERROR_EXTENSION_NOT_PRESENT)
    NAME (VK_ERROR_FEATURE_NOT_PRESENT)
    NAME (VK_ERROR_INCOMPATIBLE_DRIVER)
    NAME (VK_ERROR_TOO_MANY_OBJECTS)
    NAME (VK_ERROR_FORMAT_NOT_SUPPORTED)
    NAME (VK_ERROR_FRAGMENTED_POOL)
    NAME (VK_ERROR_UNKNOWN)
    NAME (VK_ERROR_OUT_OF_POOL_MEMORY)
    NAME (VK_ERROR_INVALID_EXTERNAL_HANDLE)
    NAME (VK_ERROR_FRAGMENTATION)
    NAME (VK_ERROR_VALIDATION_FAILED_EXT)
    NAME (VK_ERROR_INVALID_DRM_FORMAT_MODIFIER_PLANE_LAYOUT_EXT)
#undef NAME
  default:
    return "an unknown VkResult";
  }
}

static enum vkc_error
error_code (VkResult result)
{
  switch (result) {
  case VK_ERROR_OUT_OF_HOST_MEMORY:
  case VK_ERROR_OUT_OF_DEVICE_MEMORY:
  case VK_ERROR_OUT_OF_POOL_MEMORY:
  case VK_ERROR_FRAGMENTED_POOL:
    return VKC_ERROR_OUT_OF_MEMORY;
  case VK_ERROR_DEVICE_LOST:
    return VKC_ERROR_DEVICE_LOST;
  case VK_TIMEOUT:
    return VKC_ERROR_TIMEOUT;
  default:
    return VKC_ERROR_FAILED;
  }
}

bool
vkc_check (VkResult result, const char *call, GError **error)
{
  /* VK_TIMEOUT is positive, but whoever checks has not got what it wanted. */
  if (result >= 0 && result != VK_TIMEOUT)
    return true;
  g_set_error (error, VKC_ERROR, error_code (result), "%s: %s (%d)", call,
               vkc_result_name (result), result);
  return false;
}

bool
vkc_refuse (GError **error, const char *why)
{
  g_set_error_literal (error, VKC_ERROR, VKC_ERROR_REFUSED, why);
  return false;
}
