/* The wrapper of the function table. */
#include "tests/support/wrap.h"

#include <gst/check/gstcheck.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "gst/vk/device.h"
#include "gst/vk/functions.h"
#include "tests/support/layouts.h"
#include "tests/support/pretend.h"
#include "tests/support/wrap_watch.h"

#define MAX_SCRIPTS 16
#define MAX_WAITS 16
#define FOREVER UINT64_MAX

struct entry
{
  const char *name;
  bool can_lose; /* VK_ERROR_DEVICE_LOST is among its results */
  uint64_t calls, completion, real;
  int64_t made; /* objects, made by Create and Allocate or gone by Destroy */
};

/* What happens to one call. */
struct verdict
{
  bool call, replace;
  VkResult result;
};

/* Calls of @id numbered @first to @last return @result. */
struct script
{
  unsigned id;
  uint64_t first, last;
  VkResult result;
  bool also_call;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct vkc_functions real;
static struct script scripts[MAX_SCRIPTS];
static unsigned n_scripts;
static bool lost; /* changes under both locks */

/* Taken after the other one. Held while a submission goes to the driver. */
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static VkSemaphore gate;
static VkDevice gate_device;
static uint64_t clock_ticks; /* under the first lock */
static int given_sync_file = -1; /* too */

static struct verdict wrap_before (unsigned id);
static void wrap_made (unsigned id, int64_t n);

#define LOCKED(...)                                                           \
  do {                                                                        \
    pthread_mutex_lock (&lock);                                               \
    __VA_ARGS__;                                                              \
    pthread_mutex_unlock (&lock);                                             \
  } while (0)

static bool
on_completion_thread (void)
{
  static _Thread_local int known = -1;

  if (known < 0) {
    char name[16] = "";

    pthread_getname_np (pthread_self (), name, sizeof name);
    known = strcmp (name, "vkc-complete") == 0;
  }
  return known;
}

static void
new_device (VkDevice device)
{
  LOCKED (lost = false);
  watch_device_made (device);
}

static void
fake_clock (uint32_t n, uint64_t *times)
{
  uint64_t ticks;

  LOCKED (ticks = clock_ticks);
  for (uint32_t i = 0; ticks > 0 && i < n; i++)
    times[i] = i * ticks;
}

static void
swap_sync_file (int *fd)
{
  int given;

  LOCKED (given = given_sync_file; given_sync_file = -1);
  if (given < 0)
    return;
  if (*fd >= 0)
    close (*fd);
  *fd = given;
}

/* What is learnt of single entry points after they ran. */
#define WRAP_AFTER_CreateDevice(result, physical, info, allocator, device)    \
  if (result == VK_SUCCESS)                                                   \
  new_device (*device)
#define WRAP_AFTER_DestroyDevice(result, device, allocator)                   \
  watch_device_gone (device)
#define WRAP_AFTER_GetDeviceQueue(result, device, family, index, queue)       \
  watch_queue (*queue, device)
#define WRAP_AFTER_WaitSemaphores(result, device, info, timeout)              \
  watch_wait (device, on_completion_thread ())
#define WRAP_AFTER_AllocateCommandBuffers(result, device, info, handles)      \
  if (result == VK_SUCCESS)                                                   \
  watch_allocate (info, handles)
#define WRAP_AFTER_ResetCommandPool(result, device, pool, flags)              \
  if (result == VK_SUCCESS)                                                   \
  watch_reset_pool (pool)
#define WRAP_AFTER_BeginCommandBuffer(result, handle, info)                   \
  if (result == VK_SUCCESS)                                                   \
  (watch_begin (handle), layouts_begin (handle))
#define WRAP_AFTER_EndCommandBuffer(result, handle)                           \
  if (result == VK_SUCCESS)                                                   \
  watch_end (handle)
#define WRAP_AFTER_CmdPipelineBarrier2(result, handle, info)                  \
  (watch_barrier (handle, info), layouts_barrier (handle, info))
#define WRAP_AFTER_GetQueryPoolResults(result, device, pool, first, n, size,  \
                                       times, ...)                            \
  if (result == VK_SUCCESS)                                                   \
  fake_clock (n, times)
