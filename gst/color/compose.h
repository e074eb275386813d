/* Two conversions in a row as one: whether one pass of the colour kernel makes
 * the same pixels, to within a code. */
#pragma once

#include <stdbool.h>

#include "gst/color/plan.h"

/* A conversion, and what it was planned from. */
struct color_conversion
{
  struct color_side source, target;
  struct color_light light;
  struct color_settings settings; /* the cube's values are not looked at */
  struct color_plan plan;         /* without the size */
};

enum color_composition
{
  COLOR_COMPOSITION_NONE,
  COLOR_COMPOSITION_FIRST,  /* the light is the first one's */
  COLOR_COMPOSITION_SECOND, /* or the second one's */
};

/* @second is what happens to @first's target. Fills @whole, unless the result
 * is NONE: the frame between loses what a single pass would keep (chroma,
 * depth, alpha, codes that are clipped), or both map light. */
enum color_composition color_compose (const struct color_conversion *first,
                                      const struct color_conversion *second,
                                      struct color_conversion *whole);
