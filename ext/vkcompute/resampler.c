/* From a shape to a kernel a plane. */
#include "resampler.h"

#include <string.h>

#include "framelimit.h"
#include "gst/base/gstvkccaps.h"
#include "gst/vk/recorder.h"
#include "resampletable.h"
#include "shaders/embedded.h"
#include "shaders/include/resample_ids.h"
#include "shapepass.h"

/* One plane of the target. */
struct part
{
  struct vkc_pipeline *pipelines[2]; /* by alignment; made when asked for */
  struct vkc_image *table;
  guint32 constants[RESAMPLE_ID_COUNT];
  guint32 groups[2];
  gboolean keeps_rest; /* other planes or rows are there already */
  guint n_components;
  guint source_planes[4];
  struct resample_params params; /* all but what a frame changes */
};

struct resampler
{
  struct vkc_device *device; /* borrowed */
  guint n_parts;
  struct part parts[GST_VIDEO_MAX_PLANES];
};

struct resampler *
resampler_new (void)
{
  return g_new0 (struct resampler, 1);
}

void
resampler_reset (struct resampler *self)
{
  for (guint i = 0; i < self->n_parts; i++) {
    struct part *part = &self->parts[i];

    vkc_pipeline_unref (part->pipelines[FALSE]);
    vkc_pipeline_unref (part->pipelines[TRUE]);
    g_clear_pointer (&part->table, vkc_image_unref);
  }
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

/* Components of @plane; their number. */
static guint
find_components (const struct color_format *format, guint plane,
                 guint components[4])
{
  guint n = 0;

  for (guint c = 0; c < 4; c++)
    if (color_format_has (format, c)
        && (guint)format->component[c].plane == plane)
      components[n++] = c;
  return n;
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

/* Colours are scaled with the alpha that they are in one plane with. */
static gboolean
weighs_with_alpha (const struct shape_job *job)
{
  return job->from->color.format.has_alpha && job->to->color.format.has_alpha
         && shape_scales (&job->shape);
}

static gboolean
can_weigh (const struct shape_job *job)
{
  return !weighs_with_alpha (job)
         || (job->from->color.format.n_planes == 1
             && job->to->color.format.n_planes == 1);
}

gboolean
resampler_can (const struct shape_job *job)
{
  const struct color_format *from = &job->from->color.format;
  const struct color_format *to = &job->to->color.format;

  if (job->from->storage != VKC_STORAGE_BUFFER
      || job->to->storage != VKC_STORAGE_BUFFER
      || from->packing != PACKING_BYTES || to->packing != PACKING_BYTES
      || job->shape.transpose || !can_weigh (job)
      || !color_description_same_codes (&job->from->color.description,
                                        &job->to->color.description))
    return FALSE;
  for (guint plane = 0; plane < (guint)to->n_planes; plane++) {
    guint components[4];
    const guint n = find_components (to, plane, components);

    for (guint i = 0; i < n; i++)
      if (!color_format_has (from, components[i])
          || !are_alike (job, components[0], components[i]))
        return FALSE;
  }
  return TRUE;
}

/* Codes of the source to codes of the target, which are the same colour's. */
static void
find_gains (const struct shape_job *job, gfloat gain[4], gfloat bias[4])
{
  const struct color_component *from = job->from->color.format.component;
  const struct color_component *to = job->to->color.format.component;
  const struct color_light light = { 0 };
  const struct color_settings settings = { .tone_map = false };
  struct color_plan plan;

  color_plan_init (&plan, &job->from->color, &light, &job->to->color,
                   &settings);
  for (guint c = 0; c < 3; c++) {
    const guint32 *row = &plan.constants[ID_OUT_MATRIX + 4 * c];

    memcpy (&gain[c], &row[c], sizeof gain[c]);
    memcpy (&bias[c], &row[3], sizeof bias[c]);
  }
  gain[3] = ((1 << to[3].bits) - 1) / (gfloat)((1 << from[3].bits) - 1);
  bias[3] = 0;
}

static void
set_component (struct part *part, guint i, const struct color_component *from,
               const struct color_component *to, gfloat gain, gfloat bias)
{
  guint32 *fields
      = &part->constants[RESAMPLE_ID_COMPONENT + i * RESAMPLE_FIELDS];

  fields[RESAMPLE_SOURCE_OFFSET] = from->offset;
  fields[RESAMPLE_SOURCE_SHIFT] = from->shift;
  fields[RESAMPLE_SOURCE_BITS] = from->bits;
  fields[RESAMPLE_TARGET_OFFSET] = to->offset;
  fields[RESAMPLE_TARGET_SHIFT] = to->shift;
  fields[RESAMPLE_TARGET_BITS] = to->bits;
  memcpy (&fields[RESAMPLE_GAIN], &gain, sizeof gain);
  memcpy (&fields[RESAMPLE_BIAS], &bias, sizeof bias);
  part->source_planes[i] = from->plane;
}

/* What of the code the format decides. */
static void
set_components (struct part *part, const struct shape_job *job,
                const guint components[4])
{
  const struct color_component *from = job->from->color.format.component;
  const struct color_component *to = job->to->color.format.component;
  gboolean one_plane = TRUE;
  gfloat gain[4], bias[4];

  find_gains (job, gain, bias);
  for (guint i = 0; i < part->n_components; i++) {
    const guint c = components[i];

    set_component (part, i, &from[c], &to[c], gain[c], bias[c]);
    one_plane = one_plane && from[c].plane == from[components[0]].plane;
    part->params.border[i] = job->border[c];
  }
  part->constants[RESAMPLE_ID_COMPONENTS] = part->n_components;
  part->constants[RESAMPLE_ID_ONE_PLANE] = one_plane;
  part->constants[RESAMPLE_ID_PREMULTIPLY] = weighs_with_alpha (job);
  part->constants[RESAMPLE_ID_SOURCE_STEP] = from[components[0]].step;
  part->constants[RESAMPLE_ID_TARGET_STEP] = to[components[0]].step;
}

/* What of it the filters decide. */
static void
set_filters (struct part *part, const struct resample_table *table,
             const struct resample_plane *plane)
{
  const gboolean flip_y = plane->job->shape.flip_y;

  part->constants[RESAMPLE_ID_PIXELS] = plane->pixels;
  part->constants[RESAMPLE_ID_TAPS] = table->taps;
  part->constants[RESAMPLE_ID_STEP] = table->step;
  part->constants[RESAMPLE_ID_OPEN] = table->open;
  part->constants[RESAMPLE_ID_MOST_DONE] = table->most_done;
  part->constants[RESAMPLE_ID_FLIP] = plane->job->shape.flip_x;
  part->constants[RESAMPLE_ID_WHOLE] = plane->width % plane->pixels == 0;
  part->constants[RESAMPLE_ID_BORDERED] = table->bordered;
  part->params.width = plane->width;
  part->params.left = table->left;
  part->params.right = table->right;
  part->params.blocks = table->blocks;
  part->params.turn = flip_y ? -1 : 1;
  part->groups[1] = table->strips;
}

static struct vkc_pipeline *
make_pipeline (struct part *part, struct vkc_device *device, gboolean aligned,
               GError **error)
{
  const gboolean lanes
      = device->is_cpu && device->shuffle_lanes == RESAMPLE_LANES;
  const struct embedded_code *code = &embedded_resample[lanes];
  struct vkc_kernel kernel = {
    .name = "resample",
    .code = code->words,
    .code_size = code->size,
    .n_bindings = 3,
    .bindings = { shape_pass_binding ("source", RESAMPLE_SOURCE, FALSE),
                  shape_pass_binding ("target", RESAMPLE_TARGET, TRUE),
                  shape_pass_binding ("table", RESAMPLE_TABLE, FALSE) },
    .push_constants_size = sizeof (struct resample_params),
  };
  guint32 ids[RESAMPLE_ID_COUNT];
  const struct vkc_specialization specialization
      = { .n = RESAMPLE_ID_COUNT, .ids = ids, .values = part->constants };

  for (guint i = 0; i < RESAMPLE_ID_COUNT; i++)
    ids[i] = i;
  kernel.bindings[RESAMPLE_TARGET].reads = part->keeps_rest;
  part->constants[RESAMPLE_ID_ALIGNED] = aligned;
  return vkc_pipeline_get (device, &kernel, &specialization, error);
}

static struct vkc_pipeline *
get_pipeline (struct part *part, struct vkc_device *device, gboolean aligned,
              GError **error)
{
  if (part->pipelines[aligned] == NULL)
    part->pipelines[aligned] = make_pipeline (part, device, aligned, error);
  return part->pipelines[aligned];
}

/* GPUs want many. A CPU wants few, because rows between two are filtered twice,
 * but for every core some; and one that is long is read from so many rows that
 * its caches do not have them for the block beside it. */
static guint
choose_strips (const struct vkc_device *device, guint columns,
               const struct resample_plane *plane)
{
  const gint rows = plane->job->shape.crop.height
                    >> workform_vsub (plane->job->from, plane->component);

  return device->is_cpu ? MAX ((16 + columns - 1) / columns, (guint)rows / 48)
                        : (guint)(plane->height + 7) / 8;
}

/* The widest block that the kernel is made for. */
static gboolean
make_table (struct part *part, struct vkc_device *device,
            struct resample_plane *plane, struct resample_table *table)
{
  const gint n = part->n_components;
  const gint step = part->constants[RESAMPLE_ID_TARGET_STEP];

  plane->pixels = n > 1 ? 4 : RESAMPLE_MOST_PIXELS;
  for (; plane->pixels > 0 && plane->pixels * step % 4 == 0;
       plane->pixels /= 2) {
    const gint unit = plane->pixels * RESAMPLE_LOCAL_SIZE;

    part->groups[0] = (plane->width + unit - 1) / unit;
    plane->strips = choose_strips (device, part->groups[0], plane);
    if (!resample_table_init (table, plane))
      return FALSE;
    if (table->taps * plane->pixels * n <= RESAMPLE_MOST_TERMS
        && table->open * plane->pixels * n <= RESAMPLE_MOST_SUMS)
      return TRUE;
    resample_table_clear (table);
  }
  return FALSE;
}

/* FALSE without @error: more than the kernel is made for. */
static gboolean
set_part (struct part *part, struct vkc_device *device,
          const struct shape_job *job, guint plane_index, GError **error)
{
  const GstVideoInfo *to = &job->to->info;
  guint components[4];
  struct resample_table table;
  struct resample_plane plane = { .job = job };
  gboolean ok;

  part->n_components
      = find_components (&job->to->color.format, plane_index, components);
  part->keeps_rest = plane_index > 0 || job->to->keeps_rest;
  set_components (part, job, components);
  plane.component = components[0];
  plane.source_step = part->constants[RESAMPLE_ID_SOURCE_STEP];
  plane.width = GST_VIDEO_INFO_COMP_WIDTH (to, components[0]);
  plane.height = GST_VIDEO_INFO_COMP_HEIGHT (to, components[0]);
  if (!make_table (part, device, &plane, &table))
    return FALSE;
  set_filters (part, &table, &plane);
  ok = frame_limit_check_groups (device, part->groups, error)
       && get_pipeline (part, device, TRUE, error) != NULL;
  if (ok)
    part->table = shape_pass_upload (device, table.words, error);
  resample_table_clear (&table);
  return ok && part->table != NULL;
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

    ok = set_part (&self->parts[i], device, job, i, &first);
  }
  resampler_reset (&old);
  if (!ok)
    resampler_reset (self);
  *possible = ok || first != NULL;
  if (first != NULL)
    g_propagate_error (error, first);
  return ok;
}

static gboolean
plan_part (struct resampler *self, struct part *part, const GstVkcFrame *in,
           const GstVkcFrame *out, guint plane, struct vkc_job *job,
           GError **error)
{
  const gboolean aligned = colorkernel_alignment (in) >= 4;
  struct vkc_pipeline *pipeline
      = get_pipeline (part, self->device, aligned, error);
  struct resample_params params = part->params;
  guint32 source[MAX_PLANES][2] = { { 0 } }, target[MAX_PLANES][2], unused;

  if (pipeline == NULL
      || !colorkernel_place (in, "source", source, &params.source_last, error)
      || !colorkernel_place (out, "target", target, &unused, error))
    return FALSE;
  for (guint i = 0; i < part->n_components; i++)
    memcpy (params.source[i], source[part->source_planes[i]],
            sizeof params.source[i]);
  memcpy (params.target, target[plane], sizeof params.target);

  vkc_job_set_pipeline (job, pipeline);
  vkc_job_set_groups (job, part->groups[0], part->groups[1], 1);
  return vkc_job_set_push_constants (job, &params, sizeof params, error)
         && gst_vkc_frame_bind (in, job, RESAMPLE_SOURCE, error)
         && gst_vkc_frame_bind (out, job, RESAMPLE_TARGET, error)
         && vkc_job_bind (job, RESAMPLE_TABLE, part->table, 0, 1, error);
}

gboolean
resampler_plan (struct resampler *self, const GstVkcFrame *in,
                const GstVkcFrame *out, struct vkc_job *job, GError **error)
{
  const guint last = self->n_parts - 1;

  for (guint i = 0; i < last; i++) {
    struct vkc_job *step = vkc_job_new_step (job);

    if (!plan_part (self, &self->parts[i], in, out, i, step, error)) {
      vkc_job_unref (step);
      return FALSE;
    }
    if (!vkc_recorder_append (self->device->recorder, step, error))
      return FALSE;
  }
  return plan_part (self, &self->parts[last], in, out, last, job, error);
}
