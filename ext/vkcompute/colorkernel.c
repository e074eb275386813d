/* From caps to a plan, from a plan to pipelines, from frames to jobs. */
#include "colorkernel.h"

#include <string.h>

#include "colorcaps.h"
#include "colorcopy.h"
#include "colorfusion.h"
#include "framelimit.h"
#include "gst/base/gstvkccaps.h"
#include "gst/vk/pipeline.h"
#include "kernelframe.h"
#include "shaders/embedded.h"
#include "shaders/include/peak_ids.h"

struct colorkernel
{
  struct vkc_device *device; /* borrowed */
  struct color_plan plan;
  struct color_side in_side, out_side;
  GstVideoInfo in, out;
  enum vkc_storage in_storage, out_storage;
  guint in_step, out_step;
  gboolean keeps_rest;
  guint copied; /* planes of the target that are not the kernel's */
  guint block;
  guint32 groups[2];
  struct vkc_image *table; /* NULL: the gain is the plan's */
  struct vkc_image *lut;   /* NULL: the plan has no cube */
  guint lut_serial;
  struct vkc_image *blank; /* stands in for both */

  /* By the frames' alignment; made when they ask for it. */
  struct vkc_pipeline *pipelines[KERNEL_ALIGNMENTS];

  struct vkc_image *dither; /* its table; NULL until it is needed */

  /* By the same; NULL: its jobs are not fused. */
  struct vkc_formula *formulas[KERNEL_ALIGNMENTS];
  struct colorfusion *fusion;

  GMutex stats_lock;
  GstStructure *stats;
};

struct colorkernel *
colorkernel_new (void)
{
  struct colorkernel *self = g_new0 (struct colorkernel, 1);

  self->fusion = colorfusion_new ();
  g_mutex_init (&self->stats_lock);
  return self;
}

void
colorkernel_free (struct colorkernel *self)
{
  if (self == NULL)
    return;
  colorkernel_reset (self);
  colorkernel_set_table (self, NULL);
  colorfusion_free (self->fusion);
  g_clear_pointer (&self->stats, gst_structure_free);
  g_mutex_clear (&self->stats_lock);
  g_free (self);
}

static void
drop (struct colorkernel *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->pipelines); i++)
    g_clear_pointer (&self->pipelines[i], vkc_pipeline_unref);
  for (guint i = 0; i < G_N_ELEMENTS (self->formulas); i++)
    g_clear_pointer (&self->formulas[i], vkc_formula_unref);
  g_clear_pointer (&self->dither, vkc_image_unref);
  g_clear_pointer (&self->lut, vkc_image_unref);
  g_clear_pointer (&self->blank, vkc_image_unref);
  self->device = NULL;
}

void
colorkernel_reset (struct colorkernel *self)
{
  drop (self);
  colorfusion_reset (self->fusion);
}

void
colorkernel_set_table (struct colorkernel *self, struct vkc_image *table)
{
  struct vkc_image *old = self->table;

  self->table = table != NULL ? vkc_image_ref (table) : NULL;
  vkc_image_unref (old);
}

/* Whether @block pixels are whole words in every plane, of samples in bytes. */
static gboolean
is_whole_words (const struct color_format *format, gint block)
{
  for (guint c = 0; c < 3; c++) {
    const gint sub = c > 0 ? format->hsub : 0;

    if ((block >> sub) * format->component[c].step % 4 != 0)
      return FALSE;
  }
  return TRUE;
}

/* Modules with GAIN_TABLE: what most frames do not need. */
static gboolean
has_tables (const struct colorkernel *self)
{
  return self->table != NULL || self->plan.cube != NULL
         || self->plan.view != COLOR_VIEW_NORMAL;
}

/* Whether 24 pixels a block are worth it, which are many to keep: where samples
 * of three a word become bytes and nothing else happens, on a CPU. */
static gboolean
unpacks_to_bytes (const struct colorkernel *self)
{
  const struct color_format *target = &self->out_side.format;

  return self->device->is_cpu && self->plan.affine && !has_tables (self)
         && self->in_side.format.packing == PACKING_THREE
         && target->packing == PACKING_BYTES && target->component[0].bits == 8
         && is_whole_words (target, 24);
}

/* Blocks of 8 pixels on a CPU, half of that on a GPU. In buffers as many as are
 * whole words of the target, and of a source with three samples a word. */
