/* Sizes in caps: what a frame becomes where the peer leaves a choice. */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* The shape of a picture: its size and that of its pixels. */
struct size_shape
{
  gint width, height;
  gint par_n, par_d;
};

/* Of a structure with fixed width and height; without a pixel aspect ratio
 * pixels are square. @turned: with its sides swapped. */
void size_shape_from_structure (struct size_shape *shape,
                                const GstStructure *structure, gboolean turned);

/* Width of the picture on a display, in heights. */
gdouble size_shape_aspect (const struct size_shape *shape);

/* Fixates width, height and pixel aspect ratio of @out, which is made from
 * @from: the display aspect ratio is kept wherever @out allows, and of what
 * keeps it the first possible: the size, the height, the width. As videoscale
 * does. */
void size_fixate (GstStructure *out, const struct size_shape *from);

G_END_DECLS
