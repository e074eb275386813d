/* Where calls go on to: one table for each instance and each device, found by
 * the loader's pointer in a dispatchable handle. Threads: any. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "fault.h"

struct table
{
  _Atomic (void *) key; /* NULL: free */
  struct table *later;
  VkInstance instance; /* one of the two */
  VkDevice device;
  PFN_vkGetInstanceProcAddr get_instance_proc_addr; /* of the next layer */
  PFN_vkGetDeviceProcAddr get_device_proc_addr;
  PFN_vkVoidFunction next[FAULT_N_IDS];

  atomic_bool lost;
  /* Read: a call on a queue. Write: waiting for all queues. */
  pthread_rwlock_t queues;
};

/* Of an instance, device, or what came from them; it exists. */
struct table *table_of (void *handle);

/* Fill a free table with what the next layer has for the handle, through the
 * functions that it gave us. */
struct table *table_new_instance (VkInstance instance,
                                  PFN_vkGetInstanceProcAddr next);
struct table *table_new_device (VkDevice device, PFN_vkGetDeviceProcAddr next);

void table_free (struct table *table);
