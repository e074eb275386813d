/* What elements, memories and applications ask of the recorder. */
#include "gst/vk/recorder-private.h"

#include <string.h>

#include "gst/vk/owner-private.h"
#include "gst/vk/record.h"
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

void
vkc_failures_add (struct vkc_failures *failures, struct vkc_owner *owner)
{
  if (!failures->owners)
    failures->owners
        = g_ptr_array_new_with_free_func ((GDestroyNotify) vkc_owner_unref);
  if (!g_ptr_array_find (failures->owners, owner, NULL))
    g_ptr_array_add (failures->owners, vkc_owner_ref (owner));
}

void
vkc_failures_deliver (struct vkc_failures *failures)
{
  for (guint i = 0; failures->owners && i < failures->owners->len; i++)
    vkc_owner_fail (g_ptr_array_index (failures->owners, i), failures->error);
  g_clear_pointer (&failures->owners, g_ptr_array_unref);
  g_clear_error (&failures->error);
}

void
vkc_recorder_drop_job (struct vkc_recorder *recorder, struct vkc_job *job,
                       enum vkc_job_state state)
{
  g_assert (job->state == VKC_JOB_PENDING);
  job->state = state;
  g_queue_unlink (&recorder->pending, &job->link);
  recorder->counters.pending--;
  if (!job->is_intermediate)
    vkc_owner_pending_down (job->owner);
  g_ptr_array_add (recorder->finished_jobs, vkc_job_ref (job));
  for (uint32_t i = 0; i < job->n_images; i++) {
    struct vkc_image *image = job->images[i].image;

    if (!job->images[i].writes || image->producer != job)
      continue;
    image->producer = NULL;
    image->failed = state == VKC_JOB_FAILED;
    image->state.device_valid = image->state.host_valid = false;
    vkc_job_unref (job);
  }
  vkc_completion_wake (recorder);
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

static void
lock (struct vkc_recorder *recorder)
{
  vkc_mutex_lock (&recorder->lock);
  take_disposals (recorder);
}

static void
unlock (struct vkc_recorder *recorder)
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
  unlock (recorder);
  vkc_image_destroy (image);
}

void
vkc_recorder_discard (struct vkc_recorder *recorder, struct vkc_image *image)
{
  lock (recorder);
  discard (recorder, image);
  unlock (recorder);
}

void
vkc_recorder_reached (struct vkc_recorder *recorder, uint64_t value)
{
  recorder->completed = MAX (recorder->completed, value);
  recorder->timeouts = 0;
  for (uint32_t i = 0; i < recorder->n_slots; i++)
    if (recorder->slots[i].in_flight && recorder->slots[i].value <= value)
      vkc_slot_retire (recorder, &recorder->slots[i]);
  vkc_completion_notify (recorder);
}

/* The content that @slot would have made is not to be had. */
static void
lose_slot (struct vkc_recorder *recorder, struct vkc_slot *slot,
           struct vkc_failures *failures)
{
  for (guint i = 0; i < slot->jobs->len; i++)
    vkc_failures_add (
        failures, ((struct vkc_job *) g_ptr_array_index (slot->jobs, i))->owner);
  for (guint i = 0; i < slot->images->len; i++) {
    struct vkc_image *image = g_ptr_array_index (slot->images, i);

    if (image->last_use >= slot->value && image->written >= slot->value) {
      image->failed = true;
      image->state.device_valid = image->state.host_valid = false;
    }
  }
}

void
vkc_recorder_lose (struct vkc_recorder *recorder, bool hung,
                   const GError *error, struct vkc_failures *failures)
{
  if (recorder->lost)
    return;
  recorder->lost = true;
  recorder->hung = hung;
  if (!failures->error)
    failures->error = g_error_copy (error);
  while (recorder->pending.head) {
    struct vkc_job *job = recorder->pending.head->data;

    vkc_failures_add (failures, job->owner);
    vkc_recorder_drop_job (recorder, job, VKC_JOB_FAILED);
  }
  for (uint32_t i = 0; i < recorder->n_slots; i++) {
    struct vkc_slot *slot = &recorder->slots[i];

    if (!slot->in_flight)
      continue;
    lose_slot (recorder, slot, failures);
    /* Work that may still run keeps what it uses, for ever. */
    if (hung)
      recorder->counters.quarantined += slot->jobs->len + slot->images->len;
    else
      vkc_slot_retire (recorder, slot);
  }
  vkc_completion_wake (recorder);
}

static bool
refuse_lost (const struct vkc_recorder *recorder, GError **error)
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

  lock (recorder);
  lost = recorder->lost;
  unlock (recorder);
  return lost;
}

