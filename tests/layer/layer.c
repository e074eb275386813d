/* VK_LAYER_VKC_fault: the loader's side of it (layer interface version 2). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vk_layer.h>

#include "counts.h"
#include "script.h"
#include "thunks.h"

static PFN_vkVoidFunction VKAPI_CALL
layer_get_instance_proc_addr (VkInstance instance, const char *name);
static PFN_vkVoidFunction VKAPI_CALL
layer_get_device_proc_addr (VkDevice device, const char *name);

static VkLayerInstanceLink *
take_instance_link (const VkInstanceCreateInfo *info)
{
  VkLayerInstanceCreateInfo *link = (void *) info->pNext;
  VkLayerInstanceLink *next;

  while (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO
         || link->function != VK_LAYER_LINK_INFO)
    link = (void *) link->pNext;
  next = link->u.pLayerInfo;
  link->u.pLayerInfo = next->pNext;
  return next;
}

static VkLayerDeviceLink *
take_device_link (const VkDeviceCreateInfo *info)
{
  VkLayerDeviceCreateInfo *link = (void *) info->pNext;
  VkLayerDeviceLink *next;

  while (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO
         || link->function != VK_LAYER_LINK_INFO)
    link = (void *) link->pNext;
  next = link->u.pLayerInfo;
  link->u.pLayerInfo = next->pNext;
  return next;
}

static const char *problem;

static void
read_script (void)
{
  problem = script_read (getenv ("VKC_FAULT"));
  if (problem)
    fprintf (stderr, "VK_LAYER_VKC_fault: VKC_FAULT: %s\n", problem);
}

/* A script that is not understood must not run as if there were none. */
static bool
script_is_good (void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;

  pthread_once (&once, read_script);
  return !problem;
}

VkResult
fault_vkCreateInstance (const VkInstanceCreateInfo *info,
                        const VkAllocationCallbacks *allocator,
                        VkInstance *instance)
{
  VkLayerInstanceLink *link = take_instance_link (info);
  PFN_vkCreateInstance create = (PFN_vkCreateInstance)
      link->pfnNextGetInstanceProcAddr (NULL, "vkCreateInstance");
  VkResult result;

  if (!script_is_good ())
    return VK_ERROR_INITIALIZATION_FAILED;
  const struct verdict verdict = call_begin (NULL, FAULT_vkCreateInstance);

  result = verdict.call ? create (info, allocator, instance) : verdict.result;
  if (verdict.call && result == VK_SUCCESS)
    table_new_instance (*instance, link->pfnNextGetInstanceProcAddr);
  call_end (NULL, FAULT_vkCreateInstance, &verdict);
  return verdict.replace ? verdict.result : result;
}

void
fault_vkDestroyInstance (VkInstance instance,
                         const VkAllocationCallbacks *allocator)
{
  struct table *table;
  PFN_vkDestroyInstance destroy;

  if (!instance)
    return;
  table = table_of (instance);
  destroy = NEXT (vkDestroyInstance);
  call_begin (table, FAULT_vkDestroyInstance);
  table_free (table);
  destroy (instance, allocator);
  /* There may be no orderly exit. */
  counts_write ();
}

VkResult
fault_vkCreateDevice (VkPhysicalDevice physical,
                      const VkDeviceCreateInfo *info,
                      const VkAllocationCallbacks *allocator, VkDevice *device)
{
  struct table *table = table_of (physical);
  VkLayerDeviceLink *link = take_device_link (info);
  PFN_vkCreateDevice create
      = (PFN_vkCreateDevice) link->pfnNextGetInstanceProcAddr (
          table->instance, "vkCreateDevice");
  const struct verdict verdict = call_begin (table, FAULT_vkCreateDevice);
  const VkResult result = verdict.call
      ? create (physical, info, allocator, device) : verdict.result;

  if (verdict.call && result == VK_SUCCESS)
    table_new_device (*device, link->pfnNextGetDeviceProcAddr);
  call_end (table, FAULT_vkCreateDevice, &verdict);
  return verdict.replace ? verdict.result : result;
}

void
fault_vkDestroyDevice (VkDevice device, const VkAllocationCallbacks *allocator)
{
  struct table *table;
  PFN_vkDestroyDevice destroy;

  if (!device)
    return;
  table = table_of (device);
  destroy = NEXT (vkDestroyDevice);
  call_begin (table, FAULT_vkDestroyDevice);
  table_free (table);
  destroy (device, allocator);
}

static PFN_vkVoidFunction
by_hand (const char *name)
{
  if (strcmp (name, "vkGetInstanceProcAddr") == 0)
    return (PFN_vkVoidFunction) layer_get_instance_proc_addr;
  if (strcmp (name, "vkGetDeviceProcAddr") == 0)
    return (PFN_vkVoidFunction) layer_get_device_proc_addr;
  if (strcmp (name, "vkCreateInstance") == 0)
    return (PFN_vkVoidFunction) fault_vkCreateInstance;
  return NULL;
}

/* What the next layer lacks we lack as well; what we do not know is its own. */
static PFN_vkVoidFunction
thunk_for (const char *name, PFN_vkVoidFunction next)
{
  const struct fault_name *found = next ? fault_find (name) : NULL;

  return found ? found->thunk : next;
}

static PFN_vkVoidFunction VKAPI_CALL
layer_get_instance_proc_addr (VkInstance instance, const char *name)
{
  PFN_vkVoidFunction own = by_hand (name);

  if (own || !instance)
    return own;
  return thunk_for (name, table_of (instance)->get_instance_proc_addr (
                              instance, name));
}

static PFN_vkVoidFunction VKAPI_CALL
layer_get_device_proc_addr (VkDevice device, const char *name)
{
  if (strcmp (name, "vkGetDeviceProcAddr") == 0)
    return by_hand (name);
  return thunk_for (name,
                    table_of (device)->get_device_proc_addr (device, name));
}

__attribute__ ((visibility ("default"))) VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion (VkNegotiateLayerInterface *wanted)
{
  if (wanted->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT
      || wanted->loaderLayerInterfaceVersion < 2)
    return VK_ERROR_INITIALIZATION_FAILED;
  wanted->loaderLayerInterfaceVersion = 2;
  wanted->pfnGetInstanceProcAddr = layer_get_instance_proc_addr;
  wanted->pfnGetDeviceProcAddr = layer_get_device_proc_addr;
  wanted->pfnGetPhysicalDeviceProcAddr = NULL;
  return VK_SUCCESS;
}
