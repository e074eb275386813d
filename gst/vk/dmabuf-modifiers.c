/* Which modifiers a device knows. */
#include "gst/vk/dmabuf-private.h"

static bool
is_possible (struct vkc_device *device, VkFormat format, uint64_t modifier,
             VkExternalMemoryFeatureFlags features)
{
  const VkPhysicalDeviceImageDrmFormatModifierInfoEXT drm = {
    .sType
    = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_DRM_FORMAT_MODIFIER_INFO_EXT,
    .drmFormatModifier = modifier,
  };
  const VkPhysicalDeviceExternalImageFormatInfo external = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO,
    .pNext = &drm,
    .handleType = VKC_DMABUF_HANDLE,
  };
  const VkPhysicalDeviceImageFormatInfo2 info = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
    .pNext = &external,
    .format = format,
    .type = VK_IMAGE_TYPE_2D,
    .tiling = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT,
    .usage = VKC_IMAGE_USAGE,
  };
  VkExternalImageFormatProperties answer = {
    .sType = VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES,
  };
  VkImageFormatProperties2 properties = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2,
    .pNext = &answer,
  };

  return device->vk.GetPhysicalDeviceImageFormatProperties2 (device->physical,
                                                             &info, &properties)
             == VK_SUCCESS
         && (answer.externalMemoryProperties.externalMemoryFeatures & features)
                == features;
}

uint64_t *
vkc_dmabuf_modifiers (struct vkc_device *device, VkFormat format,
                      enum vkc_dmabuf_way way, uint32_t *n)
{
  const VkExternalMemoryFeatureFlags features
      = VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT
        | (way == VKC_DMABUF_EXPORT ? VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT
                                    : 0);
  VkDrmFormatModifierPropertiesListEXT list = {
    .sType = VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_EXT,
  };
  VkFormatProperties2 properties = {
    .sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2,
    .pNext = device->has_modifiers ? &list : NULL,
  };
  g_autofree VkDrmFormatModifierPropertiesEXT *all = NULL;
  uint64_t *modifiers;

  device->vk.GetPhysicalDeviceFormatProperties2 (device->physical, format,
                                                 &properties);
  all = g_new0 (VkDrmFormatModifierPropertiesEXT,
                list.drmFormatModifierCount + 1);
  list.pDrmFormatModifierProperties = all;
  device->vk.GetPhysicalDeviceFormatProperties2 (device->physical, format,
                                                 &properties);
  modifiers = g_new (uint64_t, list.drmFormatModifierCount + 1);
  modifiers[0] = VKC_MODIFIER_LINEAR;
  *n = 1;
  for (uint32_t i = 0; i < list.drmFormatModifierCount; i++)
    if (all[i].drmFormatModifier != VKC_MODIFIER_LINEAR
        && all[i].drmFormatModifierPlaneCount == 1
        && is_possible (device, format, all[i].drmFormatModifier, features))
      modifiers[(*n)++] = all[i].drmFormatModifier;
  return modifiers;
}

bool
vkc_dmabuf_knows_modifier (struct vkc_device *device, VkFormat format,
                           uint64_t modifier)
{
  uint32_t n;
  g_autofree uint64_t *all = vkc_dmabuf_modifiers (device, format,
                                                  VKC_DMABUF_IMPORT, &n);

  for (uint32_t i = 0; i < n; i++)
    if (all[i] == modifier)
      return true;
  return false;
}