#define WRAP_AFTER_GetSemaphoreFdKHR(result, device, info, fd)                \
  if (result == VK_SUCCESS)                                                   \
  swap_sync_file (fd)
#define WRAP_AFTER_CmdDispatch(result, handle, ...)                           \
  (watch_dispatch (handle), layouts_dispatch (handle))
#define WRAP_AFTER_CmdBindDescriptorSets(result, handle, point, layout,       \
                                         first, n, sets, ...)                 \
  layouts_bind (handle, first, n, sets)
#define WRAP_AFTER_AllocateDescriptorSets(result, device, info, set)          \
  if (result == VK_SUCCESS)                                                   \
  layouts_set_made (*set)
#define WRAP_AFTER_UpdateDescriptorSets(result, device, n, writes, ...)       \
  layouts_sets_written (n, writes)
#define WRAP_AFTER_CreateImage(result, device, info, allocator, image)        \
  if (result == VK_SUCCESS)                                                   \
  layouts_image_made (*image, info)
#define WRAP_AFTER_CreateImageView(result, device, info, allocator, view)     \
  if (result == VK_SUCCESS)                                                   \
  layouts_view_made (*view, info)
#define WRAP_AFTER_DestroyImage(result, device, image, allocator)             \
  layouts_image_gone (image)
#define WRAP_AFTER_DestroyImageView(result, device, view, allocator)          \
  layouts_view_gone (view)
#define WRAP_AFTER_CmdCopyBuffer(result, handle, ...) watch_copy (handle)
#define WRAP_AFTER_CmdCopyBufferToImage(result, handle, buffer, image,        \
                                        layout, ...)                          \
  (watch_copy (handle), layouts_use (handle, image, layout))
#define WRAP_AFTER_CmdCopyImageToBuffer(result, handle, image, layout, ...)   \
  (watch_copy (handle), layouts_use (handle, image, layout))

/* What is changed before the driver sees it. */
#define WRAP_BEFORE_AllocateMemory(device, info, allocator, memory)           \
  info = pretend_allocation (info, &(struct pretended_allocation){ 0 })
#define WRAP_BEFORE_GetMemoryFdKHR(device, info, fd)                          \
  if (verdict.call && pretend_export (fd))                                    \
    verdict = (struct verdict){ .result = VK_SUCCESS }
#define WRAP_BEFORE_CreateImage(device, info, allocator, image)               \
  info = pretend_image (info, &(struct pretended_image){ 0 })
#define WRAP_BEFORE_GetPhysicalDeviceImageFormatProperties2(physical, info,   \
                                                            properties)       \
  info = pretend_format (info, &(struct pretended_format){ 0 })
#define WRAP_AFTER_GetPhysicalDeviceFormatProperties2(result, physical,       \
                                                      format, properties)     \
  pretend_properties (properties)

#define WRAP_THUNKS
#include "wrap-thunks.h"

static unsigned
id_of (const char *name)
{
  for (unsigned id = 0; id < WRAP_N; id++)
    if (strcmp (entries[id].name, name) == 0)
      return id;
  fail ("%s is not in the function table", name);
  return 0;
}

static void
wrap_made (unsigned id, int64_t n)
{
  LOCKED (entries[id].made += n);
}

/* The loss of a device means that nothing of it runs any more. Under the locks:
 * nobody learns of the loss before that is true, and nothing is submitted after
 * it. */
static void
idle_all_devices (void)
{
  GList *devices = watch_devices ();

  for (GList *device = devices; device; device = device->next)
    vkDeviceWaitIdle (device->data);
  g_list_free (devices);
}

static struct verdict
judge (unsigned id)
{
  struct entry *entry = &entries[id];

  entry->calls++;
  entry->completion += on_completion_thread ();
  if (lost && entry->can_lose)
    return (struct verdict){ .result = VK_ERROR_DEVICE_LOST };
  for (unsigned i = 0; i < n_scripts; i++)
    if (scripts[i].id == id && entry->calls >= scripts[i].first
        && entry->calls <= scripts[i].last)
      return (struct verdict){ .call = scripts[i].also_call,
                               .replace = true,
                               .result = scripts[i].result };
  return (struct verdict){ .call = true };
}

