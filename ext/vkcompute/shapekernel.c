/* From a shape to jobs. */
#include "shapekernel.h"

#include <string.h>

#include "databuffer.h"
#include "framecopy.h"
#include "framelimit.h"
#include "framepart.h"
#include "gst/vk/result.h"
#include "jobstep.h"
#include "resampler.h"
#include "scratch.h"
#include "shaders/include/shape_ids.h"
#include "shapepass.h"
#include "shapetable.h"
#include "shapework.h"

/* Scratch frames between two kernels. */
struct between
{
  gsize size; /* bytes */
  struct scratch_pool *pool;
};

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
  struct colorside from, to;  /* work frames */
  struct vkc_pipeline *scale; /* NULL: nothing along rows */
  struct vkc_pipeline *place;
  struct vkc_image *table;
  guint scale_groups[2], place_groups[2];
  struct between source, floats, target;
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

static void
drop_between (struct between *between)
{
  g_clear_pointer (&between->pool, scratch_pool_unref);
}

void
shapekernel_reset (struct shapekernel *self)
{
  resampler_reset (self->resampler);
  colorkernel_reset (self->before);
  colorkernel_reset (self->after);
  g_clear_pointer (&self->scale, vkc_pipeline_unref);
  g_clear_pointer (&self->place, vkc_pipeline_unref);
  g_clear_pointer (&self->table, vkc_image_unref);
  drop_between (&self->source);
  drop_between (&self->floats);
  drop_between (&self->target);
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
renew (struct shapekernel *self, struct between *between, gsize size,
       GError **error)
{
  struct vkc_image_params params;

  if (size > self->device->limits.maxStorageBufferRange) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "Frames of this size cannot be given another shape: a step "
                 "needs %" G_GSIZE_FORMAT " bytes, %s allows %u",
                 size, self->device->name,
                 self->device->limits.maxStorageBufferRange);
    return FALSE;
  }
  if (between->pool != NULL && between->size == size)
    return TRUE;
  drop_between (between);
  data_buffer_params (&params, size);
  between->size = size;
  between->pool = scratch_pool_new (self->device, &params);
  return TRUE;
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
  memcpy (self->scale_groups, table->scale_groups, sizeof self->scale_groups);
  memcpy (self->place_groups, table->place_groups, sizeof self->place_groups);
  return TRUE;
}

