/* Waiting for the timeline, and what is learnt there: reached, late, lost. */
#include "gst/vk/recorder-private.h"

#include "gst/vk/failures.h"
#include "gst/vk/fuse.h"
#include "gst/vk/owner-private.h"
#include "gst/vk/plan.h"
#include "gst/vk/result.h"

void
vkc_recorder_reached (struct vkc_recorder *recorder, uint64_t value)
{
  recorder->completed = MAX (recorder->completed, value);
  recorder->timeouts = 0;
  recorder->put_off = false;
  recorder->progress_at = g_get_monotonic_time ();
  /* In their order, which is that of the frames that they let go of. */
  for (struct vkc_slot *slot = vkc_slot_oldest (recorder);
       slot && slot->value <= value; slot = vkc_slot_oldest (recorder))
    vkc_slot_retire (recorder, slot);
  vkc_cond_broadcast (&recorder->moved);
  vkc_completion_notify (recorder);
}

/* The content that @slot would have made is not to be had. */
static void
lose_slot (const struct vkc_slot *slot, const GError *error,
           struct vkc_failures *failures)
{
  for (guint i = 0; i < slot->jobs->len; i++) {
    const struct vkc_job *job = g_ptr_array_index (slot->jobs, i);

    vkc_failures_add (failures, job->owner, error);
  }
  for (guint i = 0; i < slot->images->len; i++) {
    struct vkc_image *image = g_ptr_array_index (slot->images, i);

    if (image->written >= slot->value) {
      image->failed = true;
      image->state.device_valid = image->state.host_valid = false;
    }
  }
}

void
vkc_recorder_lose (struct vkc_recorder *recorder, bool hung,
                   const GError *error, struct vkc_failures *failures)
{
  /* A device that hung may still turn out to be lost: its work is over then. */
  if (recorder->lost && (hung || !recorder->hung))
    return;
  recorder->lost = true;
  recorder->hung = hung;
  while (recorder->pending.head) {
    struct vkc_job *job = recorder->pending.head->data;

    vkc_failures_add (failures, job->owner, error);
    vkc_plan_drop (recorder, job, VKC_JOB_FAILED);
  }
  for (uint32_t i = 0; i < recorder->n_slots; i++) {
    struct vkc_slot *slot = &recorder->slots[i];

    if (!slot->in_flight)
      continue;
    lose_slot (slot, error, failures);
    /* Work that may still run keeps what it uses. */
    if (hung)
      recorder->counters.quarantined += slot->jobs->len + slot->images->len;
    else
      vkc_slot_retire (recorder, slot);
  }
  vkc_cond_broadcast (&recorder->moved);
  vkc_completion_wake (recorder);
}

bool
vkc_recorder_refuse_lost (const struct vkc_recorder *recorder, GError **error)
{
  g_set_error (error, VKC_ERROR, VKC_ERROR_DEVICE_LOST,
               "the Vulkan device %s %s", recorder->device->name,
               recorder->hung ? "hangs" : "is lost");
  return false;
}

bool
vkc_recorder_is_lost (struct vkc_recorder *recorder)
{
  bool lost;

  vkc_recorder_lock (recorder);
  lost = recorder->lost;
  vkc_recorder_unlock (recorder);
  return lost;
}

/* The answer of a wait for @value, which may have taken long. @timeouts: in
 * a row, before it: threads that wait at the same time run out of time once. */
static bool
conclude_wait (struct vkc_recorder *recorder, VkResult result, uint64_t value,
           unsigned timeouts, struct vkc_failures *failures, GError **error)
{
  g_autoptr (GError) reason = NULL;

  /* Another thread has seen it over meanwhile: nothing failed for this one. A
   * loss is told by the next call. */
  if (result != VK_SUCCESS && value <= recorder->completed)
    return true;
  if (vkc_check (result, "vkWaitSemaphores", &reason)) {
    vkc_recorder_reached (recorder, value);
    return true;
  }
  /* So has another thread, which tells what was lost with it. */
  if (result == VK_ERROR_DEVICE_LOST && recorder->lost)
    return vkc_recorder_refuse_lost (recorder, error);
  vkc_blame_submission (recorder, value, &reason);
  if (result == VK_TIMEOUT) {
    recorder->counters.wait_timeouts++;
    if (recorder->timeouts == timeouts)
      recorder->timeouts++;
    if (recorder->timeouts > recorder->settings.max_timeouts)
      vkc_recorder_lose (recorder, true, reason, failures);
  } else if (result == VK_ERROR_DEVICE_LOST) {
    vkc_recorder_lose (recorder, false, reason, failures);
  }
  g_propagate_error (error, g_steal_pointer (&reason));
  return false;
}

bool
vkc_recorder_is_reached (struct vkc_recorder *recorder, uint64_t value)
{
  struct vkc_device *device = recorder->device;
  uint64_t now;

  if (value <= recorder->completed)
    return true;
  if (recorder->lost
      || device->vk.GetSemaphoreCounterValue (device->handle,
                                              recorder->timeline, &now)
             != VK_SUCCESS
      || now < value)
    return false;
  vkc_recorder_reached (recorder, now);
  return true;
}

