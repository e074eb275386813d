/* Shapes: where a picture lies in its source frame and where it comes to lie in
 * its target frame. Pure geometry. */
#pragma once

#include <stdbool.h>

#include "gst/color/filter.h"

struct color_rect
{
  int x, y, width, height;
};

/* @crop of the source is scaled to @picture's size (with its sides swapped
 * where @transpose), then turned: a pixel (u, v) of @picture is, with u and v
 * swapped where @transpose, and counted from the other end where @flip_x or
 * @flip_y, a pixel (x, y) of the scaled picture. */
struct color_shape
{
  struct color_rect crop, picture;
  bool transpose, flip_x, flip_y;
};

/* How a component's samples lie among the pixels along one axis: @sub as in
 * struct color_format, @cosited with even pixels or between two. */
struct color_grid
{
  int sub;
  bool cosited;
};

/* The samples of a frame's part: @start and @n pixels. */
struct color_span
{
  int start, n;
};

/* Rows that are a picture of their own: all of a frame, or those of a field,
 * counted by themselves. The other field's are between them, or somewhere else
 * (ALONE). */
enum color_rows
{
  COLOR_ROWS_FRAME,
  COLOR_ROWS_TOP,
  COLOR_ROWS_BOTTOM,
  COLOR_ROWS_TOP_ALONE,
  COLOR_ROWS_BOTTOM_ALONE,
  COLOR_ROWS_KINDS,
};

/* From one of them to the next. */
int color_rows_step (enum color_rows rows);

/* Where samples of a target of @to.n pixels, in @to_grid, lie among those of
 * the source's @from in @from_grid. @rows: of the y axis; FRAME otherwise. */
struct color_axis color_shape_axis (const struct color_span *from,
                                    const struct color_grid *from_grid,
                                    int to_pixels,
                                    const struct color_grid *to_grid,
                                    enum color_rows rows);

/* The largest rectangle that is @aspect times as wide as high, in pixels, in
 * the middle of @width x @height, its corner at multiples of @align_x and
 * @align_y. */
struct color_rect color_shape_letterbox (int width, int height, double aspect,
                                         int align_x, int align_y);

/* The point of the source that is shown at a point of the target; beyond the
 * picture the nearest one of it. Points are continuous: pixel i reaches from i
 * to i + 1. */
void color_shape_to_source (const struct color_shape *shape, double *x,
                            double *y);

/* The reverse: where a point of the source is shown, which may be outside of
 * the picture. */
void color_shape_to_target (const struct color_shape *shape, double *x,
                            double *y);
