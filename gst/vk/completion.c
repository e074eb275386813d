/* The completion thread: watches the timeline, drops pins, and at the end of
 * the device's life destroys it.
 *
 * Nothing refers to the thread, so whoever drops the last reference to the
 * device may be the thread itself. */
#include "gst/vk/recorder-private.h"

#include "gst/vk/exit.h"
#include "gst/vk/failures.h"
#include "gst/vk/release.h"
#include "gst/vk/result.h"

/* Longest sleep in Vulkan, so that a lost wake-up costs little. On software
 * drivers it is all that ends a sleep early: waiting there for either of two
 * semaphores polls, at half the CPU time of the work that is waited for. */
#define SLICE_MS     100
#define CPU_SLICE_MS 20

static void
wake (struct vkc_recorder *recorder, bool interrupt)
{
  struct vkc_device *device = recorder->device;

  vkc_mutex_lock (&recorder->wake_lock);
  if (recorder->watching && interrupt && !device->is_cpu) {
    const VkSemaphoreSignalInfo info = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
      .semaphore = recorder->wake,
      .value = ++recorder->wake_value,
    };

    device->vk.SignalSemaphore (device->handle, &info);
    recorder->watching = false;
  }
  if (!recorder->watching) {
    recorder->woken = true;
    vkc_cond_broadcast (&recorder->work);
  }
  vkc_mutex_unlock (&recorder->wake_lock);
}

void
vkc_completion_wake (struct vkc_recorder *recorder)
{
  wake (recorder, true);
}

void
vkc_completion_notify (struct vkc_recorder *recorder)
{
  wake (recorder, false);
}

void
vkc_completion_park (struct vkc_recorder *recorder)
{
  vkc_mutex_lock (&recorder->wake_lock);
  recorder->parking = true;
  vkc_mutex_unlock (&recorder->wake_lock);
  vkc_completion_wake (recorder);
}

bool
vkc_completion_is_parked (struct vkc_recorder *recorder)
{
  bool parked;

  vkc_mutex_lock (&recorder->wake_lock);
  parked = recorder->parked;
  vkc_mutex_unlock (&recorder->wake_lock);
  return parked;
}

/* The smallest value in flight; 0 if there is none to wait for. */
static uint64_t
next_value (const struct vkc_recorder *recorder)
{
  const struct vkc_slot *oldest = vkc_slot_oldest (recorder);

  /* The work of a lost device is over, that of a hung one is not. */
  return (recorder->lost && !recorder->hung) || !oldest ? 0 : oldest->value;
}

/* Nobody else may be waiting: a thread that is stuck in the driver behind such
 * work does not. So what has stood still for as long as all waits together may
 * take is given up here as well. Under the lock. */
static void
give_up_if_stuck (struct vkc_recorder *recorder, uint64_t value,
                  struct vkc_failures *failures)
{
  const struct vkc_slot *slot = vkc_slot_of (recorder, value);
  const int64_t allowed_us
      = (int64_t)(vkc_recorder_timeout_ns (recorder, value) / 1000)
        * (recorder->settings.max_timeouts + INT64_C (1));
  g_autoptr (GError) error = NULL;

  if (!slot || recorder->hung
      || g_get_monotonic_time ()
             < MAX (slot->submitted_at, recorder->progress_at) + allowed_us)
    return;
  vkc_check (VK_TIMEOUT, "vkWaitSemaphores", &error);
  vkc_blame_submission (recorder, value, &error);
  vkc_recorder_lose (recorder, true, error, failures);
}

/* The longest sleep until @deadline, in us. */
static int64_t
slice_until (const struct vkc_recorder *recorder, int64_t deadline)
{
  const int64_t longest
      = (recorder->device->is_cpu ? CPU_SLICE_MS : SLICE_MS) * 1000;

  return CLAMP (deadline - g_get_monotonic_time (), 0, longest);
}

