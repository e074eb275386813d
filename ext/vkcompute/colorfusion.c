/* From conversions that follow each other to dispatches. */
#include "colorfusion.h"

#include "colorcode.h"
#include "framelimit.h"
#include "gst/base/gstvkclog.h"

/* Frames after which settings count as settled: those that a controller changes
 * at every frame are not worth a kernel. */
#define SETTLED 4

#define WORD(field) (offsetof (struct kernel_params, field) / 4)
#define PLACE_WORDS (2 * MAX_PLANES)

struct colorfusion
{
  struct vkc_formula *own;     /* a reference */
  struct vkc_fusions *fusions; /* NULL: not looked for yet */
  struct vkc_fusions *last;    /* until then: their kernels may be the same */
  /* What came before: references. */
  struct vkc_formula *before;
  struct vkc_fusions *before_fusions;
  guint n_frames; /* since all that was different */
  gboolean was_settled;
};

static void
free_formula (gpointer data)
{
  struct colorformula *formula = data;

  vkc_image_unref (formula->table);
  g_free (formula);
}

struct vkc_formula *
colorformula_new (const struct colorformula *values)
{
  struct colorformula *formula = g_new (struct colorformula, 1);
  struct color_conversion *conversion = &formula->conversion;

  *formula = *values;
  if (formula->table != NULL)
    vkc_image_ref (formula->table);
  if (conversion->plan.cube != NULL) {
    formula->cube = *conversion->plan.cube;
    formula->cube.values = NULL;
    conversion->plan.cube = conversion->settings.cube = &formula->cube;
  }
  return vkc_formula_new (formula, free_formula);
}

const struct colorformula *
colorformula_get (const struct vkc_formula *formula)
{
  return formula->data;
}

struct colorfusion *
colorfusion_new (void)
{
  struct colorfusion *self = g_new0 (struct colorfusion, 1);

  self->was_settled = TRUE;
  return self;
}

static void
forget (struct colorfusion *self)
{
  g_clear_pointer (&self->own, vkc_formula_unref);
  if (self->fusions != NULL) {
    vkc_fusions_unref (self->last);
    self->last = g_steal_pointer (&self->fusions);
  }
  g_clear_pointer (&self->before, vkc_formula_unref);
  g_clear_pointer (&self->before_fusions, vkc_fusions_unref);
}

void
colorfusion_reset (struct colorfusion *self)
{
  forget (self);
  g_clear_pointer (&self->last, vkc_fusions_unref);
  self->n_frames = 0;
  self->was_settled = TRUE;
}

void
colorfusion_free (struct colorfusion *self)
{
  if (self == NULL)
    return;
  colorfusion_reset (self);
  g_free (self);
}

/* Where a fused dispatch finds its words and bindings: the source's with the
 * first job, the target's with the last one, the light's with the one that maps
 * it. @earlier is NULL where the one before is a job by itself. */
static void
set_origins (struct vkc_fusion *fusion, const struct vkc_fusion *earlier,
             gboolean light_is_own, gboolean dither_is_own)
{
  for (guint i = 0; i < G_N_ELEMENTS (fusion->word_from); i++)
    fusion->word_from[i]
        = light_is_own ? 0 : (earlier ? earlier->word_from[i] : 0) + 1;
  for (guint i = 0; i < G_N_ELEMENTS (fusion->binding_from); i++)
    fusion->binding_from[i]
        = light_is_own ? 0 : (earlier ? earlier->binding_from[i] : 0) + 1;
  for (guint i = 0; i < PLACE_WORDS; i++) {
    fusion->word_from[WORD (source) + i]
        = (earlier ? earlier->word_from[WORD (source)] : 0) + 1;
    fusion->word_from[WORD (target) + i] = 0;
  }
  fusion->word_from[WORD (source_last)] = fusion->word_from[WORD (source)];
  fusion->binding_from[BINDING_SOURCE] = fusion->word_from[WORD (source)];
  fusion->binding_from[BINDING_TARGET] = 0;
  fusion->binding_from[BINDING_DITHER]
      = dither_is_own
            ? 0
            : (earlier ? earlier->binding_from[BINDING_DITHER] : 0) + 1;
}

/* @before, and then @own. Leaves @fusion empty where that is no one kernel. */
static void
compose (struct vkc_fusion *fusion, const struct vkc_formula *before,
         const struct vkc_fusion *earlier, const struct vkc_formula *own)
{
  const struct colorformula *first = colorformula_get (before);
  const struct colorformula *second = colorformula_get (own);
  struct colorformula whole
      = { .in = first->in,
          .out = second->out,
          .alignment = MIN (first->alignment, second->alignment) };
  const enum color_composition composition = color_compose (
      &first->conversion, &second->conversion, &whole.conversion);

  if (composition == COLOR_COMPOSITION_NONE)
    return;
  whole.table
      = composition == COLOR_COMPOSITION_FIRST ? first->table : second->table;
  fusion->formula = colorformula_new (&whole);
  set_origins (fusion, earlier, composition == COLOR_COMPOSITION_SECOND,
               second->conversion.plan.dithered);
}

