/* From a pending frame to an accepted submission, with the one retry that a
 * lack of memory deserves. */
#include "gst/vk/recorder-private.h"

#include "gst/vk/fence.h"
#include "gst/vk/fuse.h"
#include "gst/vk/owner-private.h"
#include "gst/vk/plan.h"
#include "gst/vk/release.h"
#include "gst/vk/result.h"

/* The batch will not run: its frames are lost, its owners are told. */
static void
fail_batch (struct vkc_recorder *recorder, const GError *error,
            struct vkc_failures *failures)
{
  struct vkc_batch *batch = &recorder->batch;

  if (!failures->error)
    failures->error = g_error_copy (error);
  for (guint i = 0; i < batch->jobs->len; i++) {
    struct vkc_job *job = g_ptr_array_index (batch->jobs, i);

    if (job->state != VKC_JOB_PENDING)
      continue;
    vkc_failures_add (failures, job->owner);
    vkc_plan_drop (recorder, job, VKC_JOB_FAILED);
  }
  if (g_error_matches (error, VKC_ERROR, VKC_ERROR_DEVICE_LOST))
    vkc_recorder_lose (recorder, false, error, failures);
}

static bool
needs_download (const struct vkc_image *image, bool for_host)
{
  return for_host && !image->is_direct && !image->dmabuf && !image->failed
         && (image->producer
             || (image->state.device_valid && !image->state.host_valid));
}

/* Direct storage is in the CPU's sight after each batch: only a pending job or
 * a missing download needs one. */
static bool
needs_batch (const struct vkc_image *image, bool for_host)
{
  return image->producer || needs_download (image, for_host);
}

static bool
run_batch (struct vkc_recorder *recorder, struct vkc_slot *slot,
           struct vkc_image *image, bool for_host, GError **error)
{
  const struct vkc_batch *batch = &recorder->batch;

  if (!vkc_batch_collect (recorder, image, error))
    return false;
  vkc_batch_split (recorder);
  vkc_fuse_batch (recorder);
  for_host &= !batch->is_part;
  return vkc_batch_record (recorder, slot,
                           needs_download (image, for_host) ? image : NULL,
                           error)
         && vkc_batch_submit (recorder, error);
}

static void
count_flush (struct vkc_recorder *recorder, struct vkc_owner *owner,
             enum vkc_flush_reason reason)
{
  recorder->counters.flush[reason]++;
  if (reason == VKC_FLUSH_TAIL)
    recorder->counters.buffers++;
  if (owner)
    vkc_owner_count_flush (owner, reason);
}

/* The batch stays pending, as if it had not been looked at. */
static void
put_back (const struct vkc_batch *batch)
{
  for (guint i = 0; i < batch->jobs->len; i++)
    vkc_job_release_outputs (g_ptr_array_index (batch->jobs, i));
}

enum attempt
{
  DONE,
  PARTLY_DONE, /* and the next attempt goes on */
  FAILED,
  SHORT_OF_MEMORY, /* and nothing has changed */
};

/* One attempt under the lock. */
static enum attempt
try_flush (struct vkc_recorder *recorder, struct vkc_slot *slot,
           struct vkc_image *image, enum vkc_flush_reason reason,
           bool for_host, struct vkc_owner *owner, bool is_last,
           struct vkc_failures *failures, GError **error)
{
  g_autoptr (GError) why = NULL;

  if (!owner && image->producer)
    owner = image->producer->owner;
  if (run_batch (recorder, slot, image, for_host, &why)) {
    slot->reason = reason;
    vkc_completion_notify (recorder);
    if (recorder->batch.is_part)
      return PARTLY_DONE;
    count_flush (recorder, owner, reason);
    return DONE;
  }
  if (!is_last && g_error_matches (why, VKC_ERROR, VKC_ERROR_OUT_OF_MEMORY)) {
    put_back (&recorder->batch);
    return SHORT_OF_MEMORY;
  }
  vkc_name_kernels (recorder->batch.jobs, &why);
  fail_batch (recorder, why, failures);
  g_propagate_error (error, g_steal_pointer (&why));
  return FAILED;
}

/* @image cannot be submitted now, for want of a slot: nobody else says so. */
static void
blame_producer (struct vkc_image *image, const GError *reason,
                struct vkc_failures *failures)
{
  if (!image->producer)
    return;
  vkc_failures_add (failures, image->producer->owner);
  if (!failures->error)
    failures->error = g_error_copy (reason);
}

