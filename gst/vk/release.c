/* Lets go of what is over. */
#include "gst/vk/release.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "gst/vk/fuse.h"
#include "gst/vk/trace-private.h"

/* What is let go of in one go. */
struct vkc_releases
{
  GPtrArray *jobs, *spare_jobs, *images, *owners, *traces;
};

static struct vkc_releases *
releases_new (void)
{
  struct vkc_releases *releases = g_new (struct vkc_releases, 1);

  releases->jobs = g_ptr_array_new ();
  releases->spare_jobs = g_ptr_array_new ();
  releases->images = g_ptr_array_new ();
  releases->owners = g_ptr_array_new ();
  releases->traces = g_ptr_array_new ();
  return releases;
}

void
vkc_releases_free (struct vkc_releases *releases)
{
  if (!releases)
    return;
  g_ptr_array_unref (releases->jobs);
  g_ptr_array_unref (releases->spare_jobs);
  g_ptr_array_unref (releases->images);
  g_ptr_array_unref (releases->owners);
  g_ptr_array_unref (releases->traces);
  g_free (releases);
}

static void
exchange (GPtrArray **a, GPtrArray **b)
{
  GPtrArray *was = *a;

  *a = *b;
  *b = was;
}

/* Under the lock: all that is over. The lists are those of last time; a release
 * that waits for others comes here again, and gets new ones. */
static struct vkc_releases *
take_all (struct vkc_recorder *recorder)
{
  struct vkc_releases *all = g_steal_pointer (&recorder->idle_releases);

  if (!all)
    all = releases_new ();
  exchange (&all->jobs, &recorder->finished_jobs);
  exchange (&all->spare_jobs, &recorder->spare_jobs);
  exchange (&all->images, &recorder->finished_images);
  exchange (&all->owners, &recorder->finished_owners);
  exchange (&all->traces, &recorder->finished_traces);
  return all;
}

static void
empty (struct vkc_releases *releases)
{
  g_ptr_array_set_size (releases->jobs, 0);
  g_ptr_array_set_size (releases->spare_jobs, 0);
  g_ptr_array_set_size (releases->images, 0);
  g_ptr_array_set_size (releases->owners, 0);
  g_ptr_array_set_size (releases->traces, 0);
}

/* Drivers compile when a pipeline is first used, and their compilers leave tens
 * of megabytes of free heap behind. */
static void
trim_after_first_run (const struct vkc_job *job)
{
  struct vkc_pipeline *pipeline = vkc_job_kernel (job);

  if (!pipeline || job->state != VKC_JOB_SUBMITTED
      || !g_atomic_int_compare_and_exchange (&pipeline->has_run, 0, 1))
    return;
#ifdef __GLIBC__
  malloc_trim (0);
#endif
}

static void
run (const struct vkc_releases *releases)
{
  vkc_trace_deliver (releases->traces);
  /* Jobs last: once an owner's are gone, nothing here keeps its device. */
  for (guint i = 0; i < releases->images->len; i++)
    vkc_image_unref (g_ptr_array_index (releases->images, i));
  for (guint i = 0; i < releases->owners->len; i++)
    vkc_owner_unref (g_ptr_array_index (releases->owners, i));
  for (guint i = 0; i < releases->spare_jobs->len; i++)
    vkc_job_unref (g_ptr_array_index (releases->spare_jobs, i));
  for (guint i = 0; i < releases->jobs->len; i++) {
    struct vkc_job *job = g_ptr_array_index (releases->jobs, i);

    trim_after_first_run (job);
    vkc_job_let_go (job);
    vkc_job_unref (job);
  }
}

void
vkc_release_run (struct vkc_recorder *recorder)
{
  struct vkc_releases *releases;

  vkc_recorder_lock (recorder);
  releases = take_all (recorder);
  recorder->releasing++;
  vkc_recorder_unlock (recorder);

  run (releases);
  empty (releases);

  vkc_recorder_lock (recorder);
  if (!recorder->idle_releases)
    recorder->idle_releases = g_steal_pointer (&releases);
  recorder->releasing--;
  recorder->thread_is_late = false;
  vkc_cond_broadcast (&recorder->released);
  vkc_recorder_unlock (recorder);
  vkc_releases_free (releases);
}

bool
vkc_release_is_empty (const struct vkc_recorder *recorder)
{
  return recorder->finished_jobs->len == 0
         && recorder->finished_images->len == 0
         && recorder->finished_owners->len == 0
         && recorder->finished_traces->len == 0
         && recorder->spare_jobs->len == 0 && recorder->releasing == 0;
}

/* Adds to the references that the recorder itself holds to what @slot uses. */
static void
add_references (const struct vkc_slot *slot, int n)
{
  for (guint i = 0; i < slot->images->len; i++)
    ((struct vkc_image *) g_ptr_array_index (slot->images, i))->recorder_refs
        += n;
  for (guint i = 0; i < slot->jobs->len; i++) {
    const struct vkc_job *job = g_ptr_array_index (slot->jobs, i);

    for (uint32_t k = 0; k < job->n_images; k++)
      if (job->images[k].held)
        job->images[k].image->recorder_refs += n;
  }
}

