/* Geometry to filters. */
#include "shapefilter.h"

/* Size of the picture before it is turned. */
static gint
scaled_width (const struct color_shape *shape)
{
  return shape->transpose ? shape->picture.height : shape->picture.width;
}

static gint
scaled_height (const struct color_shape *shape)
{
  return shape->transpose ? shape->picture.width : shape->picture.height;
}

gboolean
shape_scales (const struct color_shape *shape)
{
  return scaled_width (shape) != shape->crop.width
         || scaled_height (shape) != shape->crop.height;
}

/* Where luma keeps its size chroma is interpolated as the colour kernel does.
 */
static enum color_filter_method
method_for (const struct shape_job *job, gint from, gint to)
{
  return from == to && job->method != COLOR_FILTER_NEAREST
             ? COLOR_FILTER_BILINEAR
             : job->method;
}

/* Turning moves samples, whatever their site: so the picture before it has the
 * target's subsampling with its sides swapped, and the target's site. */
gboolean
shape_filter_across (const struct shape_job *job, guint c,
                     struct color_filter *filter, guint *first_column,
                     guint *columns)
{
  const struct color_span span = { job->shape.crop.x, job->shape.crop.width };
  const struct color_grid from = { workform_hsub (job->from, c),
                                   job->from->color.description.site.left };
  const struct color_grid to
      = { job->shape.transpose ? workform_vsub (job->to, c)
                               : workform_hsub (job->to, c),
          job->to->color.description.site.left };
  const struct color_axis axis = color_shape_axis (
      &span, &from, scaled_width (&job->shape), &to, COLOR_ROWS_FRAME);

  *first_column = axis.first;
  *columns = axis.last - axis.first + 1;
  return color_filter_init (
      filter, method_for (job, span.n, scaled_width (&job->shape)), &axis);
}

gboolean
shape_filter_down (const struct shape_job *job, guint c,
                   struct color_filter *filter, guint *first_row, guint *rows)
{
  const struct color_span span = { job->shape.crop.y, job->shape.crop.height };
  const struct color_grid from
      = { workform_vsub (job->from, c), job->from->color.description.site.top };
  const struct color_grid to
      = { job->shape.transpose ? workform_hsub (job->to, c)
                               : workform_vsub (job->to, c),
          job->to->color.description.site.top };
  const struct color_axis axis = color_shape_axis (
      &span, &from, scaled_height (&job->shape), &to, job->rows);

  *first_row = axis.first;
  *rows = axis.last - axis.first + 1;
  return color_filter_init (
      filter, method_for (job, span.n, scaled_height (&job->shape)), &axis);
}
