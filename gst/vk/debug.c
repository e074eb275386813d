/* Validation messages and labels. */
#include "gst/vk/debug.h"

static VKAPI_ATTR VkBool32 VKAPI_CALL
report_message (VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                VkDebugUtilsMessageTypeFlagsEXT types,
                const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
  g_log ("vkc-validation", G_LOG_LEVEL_CRITICAL, "%s", data->pMessage);
  return VK_FALSE;
}

void
vkc_debug_attach (struct vkc_device *device)
{
  const VkDebugUtilsMessengerCreateInfoEXT info = {
    .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
    .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT
                       | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
    .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
    .pfnUserCallback = report_message,
  };

  /* Losing the messenger loses nothing but messages. */
  if (device->vk.CreateDebugUtilsMessengerEXT)
    device->vk.CreateDebugUtilsMessengerEXT (device->instance, &info, NULL,
                                             &device->messenger);
}

void
vkc_debug_detach (struct vkc_device *device)
{
  if (device->messenger)
    device->vk.DestroyDebugUtilsMessengerEXT (device->instance,
                                              device->messenger, NULL);
}

void
vkc_debug_begin_label (struct vkc_device *device, VkCommandBuffer commands,
                       const char *owner, const char *kernel)
{
  VkDebugUtilsLabelEXT info = {
    .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
  };
  g_autofree char *label = NULL;

  if (!device->vk.CmdBeginDebugUtilsLabelEXT)
    return;
  info.pLabelName = label = g_strdup_printf ("%s: %s", owner, kernel);
  device->vk.CmdBeginDebugUtilsLabelEXT (commands, &info);
}

void
vkc_debug_end_label (struct vkc_device *device, VkCommandBuffer commands)
{
  if (device->vk.CmdEndDebugUtilsLabelEXT)
    device->vk.CmdEndDebugUtilsLabelEXT (commands);
}
