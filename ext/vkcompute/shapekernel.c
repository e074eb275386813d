/* From a shape to jobs. */
#include "shapekernel.h"

#include "framecopy.h"
#include "framelimit.h"
#include "framepart.h"
#include "gst/vk/result.h"
#include "jobstep.h"
#include "resampler.h"
#include "shapestages.h"
#include "shapework.h"

/* How frames get their shape. */
enum way
{
  WAY_DIRECT,   /* by the resampler alone */
  WAY_RESAMPLE, /* by the resampler, then @after */
  WAY_WORK,     /* by @before, scale.comp, place.comp, @after */
};

struct shapekernel
{
  struct vkc_device *device; /* borrowed */
  enum way way;
  struct resampler *resampler;
  struct colorkernel *before, *after;
  struct color_rect seen; /* what @before converts of the input */
  GstVideoInfo seen_info;
  guint row_step;
  struct colorside from, to; /* work frames */
  struct shape_stages stages;
  struct work_pool source, target;
};

struct shapekernel *
shapekernel_new (void)
{
  struct shapekernel *self = g_new0 (struct shapekernel, 1);

  self->resampler = resampler_new ();
  self->before = colorkernel_new ();
  self->after = colorkernel_new ();
  return self;
}

void
shapekernel_reset (struct shapekernel *self)
{
  resampler_reset (self->resampler);
  colorkernel_reset (self->before);
  colorkernel_reset (self->after);
  shape_stages_clear (&self->stages);
  work_pool_clear (&self->source);
  work_pool_clear (&self->target);
  self->device = NULL;
}

void
shapekernel_free (struct shapekernel *self)
{
  if (self == NULL)
    return;
  shapekernel_reset (self);
  resampler_free (self->resampler);
  colorkernel_free (self->before);
  colorkernel_free (self->after);
  g_free (self);
}

static gboolean
make_table (struct shapekernel *self, const struct shape_work *w,
            struct shape_table *table, GError **error)
{
  struct shape_job job = shape_work_job (w, &self->from, &self->to);

  job.shape.crop.x -= self->seen.x;
  job.shape.crop.y -= self->seen.y;
  if (!shape_table_init (table, &job)) {
    g_set_error (error, VKC_ERROR, VKC_ERROR_OUT_OF_MEMORY,
                 "no memory for a filter");
    return FALSE;
  }
  return TRUE;
}

/* Kernels and memory for the table. */
static gboolean
equip (struct shapekernel *self, const struct shape_work *w,
       const struct shape_table *table, GError **error)
{
  const struct shape_traits traits = { .premultiply = w->premultiply,
                                       .square = w->settings->linear_light,
                                       .scaled = table->between > 0,
                                       .shape = w->shape };

  return shape_stages_set (&self->stages, self->device, table, &traits,
                           GST_VIDEO_INFO_N_PLANES (&self->to.info), error)
         && work_pool_set (&self->source, self->device,
                           GST_VIDEO_INFO_SIZE (&self->from.info), error)
         && work_pool_set (&self->target, self->device,
                           GST_VIDEO_INFO_SIZE (&self->to.info), error);
}

static gboolean
set_after (struct shapekernel *self, const struct shape_work *w, GError **error)
{
  return colorkernel_set_sides (self->after, self->device, &self->to, &w->light,
                                &w->out, &w->colour, error);
}

/* The input straight to @to. @possible: FALSE if the resampler is not for
 * that, which is no error. */
static gboolean
set_resampler (struct shapekernel *self, const struct shape_work *w,
               const struct colorside *to, gboolean *possible, GError **error)
{
  const struct shape_job job = shape_work_job (w, &w->in, to);

  *possible = !w->settings->linear_light && resampler_can (&job);
  return *possible
         && resampler_set (self->resampler, self->device, &job, possible,
                           error);
}

/* The input straight to the work frame behind the kernels that change shapes.
 */
static gboolean
set_work (struct shapekernel *self, const struct shape_work *w,
          gboolean *possible, GError **error)
{
  struct colorside packed;

  if (!w->premultiply)
    return set_resampler (self, w, &self->to, possible, error);
  workform_init_packed (&packed, &self->to.color.description,
                        GST_VIDEO_INFO_WIDTH (&self->to.info),
                        GST_VIDEO_INFO_HEIGHT (&self->to.info));
  if (!set_resampler (self, w, &packed, possible, error))
    return FALSE;
  self->to = packed;
  return TRUE;
}

static gboolean
choose_way (struct shapekernel *self, const struct shape_work *w,
            GError **error)
{
  gboolean possible = FALSE;

  self->way = WAY_DIRECT;
  if (w->keeps_chroma && w->colour.dither == COLOR_DITHER_NONE
      && set_resampler (self, w, &w->out, &possible, error))
    return TRUE;
  self->way = WAY_RESAMPLE;
  if (!possible && set_work (self, w, &possible, error))
    return TRUE;
  self->way = WAY_WORK;
  return !possible;
}