static struct verdict
wrap_before (unsigned id)
{
  struct verdict verdict;
  bool lost_now;

  /* The gate's semaphore is another thread's, which may still be at it. */
  if (id == WRAP_DestroyDevice) {
    pthread_mutex_lock (&queue_lock);
    pthread_mutex_unlock (&queue_lock);
  }
  pthread_mutex_lock (&lock);
  verdict = judge (id);
  entries[id].real += verdict.call;
  lost_now = !lost && verdict.replace
      && verdict.result == VK_ERROR_DEVICE_LOST;
  if (lost_now) {
    pthread_mutex_lock (&queue_lock);
    idle_all_devices ();
    lost = true;
    pthread_mutex_unlock (&queue_lock);
  }
  pthread_mutex_unlock (&lock);
  return verdict;
}

/* Submits @info with one more wait: for the gate. */
static VkResult
submit_gated (VkQueue queue, const VkSubmitInfo2 *info, VkFence fence)
{
  const uint32_t n = info->waitSemaphoreInfoCount;
  VkSemaphoreSubmitInfo waits[MAX_WAITS + 1];
  VkSubmitInfo2 gated = *info;

  g_assert (n <= MAX_WAITS);
  if (n > 0)
    memcpy (waits, info->pWaitSemaphoreInfos, n * sizeof *waits);
  waits[n] = (VkSemaphoreSubmitInfo){
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
    .semaphore = gate,
    .value = 1,
    .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
  };
  gated.waitSemaphoreInfoCount = n + 1;
  gated.pWaitSemaphoreInfos = waits;
  return real.QueueSubmit2 (queue, 1, &gated, fence);
}

static VKAPI_ATTR VkResult VKAPI_CALL
wrap_QueueSubmit2 (VkQueue queue, uint32_t n, const VkSubmitInfo2 *infos,
                   VkFence fence)
{
  struct verdict verdict = wrap_before (WRAP_QueueSubmit2);
  VkResult result = verdict.result;

  if (verdict.call) {
    pthread_mutex_lock (&queue_lock);
    if (lost && !verdict.replace)
      result = VK_ERROR_DEVICE_LOST;
    else
      result = gate && n == 1 && watch_device_of (queue) == gate_device
          ? submit_gated (queue, infos, fence)
          : real.QueueSubmit2 (queue, n, infos, fence);
    pthread_mutex_unlock (&queue_lock);
    if (verdict.replace)
      result = verdict.result;
  }
  watch_submit (queue, n, infos, result);
  if (result == VK_SUCCESS)
    layouts_submit (n, infos);
  return result;
}

static void
wrap_table (struct vkc_functions *vk)
{
  /* The table of a new instance, whose making is not in it. */
  if (vk->DestroyInstance != wrap_DestroyInstance) {
    wrap_made (WRAP_DestroyInstance, -1);
    /* The only one: drivers and layers may have been unloaded since. */
    if (test_wrap_live (NULL) == 1)
      memset (&real, 0, sizeof real);
  }
  /* Those of another device, which may be at work, are there already. */
#define WRAP_ONE(function)                                                    \
  if (vk->function && vk->function != wrap_##function) {                      \
    if (!real.function)                                                       \
      real.function = vk->function;                                           \
    g_assert (real.function == vk->function);                                 \
    vk->function = wrap_##function;                                           \
  }
  WRAP_NAMES (WRAP_ONE)
#undef WRAP_ONE
}

void
test_wrap_install (void)
{
  watch_init ();
  vkc_functions_set_wrapper (wrap_table);
}

void
test_wrap_reset (void)
{
  pthread_mutex_lock (&lock);
  for (unsigned id = 0; id < WRAP_N; id++)
    entries[id].calls = entries[id].completion = entries[id].real = 0;
  n_scripts = 0;
  lost = false;
  pthread_mutex_unlock (&lock);
  watch_reset ();
}

