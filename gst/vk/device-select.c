/* Chooses a physical device by index, name or UUID. */
#include "gst/vk/device-select.h"

#include <stdlib.h>
#include <string.h>

#include "gst/vk/result.h"

struct candidate
{
  VkPhysicalDevice handle;
  VkPhysicalDeviceProperties properties;
  uint8_t uuid[VK_UUID_SIZE];
  uint32_t index;
  bool usable; /* Vulkan 1.3 and the features of the floor */
};

const char *
vkc_device_effective_selector (const char *selector)
{
  if (!selector || !*selector)
    selector = g_getenv ("VKC_DEVICE");
  return selector && *selector ? selector : NULL;
}

static void
uuid_to_hex (const uint8_t *uuid, char *hex)
{
  for (guint i = 0; i < VK_UUID_SIZE; i++)
    g_snprintf (hex + 2 * i, 3, "%02x", uuid[i]);
}

static bool
uuid_equals (const uint8_t *uuid, const char *selector)
{
  char wanted[2 * VK_UUID_SIZE + 1], hex[2 * VK_UUID_SIZE + 1];
  int n = 0;

  for (; *selector; selector++) {
    if (*selector == '-')
      continue;
    if (!g_ascii_isxdigit (*selector) || n == 2 * VK_UUID_SIZE)
      return false;
    wanted[n++] = g_ascii_tolower (*selector);
  }
  wanted[n] = '\0';
  uuid_to_hex (uuid, hex);
  return strcmp (wanted, hex) == 0;
}

static bool
name_contains (const char *name, const char *part)
{
  g_autofree char *folded_name = g_ascii_strdown (name, -1);
  g_autofree char *folded_part = g_ascii_strdown (part, -1);

  return strstr (folded_name, folded_part) != NULL;
}

static bool
matches (const char *selector, uint32_t index, const char *name,
         const uint8_t *uuid)
{
  guint64 number;

  if (!selector)
    return true;
  if (g_ascii_string_to_unsigned (selector, 10, 0, G_MAXUINT32, &number, NULL)
      && strlen (selector) < 2 * VK_UUID_SIZE)
    return number == index;
  return uuid_equals (uuid, selector) || name_contains (name, selector);
}

bool
vkc_device_matches (const struct vkc_device *device, const char *selector)
{
  return matches (vkc_device_effective_selector (selector), device->index,
                  device->name, device->uuid);
}

static bool
has_floor (const struct vkc_functions *vk, VkPhysicalDevice physical)
{
  VkPhysicalDeviceVulkan13Features v13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
  };
  VkPhysicalDeviceVulkan12Features v12 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .pNext = &v13,
  };
  VkPhysicalDeviceFeatures2 features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = &v12,
  };

  vk->GetPhysicalDeviceFeatures2 (physical, &features);
  return v12.timelineSemaphore && v13.synchronization2;
}

static struct candidate
describe (const struct vkc_functions *vk, VkPhysicalDevice physical,
          uint32_t index)
{
  VkPhysicalDeviceIDProperties id = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES,
  };
  VkPhysicalDeviceProperties2 properties = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
    .pNext = &id,
  };
  struct candidate candidate = { .handle = physical, .index = index };

  vk->GetPhysicalDeviceProperties2 (physical, &properties);
  candidate.properties = properties.properties;
  memcpy (candidate.uuid, id.deviceUUID, VK_UUID_SIZE);
  candidate.usable = properties.properties.apiVersion >= VK_API_VERSION_1_3
                     && has_floor (vk, physical);
  return candidate;
}

static int
rank (VkPhysicalDeviceType type)
{
  switch (type) {
  case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
    return 4;
  case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
    return 3;
  case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
    return 2;
  case VK_PHYSICAL_DEVICE_TYPE_CPU:
    return 1;
  default:
    return 0;
  }
}

static void
adopt (struct vkc_device *device, const struct candidate *chosen)
{
  device->physical = chosen->handle;
  device->index = chosen->index;
  device->name = g_strdup (chosen->properties.deviceName);
  device->limits = chosen->properties.limits;
  device->is_cpu
      = chosen->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  memcpy (device->uuid, chosen->uuid, VK_UUID_SIZE);
}

static bool
none_found (const char *selector, const GString *seen, GError **error)
{
  if (seen->len == 0)
    g_set_error_literal (error, VKC_ERROR, VKC_ERROR_NO_DEVICE,
                         "there is no Vulkan device");
  else if (selector)
    g_set_error (
        error, VKC_ERROR, VKC_ERROR_NO_DEVICE,
        "no usable Vulkan 1.3 device has \"%s\" as its index, UUID or part "
        "of its name; there is:%s",
        selector, seen->str);
  else
    g_set_error (error, VKC_ERROR, VKC_ERROR_NO_DEVICE,
                 "no Vulkan device offers 1.3 with timeline semaphores and "
                 "synchronization2; there is:%s",
                 seen->str);
  return false;
}

bool
vkc_device_select (struct vkc_device *device, const char *selector,
                   GError **error)
{
  const struct vkc_functions *vk = &device->vk;
  g_autofree VkPhysicalDevice *all = NULL;
  g_autoptr (GString) seen = g_string_new (NULL);
  struct candidate best = { 0 };
  uint32_t n = 0;

  selector = vkc_device_effective_selector (selector);
  if (!vkc_check (vk->EnumeratePhysicalDevices (device->instance, &n, NULL),
                  "vkEnumeratePhysicalDevices", error))
    return false;
  all = g_new0 (VkPhysicalDevice, MAX (n, 1));
  if (!vkc_check (vk->EnumeratePhysicalDevices (device->instance, &n, all),
                  "vkEnumeratePhysicalDevices", error))
    return false;

  for (uint32_t i = 0; i < n; i++) {
    const struct candidate here = describe (vk, all[i], i);

    g_string_append_printf (seen, "%s %u: %s%s", seen->len > 0 ? "," : "", i,
                            here.properties.deviceName,
                            here.usable ? "" : " (too old)");
    if (!here.usable
        || !matches (selector, i, here.properties.deviceName, here.uuid))
      continue;
    if (!best.handle
        || rank (here.properties.deviceType)
               > rank (best.properties.deviceType))
      best = here;
  }
  if (!best.handle)
    return none_found (selector, seen, error);
  adopt (device, &best);
  return true;
}
