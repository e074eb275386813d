/* From caps to a plan, from a plan to pipelines, from frames to jobs. */
#include "colorkernel.h"

#include <string.h>

#include "colorcaps.h"
#include "colorcode.h"
#include "colorcopy.h"
#include "colorfusion.h"
#include "colortables.h"
#include "framelimit.h"
#include "kernelframe.h"

struct colorkernel
{
  struct vkc_device *device; /* borrowed */
  struct colorcode code;
  struct colortables tables;

  /* By the frames' alignment; made when they ask for it. */
  struct vkc_pipeline *pipelines[KERNEL_ALIGNMENTS];

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
  color_tables_set_seen (&self->tables, NULL);
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
}

void
colorkernel_reset (struct colorkernel *self)
{
  drop (self);
  color_tables_reset (&self->tables);
  colorfusion_reset (self->fusion);
  self->device = NULL;
}

void
colorkernel_set_table (struct colorkernel *self, struct vkc_image *table)
{
  color_tables_set_seen (&self->tables, table);
}

static void
take_stats (struct colorkernel *self)
{
  const struct color_plan *plan = &self->code.plan;
  GstStructure *stats = gst_structure_new (
      "color", "source-peak", G_TYPE_DOUBLE, plan->source_peak, "target-peak",
      G_TYPE_DOUBLE, plan->target_peak, "reference-white", G_TYPE_DOUBLE,
      plan->reference_white, "tone-mapped", G_TYPE_BOOLEAN,
      (gboolean)plan->tone_mapped, "affine", G_TYPE_BOOLEAN,
      (gboolean)plan->affine, "block", G_TYPE_UINT, self->code.block,
      "row-pairs", G_TYPE_UINT, plan->constants[ID_ROW_PAIRS], "dithered",
      G_TYPE_BOOLEAN, (gboolean)plan->dithered, NULL);

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

/* Borrowed. @index: that of the frames' alignment. */
static struct vkc_pipeline *
get_pipeline (struct colorkernel *self, guint index, GError **error)
{
  if (self->pipelines[index] == NULL)
    self->pipelines[index] = colorcode_compile (
        &self->code, self->device, kernel_alignments[index], error);
  return self->pipelines[index];
}

/* What jobs compute; those of fields are left alone. */
static void
make_formulas (struct colorkernel *self, const struct color_light *light,
               const struct color_settings *settings)
{
  const struct colorcode *code = &self->code;
  struct colorformula formula = {
    .conversion = { .source = code->in.color,
                    .target = code->out.color,
                    .light = *light,
                    .settings = *settings,
                    .plan = code->plan },
    .in = code->in,
    .out = code->out,
    .table = color_tables_gain (&self->tables),
  };

  if (!colorside_is_whole (&code->in) || !colorside_is_whole (&code->out))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (self->formulas); i++) {
    formula.alignment = kernel_alignments[i];
    self->formulas[i] = colorformula_new (&formula);
  }
}

static void
set_code (struct colorkernel *self, const struct colorside *in,
          const struct color_light *light, const struct colorside *out,
          const struct color_settings *settings)
{
  struct colorcode *code = &self->code;

  code->in = *in;
  code->out = *out;
  color_plan_init (&code->plan, &in->color, light, &out->color, settings);
  code->gain_table = color_tables_have_gain (&self->tables, &code->plan);
  colorcode_set_size (code, self->device);
  colorcode_leave_copies (code, self->device);
}

/* Tables, and the pipeline that is likely. */
static gboolean
prepare (struct colorkernel *self, GError **error)
{
  const struct colorcode *code = &self->code;
  const struct colorside *in = &code->in, *out = &code->out;
  const guint usual = kernel_alignment_index (
      MIN (kernel_frame_usual_alignment (&in->info, in->storage),
           kernel_frame_usual_alignment (&out->info, out->storage)));

  return frame_limit_check (self->device, &in->info, in->storage, error)
         && frame_limit_check (self->device, &out->info, out->storage, error)
         && frame_limit_check_groups (self->device, code->groups, error)
         && color_tables_make (&self->tables, self->device, &code->plan, error)
         && get_pipeline (self, usual, error) != NULL;
}