static guint
choose_block (const struct colorkernel *self)
{
  const struct color_format *source = &self->in_side.format;
  const struct color_format *target = &self->out_side.format;
  const gboolean in_words = self->out_storage == VKC_STORAGE_BUFFER
                            && !color_format_needs_bits (target);

  if (in_words && unpacks_to_bytes (self))
    return 24;
  if (in_words
      && (target->packing == PACKING_THREE
          || (source->packing == PACKING_THREE && is_whole_words (target, 12))))
    return 12;
  if (in_words && !is_whole_words (target, 8))
    return 16;
  return self->device->is_cpu || color_format_needs_bits (target)
                 || !is_whole_words (target, 4)
             ? 8
             : 4;
}

static void
take_stats (struct colorkernel *self)
{
  const struct color_plan *plan = &self->plan;
  GstStructure *stats = gst_structure_new (
      "color", "source-peak", G_TYPE_DOUBLE, plan->source_peak, "target-peak",
      G_TYPE_DOUBLE, plan->target_peak, "reference-white", G_TYPE_DOUBLE,
      plan->reference_white, "tone-mapped", G_TYPE_BOOLEAN,
      (gboolean)plan->tone_mapped, "affine", G_TYPE_BOOLEAN,
      (gboolean)plan->affine, "block", G_TYPE_UINT, self->block, "row-pairs",
      G_TYPE_UINT, plan->constants[ID_ROW_PAIRS], "dithered", G_TYPE_BOOLEAN,
      (gboolean)plan->dithered, NULL);

  g_mutex_lock (&self->stats_lock);
  g_clear_pointer (&self->stats, gst_structure_free);
  self->stats = stats;
  g_mutex_unlock (&self->stats_lock);
}

static gboolean
add_field (GQuark field, const GValue *value, gpointer data)
{
  gst_structure_id_set_value (data, field, value);
  return TRUE;
}

void
colorkernel_add_stats (struct colorkernel *self, GstStructure *stats)
{
  g_mutex_lock (&self->stats_lock);
  if (self->stats != NULL)
    gst_structure_foreach (self->stats, add_field, stats);
  g_mutex_unlock (&self->stats_lock);
}

static enum embedded_target
target_form (const struct colorkernel *self)
{
  if (self->out_storage == VKC_STORAGE_IMAGE)
    return EMBEDDED_TARGET_IMAGE;
  return color_format_needs_bits (&self->out_side.format)
             ? EMBEDDED_TARGET_BITS
             : EMBEDDED_TARGET_BUFFER;
}

static struct vkc_pipeline *
make_pipeline (struct colorkernel *self, guint alignment, GError **error)
{
  const guint index = embedded_colorconvert_index (
      self->in_storage == VKC_STORAGE_IMAGE, target_form (self), self->block,
      self->plan.along_rows, self->plan.dithered);
  const gboolean tables = has_tables (self);
  const struct embedded_code *code
      = tables ? &embedded_gaintable[index] : &embedded_colorconvert[index];
  struct vkc_kernel kernel = {
    .name = "colorconvert",
    .code = code->words,
    .code_size = code->size,
    .n_bindings = 2,
    .push_constants_size = sizeof (struct kernel_params),
  };
  uint32_t ids[ID_COUNT], values[ID_COUNT];
  const struct vkc_specialization specialization
      = { .n = ID_COUNT, .ids = ids, .values = values };

  kernel_frame_describe (&kernel.bindings[0], "source", BINDING_SOURCE,
                         self->in_storage, FALSE);
  kernel_frame_describe (&kernel.bindings[1], "target", BINDING_TARGET,
                         self->out_storage, TRUE);
  kernel.bindings[1].reads = self->keeps_rest;
  if (self->plan.dithered)
    kernel_frame_describe (&kernel.bindings[kernel.n_bindings++], "dither",
                           BINDING_DITHER, VKC_STORAGE_BUFFER, FALSE);
  if (tables) {
    kernel_frame_describe (&kernel.bindings[kernel.n_bindings++], "gain",
                           BINDING_GAIN, VKC_STORAGE_BUFFER, FALSE);
    kernel_frame_describe (&kernel.bindings[kernel.n_bindings++], "lut",
                           BINDING_LUT, VKC_STORAGE_BUFFER, FALSE);
  }
  for (guint i = 0; i < ID_COUNT; i++)
    ids[i] = i;
  memcpy (values, self->plan.constants, sizeof values);
  values[ID_ALIGNED] = alignment;
  values[ID_SOURCE_ROW_STEP] = self->in_step;
  values[ID_TARGET_ROW_STEP] = self->out_step;
  values[ID_LEFT_OUT] = self->copied;
  values[ID_GAIN_TABLE] = self->table != NULL;
  return vkc_pipeline_get (self->device, &kernel, &specialization, error);
}

