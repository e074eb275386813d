/* The colour kernel: any description and format to any other in one pass, with
 * or without tone mapping. What a variant does not need is folded away when it
 * is specialized.
 *
 * An invocation makes BLOCK pixels of ROW_PAIRS row pairs. It walks down, and
 * keeps the chroma of the row above, so that chroma filters that reach over
 * the pair's upper edge cost one row an invocation and not one a pair. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require

#include "kernel_ids.h"
#include "curve_constants.h"
#include "constants.glsl"
#include "planes.glsl"
#include "planes_buffer.glsl"
#include "planes_image.glsl"
#include "matrix.glsl"
#include "transfer.glsl"
#include "tonecurve.glsl"
#include "gamut.glsl"

/* Pixels that go through each stage together: independent chains of
 * operations hide each other's latency. */
const int GROUP = 5;

/* What is filtered down: R'G'B', or codes where all is affine. */
struct Filtered
{
  vec3 at[SAMPLES];
};

vec2 neighbour (vec2 here, vec2 other, float weight)
{
  return weight == 0.0 ? here : here + (other - here) * weight;
}

vec3 tone_map (vec3 x, vec3 h)
{
  if (TONE_MODE == TONE_MAX)
    return h * tone_gain_of (max3 (x), max3 (h));
  if (TONE_MODE == TONE_RGB)
    return h
           * vec3 (tone_gain_of (x.x, h.x), tone_gain_of (x.y, h.y),
                   tone_gain_of (x.z, h.z));
  if (TONE_MODE == TONE_LUMA) {
    const float root = sqrt (
        dot (h * h, vec3 (SOURCE_LUMAX, SOURCE_LUMAY, SOURCE_LUMAZ)));
    return h * tone_gain (sqrt (root), root);
  }
  return h;
}

/* R'G'B' to light in the target's primaries, tone mapped; LIGHT_MATRIX is
 * still to come. */
vec3 to_light (vec3 x)
{
  if (TONE_MODE == TONE_ICTCP)
    return tone_map_ictcp (source_light (x));
  if (SOURCE_TRANSFER == TRANSFER_PQ) {
    const vec3 h = tone_map (x, pq_root (x));
    return h * h;
  }
  const vec3 l = source_light (x);
  if (TONE_MODE == TONE_NONE)
    return l;
  const vec3 h = tone_map (x, sqrt (l));
  return h * h;
}

/* Codes of the source to R'G'B' of the target, for pixels @first... of a row.
 */
void convert_group (inout Pixels pixels, const int first)
{
  [[unroll]] for (int i = 0; i < GROUP; i++) {
    if (first + i <= BLOCK)
      pixels.at[first + i].xyz
          = clamp (in_matrix (pixels.at[first + i].xyz), 0.0, 1.0);
  }
  [[unroll]] for (int i = 0; i < GROUP; i++) {
    if (first + i <= BLOCK)
      pixels.at[first + i].xyz
          = to_light (pixels.at[first + i].xyz);
  }
  [[unroll]] for (int i = 0; i < GROUP; i++) {
    if (first + i <= BLOCK)
      pixels.at[first + i].xyz
          = gamut_map (light_matrix (pixels.at[first + i].xyz));
  }
  [[unroll]] for (int i = 0; i < GROUP; i++) {
    if (first + i <= BLOCK)
      pixels.at[first + i].xyz
          = target_signal (pixels.at[first + i].xyz);
  }
}

/* Gives every pixel of a row its chroma from the samples of @here. */
void spread_chroma (inout Pixels pixels, Chroma here)
{
  [[unroll]] for (int i = 0; i <= BLOCK; i++) {
    if (SOURCE_HSUB == 0) {
      /* Samples are as many as pixels; formats without are all full. */
    } else if ((i & 1) == 1) {
      pixels.at[i].yz = neighbour (here.at[i / 2 + 1], here.at[i / 2],
                                   UP_H_EVEN);
    } else {
      pixels.at[i].yz = neighbour (here.at[i / 2], here.at[i / 2 + 1],
                                   UP_H_ODD);
    }
  }
}

/* The chroma of row @row: of a format with chroma in every row, or between
 * @here and its neighbour. */
Chroma chroma_of_row (uint block, uint row, Chroma here, Chroma other,
                      float weight)
{
  if (SOURCE_VSUB == 0)
    return source_chroma (block, row);
  [[unroll]] for (int i = 0; i < SAMPLES + 2; i++)
    here.at[i] = neighbour (here.at[i], other.at[i], weight);
  return here;
}

Filtered filter_row (Pixels pixels)
{
  Filtered filtered;
  [[unroll]] for (int i = 0; i < SAMPLES; i++) {
    const vec3 even = pixels.at[2 * i + 1].xyz;
    const vec3 odd = pixels.at[2 * i + 2].xyz;
    if (DOWN_LEFT)
      filtered.at[i]
          = ((pixels.at[2 * i].xyz + odd) + (even + even)) * 0.25;
    else
      filtered.at[i] = (even + odd) * 0.5;
  }
  return filtered;
}

