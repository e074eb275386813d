/* From a shape to a kernel a plane. */
#include "resampler.h"

#include <string.h>

#include "jobstep.h"
#include "kernelframe.h"
#include "resamplepart.h"

struct resampler
{
  struct vkc_device *device; /* borrowed */
  guint n_parts;
  struct resample_part parts[GST_VIDEO_MAX_PLANES];
};

struct resampler *
resampler_new (void)
{
  return g_new0 (struct resampler, 1);
}

void
resampler_reset (struct resampler *self)
{
  for (guint i = 0; i < self->n_parts; i++)
    resample_part_clear (&self->parts[i]);
  memset (self, 0, sizeof *self);
}

void
resampler_free (struct resampler *self)
{
  if (self == NULL)
    return;
  resampler_reset (self);
  g_free (self);
}

/* Whether components @a and @b, of the same plane of the target, are filtered
 * alike. */
static gboolean
are_alike (const struct shape_job *job, guint a, guint b)
{
  const struct color_component *from = job->from->color.format.component;
  const struct color_component *to = job->to->color.format.component;

  return to[a].step == to[b].step && from[a].step == from[b].step
         && workform_hsub (job->from, a) == workform_hsub (job->from, b)
         && workform_vsub (job->from, a) == workform_vsub (job->from, b)
         && workform_hsub (job->to, a) == workform_hsub (job->to, b);
}

static gboolean
can_weigh (const struct shape_job *job)
{
  return !resample_part_weighs (job)
         || (job->from->color.format.n_planes == 1
             && job->to->color.format.n_planes == 1);
}

gboolean
resampler_can (const struct shape_job *job)
{
  const struct color_format *from = &job->from->color.format;
  const struct color_format *to = &job->to->color.format;

  if (from->packing != PACKING_BYTES || to->packing != PACKING_BYTES
      || job->shape.transpose || !can_weigh (job)
      || !color_description_same_codes (&job->from->color.description,
                                        &job->to->color.description))
    return FALSE;
  for (guint plane = 0; plane < (guint)to->n_planes; plane++) {
    guint components[4];
    const guint n = resample_part_components (to, plane, components);

    for (guint i = 0; i < n; i++)
      if (!color_format_has (from, components[i])
          || !are_alike (job, components[0], components[i]))
        return FALSE;
  }
  return TRUE;
}

gboolean
resampler_set (struct resampler *self, struct vkc_device *device,
               const struct shape_job *job, gboolean *possible, GError **error)
{
  struct resampler old = *self;
  GError *first = NULL;
  gboolean ok = TRUE;

  /* The old kernels stay until the new ones are there: they may be the same. */
  memset (self, 0, sizeof *self);
  self->device = device;
  while (ok && self->n_parts < (guint)job->to->color.format.n_planes) {
    const guint i = self->n_parts++;

    ok = resample_part_set (&self->parts[i], device, job, i, &first);
  }
  resampler_reset (&old);
  if (!ok)
    resampler_reset (self);
  *possible = ok || first != NULL;
  if (first != NULL)
    g_propagate_error (error, first);
  return ok;
}

/* Where the part's components lie in @source, the frame's planes. */
static void
place_components (const struct resample_part *part,
                  guint32 source[MAX_PLANES][2], struct resample_params *params)
{
  for (guint i = 0; i < part->n_components; i++) {
    const guint32 *plane
        = source[part->constants[RESAMPLE_ID_SOURCE_PLANE + i]];

    params->source[i][0] = plane[0];
    params->source[i][1] = plane[1];
    if (part->source_storage == VKC_STORAGE_IMAGE) {
      params->source[i][0] += part->column;
      params->source[i][1] += part->row * part->params.row_steps[0];
    } else {
      params->source[i][0]
          += part->row * plane[1]
             + part->column * part->constants[RESAMPLE_ID_SOURCE_STEP];
    }
  }
}

/* Of all rows that @params tells of. */
static enum resample_alignment
find_alignment (const struct resample_part *part,
                const struct resample_params *params)
{
  guint32 bits = 0;

  for (guint i = 0; i < part->n_components; i++)
    bits |= params->source[i][0] | params->source[i][1];
  if (bits % 4 != 0)
    return RESAMPLE_BYTES;
  bits |= params->target[0] | params->target[1];
  return bits % 8 != 0 ? RESAMPLE_WORDS : RESAMPLE_PAIRS;
}

static gboolean
plan_part (struct resampler *self, struct resample_part *part,
           const GstVkcFrame *in, const GstVkcFrame *out, guint plane,
           struct vkc_job *job, GError **error)
{
  struct resample_params params = part->params;
  guint32 source[MAX_PLANES][2] = { { 0 } }, target[MAX_PLANES][2], unused;
  struct vkc_pipeline *pipeline;

  if (!kernel_frame_place (in, "source", source, &params.source_last, error)
      || !kernel_frame_place (out, "target", target, &unused, error))
    return FALSE;
  place_components (part, source, &params);
  memcpy (params.target, target[plane], sizeof params.target);
  pipeline = resample_part_pipeline (part, self->device,
                                     find_alignment (part, &params), error);
  if (pipeline == NULL)
    return FALSE;

  vkc_job_set_pipeline (job, pipeline);
  vkc_job_set_groups (job, part->groups[0], part->groups[1], 1);
  return vkc_job_set_push_constants (job, &params, sizeof params, error)
         && gst_vkc_frame_bind (in, job, RESAMPLE_SOURCE, error)
         && vkc_job_bind (job, RESAMPLE_TARGET, out->image, plane, 1, error)
         && vkc_job_bind (job, RESAMPLE_TABLE, part->table, 0, 1, error);
}

gboolean
resampler_plan (struct resampler *self, const GstVkcFrame *in,
                const GstVkcFrame *out, struct vkc_job *job, GError **error)
{
  const guint last = self->n_parts - 1;

  for (guint i = 0; i < last; i++) {
    struct vkc_job *step = vkc_job_new_step (job);

    if (!job_step_append (
            self->device, step,
            plan_part (self, &self->parts[i], in, out, i, step, error), error))
      return FALSE;
  }
  return plan_part (self, &self->parts[last], in, out, last, job, error);
}