/* Pipelines and memory for the table. */
static gboolean
equip (struct shapekernel *self, const struct shape_work *w,
       const struct shape_table *table, GError **error)
{
  const gboolean scaled = table->between > 0;
  const struct shape_traits traits = { .premultiply = w->premultiply,
                                       .square = w->settings->linear_light,
                                       .scaled = scaled,
                                       .shape = w->shape };
  struct vkc_pipeline *scale = self->scale, *place = self->place;

  if (!frame_limit_check_groups (self->device, self->place_groups, error)
      || (scaled
          && !frame_limit_check_groups (self->device, self->scale_groups,
                                        error)))
    return FALSE;
  /* The old ones stay until the new ones are there: they may be the same. */
  self->scale = scaled ? shape_pass_scale (self->device, &traits, error) : NULL;
  self->place = NULL;
  if (!scaled || self->scale != NULL)
    self->place = shape_pass_place (self->device, &traits, error);
  vkc_pipeline_unref (scale);
  vkc_pipeline_unref (place);
  if (self->place == NULL)
    return FALSE;

  g_clear_pointer (&self->table, vkc_image_unref);
  self->table = shape_pass_upload (self->device, table->words, error);
  return self->table != NULL
         && renew (self, &self->source, GST_VIDEO_INFO_SIZE (&self->from.info),
                   error)
         && (!scaled
             || renew (self, &self->floats, table->between * sizeof (gfloat),
                       error))
         && renew (self, &self->target, GST_VIDEO_INFO_SIZE (&self->to.info),
                   error);
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
    return renew (self, &self->target, GST_VIDEO_INFO_SIZE (&self->to.info),
                  error)
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

/* The scratch frames of one frame. */
struct passage
{
  struct scratch *source, *floats, *target;
};

static gboolean
take_scratch (struct shapekernel *self, struct passage *p, GError **error)
{
  p->source = scratch_new (self->source.pool, error);
  if (p->source != NULL && self->scale != NULL)
    p->floats = scratch_new (self->floats.pool, error);
  if (p->source != NULL && (self->scale == NULL || p->floats != NULL))
    p->target = scratch_new (self->target.pool, error);
  return p->target != NULL;
}

static gboolean
make_source (struct shapekernel *self, const struct passage *p,
             const GstVkcFrame *in, const struct vkc_job *job, GError **error)
{
  struct vkc_job *step = vkc_job_new_step (job);
  GstVkcFrame seen, work;

  frame_part_place (&seen, in, &self->seen_info, &self->seen, self->row_step);
  frame_from_scratch (&work, &self->from.info, p->source);
  return job_step_append (
      self->device, step,
      colorkernel_plan (self->before, &seen, &work, step, error), error);
}

static gboolean
shape (struct shapekernel *self, struct vkc_pipeline *pipeline,
       const guint groups[2], struct scratch *from, struct scratch *to,
       const struct vkc_job *job, GError **error)
{
  struct vkc_job *step = vkc_job_new_step (job);

  scratch_pin (from, step);
  vkc_job_set_pipeline (step, pipeline);
  vkc_job_set_groups (step, groups[0], groups[1],
                      GST_VIDEO_INFO_N_PLANES (&self->to.info));
  return job_step_append (
      self->device, step,
      vkc_job_bind (step, SHAPE_SOURCE, scratch_image (from), 0, 1, error)
          && vkc_job_bind (step, SHAPE_TARGET, scratch_image (to), 0, 1, error)
          && vkc_job_bind (step, SHAPE_TABLE, self->table, 0, 1, error),
      error);
}

static gboolean
make_target (struct shapekernel *self, const struct passage *p,
             const GstVkcFrame *out, struct vkc_job *job, GError **error)
{
  GstVkcFrame work;

  frame_from_scratch (&work, &self->to.info, p->target);
  scratch_pin (p->target, job);
  return colorkernel_plan (self->after, &work, out, job, error);
}

/* By the resampler, and what makes the target of its work frame. */
static gboolean
plan_resample (struct shapekernel *self, const GstVkcFrame *in,
               const GstVkcFrame *out, struct vkc_job *job, GError **error)
{
  struct passage p = { .target = scratch_new (self->target.pool, error) };
  struct vkc_job *step;
  GstVkcFrame work;
  gboolean ok;

  if (p.target == NULL)
    return FALSE;
  step = vkc_job_new_step (job);
  frame_from_scratch (&work, &self->to.info, p.target);
  ok = job_step_append (
           self->device, step,
           resampler_plan (self->resampler, in, &work, step, error), error)
       && make_target (self, &p, out, job, error);
  scratch_planned (p.target);
  return ok;
}

/* By work frames. */
static gboolean
plan_work (struct shapekernel *self, const GstVkcFrame *in,
           const GstVkcFrame *out, struct vkc_job *job, GError **error)
{
  struct passage p = { 0 };
  gboolean ok = take_scratch (self, &p, error)
                && make_source (self, &p, in, job, error);
  struct scratch *before = p.source;

  if (ok && self->scale != NULL) {
    ok = shape (self, self->scale, self->scale_groups, p.source, p.floats, job,
                error);
    before = p.floats;
  }
  ok = ok
       && shape (self, self->place, self->place_groups, before, p.target, job,
                 error)
       && make_target (self, &p, out, job, error);
  scratch_planned (p.source);
  scratch_planned (p.floats);
  scratch_planned (p.target);
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
