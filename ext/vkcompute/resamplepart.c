/* From a shape to the kernel of a plane. */
#include "resamplepart.h"

#include <string.h>

#include "framelimit.h"
#include "gst/base/gstvkccaps.h"
#include "kernelframe.h"
#include "resamplephases.h"
#include "resampletable.h"
#include "shaders/embedded.h"
#include "shapepass.h"

guint
resample_part_components (const struct color_format *format, guint plane,
                          guint components[4])
{
  guint n = 0;

  for (guint c = 0; c < 4; c++)
    if (color_format_has (format, c)
        && (guint)format->component[c].plane == plane)
      components[n++] = c;
  return n;
}

gboolean
resample_part_weighs (const struct shape_job *job)
{
  return job->from->color.format.has_alpha && job->to->color.format.has_alpha
         && shape_scales (&job->shape);
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
    /* What lifts sums that fell just short of a tie: rounding does, too. */
    if (from[c].bits == to[c].bits)
      bias[c] = 0;
  }
  gain[3] = ((1 << to[3].bits) - 1) / (gfloat)((1 << from[3].bits) - 1);
  bias[3] = 0;
}

static gint
offset_of (const struct color_component *component, enum vkc_storage storage)
{
  return storage == VKC_STORAGE_IMAGE ? component->channel : component->offset;
}

static void
set_component (struct resample_part *part, guint i,
               const struct color_component *from,
               const struct color_component *to, gfloat gain, gfloat bias)
{
  guint32 *fields
      = &part->constants[RESAMPLE_ID_COMPONENT + i * RESAMPLE_FIELDS];

  fields[RESAMPLE_SOURCE_OFFSET] = offset_of (from, part->source_storage);
  fields[RESAMPLE_SOURCE_SHIFT] = from->shift;
  fields[RESAMPLE_SOURCE_BITS] = from->bits;
  fields[RESAMPLE_TARGET_OFFSET] = offset_of (to, part->target_storage);
  fields[RESAMPLE_TARGET_SHIFT] = to->shift;
  fields[RESAMPLE_TARGET_BITS] = to->bits;
  memcpy (&fields[RESAMPLE_GAIN], &gain, sizeof gain);
  memcpy (&fields[RESAMPLE_BIAS], &bias, sizeof bias);
  part->constants[RESAMPLE_ID_SOURCE_PLANE + i] = from->plane;
}

/* What of the code the format decides. */
static void
set_components (struct resample_part *part, const struct shape_job *job,
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
  part->constants[RESAMPLE_ID_PREMULTIPLY] = resample_part_weighs (job);
}

/* The plane, and how samples lie. */
static void
set_plane (struct resample_part *part, const struct shape_job *job, guint c,
           struct resample_plane *plane)
{
  const GstVideoInfo *from = &job->from->info, *to = &job->to->info;

  *plane = (struct resample_plane){
    .job = job,
    .component = c,
    .width = GST_VIDEO_INFO_COMP_WIDTH (to, c),
    .height = GST_VIDEO_INFO_COMP_HEIGHT (to, c),
    .source_step = job->from->color.format.component[c].step,
    .target_step = job->to->color.format.component[c].step,
  };
  plane->unit_step
      = part->source_storage == VKC_STORAGE_IMAGE ? 4 : plane->source_step;
  part->constants[RESAMPLE_ID_SOURCE_STEP] = plane->unit_step;
  part->constants[RESAMPLE_ID_TARGET_STEP] = plane->target_step;
  part->params.width = plane->width;
  part->params.row_units = GST_VIDEO_INFO_COMP_WIDTH (from, c);
  part->params.last_row = GST_VIDEO_INFO_COMP_HEIGHT (from, c) - 1;
  part->params.row_steps[0] = MAX (job->from->row_step, 1);
  part->params.row_steps[1] = MAX (job->to->row_step, 1);
}

/* What of it the filters decide. */
static void
set_filters (struct resample_part *part, const struct resample_table *table,
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
  part->params.left = table->left;
  part->params.right = table->right;
  part->params.blocks = table->blocks;
  part->params.turn = flip_y ? -1 : 1;
  part->groups[1] = table->strips;
}

