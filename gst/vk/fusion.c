/* What jobs compute, and what they can be replaced by. */
#include "gst/vk/fusion.h"

#include "gst/vk/job-private.h"
#include "gst/vk/recorder-private.h"

struct vkc_formula *
vkc_formula_new (void *data, GDestroyNotify free_data)
{
  struct vkc_formula *formula = g_new0 (struct vkc_formula, 1);

  formula->ref_count = 1;
  formula->data = data;
  formula->free_data = free_data;
  return formula;
}

struct vkc_formula *
vkc_formula_ref (struct vkc_formula *formula)
{
  g_atomic_int_inc (&formula->ref_count);
  return formula;
}

void
vkc_formula_unref (struct vkc_formula *formula)
{
  if (!formula || !g_atomic_int_dec_and_test (&formula->ref_count))
    return;
  formula->free_data (formula->data);
  g_free (formula);
}

struct vkc_fusions *
vkc_fusions_new (struct vkc_formula *before, struct vkc_fusions *before_fusions)
{
  struct vkc_fusions *fusions = g_new0 (struct vkc_fusions, 1);

  fusions->ref_count = 1;
  fusions->before = vkc_formula_ref (before);
  if (before_fusions)
    fusions->before_fusions = vkc_fusions_ref (before_fusions);
  return fusions;
}

struct vkc_fusions *
vkc_fusions_ref (struct vkc_fusions *fusions)
{
  g_atomic_int_inc (&fusions->ref_count);
  return fusions;
}

void
vkc_fusions_unref (struct vkc_fusions *fusions)
{
  if (!fusions || !g_atomic_int_dec_and_test (&fusions->ref_count))
    return;
  for (uint32_t i = 0; i < fusions->n; i++) {
    vkc_formula_unref (fusions->all[i].formula);
    vkc_pipeline_unref (fusions->all[i].pipeline);
  }
  vkc_formula_unref (fusions->before);
  vkc_fusions_unref (fusions->before_fusions);
  g_free (fusions);
}

struct vkc_formula *
vkc_image_pending_formula (struct vkc_image *image,
                           struct vkc_fusions **fusions)
{
  struct vkc_recorder *recorder = image->device->recorder;
  struct vkc_formula *formula = NULL;
  const struct vkc_job *job;

  *fusions = NULL;
  if (!recorder->settings.fuse)
    return NULL;
  vkc_recorder_lock (recorder);
  job = image->producer;
  if (job && job->formula) {
    formula = vkc_formula_ref (job->formula);
    if (job->fusions)
      *fusions = vkc_fusions_ref (job->fusions);
  }
  vkc_recorder_unlock (recorder);
  return formula;
}

void
vkc_job_set_formula (struct vkc_job *job, struct vkc_formula *formula,
                     struct vkc_fusions *fusions)
{
  g_assert (!job->formula && !job->is_state);
  job->formula = vkc_formula_ref (formula);
  if (fusions)
    job->fusions = vkc_fusions_ref (fusions);
}
