/* Sides of a conversion without a layout. */
#include "tests/unit/sides.h"

struct color_side
side_in_range (enum color_matrix matrix, enum color_range range,
               enum color_primaries primaries, enum color_transfer transfer,
               int bits)
{
  struct color_side side = { .description = { .matrix = matrix,
                                              .range = range,
                                              .primaries = primaries,
                                              .transfer = transfer } };

  for (int i = 0; i < 4; i++)
    side.format.component[i].bits = bits;
  return side;
}

struct color_side
side_of (enum color_matrix matrix, enum color_primaries primaries,
         enum color_transfer transfer, int bits)
{
  return side_in_range (matrix,
                        matrix == COLOR_MATRIX_RGB ? COLOR_RANGE_FULL
                                                   : COLOR_RANGE_LIMITED,
                        primaries, transfer, bits);
}
