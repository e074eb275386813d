/* Opens and closes Vulkan devices. */
#include "gst/vk/device.h"

#include <string.h>

#include "gst/vk/debug.h"
#include "gst/vk/device-select.h"
#include "gst/vk/pipeline-private.h"
#include "gst/vk/recorder-private.h"
#include "gst/vk/result.h"
#include "gst/vk/settings.h"

static bool
has_extension (const VkExtensionProperties *all, uint32_t n, const char *name)
{
  for (uint32_t i = 0; i < n; i++)
    if (strcmp (all[i].extensionName, name) == 0)
      return true;
  return false;
}

static bool
instance_has_extension (const char *name)
{
  g_autofree VkExtensionProperties *all = NULL;
  uint32_t n = 0;

  if (vkEnumerateInstanceExtensionProperties (NULL, &n, NULL) != VK_SUCCESS)
    return false;
  all = g_new0 (VkExtensionProperties, MAX (n, 1));
  if (vkEnumerateInstanceExtensionProperties (NULL, &n, all) < 0)
    return false;
  return has_extension (all, n, name);
}

static bool
create_instance (struct vkc_device *device, GError **error)
{
  static const char *const debug_utils = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  const VkApplicationInfo application = {
    .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
    .pEngineName = "gst-vkcompute",
    .apiVersion = VK_API_VERSION_1_3,
  };
  const VkInstanceCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
    .pApplicationInfo = &application,
    .enabledExtensionCount = instance_has_extension (debug_utils) ? 1 : 0,
    .ppEnabledExtensionNames = &debug_utils,
  };
  const VkResult result = vkCreateInstance (&info, NULL, &device->instance);

  /* The loader's answer when no driver is installed. */
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER) {
    g_set_error_literal (error, VKC_ERROR, VKC_ERROR_NO_DEVICE,
                         "no Vulkan driver is installed");
    return false;
  }
  return vkc_check (result, "vkCreateInstance", error)
         && vkc_functions_load_instance (&device->vk, device->instance, error);
}

static bool
find_queue_family (struct vkc_device *device, GError **error)
{
  g_autofree VkQueueFamilyProperties *families = NULL;
  uint32_t n = 0;

  device->vk.GetPhysicalDeviceQueueFamilyProperties (device->physical, &n,
                                                     NULL);
  families = g_new0 (VkQueueFamilyProperties, MAX (n, 1));
  device->vk.GetPhysicalDeviceQueueFamilyProperties (device->physical, &n,
                                                     families);
  for (uint32_t i = 0; i < n; i++)
    if (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) {
      device->queue_family = i;
      device->timestamp_bits = families[i].timestampValidBits;
      return true;
    }
  g_set_error (error, VKC_ERROR, VKC_ERROR_NO_DEVICE,
               "%s has no queue for compute", device->name);
  return false;
}

static void
link_features (struct vkc_features *features)
{
  features->core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features->core.pNext = &features->v11;
  features->v11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
  features->v11.pNext = &features->v12;
  features->v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  features->v12.pNext = &features->v13;
  features->v13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
}

/* What our kernels and users' shaders may use, as far as the device has it. */
static void
choose_features (struct vkc_device *device)
{
  struct vkc_features *wanted = &device->features;
  struct vkc_features has = { 0 };

  link_features (&has);
  link_features (wanted);
  device->vk.GetPhysicalDeviceFeatures2 (device->physical, &has.core);
#define TAKE(part, name) wanted->part.name = has.part.name;
  TAKE (core.features, robustBufferAccess)
  TAKE (core.features, shaderStorageImageExtendedFormats)
  TAKE (core.features, shaderStorageImageReadWithoutFormat)
  TAKE (core.features, shaderStorageImageWriteWithoutFormat)
  TAKE (core.features, shaderUniformBufferArrayDynamicIndexing)
  TAKE (core.features, shaderSampledImageArrayDynamicIndexing)
  TAKE (core.features, shaderStorageBufferArrayDynamicIndexing)
  TAKE (core.features, shaderStorageImageArrayDynamicIndexing)
  TAKE (core.features, shaderFloat64)
  TAKE (core.features, shaderInt64)
  TAKE (core.features, shaderInt16)
  TAKE (v11, storageBuffer16BitAccess)
  TAKE (v11, uniformAndStorageBuffer16BitAccess)
  TAKE (v12, storageBuffer8BitAccess)
  TAKE (v12, uniformAndStorageBuffer8BitAccess)
  TAKE (v12, shaderFloat16)
  TAKE (v12, shaderInt8)
  TAKE (v12, scalarBlockLayout)
  TAKE (v12, vulkanMemoryModel)
  TAKE (v12, vulkanMemoryModelDeviceScope)
  TAKE (v12, timelineSemaphore)
  TAKE (v13, robustImageAccess)
  TAKE (v13, subgroupSizeControl)
  TAKE (v13, computeFullSubgroups)
  TAKE (v13, synchronization2)
  TAKE (v13, maintenance4)
  if (device->is_cpu && vkc_settings_get (true).addresses)
    TAKE (v12, bufferDeviceAddress)
#undef TAKE
  device->has_addresses
      = wanted->v12.bufferDeviceAddress && wanted->core.features.shaderInt64
        && device->limits.maxPushConstantsSize >= VKC_ADDRESSED_CONSTANTS;
}