void
vkc_release_note_held (struct vkc_slot *slot)
{
  add_references (slot, 1);
}

void
vkc_release_note_over (struct vkc_slot *slot)
{
  add_references (slot, -1);
}

struct garbage
{
  uint64_t count, bytes;
  uint64_t oldest; /* timeline value after which some of it can go */
};

static void
add_garbage (struct garbage *garbage, const struct vkc_image *image)
{
  garbage->count++;
  garbage->bytes += image->params.size;
}

/* Images in flight that nobody else holds any more. */
static struct garbage
garbage_in_flight (const struct vkc_recorder *recorder)
{
  struct garbage garbage = { .oldest = UINT64_MAX };

  for (uint32_t i = 0; i < recorder->n_slots; i++) {
    const struct vkc_slot *slot = &recorder->slots[i];

    for (guint k = 0; slot->in_flight && k < slot->images->len; k++) {
      const struct vkc_image *image = g_ptr_array_index (slot->images, k);

      /* One that several submissions use goes with the last of them. */
      if (image->last_use != slot->value
          || g_atomic_int_get (&image->ref_count) != image->recorder_refs)
        continue;
      add_garbage (&garbage, image);
      garbage.oldest = MIN (garbage.oldest, slot->value);
    }
  }
  return garbage;
}

/* Images of submissions that are over; who else holds them is not looked at. */
static struct garbage
garbage_of_the_past (const struct vkc_recorder *recorder)
{
  struct garbage garbage = { 0 };

  for (guint i = 0; i < recorder->finished_images->len; i++)
    add_garbage (&garbage,
                 g_ptr_array_index (recorder->finished_images, i));
  return garbage;
}

static bool
is_too_much (const struct vkc_recorder *recorder, const struct garbage *garbage)
{
  return garbage->count > recorder->settings.max_releases
         || garbage->bytes > recorder->settings.max_release_bytes;
}

static GPtrArray *
take (GPtrArray **list)
{
  GPtrArray *taken = *list;

  *list = g_ptr_array_new ();
  return taken;
}

/* Images only, those of jobs included: the rest is the completion thread's. */
static void
run_images (struct vkc_recorder *recorder)
{
  GPtrArray *images, *jobs;

  vkc_recorder_lock (recorder);
  images = take (&recorder->finished_images);
  jobs = take (&recorder->finished_jobs);
  recorder->releasing++;
  vkc_recorder_unlock (recorder);

  for (guint i = 0; i < images->len; i++)
    vkc_image_unref (g_ptr_array_index (images, i));
  for (guint i = 0; i < jobs->len; i++)
    vkc_job_let_go_of_images (g_ptr_array_index (jobs, i));

  vkc_recorder_lock (recorder);
  g_ptr_array_extend (recorder->finished_jobs, jobs, NULL, NULL);
  recorder->releasing--;
  vkc_completion_notify (recorder);
  vkc_recorder_unlock (recorder);
  g_ptr_array_unref (images);
  g_ptr_array_unref (jobs);
}

void
vkc_release_bound (struct vkc_recorder *recorder)
{
  const struct garbage past = garbage_of_the_past (recorder);
  const struct garbage future = garbage_in_flight (recorder);
  const bool must_wait = is_too_much (recorder, &future);

  if (!must_wait && !is_too_much (recorder, &past))
    return;
  vkc_recorder_unlock (recorder);
  if (must_wait)
    vkc_recorder_wait_counted (recorder, future.oldest,
                               &recorder->counters.waits_release, NULL);
  run_images (recorder);
  vkc_recorder_lock (recorder);
}

void
vkc_release_wait_for_thread (struct vkc_recorder *recorder)
{
  const int64_t deadline
      = g_get_monotonic_time ()
        + recorder->settings.max_pending_ms * INT64_C (1000);

  if (pthread_equal (pthread_self (), recorder->thread))
    return;
  while (recorder->finished_jobs->len > recorder->settings.max_releases
         && !recorder->thread_is_late)
    if (!vkc_cond_wait_until (&recorder->released, &recorder->lock, deadline))
      /* A foreign release may need what this thread holds: it is not waited
       * for again before it is through. */
      recorder->thread_is_late = true;
}

void
vkc_recorder_run_releases (struct vkc_recorder *recorder)
{
  const int64_t deadline
      = g_get_monotonic_time ()
        + recorder->settings.timeout_ms * INT64_C (1000);
  uint64_t last;

  vkc_recorder_lock (recorder);
  last = recorder->accepted;
  vkc_recorder_unlock (recorder);
  vkc_recorder_wait_counted (recorder, last,
                             &recorder->counters.waits_release, NULL);
  if (pthread_equal (pthread_self (), recorder->thread)) {
    vkc_release_run (recorder);
    return;
  }
  /* The caller may hold a lock that a pin's release wants. */
  run_images (recorder);
  vkc_recorder_lock (recorder);
  vkc_completion_wake (recorder);
  while (!vkc_release_is_empty (recorder))
    if (!vkc_cond_wait_until (&recorder->released, &recorder->lock, deadline))
      break;
  vkc_recorder_unlock (recorder);
}