/* Borrowed. @index: that of the frames' alignment. */
static struct vkc_pipeline *
get_pipeline (struct colorkernel *self, guint index, GError **error)
{
  if (self->pipelines[index] == NULL)
    self->pipelines[index]
        = make_pipeline (self, kernel_alignments[index], error);
  return self->pipelines[index];
}

/* A buffer that kernels read. */
static struct vkc_image *
make_table (struct colorkernel *self, const void *values, gsize size,
            GError **error)
{
  const struct vkc_image_params params = {
    .storage = VKC_STORAGE_BUFFER,
    .n_planes = 1,
    .planes
    = { { .width = (guint32)size, .height = 1, .stride = (guint32)size } },
    .size = size,
  };
  struct vkc_image *image = vkc_image_new (self->device, &params, error);
  void *bytes
      = image != NULL ? vkc_image_map (image, VKC_MAP_WRITE, error) : NULL;

  if (bytes == NULL) {
    vkc_image_unref (image);
    return NULL;
  }
  memcpy (bytes, values, size);
  vkc_image_unmap (image, VKC_MAP_WRITE);
  return image;
}

/* Where the plan's fitted gain is off: a table as peakdetector.h would leave
 * it. */
static gboolean
make_gain (struct colorkernel *self, GError **error)
{
  g_autofree guint8 *state = NULL;

  if (self->table != NULL || !self->plan.needs_table)
    return TRUE;
  state = g_malloc0 (PEAK_STATE_SIZE);
  for (guint i = 0; i < GAIN_STEPS; i++)
    color_plan_gain_step (&self->plan, (int)i,
                          (float *)(state + PEAK_STATE_GAIN) + 2 * i);
  self->table = make_table (self, state, PEAK_STATE_SIZE, error);
  return self->table != NULL;
}

static gboolean
make_dither (struct colorkernel *self, GError **error)
{
  self->dither
      = make_table (self, color_dither_table, sizeof color_dither_table, error);
  return self->dither != NULL;
}

/* Kernels with tables have both bound. */
static gboolean
make_blank (struct colorkernel *self, GError **error)
{
  static const guint32 nothing[4];

  if (self->table == NULL && self->lut == NULL)
    self->blank = make_table (self, nothing, sizeof nothing, error);
  return self->table != NULL || self->lut != NULL || self->blank != NULL;
}

/* The plan's cube on the device; nothing if it is there already, or none. */
static gboolean
make_lut (struct colorkernel *self, GError **error)
{
  const struct color_cube *cube = self->plan.cube;

  if (cube != NULL && self->lut != NULL && self->lut_serial == cube->serial)
    return TRUE;
  g_clear_pointer (&self->lut, vkc_image_unref);
  if (cube == NULL)
    return TRUE;
  self->lut_serial = cube->serial;
  self->lut = make_table (self, cube->values,
                          color_cube_entries (cube) * 3 * sizeof *cube->values,
                          error);
  return self->lut != NULL;
}

/* What jobs compute; those of fields are left alone. */
static void
make_formulas (struct colorkernel *self, const struct colorkernel_side *in,
               const struct color_light *light,
               const struct colorkernel_side *out,
               const struct color_settings *settings)
{
  struct colorformula formula = {
    .conversion = { .source = in->color,
                    .target = out->color,
                    .light = *light,
                    .settings = *settings,
                    .plan = self->plan },
    .in = *in,
    .out = *out,
    .table = self->table,
  };

  if (self->in_step > 1 || self->out_step > 1 || self->keeps_rest)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (self->formulas); i++) {
    formula.alignment = kernel_alignments[i];
    self->formulas[i] = colorformula_new (&formula);
  }
}

