/* Work frames between two sides. */
#include "shapework.h"

#include "colorcaps.h"

/* Whether chroma goes from codes to codes at its own resolution. */
static gboolean
chroma_is_direct (const struct shape_work *w)
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
chroma_is_moved (const struct shape_work *w)
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

void
shape_work_frames (const struct shape_work *w, const GstVideoInfo *seen,
                   struct colorside *from, struct colorside *to)
{
  struct color_description d = w->in.color.description;
  const struct color_format *in = &w->in.color.format;
  const struct color_format *out = &w->out.color.format;
  const gboolean whole = w->settings->linear_light || w->premultiply;
  const gboolean keep = w->keeps_chroma;

  if (w->settings->linear_light) {
    d.matrix = COLOR_MATRIX_RGB;
    d.range = COLOR_RANGE_FULL;
    d.transfer = COLOR_TRANSFER_GAMMA20;
  }
  workform_init (from, &d, w->alpha, whole ? 0 : in->hsub, whole ? 0 : in->vsub,
                 GST_VIDEO_INFO_WIDTH (seen), GST_VIDEO_INFO_HEIGHT (seen));
  d.site = w->out.color.description.site;
  workform_init (to, &d, w->alpha, keep ? out->hsub : 0, keep ? out->vsub : 0,
                 GST_VIDEO_INFO_WIDTH (&w->out.info),
                 GST_VIDEO_INFO_HEIGHT (&w->out.info));
}

/* Between two HDR descriptions light has no white to be clipped at. */
static void
choose_white (struct shape_work *w)
{
  if (w->settings->linear_light
      && color_transfer_is_hdr (w->in.color.description.transfer)
      && color_transfer_is_hdr (w->out.color.description.transfer))
    w->colour.reference_white = 10000;
}

static gboolean
is_subsampled (const struct colorside *side)
{
  return side->color.format.hsub > 0 || side->color.format.vsub > 0;
}

void
shape_work_init (struct shape_work *w, GstCaps *in_caps, const GstVideoInfo *in,
                 GstCaps *out_caps, const GstVideoInfo *out)
{
  colorsides_from_caps (&w->in, in_caps, in, &w->out, out_caps, out);
  color_light_from_caps (&w->light, in_caps);
  w->in.row_step = w->out.row_step = color_rows_step (w->rows);
  w->out.keeps_rest = w->rows == COLOR_ROWS_BOTTOM;
  /* Without, what comes out is opaque. */
  w->alpha
      = w->out.color.format.has_alpha
        && (w->in.color.format.has_alpha || w->settings->border >> 24 != 0xff);
  w->scales = shape_scales (w->shape);
  w->premultiply = w->alpha && w->in.color.format.has_alpha && w->scales;
  w->keeps_chroma
      = (!is_subsampled (&w->in) && !is_subsampled (&w->out))
        || (chroma_is_direct (w) && (w->scales || chroma_is_moved (w)));
  choose_white (w);
  /* A work frame's bits are nobody's depth. */
  if (!color_format_loses_depth (&w->in.color.format, &w->out.color.format))
    w->colour.dither = COLOR_DITHER_NONE;
}

struct shape_job
shape_work_job (const struct shape_work *w, const struct colorside *from,
                const struct colorside *to)
{
  struct shape_job job = { .shape = *w->shape,
                           .method = w->settings->method,
                           .rows = w->rows,
                           .from = from,
                           .to = to };

  for (guint i = 0; i < 4; i++)
    job.border[i]
        = workform_code (to, &w->out, &w->colour, w->settings->border, i);
  return job;
}
