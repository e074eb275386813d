/* What elements, memories and applications ask of the recorder. */
#include "gst/vk/recorder-private.h"

#include "gst/vk/owner-private.h"
#include "gst/vk/result.h"

static bool
create_timeline (struct vkc_device *device, VkSemaphore *semaphore,
                 GError **error)
{
  const VkSemaphoreTypeCreateInfo type = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
    .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
  };
  const VkSemaphoreCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
    .pNext = &type,
  };

  return vkc_check (device->vk.CreateSemaphore (device->handle, &info, NULL,
                                                semaphore),
                    "vkCreateSemaphore", error);
}

struct vkc_recorder *
vkc_recorder_new (struct vkc_device *device, GError **error)
{
  static int ids;
  struct vkc_recorder *recorder = g_new0 (struct vkc_recorder, 1);

  recorder->device = device;
  recorder->settings = vkc_settings_get ();
  recorder->counters.id = (uint64_t) g_atomic_int_add (&ids, 1) + 1;
  recorder->n_slots = recorder->settings.max_in_flight;
  recorder->slots = g_new0 (struct vkc_slot, recorder->n_slots);
  recorder->finished_jobs = g_ptr_array_new ();
  recorder->finished_images = g_ptr_array_new ();
  recorder->disposals = g_ptr_array_new ();
  g_queue_init (&recorder->pending);
  vkc_batch_init (&recorder->batch);
  vkc_mutex_init (&recorder->lock);
  vkc_mutex_init (&recorder->disposals_lock);
  vkc_mutex_init (&recorder->wake_lock);
  vkc_cond_init (&recorder->work);
  if (create_timeline (device, &recorder->timeline, error)
      && create_timeline (device, &recorder->wake, error)
      && vkc_completion_start (recorder, error))
    return recorder;
  vkc_recorder_free (recorder);
  return NULL;
}

void
vkc_recorder_free (struct vkc_recorder *recorder)
{
  struct vkc_device *device = recorder->device;

  for (uint32_t i = 0; i < recorder->n_slots; i++)
    vkc_slot_clear (recorder, &recorder->slots[i]);
  device->vk.DestroySemaphore (device->handle, recorder->timeline, NULL);
  device->vk.DestroySemaphore (device->handle, recorder->wake, NULL);
  vkc_batch_clear (&recorder->batch);
  vkc_cond_clear (&recorder->work);
  vkc_mutex_clear (&recorder->wake_lock);
  vkc_mutex_clear (&recorder->disposals_lock);
  vkc_mutex_clear (&recorder->lock);
  g_ptr_array_unref (recorder->finished_jobs);
  g_ptr_array_unref (recorder->finished_images);
  g_ptr_array_unref (recorder->disposals);
  g_free (recorder->slots);
  g_free (recorder);
}

static bool
is_waited_for (const struct vkc_recorder *recorder, const struct vkc_job *job)
{
  for (const GList *link = recorder->pending.head; link; link = link->next) {
    const struct vkc_job *other = link->data;

    for (uint32_t i = 0; i < other->n_images; i++)
      if (other->images[i].producer == job)
        return true;
  }
  return false;
}

/* A job that changes an image in place took its producer over: nobody but jobs
 * wants that one, and it goes with the last of them. */
static void
drop_taken_over (struct vkc_recorder *recorder, struct vkc_job *job,
                 enum vkc_job_state state)
{
  for (uint32_t i = 0; i < job->n_images; i++) {
    struct vkc_job *before = job->images[i].producer;

    if (!before || before->state != VKC_JOB_PENDING)
      continue;
    if (job->images[i].writes)
      before->live_outputs--;
    if (before->live_outputs == 0 && !is_waited_for (recorder, before))
      vkc_recorder_drop_job (recorder, before, state);
  }
}