/* SYNC_FD semaphores in both directions. */
static bool
handles_sync_files (struct vkc_device *device)
{
  static const VkExternalSemaphoreFeatureFlags both
      = VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT
        | VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT;
  const VkPhysicalDeviceExternalSemaphoreInfo info = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO,
    .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT,
  };
  VkExternalSemaphoreProperties properties = {
    .sType = VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES,
  };

  device->vk.GetPhysicalDeviceExternalSemaphoreProperties (
      device->physical, &info, &properties);
  return (properties.externalSemaphoreFeatures & both) == both;
}

/* What frames of other devices need; appends to @names. */
static uint32_t
choose_dmabuf_extensions (struct vkc_device *device,
                          const VkExtensionProperties *all, uint32_t n,
                          const char **names, uint32_t n_names)
{
  device->foreign_family = VK_QUEUE_FAMILY_EXTERNAL;
  if (has_extension (all, n, VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME)
      && handles_sync_files (device)) {
    device->has_sync_fd = true;
    names[n_names++] = VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME;
  }
  if (!has_extension (all, n, VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME)
      || !has_extension (all, n, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME))
    return n_names;
  device->can_import_dmabuf = true;
  names[n_names++] = VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME;
  names[n_names++] = VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME;
  if (has_extension (all, n, VK_EXT_QUEUE_FAMILY_FOREIGN_EXTENSION_NAME)) {
    device->foreign_family = VK_QUEUE_FAMILY_FOREIGN_EXT;
    names[n_names++] = VK_EXT_QUEUE_FAMILY_FOREIGN_EXTENSION_NAME;
  }
  if (has_extension (all, n, VK_EXT_IMAGE_DRM_FORMAT_MODIFIER_EXTENSION_NAME)) {
    device->has_modifiers = true;
    names[n_names++] = VK_EXT_IMAGE_DRM_FORMAT_MODIFIER_EXTENSION_NAME;
  }
  return n_names;
}

static uint32_t
choose_extensions (struct vkc_device *device, const char **names)
{
  g_autofree VkExtensionProperties *all = NULL;
  uint32_t n = 0, n_names = 0;

  if (device->vk.EnumerateDeviceExtensionProperties (device->physical, NULL, &n,
                                                     NULL)
      != VK_SUCCESS)
    return 0;
  all = g_new0 (VkExtensionProperties, MAX (n, 1));
  if (device->vk.EnumerateDeviceExtensionProperties (device->physical, NULL, &n,
                                                     all)
      < 0)
    return 0;
  device->can_import_host_pages
      = has_extension (all, n, VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME);
  if (device->can_import_host_pages)
    names[n_names++] = VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME;
  return choose_dmabuf_extensions (device, all, n, names, n_names);
}

static bool
create_device (struct vkc_device *device, GError **error)
{
  const char *extensions[8];
  const uint32_t n_extensions = choose_extensions (device, extensions);
  const VkDeviceQueueCreateInfo queue = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
    .queueFamilyIndex = device->queue_family,
    .queueCount = 1,
    .pQueuePriorities = &(const float){ 1.f },
  };
  const VkDeviceCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
    .pNext = &device->features.core,
    .queueCreateInfoCount = 1,
    .pQueueCreateInfos = &queue,
    .enabledExtensionCount = n_extensions,
    .ppEnabledExtensionNames = extensions,
  };

  choose_features (device);
  if (!vkc_check (device->vk.CreateDevice (device->physical, &info, NULL,
                                           &device->handle),
                  "vkCreateDevice", error)
      || !vkc_functions_load_device (&device->vk, device->handle, error))
    return false;
  device->vk.GetDeviceQueue (device->handle, device->queue_family, 0,
                             &device->queue);
  return true;
}

