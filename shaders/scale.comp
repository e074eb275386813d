/* The first half of scaling: filters the rows of a work frame. Each invocation
 * makes one column's samples in SHAPE_ROWS rows, so that a weight is loaded
 * once for all of them. Filters begin at even samples, so that two come with
 * every word. The result is floats: nothing is rounded or clipped between the
 * two halves. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "shape_ids.h"
#include "planes_work.glsl"

void main ()
{
  const uint plane = gl_WorkGroupID.z;
  const uint x = gl_GlobalInvocationID.x;
  const uint first_row = gl_WorkGroupID.y * SHAPE_ROWS;
  const uint width = of_plane (plane, SHAPE_BETWEEN_WIDTH);
  const uint rows = of_plane (plane, SHAPE_BETWEEN_ROWS);
  const uint stride = of_plane (plane, SHAPE_FROM_STRIDE);
  const uint taps = of_plane (plane, SHAPE_ACROSS_TAPS);
  const uint filter_at
      = of_plane (plane, SHAPE_ACROSS) + min (x, width - 1) * (taps + 1);
  const uint start = of_plane (plane, SHAPE_FROM)
                     + of_plane (plane, SHAPE_BETWEEN_ROW) * stride
                     + table[filter_at];
  const uint alpha = words_to_alpha (plane);
  uint at[SHAPE_ROWS];
  float sums[SHAPE_ROWS];

  if (first_row >= rows)
    return;
  [[unroll]] for (int i = 0; i < SHAPE_ROWS; i++) {
    at[i] = (start + min (first_row + i, rows - 1) * stride) / 2;
    sums[i] = 0.0;
  }
  for (uint tap = 0; tap < taps; tap += 2) {
    const vec2 weights = vec2 (uintBitsToFloat (table[filter_at + 1 + tap]),
                               uintBitsToFloat (table[filter_at + 2 + tap]));
    [[unroll]] for (int i = 0; i < SHAPE_ROWS; i++)
      sums[i]
          += dot (weights, source_values (plane, at[i] + tap / 2, alpha));
  }
  if (x >= width)
    return;
  const uint to = of_plane (plane, SHAPE_BETWEEN) + first_row * width + x;
  [[unroll]] for (int i = 0; i < SHAPE_ROWS; i++) {
    if (first_row + i < rows)
      target_words[to + i * width] = floatBitsToUint (sums[i]);
  }
}
