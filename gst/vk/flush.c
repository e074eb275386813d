/* From a pending frame to an accepted submission, with the one retry that a
 * lack of memory deserves. */
#include "gst/vk/recorder-private.h"

#include "gst/vk/failures.h"
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

  for (guint i = 0; i < batch->jobs->len; i++) {
    struct vkc_job *job = g_ptr_array_index (batch->jobs, i);

    if (job->state != VKC_JOB_PENDING)
      continue;
    vkc_failures_add (failures, job->owner, error);
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

/* What to submit, for whom and how; and what has come of it so far. */
struct flush
{
  struct vkc_image *image;
  enum vkc_flush_reason reason;
  bool for_host;
  struct vkc_owner *owner; /* leads it in the statistics; may be NULL */
  bool may_wait;           /* else it is put off where it had to wait */

  bool is_last;     /* the next lack of memory is an error */
  uint64_t room_at; /* the value that gives back what it is short of */
  struct vkc_failures failures;
};

enum outcome
{
  DONE,
  PARTLY_DONE, /* the next attempt goes on */
  NO_ROOM,     /* nothing has changed: there is no slot, or no memory */
  FAILED,
};

/* @why, which this takes, the batch did not come off. */
static enum outcome
retry_or_fail (struct vkc_recorder *recorder, struct flush *flush, GError *why,
               GError **error)
{
  if (!flush->is_last
      && g_error_matches (why, VKC_ERROR, VKC_ERROR_OUT_OF_MEMORY)) {
    vkc_batch_truncate (&recorder->batch, 0);
    /* What is in flight may give some back. */
    flush->is_last = true;
    flush->room_at = recorder->accepted;
    g_error_free (why);
    return NO_ROOM;
  }
  vkc_blame_jobs (recorder->batch.jobs, &why);
  fail_batch (recorder, why, &flush->failures);
  g_propagate_error (error, why);
  return FAILED;
}

static enum outcome
attempt (struct vkc_recorder *recorder, struct flush *flush, GError **error)
{
  struct vkc_slot *slot = vkc_slot_idle (recorder);
  struct vkc_owner *owner = flush->owner;
  GError *why = NULL;

  if (recorder->lost) {
    vkc_recorder_refuse_lost (recorder, error);
    return FAILED;
  }
  if (!slot) {
    flush->room_at = vkc_slot_oldest (recorder)->value;
    return NO_ROOM;
  }
  if (!owner && flush->image->producer)
    owner = flush->image->producer->owner;
  if (!run_batch (recorder, slot, flush->image, flush->for_host, &why))
    return retry_or_fail (recorder, flush, why, error);
  slot->reason = flush->reason;
  vkc_completion_notify (recorder);
  if (recorder->batch.is_part)
    return PARTLY_DONE;
  count_flush (recorder, owner, flush->reason);
  return DONE;
}

/* The image cannot be submitted now, for want of room, and stays pending: nobody
 * else says so. */
static void
blame_producer (struct flush *flush, const GError *reason)
{
  if (flush->image->producer)
    vkc_failures_add (&flush->failures, flush->image->producer->owner, reason);
}

/* Under the lock, which it drops meanwhile. */
static bool
wait_for_room (struct vkc_recorder *recorder, struct flush *flush,
               GError **error)
{
  g_autoptr (GError) late = NULL;
  bool ok;

  vkc_recorder_unlock (recorder);
  ok = vkc_recorder_wait_counted (recorder, flush->room_at, NULL, &late);
  vkc_recorder_lock (recorder);
  if (ok)
    return true;
  blame_producer (flush, late);
  g_propagate_error (error, g_steal_pointer (&late));
  return false;
}

static bool
attempt_until_done (struct vkc_recorder *recorder, struct flush *flush,
                    GError **error)
{
  while (needs_batch (flush->image, flush->for_host)) {
    switch (attempt (recorder, flush, error)) {
    case DONE:
      return true;
    case PARTLY_DONE:
      break;
    case NO_ROOM:
      if (!flush->may_wait && flush->room_at > recorder->completed) {
        recorder->put_off = true;
        return true;
      }
      if (!wait_for_room (recorder, flush, error))
        return false;
      break;
    case FAILED:
      return false;
    }
  }
  return true;
}

/* @done: as vkc_recorder_flush(). */
static bool
run (struct vkc_recorder *recorder, struct flush *flush, uint64_t *done,
     GError **error)
{
  GArray *fences;
  bool ok;

  if (flush->for_host && !vkc_image_reserve_host (flush->image, error))
    return false;
  vkc_recorder_lock (recorder);
  if (flush->may_wait)
    vkc_release_bound (recorder);
  ok = attempt_until_done (recorder, flush, error);
  if (done)
    *done = MAX (flush->image->written, flush->image->downloaded);
  fences = vkc_fence_take (recorder);
  vkc_recorder_unlock (recorder);
  vkc_fence_deliver (recorder, fences);
  vkc_failures_deliver (&flush->failures);
  return ok;
}

bool
vkc_recorder_flush (struct vkc_recorder *recorder, struct vkc_image *image,
                    enum vkc_flush_reason reason, bool for_host,
                    struct vkc_owner *owner, uint64_t *done, GError **error)
{
  struct flush flush = { .image = image,
                         .reason = reason,
                         .for_host = for_host,
                         .owner = owner,
                         .may_wait = true };

  return run (recorder, &flush, done, error);
}

/* Under the lock: a reference to an image that @job is to write. NULL: they are
 * being dropped at this moment. */
static struct vkc_image *
pending_output (struct vkc_job *job)
{
  for (uint32_t i = 0; i < job->n_images; i++) {
    struct vkc_image *image = job->images[i].image;

    if (image->producer == job && vkc_image_try_ref (image))
      return image;
  }
  return NULL;
}

/* A reference to the image that the oldest pending job of @owner writes: of a
 * frame or, if @states, of a state. */
static struct vkc_image *
oldest_of_owner (struct vkc_recorder *recorder, const struct vkc_owner *owner,
                 bool states)
{
  struct vkc_image *image = NULL;

  vkc_recorder_lock (recorder);
  for (GList *link = recorder->pending.head; link && !image;
       link = link->next) {
    struct vkc_job *job = link->data;

    if (job->owner == owner && !job->is_intermediate
        && job->is_state == states)
      image = pending_output (job);
  }
  vkc_recorder_unlock (recorder);
  return image;
}

bool
vkc_recorder_flush_oldest (struct vkc_recorder *recorder,
                           struct vkc_owner *owner,
                           enum vkc_flush_reason reason, bool *any,
                           GError **error)
{
  struct flush flush = { .image = oldest_of_owner (recorder, owner, false),
                         .reason = reason,
                         .may_wait = true };
  bool ok;

  if (!flush.image)
    flush.image = oldest_of_owner (recorder, owner, true);
  *any = flush.image != NULL;
  ok = !*any || run (recorder, &flush, NULL, error);
  vkc_image_unref (flush.image);
  return ok;
}

bool
vkc_recorder_flush_owner (struct vkc_recorder *recorder,
                          struct vkc_owner *owner,
                          enum vkc_flush_reason reason, GError **error)
{
  bool any = true;

  while (any)
    if (!vkc_recorder_flush_oldest (recorder, owner, reason, &any, error))
      return false;
  return true;
}

/* Steps go with the job that they lead to. */
static struct vkc_job *
oldest_job (const struct vkc_recorder *recorder)
{
  for (GList *link = recorder->pending.head; link; link = link->next)
    if (!((struct vkc_job *) link->data)->is_intermediate)
      return link->data;
  return NULL;
}

int64_t
vkc_recorder_overdue_at (const struct vkc_recorder *recorder)
{
  const struct vkc_job *job = oldest_job (recorder);

  if (!job || recorder->put_off || !vkc_slot_idle (recorder)
      || g_atomic_int_get (&recorder->compiling) > 0)
    return INT64_MAX;
  return MAX (job->planned_at, recorder->compiled_at)
         + recorder->settings.max_pending_ms * INT64_C (1000);
}

/* The frame that the state @job leads to, if that is still wanted: they go
 * together. */
static struct vkc_image *
output_of_its_frame (const struct vkc_recorder *recorder, struct vkc_job *job)
{
  do
    job = vkc_plan_waiting_for (recorder, job);
  while (job && job->is_intermediate);
  return job && vkc_job_is_frame (job) ? pending_output (job) : NULL;
}

/* What is to be submitted so that @job runs. Its output may be a later job's by
 * now, which waits for it. */
static struct vkc_image *
image_to_submit (const struct vkc_recorder *recorder, struct vkc_job *job)
{
  struct vkc_image *image
      = job->is_state ? output_of_its_frame (recorder, job) : NULL;

  for (; job && !image; job = vkc_plan_waiting_for (recorder, job))
    image = pending_output (job);
  return image;
}

void
vkc_recorder_flush_overdue (struct vkc_recorder *recorder)
{
  struct flush flush = { .reason = VKC_FLUSH_LIMIT };

  vkc_recorder_lock (recorder);
  if (vkc_recorder_overdue_at (recorder) <= g_get_monotonic_time ())
    flush.image = image_to_submit (recorder, oldest_job (recorder));
  vkc_recorder_unlock (recorder);
  /* A failure reaches the owners by itself. */
  if (flush.image)
    run (recorder, &flush, NULL, NULL);
  vkc_image_unref (flush.image);
}