void
vkc_recorder_drop_job (struct vkc_recorder *recorder, struct vkc_job *job,
                       enum vkc_job_state state)
{
  g_assert (job->state == VKC_JOB_PENDING);
  job->state = state;
  g_queue_unlink (&recorder->pending, &job->link);
  recorder->counters.pending--;
  if (vkc_job_is_frame (job))
    vkc_owner_pending_down (job->owner);
  g_ptr_array_add (recorder->finished_jobs, vkc_job_ref (job));
  g_clear_pointer (&job->before, g_ptr_array_unref);
  for (uint32_t i = 0; i < job->n_images; i++) {
    struct vkc_image *image = job->images[i].image;

    if (image->readers)
      g_ptr_array_remove_fast (image->readers, job);
    if (!job->images[i].writes || image->producer != job)
      continue;
    image->producer = NULL;
    image->failed = state == VKC_JOB_FAILED;
    image->state.device_valid = image->state.host_valid = false;
    vkc_job_unref (job);
  }
  drop_taken_over (recorder, job, state);
  vkc_completion_wake (recorder);
}

/* Whether a state was to be updated for this frame: that will run alone. */
static bool
reads_pending_state (const struct vkc_job *job)
{
  for (uint32_t i = 0; i < job->n_images; i++) {
    const struct vkc_job *producer = job->images[i].producer;

    if (producer && producer->is_state && producer->state == VKC_JOB_PENDING)
      return true;
  }
  return false;
}

/* @image does not want its pending content any more. */
static void
discard (struct vkc_recorder *recorder, struct vkc_image *image)
{
  struct vkc_job *job = image->producer;

  image->failed = false;
  image->state.device_valid = image->state.host_valid = image->is_import;
  if (!job)
    return;
  image->producer = NULL;
  if (--job->live_outputs == 0) {
    recorder->counters.discarded++;
    recorder->counters.state_only += reads_pending_state (job);
    vkc_owner_count_discarded (job->owner);
    vkc_recorder_drop_job (recorder, job, VKC_JOB_DISCARDED);
  }
  /* The list of finished jobs has its own reference; if another output still
   * wants the job, that one has. */
  vkc_job_unref (job);
}

/* Takes what busy threads left behind. They have no references, so nobody but
 * the recorder's own lists can reach them. */
static void
take_disposals (struct vkc_recorder *recorder)
{
  vkc_mutex_lock (&recorder->disposals_lock);
  for (guint i = 0; i < recorder->disposals->len; i++) {
    struct vkc_image *image = g_ptr_array_index (recorder->disposals, i);

    discard (recorder, image);
    /* The completion thread destroys it by dropping a last reference. */
    image->ref_count = 1;
    g_ptr_array_add (recorder->finished_images, image);
  }
  g_ptr_array_set_size (recorder->disposals, 0);
  vkc_mutex_unlock (&recorder->disposals_lock);
}

void
vkc_recorder_lock (struct vkc_recorder *recorder)
{
  vkc_mutex_lock (&recorder->lock);
  take_disposals (recorder);
}

void
vkc_recorder_unlock (struct vkc_recorder *recorder)
{
  vkc_mutex_unlock (&recorder->lock);
}

void
vkc_recorder_dispose (struct vkc_recorder *recorder, struct vkc_image *image)
{
  if (!vkc_mutex_trylock (&recorder->lock)) {
    vkc_mutex_lock (&recorder->disposals_lock);
    g_ptr_array_add (recorder->disposals, image);
    vkc_mutex_unlock (&recorder->disposals_lock);
    vkc_completion_wake (recorder);
    return;
  }
  discard (recorder, image);
  vkc_recorder_unlock (recorder);
  vkc_image_destroy (image);
}

void
vkc_recorder_discard (struct vkc_recorder *recorder, struct vkc_image *image)
{
  vkc_recorder_lock (recorder);
  discard (recorder, image);
  vkc_recorder_unlock (recorder);
}

static void
run_before (struct vkc_job *job, struct vkc_job *before)
{
  if (!job->before)
    job->before
        = g_ptr_array_new_with_free_func ((GDestroyNotify) vkc_job_unref);
  g_ptr_array_add (job->before, vkc_job_ref (before));
}

/* @job reads a state, or replaces it: then it comes after those who made and
 * read the one before. */