ChromaCodes round_chroma (Filtered filtered)
{
  ChromaCodes codes;
  [[unroll]] for (int i = 0; i < SAMPLES; i++) {
    const vec2 chroma = out_chroma (filtered.at[i]);
    codes.at[i] = uvec2 (round_code (chroma.x, TARGET_1BITS),
                         round_code (chroma.y, TARGET_2BITS));
  }
  return codes;
}

Codes round_pixels (Pixels pixels)
{
  Codes codes;
  [[unroll]] for (int i = 0; i < BLOCK; i++) {
    const vec4 v = pixels.at[i + 1];
    codes.at[i] = uvec4 (0);
    codes.at[i].x = round_code (out_luma (v.xyz), TARGET_0BITS);
    if (TARGET_HSUB == 0) {
      const vec2 chroma = out_chroma (v.xyz);
      codes.at[i].y = round_code (chroma.x, TARGET_1BITS);
      codes.at[i].z = round_code (chroma.y, TARGET_2BITS);
    }
    if (ALPHA != ALPHA_NONE)
      codes.at[i].w = round_code (
          ALPHA == ALPHA_COPY ? v.w * ALPHA_SCALE : ALPHA_OPAQUE,
          TARGET_3BITS);
  }
  return codes;
}

/* The samples of @chroma as they are, for CHROMA_DIRECT. */
Filtered direct (Chroma chroma)
{
  Filtered filtered;
  [[unroll]] for (int i = 0; i < SAMPLES; i++)
    filtered.at[i] = vec3 (0.0, chroma.at[i + 1]);
  return filtered;
}

/* A row of pixels, converted; @chroma: of a subsampled source. */
Pixels make_row (uint block, uint row, Chroma chroma)
{
  Pixels pixels = source_pixels (block, row);
  if (!SOURCE_FULL)
    spread_chroma (pixels, chroma);
  if (PATH == PATH_LIGHT) {
    convert_group (pixels, 0);
    if (BLOCK >= GROUP)
      convert_group (pixels, GROUP);
  }
  return pixels;
}

/* Stores a row of pixels; returns its filtered chroma. */
Filtered put_row (uint block, uint row, Pixels pixels, Chroma chroma)
{
  Filtered filtered;
  if (CHROMA_DIRECT)
    filtered = direct (chroma);
  else
    filtered = filter_row (pixels);
  target_pixels (block, row, round_pixels (pixels), round_chroma (filtered));
  return filtered;
}

/* The chroma row of a pair out of its rows' and that of the row above. */
Filtered filter_pair (Filtered above, Filtered even, Filtered odd)
{
  [[unroll]] for (int i = 0; i < SAMPLES; i++) {
    if (DOWN_TOP)
      even.at[i] = ((above.at[i] + odd.at[i]) + (even.at[i] + even.at[i]))
                   * 0.25;
    else
      even.at[i] = (even.at[i] + odd.at[i]) * 0.5;
  }
  return even;
}

void main ()
{
  /* Past the edges the last block and the last pairs are made again: no
   * invocation leaves early, so no lane is masked. */
  const uint blocks = (params.width + (BLOCK - 1)) / BLOCK;
  const uint pairs = (params.height + 1) / 2;
  const uint block = min (gl_GlobalInvocationID.x, blocks - 1);
  const uint first
      = min (gl_GlobalInvocationID.y * uint (ROW_PAIRS), pairs - ROW_PAIRS);
  Chroma above, here;
  Filtered carried;

  if (SOURCE_VSUB == 1) {
    above = source_chroma (block, max (first, 1) - 1);
    here = source_chroma (block, first);
  }
  if (HALO_TOP) {
    const uint row = max (2 * first, 1) - 1;
    carried = filter_row (make_row (
        block, row, chroma_of_row (block, row, above, here, UP_V_ODD)));
  }
  for (int i = 0; i < ROW_PAIRS; i++) {
    const uint pair = first + i;
    const uint row = 2 * pair;
    Chroma below, chroma;
    Filtered even, odd;

    if (SOURCE_VSUB == 1)
      below = source_chroma (block, min (pair + 1, pairs - 1));
    if (!SOURCE_FULL)
      chroma = chroma_of_row (block, row, here, above, UP_V_EVEN);
    even = put_row (block, row, make_row (block, row, chroma), chroma);
    odd = even;
    if (EVEN_HEIGHT || row + 1 < params.height) {
      if (!SOURCE_FULL)
        chroma = chroma_of_row (block, row + 1, here, below, UP_V_ODD);
      odd = put_row (block, row + 1, make_row (block, row + 1, chroma),
                     chroma);
    }
    if (TARGET_VSUB == 1) {
      if (CHROMA_DIRECT)
        even = direct (here);
      else
        even = filter_pair (carried, even, odd);
      target_chroma (block, pair, round_chroma (even));
    }
    above = here;
    here = below;
    carried = odd;
  }
}
