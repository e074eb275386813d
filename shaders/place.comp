/* The second half of scaling, and all of what is no scaling: filters columns,
 * turns the picture, puts it where it belongs and fills the rest with the
 * border's colour. Reads a work frame, or the floats that scale.comp made of
 * one. Each invocation makes SHAPE_SAMPLES samples of a row: whole words. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "shape_ids.h"
#include "planes_work.glsl"

float scaled_value (uint plane, uint x, uint row)
{
  const uint at = of_plane (plane, SHAPE_BETWEEN)
                  + (row - of_plane (plane, SHAPE_BETWEEN_ROW))
                        * of_plane (plane, SHAPE_BETWEEN_WIDTH)
                  + x;
  return uintBitsToFloat (source_words[at]);
}

/* The sum down a column of the scaled picture, which is @x samples from its
 * left. */
float column (uint plane, uint x, uint y)
{
  const uint start = of_plane (plane, SHAPE_DOWN);
  const uint taps = of_plane (plane, SHAPE_DOWN_TAPS);
  const uint first = filter_first (start, taps, y);
  float sum = 0.0;

  if (!SCALED)
    x = filter_first (of_plane (plane, SHAPE_ACROSS),
                      of_plane (plane, SHAPE_ACROSS_TAPS), x);
  for (uint tap = 0; tap < taps; tap++)
    sum += filter_weight (start, taps, y, tap)
           * (SCALED ? scaled_value (plane, x, first + tap)
                     : source_value (plane, x, first + tap));
  return sum;
}

uint sample_at (uint plane, uint x, uint y)
{
  float value = column (plane, x, y);

  if (plane != SHAPE_ALPHA) {
    if (PREMULTIPLY)
      value /= weight_of_alpha (max (column (SHAPE_ALPHA, x, y), 0.0));
    if (SQUARE)
      value = sqrt (max (value, 0.0));
  }
  return uint (int (clamp (value + 0.5, 0.0, 65535.0)));
}

uint target_sample (uint plane, uint x, uint y)
{
  const uint width = of_plane (plane, SHAPE_WIDTH);
  const uint height = of_plane (plane, SHAPE_HEIGHT);
  uvec2 at = uvec2 (x - of_plane (plane, SHAPE_X),
                    y - of_plane (plane, SHAPE_Y));
  uvec2 size = uvec2 (width, height);

  /* Left of and above the picture it wraps. */
  if (at.x >= width || at.y >= height)
    return of_plane (plane, SHAPE_BORDER);
  if (TRANSPOSE) {
    at = at.yx;
    size = size.yx;
  }
  if (FLIP_X)
    at.x = size.x - 1 - at.x;
  if (FLIP_Y)
    at.y = size.y - 1 - at.y;
  return sample_at (plane, at.x, at.y);
}

void main ()
{
  const uint plane = gl_GlobalInvocationID.z;
  const uint x = gl_GlobalInvocationID.x * SHAPE_SAMPLES;
  const uint y = gl_GlobalInvocationID.y;
  const uint width = of_plane (plane, SHAPE_TO_WIDTH);

  if (x >= width || y >= of_plane (plane, SHAPE_TO_HEIGHT))
    return;
  const uint at = of_plane (plane, SHAPE_TO)
                  + y * of_plane (plane, SHAPE_TO_STRIDE) + x;
  [[unroll]] for (int i = 0; i < SHAPE_SAMPLES; i += 2) {
    /* The last sample fills its word. */
    const uint low = target_sample (plane, min (x + i, width - 1), y);
    const uint high = target_sample (plane, min (x + i + 1, width - 1), y);
    if (x + i < width)
      target_words[(at + i) / 2] = low | (high << 16);
  }
}
