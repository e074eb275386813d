/* Collects what the tracer is told. */
#include "gst/vk/trace-private.h"

static vkc_tracer current; /* atomic */

void
vkc_trace_set (vkc_tracer tracer)
{
  g_atomic_pointer_set (&current, tracer);
}

bool
vkc_trace_is_on (void)
{
  return g_atomic_pointer_get (&current) != NULL;
}

/* The jobs that one dispatch does. */
static void
append_owners (GString *owners, const struct vkc_job *job)
{
  if (job->fused_before) {
    append_owners (owners, job->fused_before);
    g_string_append_c (owners, ':');
  }
  g_string_append (owners, vkc_owner_name (job->owner));
}

static char *
owners_of (const GPtrArray *jobs)
{
  GString *owners = g_string_new (NULL);

  for (guint i = 0; i < jobs->len; i++) {
    const struct vkc_job *job = g_ptr_array_index (jobs, i);

    if (job->fused_into)
      continue;
    if (owners->len > 0)
      g_string_append_c (owners, '+');
    append_owners (owners, job);
  }
  return g_string_free (owners, FALSE);
}

void
vkc_trace_slot_over (struct vkc_recorder *recorder,
                     const struct vkc_slot *slot, uint64_t gpu_ns)
{
  struct vkc_trace_submission *submission;

  if (!vkc_trace_is_on ())
    return;
  submission = g_new (struct vkc_trace_submission, 1);
  *submission = (struct vkc_trace_submission){
    .recorder = recorder->counters.id,
    .value = slot->value,
    .owners = owners_of (slot->jobs),
    .jobs = slot->jobs->len,
    .dispatches = slot->dispatches,
    .reason = slot->reason,
    .waited = slot->waited,
    .gpu_ns = gpu_ns,
    .planned_at = slot->planned_at,
    .submitted_at = slot->submitted_at,
    .over_at = g_get_monotonic_time (),
  };
  g_ptr_array_add (recorder->finished_traces, submission);
}

void
vkc_trace_deliver (GPtrArray *submissions)
{
  const vkc_tracer tracer = g_atomic_pointer_get (&current);

  for (guint i = 0; i < submissions->len; i++) {
    struct vkc_trace_submission *submission
        = g_ptr_array_index (submissions, i);

    if (tracer)
      tracer (submission);
    g_free (submission->owners);
    g_free (submission);
  }
}