static const struct embedded_code *
code_of (const struct resample_part *part, const struct vkc_device *device)
{
  const gboolean lanes
      = device->is_cpu && device->shuffle_lanes == RESAMPLE_LANES;
  const guint kinds
      = embedded_planes_index (part->source_storage == VKC_STORAGE_IMAGE,
                               part->target_storage == VKC_STORAGE_IMAGE);

  return part->polyphase ? &embedded_polyphase[kinds]
                         : &embedded_resample[kinds * 2 + lanes];
}

static struct vkc_pipeline *
make_pipeline (struct resample_part *part, struct vkc_device *device,
               enum resample_alignment alignment, GError **error)
{
  const struct embedded_code *code = code_of (part, device);
  struct vkc_kernel kernel = {
    .name = part->polyphase ? "polyphase" : "resample",
    .code = code->words,
    .code_size = code->size,
    .n_bindings = 3,
    .push_constants_size = sizeof (struct resample_params),
  };
  guint32 ids[RESAMPLE_ID_COUNT];
  const struct vkc_specialization specialization
      = { .n = RESAMPLE_ID_COUNT, .ids = ids, .values = part->constants };

  for (guint i = 0; i < RESAMPLE_ID_COUNT; i++)
    ids[i] = i;
  kernel_frame_describe (&kernel.bindings[0], "source", RESAMPLE_SOURCE,
                         part->source_storage, FALSE);
  kernel_frame_describe (&kernel.bindings[1], "target", RESAMPLE_TARGET,
                         part->target_storage, TRUE);
  kernel.bindings[1].count = 1;
  kernel.bindings[1].reads = part->keeps_rest;
  kernel.bindings[2] = shape_pass_binding ("table", RESAMPLE_TABLE, FALSE);
  part->constants[RESAMPLE_ID_ALIGNED] = alignment >= RESAMPLE_WORDS;
  part->constants[RESAMPLE_ID_PAIRS] = alignment == RESAMPLE_PAIRS;
  return vkc_pipeline_get (device, &kernel, &specialization, error);
}

struct vkc_pipeline *
resample_part_pipeline (struct resample_part *part, struct vkc_device *device,
                        enum resample_alignment alignment, GError **error)
{
  struct vkc_pipeline **pipeline
      = &part->pipelines[MIN (alignment, part->most)];