/* The answer of a watch for @value by @call. False if nobody slept for it. */
static bool
conclude_watch (struct vkc_recorder *recorder, VkResult result,
                const char *call, uint64_t value, uint64_t now)
{
  struct vkc_failures failures = { 0 };
  g_autoptr (GError) error = NULL;

  vkc_recorder_lock (recorder);
  vkc_recorder_end_wait (recorder);
  if (result == VK_SUCCESS) {
    if (now >= value)
      vkc_recorder_reached (recorder, now);
  } else if (result == VK_ERROR_DEVICE_LOST) {
    vkc_check (result, call, &error);
    vkc_blame_submission (recorder, value, &error);
    vkc_recorder_lose (recorder, false, error, &failures);
  } else {
    give_up_if_stuck (recorder, value, &failures);
  }
  vkc_recorder_unlock (recorder);
  vkc_failures_deliver (&failures);
  return result == VK_SUCCESS || result == VK_TIMEOUT;
}

/* Waits until the timeline reaches @value, or somebody wakes, or @slice (us) is
 * over. False if that could not be waited for. */
static bool
watch (struct vkc_recorder *recorder, uint64_t value, uint64_t wake_value,
       int64_t slice)
{
  struct vkc_device *device = recorder->device;
  const VkSemaphore semaphores[] = { recorder->timeline, recorder->wake };
  const uint64_t values[] = { value, wake_value };
  const VkSemaphoreWaitInfo info = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
    .flags = VK_SEMAPHORE_WAIT_ANY_BIT,
    .semaphoreCount = device->is_cpu ? 1 : 2,
    .pSemaphores = semaphores,
    .pValues = values,
  };
  const char *call = "vkWaitSemaphores";
  uint64_t now = 0;
  VkResult result;

  vkc_recorder_lock (recorder);
  recorder->counters.watches++;
  vkc_recorder_unlock (recorder);
  result = device->vk.WaitSemaphores (device->handle, &info,
                                      (uint64_t)slice * 1000);
  if (result == VK_SUCCESS) {
    call = "vkGetSemaphoreCounterValue";
    result = device->vk.GetSemaphoreCounterValue (device->handle,
                                                  recorder->timeline, &now);
  }
  return conclude_watch (recorder, result, call, value, now);
}

/* Under the wake lock: until somebody wakes, or @deadline. */
static void
sleep_until (struct vkc_recorder *recorder, int64_t deadline)
{
  while (!recorder->woken)
    if (!vkc_cond_wait_until (&recorder->work, &recorder->wake_lock, deadline))
      break;
}

/* Under the lock: whether the thread has to wait for @value in Vulkan. Others
 * who wait do that for it, and notify. */
static bool
begin_watch (struct vkc_recorder *recorder, uint64_t value)
{
  if (!value || recorder->waiters > 0)
    return false;
  recorder->awaited = value;
  return true;
}

/* Nobody slept in Vulkan after all. */
static void
cancel_watch (struct vkc_recorder *recorder)
{
  vkc_recorder_lock (recorder);
  vkc_recorder_end_wait (recorder);
  vkc_recorder_unlock (recorder);
}

/* Under the wake lock, which it lets go of: sleeps in Vulkan. */
static void
sleep_in_vulkan (struct vkc_recorder *recorder, uint64_t value, int64_t slice)
{
  const uint64_t wake_value = recorder->wake_value + 1;
  bool slept;

  recorder->watching = true;
  vkc_mutex_unlock (&recorder->wake_lock);
  slept = watch (recorder, value, wake_value, slice);
  vkc_mutex_lock (&recorder->wake_lock);
  recorder->watching = false;
  if (!slept)
    sleep_until (recorder, g_get_monotonic_time () + slice);
}

/* Sleeps on the condition or in Vulkan, whichever has something to wait for. */
static void
sleep_until_work (struct vkc_recorder *recorder)
{
  uint64_t value;
  int64_t deadline, slice;
  bool is_closing, watches;

  vkc_recorder_lock (recorder);
  value = next_value (recorder);
  deadline = vkc_recorder_overdue_at (recorder);
  is_closing = recorder->closing;
  watches = begin_watch (recorder, value);
  vkc_recorder_unlock (recorder);

  slice = slice_until (recorder, deadline);
  vkc_mutex_lock (&recorder->wake_lock);
  if (watches && recorder->woken) {
    vkc_mutex_unlock (&recorder->wake_lock);
    cancel_watch (recorder);
    vkc_mutex_lock (&recorder->wake_lock);
  } else if (watches) {
    sleep_in_vulkan (recorder, value, slice);
  } else if (value) {
    sleep_until (recorder, g_get_monotonic_time () + slice);
  } else if (!is_closing) {
    sleep_until (recorder,
                 MIN (deadline, g_get_monotonic_time () + G_USEC_PER_SEC));
  }
  recorder->woken = false;
  while (recorder->parking) {
    recorder->parked = true;
    vkc_cond_wait_until (&recorder->work, &recorder->wake_lock, INT64_MAX);
  }
  vkc_mutex_unlock (&recorder->wake_lock);
}

