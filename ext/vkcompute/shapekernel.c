/* From a shape to jobs. */
#include "shapekernel.h"

#include <string.h>

#include "colorcaps.h"
#include "framecopy.h"
#include "framelimit.h"
#include "gst/vk/recorder.h"
#include "gst/vk/result.h"
#include "scratch.h"
#include "shaders/include/shape_ids.h"
#include "shapepass.h"
#include "shapetable.h"

/* Scratch frames between two kernels. */
struct between
{
  gsize size; /* bytes */
  struct scratch_pool *pool;
};

struct shapekernel
{
  struct vkc_device *device; /* borrowed */
  struct colorkernel *before, *after;
  struct colorkernel_side from, to; /* work frames */
  struct vkc_pipeline *scale;       /* NULL: nothing along rows */
  struct vkc_pipeline *place;
  struct vkc_image *table;
  guint scale_groups[2], place_groups[2];
  struct between source, floats, target;
};

/* What set_info() works with. */
struct work
{
  struct colorkernel_side in, out;
  struct color_light light;
  const struct color_shape *shape;
  const struct shape_settings *settings;
  enum color_rows rows;
  struct color_settings colour;
  gboolean alpha, scales, premultiply;
};

struct shapekernel *
shapekernel_new (void)
{
  struct shapekernel *self = g_new0 (struct shapekernel, 1);

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
  colorkernel_free (self->before);
  colorkernel_free (self->after);
  g_free (self);
}

/* Whether chroma goes from codes to codes at its own resolution. */
static gboolean
chroma_is_direct (const struct work *w)
{
  const struct color_description *from = &w->in.color.description;
  const struct color_description *to = &w->out.color.description;
  struct color_plan plan;

  if (w->settings->linear_light || w->premultiply
      || from->matrix == COLOR_MATRIX_RGB || to->matrix == COLOR_MATRIX_RGB)
    return FALSE;
  color_plan_init (&plan, &w->in.color, &w->light, &w->out.color, &w->colour);
  return plan.affine;
}

/* Without scaling chroma that is not to be made anew is moved; else the colour
 * kernel filters it. */
static gboolean
chroma_is_moved (const struct work *w)
{
  const struct color_format *from = &w->in.color.format;
  const struct color_format *to = &w->out.color.format;
  const struct color_site a = w->in.color.description.site;
  const struct color_site b = w->out.color.description.site;
  const gboolean swap = w->shape->transpose;

  return from->hsub == (swap ? to->vsub : to->hsub)
         && from->vsub == (swap ? to->hsub : to->vsub)
         && (!from->hsub || a.left == b.left)
         && (!from->vsub || a.top == b.top);
}

static void
choose_work_frames (struct shapekernel *self, const struct work *w)
{
  struct color_description d = w->in.color.description;
  const struct color_format *in = &w->in.color.format;
  const struct color_format *out = &w->out.color.format;
  const gboolean whole = w->settings->linear_light || w->premultiply;
  const gboolean keep
      = chroma_is_direct (w) && (w->scales || chroma_is_moved (w));

  if (w->settings->linear_light) {
    d.matrix = COLOR_MATRIX_RGB;
    d.range = COLOR_RANGE_FULL;
    d.transfer = COLOR_TRANSFER_GAMMA20;
  }
  workform_init (&self->from, &d, w->alpha, whole ? 0 : in->hsub,
                 whole ? 0 : in->vsub, GST_VIDEO_INFO_WIDTH (&w->in.info),
                 GST_VIDEO_INFO_HEIGHT (&w->in.info));
  d.site = w->out.color.description.site;
  workform_init (&self->to, &d, w->alpha, keep ? out->hsub : 0,
                 keep ? out->vsub : 0, GST_VIDEO_INFO_WIDTH (&w->out.info),
                 GST_VIDEO_INFO_HEIGHT (&w->out.info));
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
  shape_pass_buffer_params (&params, size);
  between->size = size;
  between->pool = scratch_pool_new (self->device, &params);
  return TRUE;
}

static gboolean
make_table (struct shapekernel *self, const struct work *w,
            struct shape_table *table, GError **error)
{
  struct shape_job job = { .shape = *w->shape,
                           .method = w->settings->method,
                           .rows = w->rows,
                           .from = &self->from,
                           .to = &self->to };

  for (guint i = 0; i < 4; i++)
    job.border[i] = workform_code (&self->to, &w->out, &w->colour,
                                   w->settings->border, i);
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
equip (struct shapekernel *self, const struct work *w,
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

/* Between two HDR descriptions light has no white to be clipped at. */
static void
choose_white (struct work *w)
{
  if (w->settings->linear_light
      && color_transfer_is_hdr (w->in.color.description.transfer)
      && color_transfer_is_hdr (w->out.color.description.transfer))
    w->colour.reference_white = 10000;
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
  struct work w = {
    .shape = shape, .settings = settings, .rows = rows, .colour = *colour
  };
  struct shape_table table;
  gboolean ok;

  w.colour.dither = COLOR_DITHER_NONE;
  self->device = device;
  colorkernel_sides_from_caps (&w.in, in_caps, in, &w.out, out_caps, out);
  color_light_from_caps (&w.light, in_caps);
  w.in.row_step = w.out.row_step = rows == COLOR_ROWS_FRAME ? 1 : 2;
  w.out.keeps_rest = rows == COLOR_ROWS_BOTTOM;
  w.alpha = w.out.color.format.has_alpha;
  w.scales = shape_scales (shape);
  w.premultiply = w.alpha && w.in.color.format.has_alpha && w.scales;
  choose_white (&w);
  choose_work_frames (self, &w);
  /* Before filters are made for what cannot be. */
  if (!frame_limit_check (device, in, w.in.storage, error)
      || !frame_limit_check (device, out, w.out.storage, error)
      || !frame_limit_check (device, &self->from.info, self->from.storage,
                             error)
      || !frame_limit_check (device, &self->to.info, self->to.storage, error)
      || !make_table (self, &w, &table, error))
    return FALSE;
  /* The work frame's 16 bits are nobody's depth. */
  if (color_format_loses_depth (&w.in.color.format, &w.out.color.format))
    w.colour.dither = colour->dither;
  ok = equip (self, &w, &table, error)
       && colorkernel_set_sides (self->before, device, &w.in, &w.light,
                                 &self->from, &w.colour, error)
       && colorkernel_set_sides (self->after, device, &self->to, &w.light,
                                 &w.out, &w.colour, error);
  shape_table_clear (&table);
  return ok;
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
append (struct shapekernel *self, struct vkc_job *step, gboolean ok,
        GError **error)
{
  if (ok)
    return vkc_recorder_append (self->device->recorder, step, error);
  vkc_job_unref (step);
  return FALSE;
}

static gboolean
make_source (struct shapekernel *self, const struct passage *p,
             const GstVkcFrame *in, const struct vkc_job *job, GError **error)
{
  struct vkc_job *step = vkc_job_new_step (job);
  GstVkcFrame work;

  frame_from_scratch (&work, &self->from.info, p->source);
  return append (self, step,
                 colorkernel_plan (self->before, in, &work, step, error),
                 error);
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
  return append (
      self, step,
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

gboolean
shapekernel_plan (struct shapekernel *self, const GstVkcFrame *in,
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