gboolean
colorkernel_set_sides (struct colorkernel *self, struct vkc_device *device,
                       const struct colorside *in,
                       const struct color_light *light,
                       const struct colorside *out,
                       const struct color_settings *settings, GError **error)
{
  struct color_settings s = *settings;
  struct vkc_pipeline *old[KERNEL_ALIGNMENTS];
  gboolean ok;

  /* Until the new ones are there: they may be the same, and are not made
   * anew. */
  memcpy (old, self->pipelines, sizeof old);
  memset (self->pipelines, 0, sizeof self->pipelines);
  drop (self);
  self->device = device;
  s.native_log = !device->is_cpu;
  set_code (self, in, light, out, &s);
  take_stats (self);
  ok = colorkernel_is_identity (self) || prepare (self, error);
  if (ok)
    make_formulas (self, light, &s);
  for (guint i = 0; i < G_N_ELEMENTS (old); i++)
    vkc_pipeline_unref (old[i]);
  return ok;
}

gboolean
colorkernel_set_info (struct colorkernel *self, struct vkc_device *device,
                      GstCaps *in_caps, const GstVideoInfo *in,
                      GstCaps *out_caps, const GstVideoInfo *out,
                      const struct color_settings *settings, GError **error)
{
  struct colorside in_side, out_side;
  struct color_light light;

  colorsides_from_caps (&in_side, in_caps, in, &out_side, out_caps, out);
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
  return &self->code.plan;
}

gboolean
colorkernel_is_identity (const struct colorkernel *self)
{
  const struct colorside *in = &self->code.in, *out = &self->code.out;

  return self->code.plan.affine
         && GST_VIDEO_INFO_FORMAT (&in->info)
                == GST_VIDEO_INFO_FORMAT (&out->info)
         && same_description (&in->color.description, &out->color.description);
}

gboolean
colorkernel_mixes_rows (const struct colorkernel *self)
{
  const struct colorcode *code = &self->code;

  return (code->in.color.format.vsub || code->out.color.format.vsub)
         && !code->plan.constants[ID_CHROMA_DIRECT];
}

static gboolean
bind (struct colorkernel *self, const GstVkcFrame *in, const GstVkcFrame *out,
      struct vkc_job *job, GError **error)
{
  const struct colorcode *code = &self->code;

  return gst_vkc_frame_bind (in, job, BINDING_SOURCE, error)
         && gst_vkc_frame_bind (out, job, BINDING_TARGET, error)
         && (!code->plan.dithered
             || color_tables_bind_dither (&self->tables, job, error))
         && (!colorcode_has_tables (code)
             || color_tables_bind (&self->tables, job, error));
}

gboolean
colorkernel_plan (struct colorkernel *self, const GstVkcFrame *in,
                  const GstVkcFrame *out, struct vkc_job *job, GError **error)
{
  const struct colorcode *code = &self->code;
  const guint alignment = kernel_alignment_index (
      MIN (kernel_frame_alignment (in), kernel_frame_alignment (out)));
  struct vkc_formula *formula = self->formulas[alignment];
  struct vkc_pipeline *pipeline = get_pipeline (self, alignment, error);
  struct kernel_params params
      = { .width = GST_VIDEO_INFO_WIDTH (&code->out.info),
          .height = GST_VIDEO_INFO_HEIGHT (&code->out.info) };
  uint32_t unused;

  if (pipeline == NULL
      || !kernel_frame_place (in, "source", params.source, &params.source_last,
                              error)
      || !kernel_frame_place (out, "target", params.target, &unused, error))
    return FALSE;
  color_plan_fill_params (&code->plan, &params);
  if (code->gain_table) {
    params.scale = (float)(1 / code->plan.domain_length);
    params.shift = 0;
  }

  vkc_job_set_pipeline (job, pipeline);
  vkc_job_set_groups (job, code->groups[0], code->groups[1], 1);
  if (!vkc_job_set_push_constants (job, &params, sizeof params, error)
      || !bind (self, in, out, job, error))
    return FALSE;
  color_copy_add (job, code->copied, &code->in.color.format, in,
                  &code->out.color.format, out);
  if (formula != NULL)
    colorfusion_plan (self->fusion, self->device, formula, in, out, job);
  return TRUE;
}
