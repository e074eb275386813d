/* Frames and fields. */
#include "converter.h"

#include "colorcaps.h"

struct converter
{
  enum color_rows rows;
  GstVideoInfo in, out;
  struct colorkernel *kernel;
  struct shapekernel *shaper;
  gboolean shapes; /* by @shaper, not by @kernel */
};

struct converter *
converter_new (enum color_rows rows)
{
  struct converter *self = g_new0 (struct converter, 1);

  self->rows = rows;
  self->kernel = colorkernel_new ();
  self->shaper = shapekernel_new ();
  return self;
}

void
converter_reset (struct converter *self)
{
  colorkernel_reset (self->kernel);
  shapekernel_reset (self->shaper);
}

void
converter_free (struct converter *self)
{
  if (self == NULL)
    return;
  colorkernel_free (self->kernel);
  shapekernel_free (self->shaper);
  g_free (self);
}

void
converter_add_stats (struct converter *self, GstStructure *stats)
{
  colorkernel_add_stats (self->kernel, stats);
}

struct colorkernel *
converter_get_kernel (struct converter *self)
{
  return self->kernel;
}

gboolean
converter_set_colours (struct converter *self, struct vkc_device *device,
                       const struct converter_caps *caps,
                       const struct color_settings *colour, GError **error)
{
  struct colorside in, out;
  struct color_light light;

  self->in = caps->in;
  self->out = caps->out;
  self->shapes = FALSE;
  shapekernel_reset (self->shaper);
  colorsides_from_caps (&in, caps->in_caps, &caps->in, &out, caps->out_caps,
                        &caps->out);
  in.row_step = out.row_step = color_rows_step (self->rows);
  out.keeps_rest = self->rows == COLOR_ROWS_BOTTOM;
  color_light_from_caps (&light, caps->in_caps);
  return colorkernel_set_sides (self->kernel, device, &in, &light, &out, colour,
                                error);
}

gboolean
converter_set_info (struct converter *self, struct vkc_device *device,
                    const struct converter_caps *caps,
                    const struct color_shape *shape,
                    const struct shape_settings *settings, GError **error)
{
  const struct color_settings colour = {
    .tone_map = false,
    .dither = settings->dither,
    .reference_white = settings->reference_white,
  };

  if (shape == NULL)
    return converter_set_colours (self, device, caps, &colour, error);
  self->in = caps->in;
  self->out = caps->out;
  self->shapes = TRUE;
  return shapekernel_set_info (self->shaper, device, caps->in_caps, &caps->in,
                               caps->out_caps, &caps->out, shape, settings,
                               &colour, self->rows, error);
}

gboolean
converter_is_identity (const struct converter *self)
{
  return !self->shapes && colorkernel_is_identity (self->kernel);
}

/* Rows of whose planes every second one is a field's. */
static gboolean
has_two_fields (const GstVideoInfo *info)
{
  const gboolean subsampled = GST_VIDEO_INFO_N_COMPONENTS (info) > 2
                              && GST_VIDEO_FORMAT_INFO_H_SUB (info->finfo, 1);

  return GST_VIDEO_INFO_HEIGHT (info) % (subsampled ? 4 : 2) == 0;
}

gboolean
converter_needs_fields (const struct converter *self)
{
  const GstVideoInterlaceMode mode = GST_VIDEO_INFO_INTERLACE_MODE (&self->in);

  return (mode == GST_VIDEO_INTERLACE_MODE_INTERLEAVED
          || mode == GST_VIDEO_INTERLACE_MODE_MIXED)
         && has_two_fields (&self->in) && has_two_fields (&self->out)
         && (self->shapes || colorkernel_mixes_rows (self->kernel));
}

gboolean
converter_is_interlaced (const struct converter *self, GstBuffer *buffer)
{
  return GST_VIDEO_INFO_INTERLACE_MODE (&self->in)
             == GST_VIDEO_INTERLACE_MODE_INTERLEAVED
         || GST_BUFFER_FLAG_IS_SET (buffer, GST_VIDEO_BUFFER_FLAG_INTERLACED);
}

void
converter_field_info (GstVideoInfo *field, const GstVideoInfo *whole,
                      enum color_rows rows)
{
  *field = *whole;
  field->interlace_mode = GST_VIDEO_INTERLACE_MODE_PROGRESSIVE;
  field->height = (whole->height + (rows == COLOR_ROWS_BOTTOM ? 0 : 1)) / 2;
  field->par_d *= 2;
}

void
converter_buffer_info (GstVideoInfo *held, const GstVideoInfo *info)
{
  if (GST_VIDEO_INFO_INTERLACE_MODE (info)
      == GST_VIDEO_INTERLACE_MODE_ALTERNATE)
    converter_field_info (held, info, COLOR_ROWS_TOP_ALONE);
  else
    *held = *info;
}

/* Every second row, or what there is. */
static GstVkcFrame
field_of (const struct converter *self, const GstVkcFrame *whole,
          const GstVideoInfo *info)
{
  const guint first = self->rows == COLOR_ROWS_BOTTOM;
  const guint step = color_rows_step (self->rows);
  GstVkcFrame frame = *whole;

  if (self->rows == COLOR_ROWS_FRAME)
    return frame;
  frame.info = info;
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    frame.offset[i] += first * frame.stride[i];
    frame.stride[i] *= step;
    frame.origin_y[i] += first;
  }
  return frame;
}

gboolean
converter_plan (struct converter *self, const GstVkcFrame *in,
                const GstVkcFrame *out, struct vkc_job *job, GError **error)
{
  const GstVkcFrame from = field_of (self, in, &self->in);
  const GstVkcFrame to = field_of (self, out, &self->out);

  return self->shapes ? shapekernel_plan (self->shaper, &from, &to, job, error)
                      : colorkernel_plan (self->kernel, &from, &to, job, error);
}

struct vkc_job *
converter_new_step (struct converter *self, const GstVkcFrame *in,
                    const GstVkcFrame *out, const struct vkc_job *job,
                    GError **error)
{
  struct vkc_job *step = vkc_job_new_step (job);

  if (converter_plan (self, in, out, step, error))
    return step;
  vkc_job_unref (step);
  return NULL;
}
