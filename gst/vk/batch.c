/* One submission: which jobs, in which order, with which barriers. */
#include "gst/vk/recorder-private.h"

#include "gst/vk/fence.h"
#include "gst/vk/owner-private.h"
#include "gst/vk/plan.h"
#include "gst/vk/record.h"
#include "gst/vk/record-foreign.h"
#include "gst/vk/release.h"
#include "gst/vk/result.h"
#include "gst/vk/timing.h"

void
vkc_batch_init (struct vkc_batch *batch)
{
  batch->jobs = g_ptr_array_new ();
  batch->images = g_ptr_array_new ();
  batch->waits = g_array_new (FALSE, FALSE, sizeof (VkSemaphoreSubmitInfo));
}

void
vkc_batch_clear (struct vkc_batch *batch)
{
  g_ptr_array_unref (batch->jobs);
  g_ptr_array_unref (batch->images);
  g_array_unref (batch->waits);
}

void
vkc_batch_truncate (struct vkc_batch *batch, guint n)
{
  for (guint i = n; i < batch->jobs->len; i++)
    vkc_job_unhold_outputs (g_ptr_array_index (batch->jobs, i));
  g_ptr_array_set_size (batch->jobs, (gint) n);
}

/* Leaves only those in the batch who cannot run: each caller adds its job. */
static bool
doom (struct vkc_batch *batch, struct vkc_job *job, const char *why,
      GError **error)
{
  vkc_batch_truncate (batch, 0);
  g_set_error (error, VKC_ERROR, VKC_ERROR_FAILED, "%s: %s",
               vkc_owner_name (job->owner), why);
  return false;
}

static bool
collect_job (struct vkc_batch *batch, struct vkc_job *job, GError **error);

static bool
collect_ancestors (struct vkc_batch *batch, struct vkc_job *job,
                   GError **error)
{
  /* Readers of a state that this job changes, and what it takes along; dropped
   * ones do not matter. */
  for (guint i = 0; job->before && i < job->before->len; i++) {
    struct vkc_job *before = g_ptr_array_index (job->before, i);

    if (before->state == VKC_JOB_PENDING
        && !collect_job (batch, before, error))
      return false;
  }
  for (uint32_t i = 0; i < job->n_images; i++) {
    const struct vkc_job_image *use = &job->images[i];

    if (use->producer) {
      if (!collect_job (batch, use->producer, error))
        return false;
    } else if (use->reads && use->image->failed) {
      return doom (batch, job, "its input frame was lost", error);
    }
  }
  return true;
}

static bool
collect_job (struct vkc_batch *batch, struct vkc_job *job, GError **error)
{
  bool ok;

  if (job->state == VKC_JOB_SUBMITTED || job->batch == batch->serial)
    return true;
  if (job->state != VKC_JOB_PENDING)
    return doom (batch, job, "its frame was lost", error);
  job->batch = batch->serial;
  job->fused = NULL;
  job->fused_before = job->fused_into = NULL;
  /* A reader whose frame is being dropped at this moment. */
  if (!vkc_job_hold_outputs (job))
    return true;
  ok = collect_ancestors (batch, job, error);
  g_ptr_array_add (batch->jobs, job);
  return ok;
}

bool
vkc_batch_collect (struct vkc_recorder *recorder, struct vkc_image *image,
                   GError **error)
{
  struct vkc_batch *batch = &recorder->batch;

  batch->serial++;
  batch->writes_for_host = batch->is_part = false;
  batch->counted = (struct vkc_recorder_counters){ 0 };
  g_ptr_array_set_size (batch->jobs, 0);
  g_ptr_array_set_size (batch->images, 0);
  return !image->producer || collect_job (batch, image->producer, error);
}

void
vkc_batch_split (struct vkc_recorder *recorder)
{
  struct vkc_batch *batch = &recorder->batch;
  const uint64_t budget
      = recorder->settings.max_batch_ms * UINT64_C (1000000);
  uint64_t sum = 0;
  guint n = 0;

  if (budget == 0)
    return;
  for (; n < batch->jobs->len; n++) {
    sum += vkc_timing_predict (g_ptr_array_index (batch->jobs, n));
    if (sum > budget && n > 0)
      break;
  }
  batch->is_part = n < batch->jobs->len;
  vkc_batch_truncate (batch, n);
  batch->counted.splits = batch->is_part;
}

bool
vkc_batch_record (struct vkc_recorder *recorder, struct vkc_slot *slot,
                  struct vkc_image *download, GError **error)
{
  struct vkc_batch *batch = &recorder->batch;
  struct vkc_device *device = recorder->device;

  batch->slot = slot;
  if (!vkc_slot_open (recorder, slot, error))
    return false;
  vkc_timing_begin (recorder, slot);
  for (guint i = 0; i < batch->jobs->len; i++) {
    struct vkc_job *job = g_ptr_array_index (batch->jobs, i);

    if (!job->fused_into && !vkc_record_job (recorder, job, error))
      return false;
    vkc_timing_job_recorded (recorder, slot);
  }
  if (download)
    vkc_record_download (recorder, download);
  vkc_foreign_release_all (recorder);
  if (batch->writes_for_host)
    vkc_record_host_barrier (recorder);
  return vkc_check (device->vk.EndCommandBuffer (slot->commands),
                    "vkEndCommandBuffer", error);
}

