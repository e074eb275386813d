/* What every thunk does before and after the real call. */
#pragma once

#include "tables.h"

#define NEXT(name) ((PFN_##name) table->next[FAULT_##name])

/* Counts the call and decides about it. If the real one is made, it is between
 * these two. */
struct verdict call_begin (struct table *table, enum fault_id id);
void call_end (struct table *table, enum fault_id id,
               const struct verdict *verdict);

/* The thunks that are written by hand. */
VKAPI_ATTR VkResult VKAPI_CALL
fault_vkCreateInstance (const VkInstanceCreateInfo *info,
                        const VkAllocationCallbacks *allocator,
                        VkInstance *instance);
VKAPI_ATTR void VKAPI_CALL
fault_vkDestroyInstance (VkInstance instance,
                         const VkAllocationCallbacks *allocator);
VKAPI_ATTR VkResult VKAPI_CALL
fault_vkCreateDevice (VkPhysicalDevice physical,
                      const VkDeviceCreateInfo *info,
                      const VkAllocationCallbacks *allocator,
                      VkDevice *device);
VKAPI_ATTR void VKAPI_CALL
fault_vkDestroyDevice (VkDevice device,
                       const VkAllocationCallbacks *allocator);
