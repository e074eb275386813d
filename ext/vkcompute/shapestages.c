/* From one work frame to another. */
#include "shapestages.h"

#include <string.h>

#include "framelimit.h"
#include "jobstep.h"
#include "shaders/include/shape_ids.h"

static gboolean
check_groups (const struct vkc_device *device, const struct shape_table *table,
              gboolean scaled, GError **error)
{
  return frame_limit_check_groups (device, table->place_groups, error)
         && (!scaled
             || frame_limit_check_groups (device, table->scale_groups, error));
}

/* The old ones stay until the new ones are there: they may be the same. */
static gboolean
set_pipelines (struct shape_stages *self, const struct shape_traits *traits,
               GError **error)
{
  struct vkc_pipeline *scale = self->scale, *place = self->place;

  self->scale
      = traits->scaled ? shape_pass_scale (self->device, traits, error) : NULL;
  self->place = NULL;
  if (!traits->scaled || self->scale != NULL)
    self->place = shape_pass_place (self->device, traits, error);
  vkc_pipeline_unref (scale);
  vkc_pipeline_unref (place);
  return self->place != NULL;
}

gboolean
shape_stages_set (struct shape_stages *self, struct vkc_device *device,
                  const struct shape_table *table,
                  const struct shape_traits *traits, guint n_planes,
                  GError **error)
{
  self->device = device;
  self->n_planes = n_planes;
  memcpy (self->scale_groups, table->scale_groups, sizeof self->scale_groups);
  memcpy (self->place_groups, table->place_groups, sizeof self->place_groups);
  if (!check_groups (device, table, traits->scaled, error)
      || !set_pipelines (self, traits, error))
    return FALSE;
  g_clear_pointer (&self->table, vkc_image_unref);
  self->table = shape_pass_upload (device, table->words, error);
  return self->table != NULL
         && (!traits->scaled
             || work_pool_set (&self->floats, device,
                               table->between * sizeof (gfloat), error));
}

void
shape_stages_clear (struct shape_stages *self)
{
  g_clear_pointer (&self->scale, vkc_pipeline_unref);
  g_clear_pointer (&self->place, vkc_pipeline_unref);
  g_clear_pointer (&self->table, vkc_image_unref);
  work_pool_clear (&self->floats);
}

static gboolean
run (struct shape_stages *self, struct vkc_pipeline *pipeline,
     const guint groups[2], struct scratch *from, struct scratch *to,
     const struct vkc_job *job, GError **error)
{
  struct vkc_job *step = vkc_job_new_step (job);

  scratch_pin (from, step);
  vkc_job_set_pipeline (step, pipeline);
  vkc_job_set_groups (step, groups[0], groups[1], self->n_planes);
  return job_step_append (
      self->device, step,
      vkc_job_bind (step, SHAPE_SOURCE, scratch_image (from), 0, 1, error)
          && vkc_job_bind (step, SHAPE_TARGET, scratch_image (to), 0, 1, error)
          && vkc_job_bind (step, SHAPE_TABLE, self->table, 0, 1, error),
      error);
}

gboolean
shape_stages_plan (struct shape_stages *self, struct scratch *from,
                   struct scratch *to, const struct vkc_job *job,
                   GError **error)
{
  struct scratch *floats;
  gboolean ok;

  if (self->scale == NULL)
    return run (self, self->place, self->place_groups, from, to, job, error);
  floats = scratch_new (self->floats.pool, error);
  if (floats == NULL)
    return FALSE;
  ok = run (self, self->scale, self->scale_groups, from, floats, job, error)
       && run (self, self->place, self->place_groups, floats, to, job, error);
  scratch_planned (floats);
  return ok;
}