/* The answer of a wait for @value, which may have taken long. */
static bool
note_wait (struct vkc_recorder *recorder, VkResult result, uint64_t value,
           struct vkc_failures *failures, GError **error)
{
  g_autoptr (GError) reason = NULL;

  if (vkc_check (result, "vkWaitSemaphores", &reason)) {
    vkc_recorder_reached (recorder, value);
    return true;
  }
  if (result == VK_TIMEOUT) {
    recorder->counters.wait_timeouts++;
    if (++recorder->timeouts > recorder->settings.max_timeouts)
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

/* @also: a counter for this kind of wait, beside `waits`. */
static bool
wait_value (struct vkc_recorder *recorder, uint64_t value, uint64_t *also,
            GError **error)
{
  struct vkc_device *device = recorder->device;
  const VkSemaphoreWaitInfo info = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
    .semaphoreCount = 1,
    .pSemaphores = &recorder->timeline,
    .pValues = &value,
  };
  struct vkc_failures failures = { 0 };
  VkResult result;
  bool ok;

  lock (recorder);
  if (vkc_recorder_is_reached (recorder, value)) {
    unlock (recorder);
    return true;
  }
  if (recorder->lost) {
    refuse_lost (recorder, error);
    unlock (recorder);
    return false;
  }
  recorder->counters.waits++;
  if (also)
    ++*also;
  unlock (recorder);

  result = device->vk.WaitSemaphores (
      device->handle, &info,
      recorder->settings.timeout_ms * UINT64_C (1000000));

  lock (recorder);
  ok = note_wait (recorder, result, value, &failures, error);
  unlock (recorder);
  vkc_failures_deliver (&failures);
  return ok;
}

bool
vkc_recorder_wait (struct vkc_recorder *recorder, uint64_t value,
                   GError **error)
{
  return wait_value (recorder, value, NULL, error);
}

void
vkc_recorder_run_releases (struct vkc_recorder *recorder)
{
  uint64_t last;

  lock (recorder);
  last = recorder->accepted;
  unlock (recorder);
  wait_value (recorder, last, &recorder->counters.waits_release, NULL);
  vkc_completion_run_releases (recorder);
}

static struct vkc_slot *
find_idle_slot (struct vkc_recorder *recorder, uint64_t *oldest)
{
  *oldest = UINT64_MAX;
  for (uint32_t i = 0; i < recorder->n_slots; i++) {
    if (!recorder->slots[i].in_flight)
      return &recorder->slots[i];
    *oldest = MIN (*oldest, recorder->slots[i].value);
  }
  return NULL;
}

/* Names what was to run: "vktonemap0, sharpen0". */
static void
name_kernels (const struct vkc_batch *batch, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  if (!error || batch->jobs->len == 0)
    return;
  for (guint i = 0; i < batch->jobs->len; i++) {
    const struct vkc_job *job = g_ptr_array_index (batch->jobs, i);

    g_string_append_printf (names, "%s%s", i ? ", " : "", job->label);
  }
  g_prefix_error (error, "%s: ", names->str);
}

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
    vkc_recorder_drop_job (recorder, job, VKC_JOB_FAILED);
  }
  if (g_error_matches (error, VKC_ERROR, VKC_ERROR_DEVICE_LOST))
    vkc_recorder_lose (recorder, false, error, failures);
}