static void
probe_properties (struct vkc_device *device)
{
  static const VkMemoryPropertyFlags direct
      = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
        | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT
        | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
        | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  static const VkSubgroupFeatureFlags passes
      = VK_SUBGROUP_FEATURE_SHUFFLE_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT;
  VkPhysicalDeviceExternalMemoryHostPropertiesEXT host = {
    .sType
    = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT,
  };
  VkPhysicalDeviceSubgroupProperties subgroup = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES,
    .pNext = device->can_import_host_pages ? &host : NULL,
  };
  VkPhysicalDeviceProperties2 properties = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
    .pNext = &subgroup,
  };

  device->vk.GetPhysicalDeviceMemoryProperties (device->physical,
                                                &device->memory);
  device->vk.GetPhysicalDeviceProperties2 (device->physical, &properties);
  device->vendor_id = properties.properties.vendorID;
  device->device_id = properties.properties.deviceID;
  memcpy (device->pipeline_cache_uuid, properties.properties.pipelineCacheUUID,
          VK_UUID_SIZE);
  if ((subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT)
      && (subgroup.supportedOperations & passes) == passes)
    device->shuffle_lanes = subgroup.subgroupSize;
  device->host_page_size = host.minImportedHostPointerAlignment;
  device->has_direct_memory
      = vkc_device_memory_type (device, UINT32_MAX, direct, 0) != UINT32_MAX;
}

struct vkc_device *
vkc_device_new (const char *selector, GError **error)
{
  struct vkc_device *device = g_new0 (struct vkc_device, 1);

  device->ref_count = 1;
  if (!create_instance (device, error)
      || !vkc_device_select (device, selector, error)
      || !find_queue_family (device, error))
    goto fail;
  vkc_debug_attach (device);
  if (!create_device (device, error))
    goto fail;
  probe_properties (device);
  device->pipelines = vkc_pipeline_cache_new (device);
  device->recorder = vkc_recorder_new (device, error);
  if (!device->recorder)
    goto fail;
  return device;

fail:
  vkc_device_destroy (device);
  return NULL;
}

void
vkc_device_destroy (struct vkc_device *device)
{
  vkc_pipeline_cache_free (device->pipelines);
  if (device->handle && device->vk.DestroyDevice)
    device->vk.DestroyDevice (device->handle, NULL);
  vkc_debug_detach (device);
  if (device->instance && device->vk.DestroyInstance)
    device->vk.DestroyInstance (device->instance, NULL);
  g_free (device->name);
  g_free (device);
}

struct vkc_device *
vkc_device_ref (struct vkc_device *device)
{
  g_atomic_int_inc (&device->ref_count);
  return device;
}

void
vkc_device_unref (struct vkc_device *device)
{
  if (device && g_atomic_int_dec_and_test (&device->ref_count))
    vkc_recorder_close (device->recorder);
}

static VkFormatFeatureFlags
image_features (const struct vkc_device *device, VkFormat format)
{
  VkFormatProperties2 properties = {
    .sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2,
  };

  device->vk.GetPhysicalDeviceFormatProperties2 (device->physical, format,
                                                 &properties);
  return properties.formatProperties.optimalTilingFeatures;
}

bool
vkc_device_can_store (const struct vkc_device *device, VkFormat format)
{
  return image_features (device, format) & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT;
}

bool
vkc_device_can_sample (const struct vkc_device *device, VkFormat format,
                       VkFilter filter)
{
  const VkFormatFeatureFlags needed
      = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT
        | (filter == VK_FILTER_LINEAR
               ? VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT
               : 0);

  return (image_features (device, format) & needed) == needed;
}

uint32_t
vkc_device_memory_type (const struct vkc_device *device, uint32_t type_bits,
                        VkMemoryPropertyFlags required,
                        VkMemoryPropertyFlags preferred)
{
  const VkPhysicalDeviceMemoryProperties *memory = &device->memory;
  uint32_t best = UINT32_MAX;
  int best_score = -1;

  for (uint32_t i = 0; i < memory->memoryTypeCount; i++) {
    const VkMemoryPropertyFlags flags = memory->memoryTypes[i].propertyFlags;
    const int score = __builtin_popcount (flags & preferred);

    if (!(type_bits >> i & 1) || (flags & required) != required
        || score <= best_score)
      continue;
    best = i;
    best_score = score;
  }
  return best;
}

bool
vkc_device_allocate (struct vkc_device *device,
                     const VkMemoryAllocateInfo *info, VkDeviceMemory *memory,
                     GError **error)
{
  const VkMemoryAllocateFlagsInfo flags = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
    .pNext = info->pNext,
    .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
  };
  VkMemoryAllocateInfo whole = *info;
  VkResult result;

  if (device->has_addresses)
    whole.pNext = &flags;
  result = device->vk.AllocateMemory (device->handle, &whole, NULL, memory);
  if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY
      || result == VK_ERROR_OUT_OF_HOST_MEMORY) {
    vkc_recorder_run_releases (device->recorder);
    result = device->vk.AllocateMemory (device->handle, &whole, NULL, memory);
  }
  return vkc_check (result, "vkAllocateMemory", error);
}
