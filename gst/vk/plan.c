/* The graph of pending jobs.
 *
 * References that are dropped here may be last ones, and what they free is
 * foreign: they go to the completion thread. */
#include "gst/vk/plan.h"

#include "gst/vk/owner-private.h"

void
vkc_plan_clear_producer (struct vkc_recorder *recorder,
                         struct vkc_image *image)
{
  if (image->producer)
    g_ptr_array_add (recorder->spare_jobs, g_steal_pointer (&image->producer));
}

/* @job replaces a state, or reads it: it comes after those who made and read
 * the one before. */
static void
order_by_state (struct vkc_job *job, struct vkc_job_image *use)
{
  struct vkc_image *image = use->image;

  if (!use->writes) {
    g_ptr_array_add (image->readers, job);
    return;
  }
  for (guint i = 0; i < image->readers->len; i++)
    vkc_job_come_after (job, g_ptr_array_index (image->readers, i));
  g_ptr_array_set_size (image->readers, 0);
}

static void
become_producer (struct vkc_recorder *recorder, struct vkc_job *job,
                 struct vkc_job_image *use)
{
  /* What it read or replaces it has taken over; else the content that was to
   * come is wanted by nobody. */
  if (use->producer)
    vkc_plan_clear_producer (recorder, use->image);
  else if (!use->reads && !use->image->readers)
    vkc_plan_discard (recorder, use->image);
  use->image->producer = vkc_job_ref (job);
  job->live_outputs++;
}

void
vkc_plan_add (struct vkc_recorder *recorder, struct vkc_job *job)
{
  unsigned n_writes = 0;

  for (uint32_t i = 0; i < job->n_images; i++) {
    struct vkc_job_image *use = &job->images[i];
    const bool is_state = use->image->readers != NULL;

    use->image->planned++;
    if (use->image->producer && (use->reads || is_state))
      use->producer = vkc_job_ref (use->image->producer);
    if (is_state)
      order_by_state (job, use);
    n_writes += use->writes;
    job->is_lasting |= use->writes && is_state;
  }
  for (uint32_t i = 0; i < job->n_images; i++)
    if (job->images[i].writes)
      become_producer (recorder, job, &job->images[i]);
  job->is_lasting |= n_writes > 1;
  if (job->is_lasting)
    vkc_job_hold_outputs (job);

  job->state = VKC_JOB_PENDING;
  job->planned_at = g_get_monotonic_time ();
  vkc_job_ref (job);
  g_queue_push_tail_link (&recorder->pending, &job->link);
  recorder->counters.pending++;
  if (vkc_job_is_frame (job))
    vkc_owner_pending_up (job->owner);
}

void
vkc_plan_remove (struct vkc_recorder *recorder, struct vkc_job *job)
{
  g_queue_unlink (&recorder->pending, &job->link);
  recorder->counters.pending--;
  if (vkc_job_is_frame (job))
    vkc_owner_pending_down (job->owner);
  for (guint i = 0; job->before && i < job->before->len; i++)
    g_ptr_array_add (recorder->spare_jobs,
                     vkc_job_ref (g_ptr_array_index (job->before, i)));
  g_clear_pointer (&job->before, g_ptr_array_unref);
  for (uint32_t i = 0; i < job->n_images; i++) {
    struct vkc_image *image = job->images[i].image;

    image->planned--;
    if (image->readers)
      g_ptr_array_remove_fast (image->readers, job);
  }
}

struct vkc_job *
vkc_plan_waiting_for (const struct vkc_recorder *recorder,
                      const struct vkc_job *job)
{
  for (const GList *link = recorder->pending.head; link; link = link->next) {
    struct vkc_job *other = link->data;

    for (uint32_t i = 0; i < other->n_images; i++)
      if (other->images[i].producer == job)
        return other;
  }
  return NULL;
}

/* Nobody but jobs wants it: a step towards a frame, or one whose image a later
 * job changes in place. */
static bool
is_for_jobs_only (const struct vkc_job *job)
{
  return job->live_outputs == 0
         || (job->is_intermediate && !job->is_state && !job->is_lasting);
}

/* Such jobs go with the last one that waits for them. */
static void
drop_for_jobs_only (struct vkc_recorder *recorder, struct vkc_job *job,
                 enum vkc_job_state state)
{
  for (uint32_t i = 0; i < job->n_images; i++) {
    struct vkc_job *before = job->images[i].producer;

    if (!before || before->state != VKC_JOB_PENDING)
      continue;
    if (job->images[i].writes)
      before->live_outputs--;
    if (is_for_jobs_only (before) && !vkc_plan_waiting_for (recorder, before))
      vkc_plan_drop (recorder, before, state);
  }
}

void
vkc_plan_drop (struct vkc_recorder *recorder, struct vkc_job *job,
               enum vkc_job_state state)
{
  g_assert (job->state == VKC_JOB_PENDING);
  job->state = state;
  vkc_plan_remove (recorder, job);
  g_ptr_array_add (recorder->finished_jobs, job);
  for (uint32_t i = 0; i < job->n_images; i++) {
    struct vkc_image *image = job->images[i].image;

    if (!job->images[i].writes || image->producer != job)
      continue;
    image->failed = state == VKC_JOB_FAILED;
    image->state.device_valid = image->state.host_valid = false;
    vkc_plan_clear_producer (recorder, image);
  }
  drop_for_jobs_only (recorder, job, state);
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

void
vkc_plan_discard (struct vkc_recorder *recorder, struct vkc_image *image)
{
  struct vkc_job *job = image->producer;

  image->failed = false;
  image->state.device_valid = image->content_is_foreign;
  image->state.host_valid = image->content_is_foreign && image->is_direct;
  if (!job)
    return;
  vkc_plan_clear_producer (recorder, image);
  if (--job->live_outputs > 0)
    return;
  if (vkc_job_is_frame (job)) {
    recorder->counters.discarded++;
    recorder->counters.state_only += reads_pending_state (job);
    vkc_owner_count_discarded (job->owner);
  }
  vkc_plan_drop (recorder, job, VKC_JOB_DISCARDED);
}