/* Blocks and workgroups. Where arithmetic is free, lanes that wait for each
 * other are not worth it. */
static void
set_size (struct colorkernel *self)
{
  const struct vkc_device *device = self->device;
  struct color_lanes lanes = { .cpu = device->is_cpu };

  self->block = choose_block (self);
  lanes.block = self->block;
  if (device->is_cpu && target_form (self) == EMBEDDED_TARGET_BUFFER)
    lanes.shuffled = device->shuffle_lanes;
  color_plan_set_size (&self->plan, GST_VIDEO_INFO_WIDTH (&self->out),
                       GST_VIDEO_INFO_HEIGHT (&self->out), &lanes,
                       self->groups);
}

static void
take_sides (struct colorkernel *self, const struct colorkernel_side *in,
            const struct colorkernel_side *out)
{
  self->in = in->info;
  self->out = out->info;
  self->in_side = in->color;
  self->out_side = out->color;
  self->in_storage = in->storage;
  self->out_storage = out->storage;
  self->in_step = MAX (in->row_step, 1);
  self->out_step = MAX (out->row_step, 1);
  self->keeps_rest = out->keeps_rest;
}

/* On a GPU the kernel takes no time for them. What is fused is one kernel. */
static guint
find_copied (const struct colorkernel *self, const struct colorkernel_side *in,
             const struct colorkernel_side *out)
{
  const gboolean whole
      = self->in_step == 1 && self->out_step == 1 && !self->keeps_rest;

  return self->device->is_cpu && whole && self->plan.affine
                 && in->storage == VKC_STORAGE_BUFFER
                 && target_form (self) == EMBEDDED_TARGET_BUFFER
             ? color_copy_find (in, out)
             : 0;
}

struct vkc_pipeline *
colorkernel_compile (struct vkc_device *device,
                     const struct colorformula *formula, guint32 groups[3],
                     GError **error)
{
  struct colorkernel kernel = { .device = device,
                                .plan = formula->conversion.plan,
                                .table = formula->table };

  take_sides (&kernel, &formula->in, &formula->out);
  set_size (&kernel);
  groups[0] = kernel.groups[0];
  groups[1] = kernel.groups[1];
  groups[2] = 1;
  return frame_limit_check_groups (device, kernel.groups, error)
             ? make_pipeline (&kernel, formula->alignment, error)
             : NULL;
}

gboolean
colorkernel_set_sides (struct colorkernel *self, struct vkc_device *device,
                       const struct colorkernel_side *in,
                       const struct color_light *light,
                       const struct colorkernel_side *out,
                       const struct color_settings *settings, GError **error)
{
  const guint usual = kernel_alignment_index (
      MIN (kernel_frame_usual_alignment (&in->info, in->storage),
           kernel_frame_usual_alignment (&out->info, out->storage)));
  struct color_settings s = *settings;
  struct vkc_image *lut = g_steal_pointer (&self->lut);
  struct vkc_pipeline *old = NULL;
  gboolean ok;

  /* Until the new one is there: it may be the same, and is not made anew. */
  if (self->pipelines[usual] != NULL)
    old = vkc_pipeline_ref (self->pipelines[usual]);
  drop (self);
  self->lut = lut;
  self->device = device;
  take_sides (self, in, out);
  s.native_log = !device->is_cpu;
  color_plan_init (&self->plan, &self->in_side, light, &self->out_side, &s);
  set_size (self);
  self->copied = find_copied (self, in, out);
  take_stats (self);
  ok = make_gain (self, error);
  make_formulas (self, in, light, out, &s);
  if (ok && !colorkernel_is_identity (self))
    ok = frame_limit_check (device, &self->in, self->in_storage, error)
         && frame_limit_check (device, &self->out, self->out_storage, error)
         && frame_limit_check_groups (device, self->groups, error)
         && make_lut (self, error) && get_pipeline (self, usual, error) != NULL
         && (!self->plan.dithered || make_dither (self, error))
         && (!has_tables (self) || make_blank (self, error));
  vkc_pipeline_unref (old);
  return ok;
}