  if (*pipeline == NULL)
    *pipeline
        = make_pipeline (part, device, MIN (alignment, part->most), error);
  return *pipeline;
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

/* What the phases decide of it. */
static void
set_phases (struct resample_part *part, const struct resample_phases *phases,
            const struct resample_plane *plane)
{
  guint32 *constants = part->constants;

  constants[RESAMPLE_ID_PIXELS] = phases->pixels;
  constants[RESAMPLE_ID_TAPS] = phases->across.taps;
  constants[RESAMPLE_ID_OPEN] = phases->open;
  constants[RESAMPLE_ID_WHOLE]
      = plane->width % (phases->pixels * RESAMPLE_LANES) == 0;
  constants[RESAMPLE_ID_LEFT] = phases->left;
  constants[RESAMPLE_ID_RIGHT] = phases->right;
  constants[RESAMPLE_ID_FROM] = phases->across.from;
  constants[RESAMPLE_ID_TO] = phases->across.to;
  constants[RESAMPLE_ID_DOWN_FROM] = phases->down.from;
  constants[RESAMPLE_ID_DOWN_TO] = phases->down.to;
  constants[RESAMPLE_ID_DOWN_TAPS] = phases->down.taps;
  constants[RESAMPLE_ID_START] = phases->start;
  constants[RESAMPLE_ID_LEAD] = phases->lead;
  for (guint i = 0; i < COLOR_PHASES_MOST; i++) {
    constants[RESAMPLE_ID_FIRST + i] = phases->across.first[i];
    constants[RESAMPLE_ID_DOWN_FIRST + i] = phases->down.first[i];
  }
}

/* Where what is in a round comes from, and who makes which. Each strip begins
 * with rounds for nothing, so there are only some for every core. */
static void
set_strips (struct resample_part *part, const struct resample_phases *phases,
            const struct resample_plane *plane)
{
  const guint unit = phases->pixels * RESAMPLE_LANES;
  const guint columns = (plane->width + unit - 1) / unit;
  const guint rounds = plane->height / phases->down.to;
  const guint strips = MIN ((64 + columns - 1) / columns, rounds);

  part->column = phases->first_column;
  part->row = phases->first_row;
  part->params.row_units = phases->columns * plane->unit_step / 4;
  part->params.last_row = phases->rows - 1;
  part->params.strip = (rounds + strips - 1) / strips;
  part->params.rounds = rounds;
  part->groups[0] = columns;
  part->groups[1] = (rounds + part->params.strip - 1) / part->params.strip;
}

/* By polyphase.comp, if it can: its table, or NULL. */
static GArray *
set_polyphase (struct resample_part *part, const struct vkc_device *device,
               const struct resample_plane *plane)
{
  struct resample_phases phases;

  if (!device->is_cpu || device->shuffle_lanes != RESAMPLE_LANES
      || !resample_phases_init (&phases, plane, part->n_components))
    return NULL;
  part->polyphase = TRUE;
  part->most = phases.pairs ? RESAMPLE_PAIRS : RESAMPLE_WORDS;
  set_phases (part, &phases, plane);
  set_strips (part, &phases, plane);
  return resample_phases_table (&phases);
}

static gboolean
fits (const struct resample_table *table, const struct resample_plane *plane,
      gint n)
{
  const gint64 reach
      = ((gint64)(plane->pixels - 1) * table->step >> 16) + table->taps;

  return table->taps * plane->pixels * n <= RESAMPLE_MOST_TERMS
         && table->open * plane->pixels * n <= RESAMPLE_MOST_SUMS
         && reach * MAX (plane->source_step, 4) / 4 + 2 <= RESAMPLE_MOST_UNITS;
}

/* By resample.comp, in the widest block that it is made for: its table, or
 * NULL. */
static GArray *
set_general (struct resample_part *part, struct vkc_device *device,
             struct resample_plane *plane)
{
  const gint n = part->n_components;
  struct resample_table table;

  part->most = RESAMPLE_WORDS;
  plane->pixels = n > 1 ? 4 : RESAMPLE_MOST_PIXELS;
  for (; plane->pixels > 0 && plane->pixels * plane->target_step % 4 == 0;
       plane->pixels /= 2) {
    const gint unit = plane->pixels * RESAMPLE_LOCAL_SIZE;

    part->groups[0] = (plane->width + unit - 1) / unit;
    plane->strips = choose_strips (device, part->groups[0], plane);
    if (!resample_table_init (&table, plane))
      return NULL;
    if (fits (&table, plane, n)) {
      set_filters (part, &table, plane);
      return table.words;
    }
    resample_table_clear (&table);
  }
  return NULL;
}

gboolean
resample_part_set (struct resample_part *part, struct vkc_device *device,
                   const struct shape_job *job, guint plane_index,
                   GError **error)
{
  struct resample_plane plane;
  guint components[4];
  GArray *table;
  gboolean ok;

  part->source_storage = job->from->storage;
  part->target_storage = job->to->storage;
  part->n_components = resample_part_components (&job->to->color.format,
                                                 plane_index, components);
  part->keeps_rest = plane_index > 0 || job->to->keeps_rest;
  set_components (part, job, components);
  set_plane (part, job, components[0], &plane);
  table = set_polyphase (part, device, &plane);
  if (table == NULL)
    table = set_general (part, device, &plane);
  if (table == NULL)
    return FALSE;
  /* Texels are what they are. */
  if (part->source_storage == VKC_STORAGE_IMAGE)
    part->most = RESAMPLE_BYTES;
  ok = frame_limit_check_groups (device, part->groups, error)
       && resample_part_pipeline (part, device, part->most, error) != NULL;
  if (ok)
    part->table = shape_pass_upload (device, table, error);
  g_array_unref (table);
  return ok && part->table != NULL;
}

void
resample_part_clear (struct resample_part *part)
{
  for (guint i = 0; i < RESAMPLE_ALIGNMENTS; i++)
    vkc_pipeline_unref (part->pipelines[i]);
  g_clear_pointer (&part->table, vkc_image_unref);
}
