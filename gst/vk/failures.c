/* Owners that are told, and messages that name them. */
#include "gst/vk/failures.h"

#include <string.h>

void
vkc_failures_add (struct vkc_failures *failures, struct vkc_owner *owner,
                  const GError *error)
{
  if (!failures->error)
    failures->error = g_error_copy (error);
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

/* Whether a job before @place is of @owner and, unless that is NULL, runs
 * @kernel. */
static bool
was_named (const GPtrArray *jobs, guint place, const struct vkc_owner *owner,
           const char *kernel)
{
  for (guint i = 0; i < place; i++) {
    const struct vkc_job *job = g_ptr_array_index (jobs, i);

    if (job->owner == owner
        && (!kernel || strcmp (vkc_job_kernel_name (job), kernel) == 0))
      return true;
  }
  return false;
}

static void
append_kernels (GString *names, const GPtrArray *jobs,
                const struct vkc_owner *owner)
{
  const char *separator = "";

  for (guint i = 0; i < jobs->len; i++) {
    const struct vkc_job *job = g_ptr_array_index (jobs, i);
    const char *kernel = vkc_job_kernel_name (job);

    if (job->owner != owner || was_named (jobs, i, owner, kernel))
      continue;
    g_string_append_printf (names, "%s%s", separator, kernel);
    separator = ", ";
  }
}

void
vkc_blame_jobs (const GPtrArray *jobs, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  if (!error || !*error || jobs->len == 0)
    return;
  for (guint i = 0; i < jobs->len; i++) {
    const struct vkc_job *job = g_ptr_array_index (jobs, i);

    if (was_named (jobs, i, job->owner, NULL))
      continue;
    g_string_append_printf (names, "%s%s (", i > 0 ? ", " : "",
                            vkc_owner_name (job->owner));
    append_kernels (names, jobs, job->owner);
    g_string_append_c (names, ')');
  }
  g_prefix_error (error, "%s: ", names->str);
}

void
vkc_blame_submission (const struct vkc_recorder *recorder, uint64_t value,
                      GError **error)
{
  const struct vkc_slot *slot = vkc_slot_of (recorder, value);
  g_autoptr (GPtrArray) pending = NULL;

  /* It may be over by now: what is lost is what came after it. */
  if (!slot)
    slot = vkc_slot_oldest (recorder);
  if (slot) {
    vkc_blame_jobs (slot->jobs, error);
    return;
  }
  pending = g_ptr_array_new ();
  for (GList *link = recorder->pending.head; link; link = link->next)
    g_ptr_array_add (pending, link->data);
  vkc_blame_jobs (pending, error);
}