void
colorkernel_sides_from_caps (struct colorkernel_side *in, GstCaps *in_caps,
                             const GstVideoInfo *in_info,
                             struct colorkernel_side *out, GstCaps *out_caps,
                             const GstVideoInfo *out_info)
{
  *in = (struct colorkernel_side){ .info = *in_info };
  in->storage = gst_vkc_storage_for_caps (in_caps, in_info);
  *out = (struct colorkernel_side){ .info = *out_info };
  out->storage = gst_vkc_storage_for_caps (out_caps, out_info);
  color_sides_from_caps (&in->color, in_caps, in_info, &out->color, out_caps,
                         out_info);
}

gboolean
colorkernel_set_info (struct colorkernel *self, struct vkc_device *device,
                      GstCaps *in_caps, const GstVideoInfo *in,
                      GstCaps *out_caps, const GstVideoInfo *out,
                      const struct color_settings *settings, GError **error)
{
  struct colorkernel_side in_side, out_side;
  struct color_light light;

  colorkernel_sides_from_caps (&in_side, in_caps, in, &out_side, out_caps, out);
  color_light_from_caps (&light, in_caps);
  return colorkernel_set_sides (self, device, &in_side, &light, &out_side,
                                settings, error);
}

static gboolean
same_description (const struct color_description *a,
                  const struct color_description *b)
{
  return color_description_same_codes (a, b) && a->site.left == b->site.left
         && a->site.top == b->site.top;
}

const struct color_plan *
colorkernel_get_plan (const struct colorkernel *self)
{
  return &self->plan;
}

gboolean
colorkernel_is_identity (const struct colorkernel *self)
{
  return self->plan.affine
         && GST_VIDEO_INFO_FORMAT (&self->in)
                == GST_VIDEO_INFO_FORMAT (&self->out)
         && same_description (&self->in_side.description,
                              &self->out_side.description);
}

gboolean
colorkernel_mixes_rows (const struct colorkernel *self)
{
  return (self->in_side.format.vsub || self->out_side.format.vsub)
         && !self->plan.constants[ID_CHROMA_DIRECT];
}

/* What is missing is not read: another one stands in. */
static gboolean
bind_tables (struct colorkernel *self, struct vkc_job *job, GError **error)
{
  struct vkc_image *any = self->table != NULL ? self->table
                          : self->lut != NULL ? self->lut
                                              : self->blank;
  struct vkc_image *lut = self->lut != NULL ? self->lut : any;

  return !has_tables (self)
         || (vkc_job_bind (job, BINDING_GAIN, any, 0, 1, error)
             && vkc_job_bind (job, BINDING_LUT, lut, 0, 1, error));
}

gboolean
colorkernel_plan (struct colorkernel *self, const GstVkcFrame *in,
                  const GstVkcFrame *out, struct vkc_job *job, GError **error)
{
  const guint alignment = kernel_alignment_index (
      MIN (kernel_frame_alignment (in), kernel_frame_alignment (out)));
  struct vkc_formula *formula = self->formulas[alignment];
  struct vkc_pipeline *pipeline = get_pipeline (self, alignment, error);
  struct kernel_params params
      = { .width = GST_VIDEO_INFO_WIDTH (&self->out),
          .height = GST_VIDEO_INFO_HEIGHT (&self->out) };
  uint32_t unused;

  if (pipeline == NULL
      || !kernel_frame_place (in, "source", params.source, &params.source_last,
                              error)
      || !kernel_frame_place (out, "target", params.target, &unused, error))
    return FALSE;
  color_plan_fill_params (&self->plan, &params);
  if (self->table != NULL) {
    params.scale = (float)(1 / self->plan.domain_length);
    params.shift = 0;
  }

  vkc_job_set_pipeline (job, pipeline);
  vkc_job_set_groups (job, self->groups[0], self->groups[1], 1);
  if (!vkc_job_set_push_constants (job, &params, sizeof params, error)
      || !gst_vkc_frame_bind (in, job, BINDING_SOURCE, error)
      || !gst_vkc_frame_bind (out, job, BINDING_TARGET, error)
      || (self->dither != NULL
          && !vkc_job_bind (job, BINDING_DITHER, self->dither, 0, 1, error))
      || !bind_tables (self, job, error))
    return FALSE;
  color_copy_add (job, self->copied, &self->in_side.format, in,
                  &self->out_side.format, out);
  if (formula != NULL)
    colorfusion_plan (self->fusion, self->device, formula, in, out, job);
  return TRUE;
}