/* The input's part as a work frame. */
static gboolean
set_before (struct shapekernel *self, const struct shape_work *w,
            GError **error)
{
  struct colorside seen = w->in;

  seen.info = self->seen_info;
  self->row_step = MAX (w->in.row_step, 1);
  return colorkernel_set_sides (self->before, self->device, &seen, &w->light,
                                &self->from, &w->colour, error);
}

/* What the resampler leaves to other kernels. */
static gboolean
set_rest (struct shapekernel *self, const struct shape_work *w, GError **error)
{
  struct shape_table table;
  gboolean ok;

  if (self->way == WAY_RESAMPLE)
    return work_pool_set (&self->target, self->device,
                          GST_VIDEO_INFO_SIZE (&self->to.info), error)
           && set_after (self, w, error);
  if (!make_table (self, w, &table, error))
    return FALSE;
  ok = equip (self, w, &table, error) && set_before (self, w, error)
       && set_after (self, w, error);
  shape_table_clear (&table);
  return ok;
}

gboolean
shapekernel_set_info (struct shapekernel *self, struct vkc_device *device,
                      GstCaps *in_caps, const GstVideoInfo *in,
                      GstCaps *out_caps, const GstVideoInfo *out,
                      const struct color_shape *shape,
                      const struct shape_settings *settings,
                      const struct color_settings *colour, enum color_rows rows,
                      GError **error)
{
  struct shape_work w = {
    .shape = shape, .settings = settings, .rows = rows, .colour = *colour
  };

  self->device = device;
  shape_work_init (&w, in_caps, in, out_caps, out);
  self->seen = frame_part_around (in, &shape->crop);
  frame_part_info (&self->seen_info, &w.in.info, &self->seen);
  shape_work_frames (&w, &self->seen_info, &self->from, &self->to);
  /* Before filters are made for what cannot be. */
  return frame_limit_check (device, in, w.in.storage, error)
         && frame_limit_check (device, out, w.out.storage, error)
         && frame_limit_check (device, &self->from.info, self->from.storage,
                               error)
         && frame_limit_check (device, &self->to.info, self->to.storage, error)
         && choose_way (self, &w, error)
         && (self->way == WAY_DIRECT || set_rest (self, &w, error));
}

/* The part that is seen, as a work frame in @source. */
static gboolean
make_source (struct shapekernel *self, const GstVkcFrame *in,
             struct scratch *source, const struct vkc_job *job, GError **error)
{
  struct vkc_job *step = vkc_job_new_step (job);
  GstVkcFrame seen, work;

  frame_part_place (&seen, in, &self->seen_info, &self->seen, self->row_step);
  frame_from_scratch (&work, &self->from.info, source);
  return job_step_append (
      self->device, step,
      colorkernel_plan (self->before, &seen, &work, step, error), error);
}

/* The frame that goes out, by the work frame in @target. */
static gboolean
make_target (struct shapekernel *self, struct scratch *target,
             const GstVkcFrame *out, struct vkc_job *job, GError **error)
{
  GstVkcFrame work;

  frame_from_scratch (&work, &self->to.info, target);
  scratch_pin (target, job);
  return colorkernel_plan (self->after, &work, out, job, error);
}

/* By the resampler, and what makes the target of its work frame. */
static gboolean
plan_resample (struct shapekernel *self, const GstVkcFrame *in,
               const GstVkcFrame *out, struct vkc_job *job, GError **error)
{
  struct scratch *target = scratch_new (self->target.pool, error);
  struct vkc_job *step;
  GstVkcFrame work;
  gboolean ok;

  if (target == NULL)
    return FALSE;
  step = vkc_job_new_step (job);
  frame_from_scratch (&work, &self->to.info, target);
  ok = job_step_append (
           self->device, step,
           resampler_plan (self->resampler, in, &work, step, error), error)
       && make_target (self, target, out, job, error);
  scratch_planned (target);
  return ok;
}

/* By work frames. */
static gboolean
plan_work (struct shapekernel *self, const GstVkcFrame *in,
           const GstVkcFrame *out, struct vkc_job *job, GError **error)
{
  struct scratch *source = scratch_new (self->source.pool, error);
  struct scratch *target
      = source != NULL ? scratch_new (self->target.pool, error) : NULL;
  const gboolean ok
      = target != NULL && make_source (self, in, source, job, error)
        && shape_stages_plan (&self->stages, source, target, job, error)
        && make_target (self, target, out, job, error);

  scratch_planned (source);
  scratch_planned (target);
  return ok;
}

gboolean
shapekernel_plan (struct shapekernel *self, const GstVkcFrame *in,
                  const GstVkcFrame *out, struct vkc_job *job, GError **error)
{
  switch (self->way) {
  case WAY_DIRECT:
    return resampler_plan (self->resampler, in, out, job, error);
  case WAY_RESAMPLE:
    return plan_resample (self, in, out, job, error);
  default:
    return plan_work (self, in, out, job, error);
  }
}