void
test_wrap_stop_failing (void)
{
  pthread_mutex_lock (&lock);
  n_scripts = 0;
  pthread_mutex_unlock (&lock);
}

static void
add_script (const char *name, unsigned nth, uint64_t more, VkResult result,
            bool also_call)
{
  const unsigned id = id_of (name);

  pthread_mutex_lock (&lock);
  g_assert (n_scripts < MAX_SCRIPTS && nth > 0);
  const uint64_t first = entries[id].calls + nth;

  scripts[n_scripts++] = (struct script){
    .id = id,
    .first = first,
    .last = more == FOREVER ? FOREVER : first + more,
    .result = result,
    .also_call = also_call,
  };
  pthread_mutex_unlock (&lock);
}

void
test_wrap_fail (const char *name, unsigned nth, VkResult result,
                bool also_call)
{
  add_script (name, nth, 0, result, also_call);
}

void
test_wrap_fail_from (const char *name, unsigned nth, VkResult result)
{
  add_script (name, nth, FOREVER, result, false);
}

uint64_t
test_wrap_count (const char *name)
{
  const unsigned id = id_of (name);
  uint64_t n;

  LOCKED (n = entries[id].calls);
  return n;
}

uint64_t
test_wrap_count_completion (const char *name)
{
  const unsigned id = id_of (name);
  uint64_t n;

  LOCKED (n = entries[id].completion);
  return n;
}

uint64_t
test_wrap_count_real (const char *name)
{
  const unsigned id = id_of (name);
  uint64_t n;

  LOCKED (n = entries[id].real);
  return n;
}

/* "vkCreateComputePipelines" makes what "vkDestroyPipeline" destroys. */
static bool
makes (const char *name, const char *kind)
{
  if (kind && strcmp (kind, "Pipeline") == 0)
    return strcmp (name, "vkCreateComputePipelines") == 0;
  if (!g_str_has_prefix (name, "vkCreate")
      && strcmp (name, "vkAllocateMemory") != 0)
    return false;
  return !kind || strcmp (name + strlen ("vkCreate"), kind) == 0
      || strcmp (name + strlen ("vkAllocate"), kind) == 0;
}

static bool
destroys (const char *name, const char *kind)
{
  if (!g_str_has_prefix (name, "vkDestroy")
      && strcmp (name, "vkFreeMemory") != 0)
    return false;
  return !kind || strcmp (name + strlen ("vkDestroy"), kind) == 0
      || (strcmp (name, "vkFreeMemory") == 0 && strcmp (kind, "Memory") == 0);
}

int64_t
test_wrap_live (const char *kind)
{
  int64_t n = 0;

  pthread_mutex_lock (&lock);
  for (unsigned id = 0; id < WRAP_N; id++)
    if (makes (entries[id].name, kind))
      n += entries[id].made;
    else if (destroys (entries[id].name, kind))
      n -= entries[id].made;
  pthread_mutex_unlock (&lock);
  return n;
}

void
test_wrap_give_sync_file (int sync_file)
{
  LOCKED (given_sync_file = sync_file);
}

void
test_wrap_set_clock (uint64_t ticks)
{
  LOCKED (clock_ticks = ticks);
}

void
test_wrap_close_gate (struct vkc_device *device)
{
  const VkSemaphoreTypeCreateInfo type = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
    .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
  };
  const VkSemaphoreCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
    .pNext = &type,
  };

  g_assert (!gate);
  gate_device = device->handle;
  fail_unless_equals_int (
      real.CreateSemaphore (gate_device, &info, NULL, &gate), VK_SUCCESS);
}

void
test_wrap_open_gate (void)
{
  const VkSemaphoreSignalInfo info = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
    .semaphore = gate,
    .value = 1,
  };

  /* Other threads may submit at this moment, or end the device. */
  pthread_mutex_lock (&queue_lock);
  fail_unless_equals_int (real.SignalSemaphore (gate_device, &info),
                          VK_SUCCESS);
  vkDeviceWaitIdle (gate_device);
  real.DestroySemaphore (gate_device, gate, NULL);
  gate = VK_NULL_HANDLE;
  pthread_mutex_unlock (&queue_lock);
}
