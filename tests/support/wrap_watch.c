/* The wrapper's model of devices, queues and command buffers. */
#include "tests/support/wrap_watch.h"

#include <pthread.h>

#include "tests/support/wrap.h"

/* A command buffer since its last begin. */
struct commands
{
  VkCommandPool pool;
  bool recording;
  struct test_counts counts;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static GHashTable *all_commands; /* VkCommandBuffer -> struct commands */
static GHashTable *all_counts;   /* VkDevice -> struct test_counts */
static GHashTable *all_queues;   /* VkQueue -> VkDevice */
static GArray *barriers;
static uint64_t begins_on_recording;

void
watch_init (void)
{
  if (all_commands)
    return;
  all_commands = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  all_counts = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  all_queues = g_hash_table_new (NULL, NULL);
  barriers = g_array_new (FALSE, TRUE, sizeof (struct test_barrier));
}

void
watch_reset (void)
{
  pthread_mutex_lock (&lock);
  g_array_set_size (barriers, 0);
  pthread_mutex_unlock (&lock);
}

static struct commands *
commands_of (VkCommandBuffer handle)
{
  struct commands *commands = g_hash_table_lookup (all_commands, handle);

  if (!commands) {
    commands = g_new0 (struct commands, 1);
    g_hash_table_insert (all_commands, handle, commands);
  }
  return commands;
}

static struct test_counts *
counts_of (VkDevice device)
{
  struct test_counts *counts = g_hash_table_lookup (all_counts, device);

  if (!counts) {
    counts = g_new0 (struct test_counts, 1);
    g_hash_table_insert (all_counts, device, counts);
  }
  return counts;
}

void
watch_device_made (VkDevice device)
{
  pthread_mutex_lock (&lock);
  *counts_of (device) = (struct test_counts){ 0 };
  pthread_mutex_unlock (&lock);
}

static gboolean
queue_is_of (gpointer queue, gpointer owner, gpointer device)
{
  return owner == device;
}

void
watch_device_gone (VkDevice device)
{
  pthread_mutex_lock (&lock);
  g_hash_table_foreach_remove (all_queues, queue_is_of, device);
  pthread_mutex_unlock (&lock);
}

void
watch_queue (VkQueue queue, VkDevice device)
{
  pthread_mutex_lock (&lock);
  g_hash_table_insert (all_queues, queue, device);
  pthread_mutex_unlock (&lock);
}

VkDevice
watch_device_of (VkQueue queue)
{
  VkDevice device;

  pthread_mutex_lock (&lock);
  device = g_hash_table_lookup (all_queues, queue);
  pthread_mutex_unlock (&lock);
  return device;
}

GList *
watch_devices (void)
{
  GList *devices;

  pthread_mutex_lock (&lock);
  devices = g_hash_table_get_values (all_queues);
  pthread_mutex_unlock (&lock);
  return devices;
}

void
watch_wait (VkDevice device, bool by_completion_thread)
{
  pthread_mutex_lock (&lock);
  if (by_completion_thread)
    counts_of (device)->watches++;
  else
    counts_of (device)->waits++;
  pthread_mutex_unlock (&lock);
}

void
watch_allocate (const VkCommandBufferAllocateInfo *info,
                const VkCommandBuffer *handles)
{
  pthread_mutex_lock (&lock);
  for (uint32_t i = 0; i < info->commandBufferCount; i++)
    *commands_of (handles[i])
        = (struct commands){ .pool = info->commandPool };
  pthread_mutex_unlock (&lock);
}

void
watch_reset_pool (VkCommandPool pool)
{
  GHashTableIter iter;
  gpointer value;

  pthread_mutex_lock (&lock);
  g_hash_table_iter_init (&iter, all_commands);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    struct commands *commands = value;

    if (commands->pool == pool)
      commands->recording = false;
  }
  pthread_mutex_unlock (&lock);
}

/* What was recorded and never accepted will not be. */
static void
forget_recording (VkCommandBuffer handle)
{
  for (unsigned i = 0; i < barriers->len; i++) {
    struct test_barrier *barrier
        = &g_array_index (barriers, struct test_barrier, i);

    if (barrier->commands == handle && barrier->submit == 0)
      barrier->commands = VK_NULL_HANDLE;
  }
}

void
watch_begin (VkCommandBuffer handle)
{
  pthread_mutex_lock (&lock);
  struct commands *commands = commands_of (handle);

  forget_recording (handle);
  begins_on_recording += commands->recording;
  commands->recording = true;
  commands->counts = (struct test_counts){ 0 };
  pthread_mutex_unlock (&lock);
}

void
watch_end (VkCommandBuffer handle)
{
  pthread_mutex_lock (&lock);
  commands_of (handle)->recording = false;
  pthread_mutex_unlock (&lock);
}