static struct vkc_fusions *
find_fusions (const struct colorfusion *self)
{
  const struct vkc_fusions *before = self->before_fusions;
  struct vkc_fusions *fusions
      = vkc_fusions_new (self->before, self->before_fusions);

  fusions->same[0].written = WORD (target);
  fusions->same[0].read = WORD (source);
  fusions->same[0].n = PLACE_WORDS;
  fusions->same[1].written = fusions->same[1].read = WORD (width);
  fusions->same[1].n = 2;
  compose (&fusions->all[0], self->before, NULL, self->own);
  fusions->n = 1;
  for (guint i = 0; before != NULL && i < before->n
                    && fusions->n < G_N_ELEMENTS (fusions->all);
       i++) {
    if (before->all[i].formula != NULL)
      compose (&fusions->all[fusions->n], before->all[i].formula,
               &before->all[i], self->own);
    fusions->n++;
  }
  return fusions;
}

/* What is fused is one kernel: no plane is left to copies. */
static struct vkc_pipeline *
compile_formula (struct vkc_device *device, const struct colorformula *formula,
                 guint32 groups[3], GError **error)
{
  struct colorcode code = { .plan = formula->conversion.plan,
                            .in = formula->in,
                            .out = formula->out,
                            .gain_table = formula->table != NULL };

  colorcode_set_size (&code, device);
  groups[0] = code.groups[0];
  groups[1] = code.groups[1];
  groups[2] = 1;
  return frame_limit_check_groups (device, code.groups, error)
             ? colorcode_compile (&code, device, formula->alignment, error)
             : NULL;
}

/* Without it the jobs run one by one. */
static void
compile (struct vkc_device *device, struct vkc_fusion *fusion)
{
  g_autoptr (GError) error = NULL;
  struct vkc_pipeline *pipeline = compile_formula (
      device, colorformula_get (fusion->formula), fusion->groups, &error);

  if (pipeline != NULL) {
    g_atomic_pointer_set (&fusion->pipeline, pipeline);
    return;
  }
  GST_WARNING ("no fused kernel: %s", error->message);
  g_atomic_int_set (&fusion->wanted, -1);
}

/* @most: the one that does the most, before it is needed. Others when the
 * recorder looked for them. */
static void
compile_wanted (struct vkc_device *device, struct vkc_fusions *fusions,
                gboolean most)
{
  for (guint i = fusions->n; i-- > 0;) {
    struct vkc_fusion *fusion = &fusions->all[i];
    const gboolean wanted
        = g_atomic_int_compare_and_exchange (&fusion->wanted, 1, 0);

    if (fusion->formula == NULL || fusion->pipeline != NULL)
      continue;
    if (wanted || most)
      compile (device, fusion);
    most = FALSE;
  }
}

/* Takes the references to what came before. */
static void
note (struct colorfusion *self, struct vkc_formula *own,
      struct vkc_formula *before, struct vkc_fusions *before_fusions)
{
  if (self->own == own && self->before == before
      && self->before_fusions == before_fusions) {
    vkc_formula_unref (before);
    vkc_fusions_unref (before_fusions);
    self->n_frames++;
    return;
  }
  self->was_settled = self->own == NULL || self->n_frames >= SETTLED;
  self->n_frames = 1;
  forget (self);
  self->own = vkc_formula_ref (own);
  self->before = before;
  self->before_fusions = before_fusions;
}

void
colorfusion_plan (struct colorfusion *self, struct vkc_device *device,
                  struct vkc_formula *own, const GstVkcFrame *in,
                  const GstVkcFrame *out, struct vkc_job *job)
{
  struct vkc_fusions *before_fusions;
  struct vkc_formula *before
      = vkc_image_pending_formula (in->image, &before_fusions);
  gboolean is_new = FALSE;

  if (before == NULL) {
    vkc_job_set_formula (job, own, NULL);
    return;
  }
  note (self, own, before, before_fusions);
  if (self->fusions == NULL
      && (self->was_settled || self->n_frames >= SETTLED)) {
    self->fusions = find_fusions (self);
    is_new = TRUE;
  }
  if (self->fusions != NULL) {
    compile_wanted (device, self->fusions, is_new && out->is_final);
    g_clear_pointer (&self->last, vkc_fusions_unref);
  }
  vkc_job_set_formula (job, own, self->fusions);
}
