/* Fills the table of Vulkan entry points. The one place that names the loader. */
#include "gst/vk/functions.h"

#include "gst/vk/result.h"

static vkc_functions_wrapper table_wrapper;

void
vkc_functions_set_wrapper (vkc_functions_wrapper wrapper)
{
  g_atomic_pointer_set (&table_wrapper, wrapper);
}

/* Called whenever rows were filled: entries of the instance are used before
 * there is a device. */
static void
apply_wrapper (struct vkc_functions *vk)
{
  vkc_functions_wrapper wrapper = g_atomic_pointer_get (&table_wrapper);

  if (wrapper)
    wrapper (vk);
}

static bool
missing (const char *name, GError **error)
{
  g_set_error (error, VKC_ERROR, VKC_ERROR_NO_DEVICE,
               "the Vulkan driver lacks vk%s: Vulkan 1.3 is needed", name);
  return false;
}

bool
vkc_functions_load_instance (struct vkc_functions *vk, VkInstance instance,
                             GError **error)
{
#define LOAD(name)                                                            \
  vk->name = (PFN_vk##name) vkGetInstanceProcAddr (instance, "vk" #name);
#define NEED(name)                                                            \
  LOAD (name)                                                                 \
  if (!vk->name)                                                              \
    return missing (#name, error);
  VKC_INSTANCE_FUNCTIONS (NEED)
  VKC_OPTIONAL_INSTANCE_FUNCTIONS (LOAD)
  vk->GetDeviceProcAddr = (PFN_vkGetDeviceProcAddr) vkGetInstanceProcAddr (
      instance, "vkGetDeviceProcAddr");
#undef NEED
#undef LOAD
  apply_wrapper (vk);
  return true;
}

bool
vkc_functions_load_device (struct vkc_functions *vk, VkDevice device,
                           GError **error)
{
#define LOAD(name)                                                            \
  vk->name = (PFN_vk##name) vk->GetDeviceProcAddr (device, "vk" #name);
#define NEED(name)                                                            \
  LOAD (name)                                                                 \
  if (!vk->name)                                                              \
    return missing (#name, error);
  VKC_DEVICE_FUNCTIONS (NEED)
  VKC_OPTIONAL_DEVICE_FUNCTIONS (LOAD)
#undef NEED
#undef LOAD
  apply_wrapper (vk);
  return true;
}
