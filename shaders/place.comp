/* The second half of scaling, and all of what is no scaling: filters columns,
 * turns the picture, puts it where it belongs and fills the rest with the
 * border's colour. Reads a work frame, or the floats that scale.comp made of
 * one. Each invocation makes SHAPE_SAMPLES samples of a row: whole words. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "shape_ids.h"
#include "planes_work.glsl"

/* Samples of the scaled picture, and which of them are in it. */
struct Samples
{
  uvec2 at[SHAPE_SAMPLES];
  bool inside[SHAPE_SAMPLES];
};

struct Values
{
  float at[SHAPE_SAMPLES];
};

/* Where samples @x... of row @y of the target come from. */
Samples find (uint plane, uint x, uint y)
{
  const uvec2 size = uvec2 (of_plane (plane, SHAPE_WIDTH),
                            of_plane (plane, SHAPE_HEIGHT));
  const uvec2 scaled = TRANSPOSE ? size.yx : size;
  const uvec2 corner
      = uvec2 (of_plane (plane, SHAPE_X), of_plane (plane, SHAPE_Y));
  Samples samples;

  [[unroll]] for (int i = 0; i < SHAPE_SAMPLES; i++) {
    /* Left of and above the picture it wraps. */
    uvec2 at = uvec2 (x + i, y) - corner;
    samples.inside[i] = at.x < size.x && at.y < size.y;
    at = min (at, size - 1);
    if (TRANSPOSE)
      at = at.yx;
    if (FLIP_X)
      at.x = scaled.x - 1 - at.x;
    if (FLIP_Y)
      at.y = scaled.y - 1 - at.y;
    samples.at[i] = at;
  }
  return samples;
}

float value_at (uint plane, uint at, uint alpha)
{
  if (SCALED)
    return uintBitsToFloat (source_words[at]);
  const vec2 values = source_values (plane, at / 2, alpha);
  return (at & 1) == 1 ? values.y : values.x;
}

/* Sums down the columns of @samples. In a picture that is not transposed they
 * are of one row, so that all share the weights. */
Values columns (uint plane, Samples samples)
{
  const uint taps = of_plane (plane, SHAPE_DOWN_TAPS);
  const uint down = of_plane (plane, SHAPE_DOWN);
  const uint across = of_plane (plane, SHAPE_ACROSS);
  const uint across_size = of_plane (plane, SHAPE_ACROSS_TAPS) + 1;
  const uint stride = SCALED ? of_plane (plane, SHAPE_BETWEEN_WIDTH)
                             : of_plane (plane, SHAPE_FROM_STRIDE);
  const uint start
      = SCALED ? of_plane (plane, SHAPE_BETWEEN)
                     - of_plane (plane, SHAPE_BETWEEN_ROW) * stride
               : of_plane (plane, SHAPE_FROM);
  const uint alpha = words_to_alpha (plane);
  uint at[SHAPE_SAMPLES], filter_at[SHAPE_SAMPLES];
  Values sums;

  [[unroll]] for (int i = 0; i < SHAPE_SAMPLES; i++) {
    const uvec2 s = samples.at[i];
    filter_at[i] = down + s.y * (taps + 1);
    at[i] = start + table[filter_at[i]] * stride
            + (SCALED ? s.x : table[across + s.x * across_size]);
    sums.at[i] = 0.0;
  }
  for (uint tap = 1; tap <= taps; tap++) {
    [[unroll]] for (int i = 0; i < SHAPE_SAMPLES; i++) {
      sums.at[i] += uintBitsToFloat (table[filter_at[i] + tap])
                    * value_at (plane, at[i], alpha);
      at[i] += stride;
    }
  }
  return sums;
}

uint round_sample (float value)
{
  return uint (int (clamp (value + 0.5, 0.0, 65535.0)));
}

void main ()
{
  const uint plane = gl_WorkGroupID.z;
  const uint x = gl_GlobalInvocationID.x * SHAPE_SAMPLES;
  const uint y = gl_WorkGroupID.y;
  const uint width = of_plane (plane, SHAPE_TO_WIDTH);
  const uint border = of_plane (plane, SHAPE_BORDER);
  uint codes[SHAPE_SAMPLES];

  if (y >= of_plane (plane, SHAPE_TO_HEIGHT))
    return;
  const Samples samples = find (plane, x, y);
  Values values = columns (plane, samples);
  if (PREMULTIPLY && plane != SHAPE_ALPHA) {
    const Values alpha = columns (SHAPE_ALPHA, samples);
    [[unroll]] for (int i = 0; i < SHAPE_SAMPLES; i++)
      values.at[i]
          /= weight_of_alpha (vec2 (max (alpha.at[i], 0.0))).x;
  }
  [[unroll]] for (int i = 0; i < SHAPE_SAMPLES; i++) {
    if (SQUARE && plane != SHAPE_ALPHA)
      values.at[i] = sqrt (max (values.at[i], 0.0));
    codes[i] = samples.inside[i] ? round_sample (values.at[i]) : border;
  }
  const uint to = of_plane (plane, SHAPE_TO)
                  + y * of_plane (plane, SHAPE_TO_STRIDE) + x;
  [[unroll]] for (int i = 0; i < SHAPE_SAMPLES; i += 2) {
    if (x + i < width)
      target_words[(to + i) / 2] = codes[i] | (codes[i + 1] << 16);
  }
}
