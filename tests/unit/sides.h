/* Sides of a conversion without a layout: what the colour maths alone see. */
#pragma once

#include "gst/color/plan.h"

/* @bits: of every component. */
struct color_side side_in_range (enum color_matrix matrix,
                                 enum color_range range,
                                 enum color_primaries primaries,
                                 enum color_transfer transfer, int bits);

/* In the usual range: full for R'G'B', limited for the rest. */
struct color_side side_of (enum color_matrix matrix,
                           enum color_primaries primaries,
                           enum color_transfer transfer, int bits);