static bool
needs_download (const struct vkc_image *image, bool for_host)
{
  return for_host && !image->is_direct && !image->failed
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
  return vkc_batch_collect (recorder, image, error)
         && vkc_batch_record (recorder, slot,
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

/* One attempt under the lock. *@retry: worth another one once everything in
 * flight is over. */
static bool
try_flush (struct vkc_recorder *recorder, struct vkc_slot *slot,
           struct vkc_image *image, enum vkc_flush_reason reason,
           bool for_host, struct vkc_owner *owner, bool *retry,
           struct vkc_failures *failures, GError **error)
{
  g_autoptr (GError) reason_why = NULL;

  if (!owner && image->producer)
    owner = image->producer->owner;
  if (run_batch (recorder, slot, image, for_host, &reason_why)) {
    count_flush (recorder, owner, reason);
    vkc_completion_notify (recorder);
    return true;
  }
  if (*retry
      && g_error_matches (reason_why, VKC_ERROR, VKC_ERROR_OUT_OF_MEMORY))
    return false;
  *retry = false;
  name_kernels (&recorder->batch, &reason_why);
  fail_batch (recorder, reason_why, failures);
  g_propagate_error (error, g_steal_pointer (&reason_why));
  return false;
}

bool
vkc_recorder_flush_internal (struct vkc_recorder *recorder,
                             struct vkc_image *image,
                             enum vkc_flush_reason reason, bool for_host,
                             struct vkc_owner *owner, bool may_wait,
                             uint64_t *done, GError **error)
{
  struct vkc_failures failures = { 0 };
  bool retry = may_wait, ok = true;

  if (for_host && !vkc_image_reserve_host (image, error))
    return false;
  lock (recorder);
  while (!recorder->lost && needs_batch (image, for_host)) {
    uint64_t wait_for;
    struct vkc_slot *slot = find_idle_slot (recorder, &wait_for);

    if (slot) {
      ok = try_flush (recorder, slot, image, reason, for_host, owner, &retry,
                      &failures, error);
      if (ok || !retry)
        break;
      /* Out of memory: what is in flight may give some back. */
      retry = false;
      ok = true;
      wait_for = recorder->accepted;
    } else if (!may_wait) {
      break;
    }
    unlock (recorder);
    ok = wait_value (recorder, wait_for, NULL, error);
    lock (recorder);
    if (!ok)
      break;
  }
  if (ok && recorder->lost && needs_batch (image, for_host))
    ok = refuse_lost (recorder, error);
  if (done)
    *done = MAX (image->written, image->downloaded);
  unlock (recorder);
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

/* A reference to the image of the oldest frame that @owner has pending. */
static struct vkc_image *
oldest_pending (struct vkc_recorder *recorder, struct vkc_owner *owner)
{
  struct vkc_image *image = NULL;

  lock (recorder);
  for (GList *link = recorder->pending.head; link && !image;
       link = link->next) {
    struct vkc_job *job = link->data;

    if (job->owner != owner || job->is_intermediate)
      continue;
    for (uint32_t i = 0; i < job->n_images && !image; i++)
      if (job->images[i].image->producer == job)
        image = vkc_image_ref (job->images[i].image);
  }
  unlock (recorder);
  return image;
}

static bool
flush_oldest (struct vkc_recorder *recorder, struct vkc_owner *owner,
              enum vkc_flush_reason reason, bool *any, GError **error)
{
  struct vkc_image *image = oldest_pending (recorder, owner);
  bool ok;

  *any = image != NULL;
  ok = !image
       || vkc_recorder_flush (recorder, image, reason, false, owner, NULL,
                              error);
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
    if (!flush_oldest (recorder, owner, reason, &any, error))
      return false;
  return true;
}

bool
vkc_recorder_drain_owner (struct vkc_recorder *recorder,
                          struct vkc_owner *owner, bool at_eos, GError **error)
{
  const int64_t deadline
      = g_get_monotonic_time ()
        + recorder->settings.timeout_ms * INT64_C (1000);

  if (!wait_value (recorder, vkc_owner_submitted (owner),
                   at_eos ? &recorder->counters.waits_eos : NULL, error))
    return false;
  /* At EOS a frame may still be held by somebody; its jobs stay, then. */
  return at_eos || vkc_owner_wait_jobs_gone (owner, deadline);
}

/* Under the lock: the graph behind @job is fixed from here on. */
static void
hang (struct vkc_recorder *recorder, struct vkc_job *job)
{
  for (uint32_t i = 0; i < job->n_images; i++) {
    struct vkc_job_image *use = &job->images[i];

    if (use->reads && use->image->producer)
      use->producer = vkc_job_ref (use->image->producer);
  }
  for (uint32_t i = 0; i < job->n_images; i++) {
    struct vkc_job_image *use = &job->images[i];

    if (!use->writes)
      continue;
    if (use->reads && use->image->producer)
      g_clear_pointer (&use->image->producer, vkc_job_unref);
    else if (!use->reads)
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

  lock (recorder);
  ok = !recorder->lost || refuse_lost (recorder, error);
  if (ok) {
    /* The thread needs a deadline where it had none. */
    if (!recorder->pending.head)
      vkc_completion_notify (recorder);
    hang (recorder, job);
    if (!job->is_intermediate)
      vkc_owner_pending_up (job->owner);
  }
  unlock (recorder);
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

  if (ok && !job->is_intermediate
      && !vkc_owner_wait_below_limit (job->owner,
                                      recorder->settings.max_pending_ms))
    ok = flush_oldest (recorder, job->owner, VKC_FLUSH_LIMIT, &any, error);
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

  lock (recorder);
  counters = recorder->counters;
  unlock (recorder);
  return counters;
}

void
vkc_recorder_count_import (struct vkc_recorder *recorder, bool hit)
{
  lock (recorder);
  if (hit)
    recorder->counters.import_hits++;
  else
    recorder->counters.imports++;
  unlock (recorder);
}

void
vkc_recorder_count_upload (struct vkc_recorder *recorder)
{
  lock (recorder);
  recorder->counters.uploads++;
  unlock (recorder);
}
