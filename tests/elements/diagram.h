/* What the diagram of `view=curve` shows, in frames of one size of 8-bit
 * R'G'B'. */
#pragma once

#include "gst/color/tonecurve.h"
#include "tests/elements/picture.h"

#define DIAGRAM_FRAME_WIDTH  326
#define DIAGRAM_FRAME_HEIGHT 178

/* Its corner, and its size. */
#define DIAGRAM_LEFT   (DIAGRAM_FRAME_WIDTH / 32)
#define DIAGRAM_BOTTOM (DIAGRAM_FRAME_HEIGHT - 1 - DIAGRAM_FRAME_HEIGHT / 32)
#define DIAGRAM_WIDTH  (DIAGRAM_FRAME_WIDTH / 2)
#define DIAGRAM_HEIGHT (DIAGRAM_FRAME_HEIGHT / 2)

enum drawn
{
  CURVE,
  PEAK,
  TARGET,
  AVERAGE,
  BAR,
  OTHER,
};

/* What is at a place of it, counted from its lower left corner. */
enum drawn diagram_at (const struct picture *out, guint x, guint y);

/* In each column white is where the curve passes through, and nowhere else. */
void diagram_assert_curve (const struct picture *out,
                           const struct color_tone *tone);

/* The column, or row, where most of the pixels are @what; fails if they are
 * elsewhere, too. */
guint diagram_line (const struct picture *out, enum drawn what,
                    gboolean upright);

/* Bars of a column are full up to a height, which this is; 0: there is none. */
guint diagram_bar (const struct picture *out, guint x);