bool
vkc_recorder_flush_internal (struct vkc_recorder *recorder,
                             struct vkc_image *image,
                             enum vkc_flush_reason reason, bool for_host,
                             struct vkc_owner *owner, bool may_wait,
                             uint64_t *done, GError **error)
{
  struct vkc_failures failures = { 0 };
  GArray *fences;
  g_autoptr (GError) late = NULL;
  bool is_last = false, ok = true;

  if (for_host && !vkc_image_reserve_host (image, error))
    return false;
  if (may_wait)
    vkc_release_bound (recorder);
  vkc_recorder_lock (recorder);
  while (!recorder->lost && needs_batch (image, for_host)) {
    struct vkc_slot *slot = vkc_slot_idle (recorder);
    uint64_t wait_for;

    if (!slot) {
      wait_for = vkc_slot_oldest (recorder)->value;
    } else {
      const enum attempt attempt
          = try_flush (recorder, slot, image, reason, for_host, owner, is_last,
                       &failures, error);

      ok = attempt != FAILED;
      if (attempt == PARTLY_DONE)
        continue;
      if (attempt != SHORT_OF_MEMORY)
        break;
      /* What is in flight may give some back. */
      is_last = true;
      wait_for = recorder->accepted;
    }
    if (!may_wait)
      break;
    vkc_recorder_unlock (recorder);
    ok = vkc_recorder_wait_counted (recorder, wait_for, NULL, &late);
    vkc_recorder_lock (recorder);
    if (!ok) {
      blame_producer (image, late, &failures);
      g_propagate_error (error, g_steal_pointer (&late));
      break;
    }
  }
  if (ok && recorder->lost && needs_batch (image, for_host))
    ok = vkc_recorder_refuse_lost (recorder, error);
  if (done)
    *done = MAX (image->written, image->downloaded);
  fences = vkc_fence_take (recorder);
  vkc_recorder_unlock (recorder);
  vkc_fence_deliver (recorder, fences);
  vkc_failures_deliver (&failures);
  return ok;
}

bool
vkc_recorder_flush (struct vkc_recorder *recorder, struct vkc_image *image,
                    enum vkc_flush_reason reason, bool for_host,
                    struct vkc_owner *owner, uint64_t *done, GError **error)
{
  return vkc_recorder_flush_internal (recorder, image, reason, for_host, owner,
                                      true, done, error);
}

/* A reference to the image that the oldest pending job of @owner writes: of a
 * frame or, if @states, of a state. */
static struct vkc_image *
oldest_pending (struct vkc_recorder *recorder, struct vkc_owner *owner,
                bool states)
{
  struct vkc_image *image = NULL;

  vkc_recorder_lock (recorder);
  for (GList *link = recorder->pending.head; link && !image;
       link = link->next) {
    struct vkc_job *job = link->data;

    if ((owner && job->owner != owner) || job->is_intermediate
        || job->is_state != states)
      continue;
    for (uint32_t i = 0; i < job->n_images && !image; i++)
      if (job->images[i].image->producer == job
          && vkc_image_try_ref (job->images[i].image))
        image = job->images[i].image;
  }
  vkc_recorder_unlock (recorder);
  return image;
}

bool
vkc_recorder_flush_oldest (struct vkc_recorder *recorder,
                           struct vkc_owner *owner,
                           enum vkc_flush_reason reason, bool may_wait,
                           bool *any, GError **error)
{
  struct vkc_image *image = oldest_pending (recorder, owner, false);
  bool ok;

  if (!image)
    image = oldest_pending (recorder, owner, true);
  *any = image != NULL;
  ok = !image
       || vkc_recorder_flush_internal (recorder, image, reason, false, owner,
                                       may_wait, NULL, error);
  vkc_image_unref (image);
  return ok;
}

bool
vkc_recorder_flush_owner (struct vkc_recorder *recorder,
                          struct vkc_owner *owner,
                          enum vkc_flush_reason reason, GError **error)
{
  bool any = true;

  while (any)
    if (!vkc_recorder_flush_oldest (recorder, owner, reason, true, &any,
                                    error))
      return false;
  return true;
}