/* Software drivers compile when a pipeline is first used, within the submission:
 * that can take longer than any frame may. */
uint64_t
vkc_recorder_timeout_ns (const struct vkc_recorder *recorder, uint64_t value)
{
  bool may_compile = false;

  for (uint32_t i = 0; i < recorder->n_slots; i++) {
    const struct vkc_slot *slot = &recorder->slots[i];

    for (guint k = 0; slot->in_flight && slot->value <= value
                      && k < slot->jobs->len; k++) {
      const struct vkc_pipeline *pipeline
          = vkc_job_kernel (g_ptr_array_index (slot->jobs, k));

      may_compile |= pipeline && !g_atomic_int_get (&pipeline->has_run);
    }
  }
  return (may_compile ? recorder->settings.compile_ms
                      : recorder->settings.timeout_ms)
         * UINT64_C (1000000);
}

/* For the tracer. */
static void
conclude_waiter (struct vkc_recorder *recorder, uint64_t value)
{
  struct vkc_slot *slot = vkc_slot_of (recorder, value);

  if (slot)
    slot->waited = true;
}

void
vkc_recorder_end_wait (struct vkc_recorder *recorder)
{
  recorder->awaited = 0;
  vkc_cond_broadcast (&recorder->moved);
}

/* Waits in Vulkan. Lets go of the lock meanwhile. */
static VkResult
wait_in_vulkan (struct vkc_recorder *recorder, uint64_t value,
                int64_t deadline, uint64_t *also)
{
  struct vkc_device *device = recorder->device;
  const VkSemaphoreWaitInfo info = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
    .semaphoreCount = 1,
    .pSemaphores = &recorder->timeline,
    .pValues = &value,
  };
  const int64_t left = deadline - g_get_monotonic_time ();
  const bool is_first = !recorder->awaited;
  VkResult result;

  if (is_first)
    recorder->awaited = value;
  recorder->counters.waits++;
  if (also)
    ++*also;
  vkc_recorder_unlock (recorder);
  result = device->vk.WaitSemaphores (device->handle, &info,
                                      (uint64_t)MAX (left, 0) * 1000);
  vkc_recorder_lock (recorder);
  if (is_first)
    vkc_recorder_end_wait (recorder);
  return result;
}

/* Until the timeline reaches @value. Drivers are slow where several threads wait
 * (4 ms in place of 0.2 by NVIDIA's), so who finds one in Vulkan that waits for
 * no more than this one needs sleeps until that one is back. */
static VkResult
wait_in_turn (struct vkc_recorder *recorder, uint64_t value, int64_t deadline,
              uint64_t *also)
{
  while (recorder->awaited && recorder->awaited <= value) {
    if (!vkc_cond_wait_until (&recorder->moved, &recorder->lock, deadline))
      return VK_TIMEOUT;
    if (value <= recorder->completed)
      return VK_SUCCESS;
    if (recorder->lost)
      return VK_ERROR_DEVICE_LOST;
  }
  return wait_in_vulkan (recorder, value, deadline, also);
}

bool
vkc_recorder_wait_counted (struct vkc_recorder *recorder, uint64_t value,
                           uint64_t *also, GError **error)
{
  struct vkc_failures failures = { 0 };
  int64_t deadline;
  unsigned timeouts;
  VkResult result;
  bool ok;

  vkc_recorder_lock (recorder);
  if (vkc_recorder_is_reached (recorder, value)) {
    vkc_recorder_unlock (recorder);
    return true;
  }
  if (recorder->lost) {
    vkc_recorder_refuse_lost (recorder, error);
    vkc_recorder_unlock (recorder);
    return false;
  }
  timeouts = recorder->timeouts;
  deadline
      = g_get_monotonic_time ()
        + (int64_t)(vkc_recorder_timeout_ns (recorder, value) / 1000);
  conclude_waiter (recorder, value);
  recorder->waiters++;
  result = wait_in_turn (recorder, value, deadline, also);
  recorder->waiters--;
  ok = conclude_wait (recorder, result, value, timeouts, &failures, error);
  if (!ok)
    vkc_completion_notify (recorder);
  vkc_recorder_unlock (recorder);
  vkc_failures_deliver (&failures);
  return ok;
}

bool
vkc_recorder_wait (struct vkc_recorder *recorder, uint64_t value,
                   GError **error)
{
  return vkc_recorder_wait_counted (recorder, value, NULL, error);
}

bool
vkc_recorder_drain_owner (struct vkc_recorder *recorder,
                          struct vkc_owner *owner, bool at_eos, GError **error)
{
  const int64_t deadline
      = g_get_monotonic_time ()
        + recorder->settings.timeout_ms * INT64_C (1000);

  if (!vkc_recorder_wait_counted (
          recorder, vkc_owner_submitted (owner),
          at_eos ? &recorder->counters.waits_eos : NULL, error))
    return false;
  /* At EOS a frame may still be held by somebody; its jobs stay, then. And what
   * the completion thread lets go of waits for no listener of its own. */
  return at_eos || pthread_equal (pthread_self (), recorder->thread)
         || vkc_owner_wait_jobs_gone (owner, deadline);
}
