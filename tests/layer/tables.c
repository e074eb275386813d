/* The list of tables. */
#include "tables.h"

#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Tables are never freed, only used again: threads walk the list without the
 * lock. */
static _Atomic (struct table *) tables;

static void *
key_of (void *handle)
{
  return *(void **) handle;
}

struct table *
table_of (void *handle)
{
  void *key = key_of (handle);

  for (struct table *table = tables; table; table = table->later)
    if (table->key == key)
      return table;
  fprintf (stderr, "VK_LAYER_VKC_fault: a handle of no device or instance\n");
  abort ();
}

/* Under the lock. */
static struct table *
table_take (void)
{
  struct table *table = tables;

  while (table && table->key)
    table = table->later;
  if (!table) {
    table = calloc (1, sizeof *table);
    pthread_rwlock_init (&table->queues, NULL);
    table->later = tables;
    tables = table;
  }
  table->instance = VK_NULL_HANDLE;
  table->device = VK_NULL_HANDLE;
  table->lost = false;
  for (unsigned id = 0; id < FAULT_N_IDS; id++)
    table->next[id] = NULL;
  return table;
}

static PFN_vkVoidFunction
look_up (const struct table *table, const char *name)
{
  return table->device ? table->get_device_proc_addr (table->device, name)
                       : table->get_instance_proc_addr (table->instance, name);
}

static void
fill (struct table *table)
{
  for (unsigned i = 0; i < FAULT_N_NAMES; i++) {
    const struct fault_name *name = &fault_names[i];

    if (!table->next[name->id]
        && fault_entries[name->id].of_device == (table->device != NULL))
      table->next[name->id] = look_up (table, name->name);
  }
}

struct table *
table_new_instance (VkInstance instance, PFN_vkGetInstanceProcAddr next)
{
  struct table *table;

  pthread_mutex_lock (&lock);
  table = table_take ();
  table->instance = instance;
  table->get_instance_proc_addr = next;
  fill (table);
  table->key = key_of (instance);
  pthread_mutex_unlock (&lock);
  return table;
}

struct table *
table_new_device (VkDevice device, PFN_vkGetDeviceProcAddr next)
{
  struct table *table;

  pthread_mutex_lock (&lock);
  table = table_take ();
  table->device = device;
  table->get_device_proc_addr = next;
  fill (table);
  table->key = key_of (device);
  pthread_mutex_unlock (&lock);
  return table;
}

void
table_free (struct table *table)
{
  pthread_mutex_lock (&lock);
  table->key = NULL;
  pthread_mutex_unlock (&lock);
}