void
watch_dispatch (VkCommandBuffer handle)
{
  pthread_mutex_lock (&lock);
  commands_of (handle)->counts.dispatches++;
  pthread_mutex_unlock (&lock);
}

void
watch_copy (VkCommandBuffer handle)
{
  pthread_mutex_lock (&lock);
  commands_of (handle)->counts.copies++;
  pthread_mutex_unlock (&lock);
}

#define SCOPES_OF(from)                                                       \
  .commands = handle, .src_stages = (from)->srcStageMask,                     \
  .dst_stages = (from)->dstStageMask, .src_access = (from)->srcAccessMask,    \
  .dst_access = (from)->dstAccessMask

static void
keep_barriers (VkCommandBuffer handle, const VkDependencyInfo *info)
{
  for (uint32_t i = 0; i < info->imageMemoryBarrierCount; i++) {
    const VkImageMemoryBarrier2 *from = &info->pImageMemoryBarriers[i];
    const struct test_barrier barrier = {
      SCOPES_OF (from),
      .image = from->image,
      .old_layout = from->oldLayout,
      .new_layout = from->newLayout,
      .src_family = from->srcQueueFamilyIndex,
      .dst_family = from->dstQueueFamilyIndex,
    };
    g_array_append_val (barriers, barrier);
  }
  for (uint32_t i = 0; i < info->bufferMemoryBarrierCount; i++) {
    const VkBufferMemoryBarrier2 *from = &info->pBufferMemoryBarriers[i];
    const struct test_barrier barrier = {
      SCOPES_OF (from),
      .buffer = from->buffer,
      .src_family = from->srcQueueFamilyIndex,
      .dst_family = from->dstQueueFamilyIndex,
    };
    g_array_append_val (barriers, barrier);
  }
  for (uint32_t i = 0; i < info->memoryBarrierCount; i++) {
    const struct test_barrier barrier = {
      SCOPES_OF (&info->pMemoryBarriers[i]),
    };
    g_array_append_val (barriers, barrier);
  }
}

void
watch_barrier (VkCommandBuffer handle, const VkDependencyInfo *info)
{
  pthread_mutex_lock (&lock);
  struct test_counts *counts = &commands_of (handle)->counts;

  counts->barrier_calls++;
  counts->image_barriers += info->imageMemoryBarrierCount;
  counts->buffer_barriers += info->bufferMemoryBarrierCount;
  counts->memory_barriers += info->memoryBarrierCount;
  keep_barriers (handle, info);
  pthread_mutex_unlock (&lock);
}

static void
accept_commands (struct test_counts *counts, VkCommandBuffer handle)
{
  const struct test_counts *more = &commands_of (handle)->counts;

  counts->dispatches += more->dispatches;
  counts->copies += more->copies;
  counts->barrier_calls += more->barrier_calls;
  counts->image_barriers += more->image_barriers;
  counts->buffer_barriers += more->buffer_barriers;
  counts->memory_barriers += more->memory_barriers;
  for (unsigned i = 0; i < barriers->len; i++) {
    struct test_barrier *barrier
        = &g_array_index (barriers, struct test_barrier, i);

    if (barrier->commands == handle && barrier->submit == 0)
      barrier->submit = counts->submits;
  }
}

void
watch_submit (VkQueue queue, uint32_t n, const VkSubmitInfo2 *infos,
              VkResult result)
{
  pthread_mutex_lock (&lock);
  struct test_counts *counts
      = counts_of (g_hash_table_lookup (all_queues, queue));

  if (result == VK_SUCCESS)
    counts->submits++;
  else
    counts->submit_fails++;
  for (uint32_t i = 0; result == VK_SUCCESS && i < n; i++)
    for (uint32_t j = 0; j < infos[i].commandBufferInfoCount; j++)
      accept_commands (counts,
                       infos[i].pCommandBufferInfos[j].commandBuffer);
  pthread_mutex_unlock (&lock);
}

uint64_t
test_wrap_begins_on_recording (void)
{
  uint64_t n;

  pthread_mutex_lock (&lock);
  n = begins_on_recording;
  pthread_mutex_unlock (&lock);
  return n;
}

struct test_counts
test_wrap_counts (VkDevice device)
{
  struct test_counts counts;

  pthread_mutex_lock (&lock);
  counts = *counts_of (device);
  pthread_mutex_unlock (&lock);
  return counts;
}

struct test_barrier *
test_wrap_barriers (unsigned *n)
{
  struct test_barrier *copy;

  pthread_mutex_lock (&lock);
  *n = barriers->len;
  copy = g_memdup2 (barriers->data, barriers->len * sizeof *copy);
  pthread_mutex_unlock (&lock);
  return copy;
}
