/* From a plan to tables. */
#include "colortables.h"

#include "databuffer.h"
#include "shaders/include/peak_ids.h"

void
color_tables_reset (struct colortables *self)
{
  g_clear_pointer (&self->gain, vkc_image_unref);
  g_clear_pointer (&self->lut, vkc_image_unref);
  g_clear_pointer (&self->dither, vkc_image_unref);
  g_clear_pointer (&self->blank, vkc_image_unref);
}

void
color_tables_set_seen (struct colortables *self, struct vkc_image *seen)
{
  struct vkc_image *old = self->seen;

  self->seen = seen != NULL ? vkc_image_ref (seen) : NULL;
  vkc_image_unref (old);
}

gboolean
color_tables_have_gain (const struct colortables *self,
                        const struct color_plan *plan)
{
  return self->seen != NULL || plan->needs_table;
}

struct vkc_image *
color_tables_gain (const struct colortables *self)
{
  return self->seen != NULL ? self->seen : self->gain;
}

/* As peakdetector.h would leave it. Settings may have changed: it is made for
 * every plan. */
static gboolean
make_gain (struct colortables *self, struct vkc_device *device,
           const struct color_plan *plan, GError **error)
{
  g_autofree guint8 *state = NULL;

  g_clear_pointer (&self->gain, vkc_image_unref);
  if (self->seen != NULL || !plan->needs_table)
    return TRUE;
  state = g_malloc0 (PEAK_STATE_SIZE);
  for (guint i = 0; i < GAIN_STEPS; i++)
    color_plan_gain_step (plan, (int)i,
                          (float *)(state + PEAK_STATE_GAIN) + 2 * i);
  self->gain = data_buffer_new (device, state, PEAK_STATE_SIZE, error);
  return self->gain != NULL;
}

static gboolean
make_dither (struct colortables *self, struct vkc_device *device,
             const struct color_plan *plan, GError **error)
{
  if (plan->dithered && self->dither == NULL)
    self->dither = data_buffer_new (device, color_dither_table,
                                    sizeof color_dither_table, error);
  return !plan->dithered || self->dither != NULL;
}

static gboolean
make_lut (struct colortables *self, struct vkc_device *device,
          const struct color_plan *plan, GError **error)
{
  const struct color_cube *cube = plan->cube;

  if (cube != NULL && self->lut != NULL && self->lut_serial == cube->serial)
    return TRUE;
  g_clear_pointer (&self->lut, vkc_image_unref);
  if (cube == NULL)
    return TRUE;
  self->lut_serial = cube->serial;
  self->lut = data_buffer_new (
      device, cube->values,
      color_cube_entries (cube) * 3 * sizeof *cube->values, error);
  return self->lut != NULL;
}

/* Kernels that view have both tables bound, and may read neither. */
static gboolean
make_blank (struct colortables *self, struct vkc_device *device,
            const struct color_plan *plan, GError **error)
{
  const gboolean needed = plan->view != COLOR_VIEW_NORMAL
                          && color_tables_gain (self) == NULL
                          && self->lut == NULL;

  if (needed && self->blank == NULL)
    self->blank = data_buffer_new (device, NULL, 4 * sizeof (guint32), error);
  return !needed || self->blank != NULL;
}

gboolean
color_tables_make (struct colortables *self, struct vkc_device *device,
                   const struct color_plan *plan, GError **error)
{
  return make_gain (self, device, plan, error)
         && make_lut (self, device, plan, error)
         && make_dither (self, device, plan, error)
         && make_blank (self, device, plan, error);
}

gboolean
color_tables_bind_dither (const struct colortables *self, struct vkc_job *job,
                          GError **error)
{
  return vkc_job_bind (job, BINDING_DITHER, self->dither, 0, 1, error);
}

gboolean
color_tables_bind (const struct colortables *self, struct vkc_job *job,
                   GError **error)
{
  struct vkc_image *gain = color_tables_gain (self);
  struct vkc_image *any = gain != NULL        ? gain
                          : self->lut != NULL ? self->lut
                                              : self->blank;

  return vkc_job_bind (job, BINDING_GAIN, any, 0, 1, error)
         && vkc_job_bind (job, BINDING_LUT, self->lut != NULL ? self->lut : any,
                          0, 1, error);
}
