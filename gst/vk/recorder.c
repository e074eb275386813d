/* What elements, memories and applications ask of the recorder. */
#include "gst/vk/recorder-private.h"

#include "gst/vk/dmabuf-private.h"
#include "gst/vk/fence.h"
#include "gst/vk/owner-private.h"
#include "gst/vk/plan.h"
#include "gst/vk/release.h"
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
  recorder->settings = vkc_settings_get (device->is_cpu);
  recorder->counters.id = (uint64_t) g_atomic_int_add (&ids, 1) + 1;
  recorder->n_slots = recorder->settings.max_in_flight;
  recorder->slots = g_new0 (struct vkc_slot, recorder->n_slots);
  recorder->finished_jobs = g_ptr_array_new ();
  recorder->finished_images = g_ptr_array_new ();
  recorder->finished_owners = g_ptr_array_new ();
  recorder->finished_traces = g_ptr_array_new ();
  recorder->spare_jobs = g_ptr_array_new ();
  recorder->disposals = g_ptr_array_new ();
  recorder->discards = g_ptr_array_new ();
  g_queue_init (&recorder->pending);
  recorder->imports = vkc_import_cache_new ();
  recorder->idle_semaphores = g_array_new (FALSE, FALSE, sizeof (VkSemaphore));
  recorder->idle_exportables
      = g_array_new (FALSE, FALSE, sizeof (VkSemaphore));
  recorder->delivered
      = g_array_new (FALSE, FALSE, sizeof (struct vkc_outgoing_fence));
  vkc_batch_init (&recorder->batch);
  vkc_mutex_init (&recorder->lock);
  vkc_mutex_init (&recorder->disposals_lock);
  vkc_mutex_init (&recorder->wake_lock);
  vkc_cond_init (&recorder->work);
  vkc_cond_init (&recorder->released);
  vkc_cond_init (&recorder->moved);
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
  vkc_import_cache_free (recorder->imports);
  vkc_fence_clear (recorder);
  vkc_batch_clear (&recorder->batch);
  vkc_cond_clear (&recorder->work);
  vkc_cond_clear (&recorder->moved);
  vkc_cond_clear (&recorder->released);
  vkc_mutex_clear (&recorder->wake_lock);
  vkc_mutex_clear (&recorder->disposals_lock);
  vkc_mutex_clear (&recorder->lock);
  g_ptr_array_unref (recorder->finished_jobs);
  g_ptr_array_unref (recorder->finished_images);
  g_ptr_array_unref (recorder->finished_owners);
  g_ptr_array_unref (recorder->finished_traces);
  g_ptr_array_unref (recorder->spare_jobs);
  vkc_releases_free (recorder->idle_releases);
  g_ptr_array_unref (recorder->disposals);
  g_ptr_array_unref (recorder->discards);
  g_free (recorder->slots);
  g_free (recorder);
}

/* Takes what busy threads left behind: images without references, which nobody
 * but the recorder's own lists can reach, and frames that nobody wants. */
static void
take_disposals (struct vkc_recorder *recorder)
{
  if (!g_atomic_int_get (&recorder->any_left))
    return;
  vkc_mutex_lock (&recorder->disposals_lock);
  g_atomic_int_set (&recorder->any_left, 0);
  for (guint i = 0; i < recorder->disposals->len; i++) {
    struct vkc_image *image = g_ptr_array_index (recorder->disposals, i);

    vkc_plan_discard (recorder, image);
    /* Gets a last reference, for the completion thread to drop. */
    g_atomic_int_set (&image->ref_count, 1);
    g_ptr_array_add (recorder->finished_images, image);
  }
  g_ptr_array_set_size (recorder->disposals, 0);
  for (guint i = 0; i < recorder->discards->len; i++)
    vkc_plan_discard (recorder, g_ptr_array_index (recorder->discards, i));
  g_ptr_array_extend (recorder->finished_images, recorder->discards, NULL,
                      NULL);
  g_ptr_array_set_size (recorder->discards, 0);
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

/* Leaves @image in @list for whoever has the recorder's lock next. The wake-up
 * comes under the list's lock: once @image is gone, the recorder may be. */
static void
leave (struct vkc_recorder *recorder, GPtrArray *list, struct vkc_image *image)
{
  vkc_mutex_lock (&recorder->disposals_lock);
  g_ptr_array_add (list, image);
  g_atomic_int_set (&recorder->any_left, 1);
  vkc_completion_wake (recorder);
  vkc_mutex_unlock (&recorder->disposals_lock);
}

void
vkc_recorder_dispose (struct vkc_recorder *recorder, struct vkc_image *image)
{
  if (!vkc_mutex_trylock (&recorder->lock)) {
    leave (recorder, recorder->disposals, image);
    return;
  }
  vkc_plan_discard (recorder, image);
  vkc_recorder_unlock (recorder);
  vkc_image_destroy (image);
}

void
vkc_recorder_discard (struct vkc_recorder *recorder, struct vkc_image *image)
{
  vkc_recorder_lock (recorder);
  vkc_plan_discard (recorder, image);
  vkc_recorder_unlock (recorder);
}

void
vkc_recorder_discard_soon (struct vkc_recorder *recorder,
                           struct vkc_image *image)
{
  if (!vkc_mutex_trylock (&recorder->lock)) {
    leave (recorder, recorder->discards, vkc_image_ref (image));
    return;
  }
  vkc_plan_discard (recorder, image);
  vkc_recorder_unlock (recorder);
}

void
vkc_recorder_begin_compiling (struct vkc_recorder *recorder)
{
  g_atomic_int_inc (&recorder->compiling);
}

void
vkc_recorder_end_compiling (struct vkc_recorder *recorder)
{
  vkc_recorder_lock (recorder);
  recorder->compiled_at = g_get_monotonic_time ();
  g_atomic_int_add (&recorder->compiling, -1);
  vkc_recorder_unlock (recorder);
}

static bool
append (struct vkc_recorder *recorder, struct vkc_job *job, GError **error)
{
  bool ok;

  vkc_recorder_lock (recorder);
  vkc_release_wait_for_thread (recorder);
  ok = !recorder->lost || vkc_recorder_refuse_lost (recorder, error);
  if (ok) {
    /* The thread needs a deadline where it had none. */
    if (!recorder->pending.head)
      vkc_completion_notify (recorder);
    vkc_plan_add (recorder, job);
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
                                      recorder->settings.max_pending_ms,
                                      &recorder->compiling))
    ok = vkc_recorder_flush_oldest (recorder, job->owner, VKC_FLUSH_LIMIT,
                                    &any, error);
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