bool
vkc_completion_is_quiet (const struct vkc_recorder *recorder)
{
  return next_value (recorder) == 0 && vkc_release_is_empty (recorder);
}

static bool
is_over (struct vkc_recorder *recorder)
{
  bool over;

  vkc_recorder_lock (recorder);
  over = recorder->closing && vkc_completion_is_quiet (recorder);
  vkc_recorder_unlock (recorder);
  return over;
}

void
vkc_thread_exit_unref (struct vkc_thread_exit *thread_exit)
{
  if (!g_atomic_int_dec_and_test (&thread_exit->ref_count))
    return;
  vkc_cond_clear (&thread_exit->cond);
  vkc_mutex_clear (&thread_exit->lock);
  g_free (thread_exit);
}

static void *
completion_thread (void *data)
{
  struct vkc_recorder *recorder = data;
  struct vkc_device *device = recorder->device;
  struct vkc_thread_exit *thread_exit = recorder->exit;

  pthread_setname_np (pthread_self (), "vkc-complete");
  while (!is_over (recorder)) {
    vkc_release_run (recorder);
    /* What they pin may be all that an upstream pool has. */
    vkc_recorder_flush_overdue (recorder);
    if (!is_over (recorder))
      sleep_until_work (recorder);
  }
  vkc_exit_unwatch (recorder);
  vkc_recorder_free (recorder);
  vkc_device_destroy (device);

  vkc_mutex_lock (&thread_exit->lock);
  thread_exit->done = true;
  vkc_cond_broadcast (&thread_exit->cond);
  vkc_mutex_unlock (&thread_exit->lock);
  vkc_thread_exit_unref (thread_exit);
  vkc_exit_closed ();
  return NULL;
}

bool
vkc_completion_start (struct vkc_recorder *recorder, GError **error)
{
  pthread_attr_t attributes;
  int result;

  recorder->exit = g_new0 (struct vkc_thread_exit, 1);
  recorder->exit->ref_count = 1;
  vkc_mutex_init (&recorder->exit->lock);
  vkc_cond_init (&recorder->exit->cond);

  pthread_attr_init (&attributes);
  pthread_attr_setdetachstate (&attributes, PTHREAD_CREATE_DETACHED);
  vkc_exit_watch (recorder);
  result = pthread_create (&recorder->thread, &attributes, completion_thread,
                           recorder);
  pthread_attr_destroy (&attributes);
  if (result == 0)
    return true;
  vkc_exit_unwatch (recorder);
  vkc_thread_exit_unref (recorder->exit);
  g_set_error (error, VKC_ERROR, VKC_ERROR_FAILED,
               "the completion thread could not be started: %s",
               g_strerror (result));
  return false;
}

void
vkc_recorder_close (struct vkc_recorder *recorder)
{
  struct vkc_thread_exit *thread_exit = recorder->exit;
  const int64_t deadline
      = g_get_monotonic_time ()
        + (recorder->settings.timeout_ms + 1000) * INT64_C (1000);
  bool waits;

  vkc_exit_closing ();
  g_atomic_int_inc (&thread_exit->ref_count);
  /* From the wake-up on the thread may free the recorder at any time; the lock
   * keeps it from that until the wake-up is done. */
  vkc_recorder_lock (recorder);
  /* Nobody waits for itself, nor for work or a thread that does not end. */
  waits = !pthread_equal (pthread_self (), recorder->thread)
          && !recorder->hung && !vkc_completion_is_parked (recorder);
  recorder->closing = true;
  vkc_completion_wake (recorder);
  vkc_recorder_unlock (recorder);

  vkc_mutex_lock (&thread_exit->lock);
  while (waits && !thread_exit->done)
    if (!vkc_cond_wait_until (&thread_exit->cond, &thread_exit->lock, deadline))
      break;
  vkc_mutex_unlock (&thread_exit->lock);
  vkc_thread_exit_unref (thread_exit);
}
