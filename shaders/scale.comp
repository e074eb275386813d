/* The first half of scaling: filters the rows of a work frame. Each invocation
 * makes one column's samples in SHAPE_ROWS rows, so that a weight is loaded
 * once for all of them. The result is floats: nothing is rounded or clipped
 * between the two halves. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "shape_ids.h"
#include "planes_work.glsl"

void main ()
{
  const uint plane = gl_GlobalInvocationID.z;
  const uint x = gl_GlobalInvocationID.x;
  const uint first_row = gl_GlobalInvocationID.y * SHAPE_ROWS;
  const uint width = of_plane (plane, SHAPE_BETWEEN_WIDTH);
  const uint rows = of_plane (plane, SHAPE_BETWEEN_ROWS);
  const uint start = of_plane (plane, SHAPE_ACROSS);
  const uint taps = of_plane (plane, SHAPE_ACROSS_TAPS);
  const uint above = of_plane (plane, SHAPE_BETWEEN_ROW);
  float sums[SHAPE_ROWS];

  if (x >= width || first_row >= rows)
    return;
  const uint first = filter_first (start, taps, x);
  [[unroll]] for (int i = 0; i < SHAPE_ROWS; i++)
    sums[i] = 0.0;
  for (uint tap = 0; tap < taps; tap++) {
    const float weight = filter_weight (start, taps, x, tap);
    [[unroll]] for (int i = 0; i < SHAPE_ROWS; i++)
      sums[i] += weight
                 * source_value (plane, first + tap,
                                 above + min (first_row + i, rows - 1));
  }
  const uint at = of_plane (plane, SHAPE_BETWEEN) + first_row * width + x;
  [[unroll]] for (int i = 0; i < SHAPE_ROWS; i++) {
    if (first_row + i < rows)
      target_words[at + i * width] = floatBitsToUint (sums[i]);
  }
}
