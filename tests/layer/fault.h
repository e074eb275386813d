/* What the layer knows of an entry point, and what it decides about a call.
 *
 * Plain C and libc: the layer is loaded into programs of all kinds. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

#include "fault-entries.h"

/* By enum fault_id. An alias ("vkQueueSubmit2KHR") has the id of what it is an
 * alias of. */
struct fault_entry
{
  const char *name;
  bool of_device; /* dispatched by a device, queue or command buffer */
  bool of_queue;
  bool has_result; /* returns a VkResult */
  bool can_lose;   /* VK_ERROR_DEVICE_LOST is among them */
};

/* Sorted by name, aliases too. */
struct fault_name
{
  const char *name;
  enum fault_id id;
  PFN_vkVoidFunction thunk;
};

struct fault_result
{
  const char *name;
  VkResult value;
};

extern const struct fault_entry fault_entries[FAULT_N_IDS];
extern const struct fault_name fault_names[FAULT_N_NAMES];
extern const struct fault_result fault_results[FAULT_N_RESULTS];

/* NULL for a name that the layer does not know. */
const struct fault_name *fault_find (const char *name);

/* What happens to one call: the real one is made or not, and its result is
 * replaced or not. */
struct verdict
{
  bool call, replace;
  VkResult result;
};