static void
order_by_state (struct vkc_job *job, const struct vkc_job_image *use)
{
  struct vkc_image *image = use->image;

  if (!use->writes) {
    g_ptr_array_add (image->readers, job);
    return;
  }
  for (guint i = 0; i < image->readers->len; i++)
    run_before (job, g_ptr_array_index (image->readers, i));
  g_ptr_array_set_size (image->readers, 0);
  if (!use->reads && image->producer) {
    run_before (job, image->producer);
    g_clear_pointer (&image->producer, vkc_job_unref);
  }
}

/* Under the lock: the graph behind @job is fixed from here on. */
static void
hang (struct vkc_recorder *recorder, struct vkc_job *job)
{
  for (uint32_t i = 0; i < job->n_images; i++) {
    struct vkc_job_image *use = &job->images[i];

    if (use->reads && use->image->producer)
      use->producer = vkc_job_ref (use->image->producer);
    if (use->image->readers)
      order_by_state (job, use);
  }
  for (uint32_t i = 0; i < job->n_images; i++) {
    struct vkc_job_image *use = &job->images[i];

    if (!use->writes)
      continue;
    if (use->reads && use->image->producer)
      g_clear_pointer (&use->image->producer, vkc_job_unref);
    else if (!use->reads && !use->image->readers)
      discard (recorder, use->image);
    use->image->producer = vkc_job_ref (job);
    job->live_outputs++;
  }
  job->state = VKC_JOB_PENDING;
  job->planned_at = g_get_monotonic_time ();
  g_queue_push_tail_link (&recorder->pending, &job->link);
  recorder->counters.pending++;
}

static bool
append (struct vkc_recorder *recorder, struct vkc_job *job, GError **error)
{
  bool ok;

  vkc_recorder_lock (recorder);
  ok = !recorder->lost || vkc_recorder_refuse_lost (recorder, error);
  if (ok) {
    /* The thread needs a deadline where it had none. */
    if (!recorder->pending.head)
      vkc_completion_notify (recorder);
    hang (recorder, job);
    if (vkc_job_is_frame (job))
      vkc_owner_pending_up (job->owner);
  }
  vkc_recorder_unlock (recorder);
  return ok;
}

/* $VKC_BATCH=1: every job is a submission and a wait of its own. */
static bool
run_now (struct vkc_recorder *recorder, struct vkc_job *job, GError **error)
{
  struct vkc_image *image = NULL;
  uint64_t done = 0;
  bool ok;

  for (uint32_t i = 0; i < job->n_images && !image; i++)
    if (job->images[i].writes)
      image = job->images[i].image;
  ok = vkc_recorder_flush (recorder, image, VKC_FLUSH_DRAIN, false, job->owner,
                           &done, error);
  return ok && vkc_recorder_wait (recorder, done, error);
}

bool
vkc_recorder_append (struct vkc_recorder *recorder, struct vkc_job *job,
                     GError **error)
{
  bool any, ok = vkc_job_check (job, error);

  if (ok && vkc_job_is_frame (job)
      && !vkc_owner_wait_below_limit (job->owner,
                                      recorder->settings.max_pending_ms))
    ok = vkc_recorder_flush_oldest (recorder, job->owner, VKC_FLUSH_LIMIT,
                                    true, &any, error);
  ok = ok && append (recorder, job, error);
  if (ok && recorder->settings.batch == 1)
    ok = run_now (recorder, job, error);
  vkc_job_unref (job);
  return ok;
}

struct vkc_recorder_counters
vkc_recorder_counters (struct vkc_recorder *recorder)
{
  struct vkc_recorder_counters counters;

  vkc_recorder_lock (recorder);
  counters = recorder->counters;
  vkc_recorder_unlock (recorder);
  return counters;
}

void
vkc_recorder_count_import (struct vkc_recorder *recorder, bool hit)
{
  vkc_recorder_lock (recorder);
  if (hit)
    recorder->counters.import_hits++;
  else
    recorder->counters.imports++;
  vkc_recorder_unlock (recorder);
}

void
vkc_recorder_count_upload (struct vkc_recorder *recorder)
{
  vkc_recorder_lock (recorder);
  recorder->counters.uploads++;
  vkc_recorder_unlock (recorder);
}