static void
publish_writes (struct vkc_recorder *recorder, struct vkc_job *job,
                struct vkc_image *image, uint64_t value)
{
  image->written = value;
  image->failed = false;
  if (image->writer)
    g_ptr_array_add (recorder->finished_owners, image->writer);
  image->writer = vkc_owner_ref (job->owner);
  if (image->producer == job)
    vkc_plan_clear_producer (recorder, image);
}

/* @image was only a step, and is left out. */
static void
publish_nothing (struct vkc_recorder *recorder, struct vkc_image *image)
{
  image->state.device_valid = image->state.host_valid = false;
  image->failed = false;
  vkc_plan_clear_producer (recorder, image);
}

static void
publish_job (struct vkc_recorder *recorder, struct vkc_job *job,
             uint64_t value)
{
  job->state = VKC_JOB_SUBMITTED;
  vkc_plan_remove (recorder, job);
  g_ptr_array_add (recorder->batch.slot->jobs, job);
  for (uint32_t i = 0; i < job->n_images; i++) {
    struct vkc_job_image *use = &job->images[i];

    /* The chain ends here, or every frame would keep all before it. */
    if (use->producer)
      g_ptr_array_add (recorder->spare_jobs,
                       g_steal_pointer (&use->producer));
    if (use->writes && job->fused_into)
      publish_nothing (recorder, use->image);
    else if (use->writes)
      publish_writes (recorder, job, use->image, value);
  }
  if (job->fused_into)
    vkc_owner_count_fused (job->owner);
  vkc_owner_set_submitted (job->owner, value);
}

static void
publish (struct vkc_recorder *recorder, uint64_t value)
{
  struct vkc_batch *batch = &recorder->batch;
  struct vkc_slot *slot = batch->slot;

  for (guint i = 0; i < batch->images->len; i++) {
    struct vkc_image *image = g_ptr_array_index (batch->images, i);

    if (!image->is_direct && image->next.host_valid
        && !image->state.host_valid)
      image->downloaded = value;
    image->state = image->next;
    image->last_use = value;
    g_ptr_array_add (slot->images, vkc_image_ref (image));
  }
  for (guint i = 0; i < batch->jobs->len; i++)
    publish_job (recorder, g_ptr_array_index (batch->jobs, i), value);
  vkc_release_note_held (slot);
}

static void
add_counters (struct vkc_recorder_counters *sum,
              const struct vkc_recorder_counters *batch)
{
  sum->dispatches += batch->dispatches;
  sum->fused += batch->fused;
  sum->barriers += batch->barriers;
  sum->copies += batch->copies;
  sum->uploads += batch->uploads;
  sum->downloads += batch->downloads;
  sum->splits += batch->splits;
}

/* For those who look on. */
static void
note_submission (const struct vkc_batch *batch)
{
  struct vkc_slot *slot = batch->slot;
  const struct vkc_job *first
      = batch->jobs->len > 0 ? g_ptr_array_index (batch->jobs, 0) : NULL;

  slot->dispatches = (uint32_t) batch->counted.dispatches;
  slot->waited = false;
  slot->submitted_at = g_get_monotonic_time ();
  slot->planned_at = first ? first->planned_at : slot->submitted_at;
}

bool
vkc_batch_submit (struct vkc_recorder *recorder, GError **error)
{
  struct vkc_batch *batch = &recorder->batch;
  struct vkc_device *device = recorder->device;
  const uint64_t value = recorder->accepted + 1;
  const VkCommandBufferSubmitInfo commands = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
    .commandBuffer = batch->slot->commands,
  };
  const VkSemaphore fence = vkc_fence_signal (recorder);
  const VkSemaphoreSubmitInfo signals[] = {
    { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
      .semaphore = recorder->timeline,
      .value = value,
      .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT },
    { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
      .semaphore = fence,
      .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT },
  };
  VkSubmitInfo2 info = {
    .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
    .commandBufferInfoCount = 1,
    .pCommandBufferInfos = &commands,
    .signalSemaphoreInfoCount = fence ? 2 : 1,
    .pSignalSemaphoreInfos = signals,
  };

  info.pWaitSemaphoreInfos
      = vkc_fence_waits (recorder, &info.waitSemaphoreInfoCount);
  if (!vkc_check (device->vk.QueueSubmit2 (device->queue, 1, &info,
                                           VK_NULL_HANDLE),
                  "vkQueueSubmit2", error)) {
    recorder->counters.submit_fails++;
    vkc_fence_refused (recorder, fence);
    return false;
  }

  /* Only now: work that the queue refused must leave no trace. */
  recorder->accepted = batch->slot->value = value;
  batch->slot->in_flight = true;
  note_submission (batch);
  recorder->counters.submits++;
  recorder->counters.in_flight++;
  add_counters (&recorder->counters, &batch->counted);
  vkc_fence_waits_accepted (recorder);
  vkc_fence_accepted (recorder, fence, value);
  publish (recorder, value);
  return true;
}
