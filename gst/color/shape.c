/* Where samples come from. */
#include "gst/color/shape.h"

#include <math.h>

/* Pixels from the first of those that share a sample to the sample. */
static double
site_of (const struct color_grid *grid)
{
  return grid->cosited ? 0 : ((1 << grid->sub) - 1) / 2.0;
}

/* Rows of a top field lie a quarter of its row's height above the middle of
 * what they stand for, those of a bottom field below. */
static double
middle_of (enum color_rows rows)
{
  switch (rows) {
  case COLOR_ROWS_TOP:
  case COLOR_ROWS_TOP_ALONE:
    return 0.25;
  case COLOR_ROWS_BOTTOM:
  case COLOR_ROWS_BOTTOM_ALONE:
    return 0.75;
  default:
    return 0.5;
  }
}

int
color_rows_step (enum color_rows rows)
{
  return rows == COLOR_ROWS_TOP || rows == COLOR_ROWS_BOTTOM ? 2 : 1;
}

struct color_axis
color_shape_axis (const struct color_span *from,
                  const struct color_grid *from_grid, int to_pixels,
                  const struct color_grid *to_grid, enum color_rows rows)
{
  const double scale = (double)from->n / to_pixels;
  const double middle = middle_of (rows);
  const double first
      = from->start + (site_of (to_grid) + middle) * scale - middle;
  const double unit = 1 << from_grid->sub;

  return (struct color_axis){
    .n = (to_pixels + (1 << to_grid->sub) - 1) >> to_grid->sub,
    .origin = (first - site_of (from_grid)) / unit,
    .step = scale * (1 << to_grid->sub) / unit,
    .first = from->start >> from_grid->sub,
    .last = (from->start + from->n - 1) >> from_grid->sub,
  };
}

static int
round_to (double value, int most)
{
  const int n = (int)floor (value + 0.5);

  return n < 1 ? 1 : n > most ? most : n;
}

struct color_rect
color_shape_letterbox (int width, int height, double aspect, int align_x,
                       int align_y)
{
  struct color_rect r = { 0, 0, width, height };

  if (aspect * height < width)
    r.width = round_to (height * aspect, width);
  else
    r.height = round_to (width / aspect, height);
  r.x = (width - r.width) / 2 / align_x * align_x;
  r.y = (height - r.height) / 2 / align_y * align_y;
  return r;
}

static double
clamp01 (double x)
{
  return x < 0 ? 0 : x > 1 ? 1 : x;
}

static void
swap (double *a, double *b)
{
  const double t = *a;

  *a = *b;
  *b = t;
}

void
color_shape_to_source (const struct color_shape *shape, double *x, double *y)
{
  const struct color_rect *from = &shape->crop, *to = &shape->picture;
  double u = clamp01 ((*x - to->x) / to->width);
  double v = clamp01 ((*y - to->y) / to->height);

  if (shape->transpose)
    swap (&u, &v);
  *x = from->x + (shape->flip_x ? 1 - u : u) * from->width;
  *y = from->y + (shape->flip_y ? 1 - v : v) * from->height;
}

void
color_shape_to_target (const struct color_shape *shape, double *x, double *y)
{
  const struct color_rect *from = &shape->crop, *to = &shape->picture;
  double u = (*x - from->x) / from->width, v = (*y - from->y) / from->height;

  if (shape->flip_x)
    u = 1 - u;
  if (shape->flip_y)
    v = 1 - v;
  if (shape->transpose)
    swap (&u, &v);
  *x = to->x + u * to->width;
  *y = to->y + v * to->height;
}
