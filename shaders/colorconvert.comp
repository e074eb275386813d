/* The colour kernel: any description and format to any other in one pass, with
 * or without tone mapping. What a variant does not need is folded away when it
 * is specialized.
 *
 * An invocation makes BLOCK pixels of ROW_PAIRS row pairs, row by row. It keeps
 * the chroma of the row above, so that chroma filters that reach over a pair's
 * upper edge cost one row an invocation and not one a pair. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require

#include "kernel_ids.h"
#include "curve_constants.h"
#include "constants.glsl"
#include "planes.glsl"
#include "dither.glsl"
#include "planes_buffer.glsl"
#include "planes_bits.glsl"
#include "planes_image.glsl"
#include "planes_lone.glsl"
#include "matrix.glsl"
#include "transfer.glsl"
#ifdef GAIN_TABLE
#include "peak_ids.h"
#include "peak_state.glsl"
#include "lut.glsl"
#endif
#include "tonecurve.glsl"
#include "gamut.glsl"
#ifdef GAIN_TABLE
#include "view.glsl"
#endif

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
    return h * tone_gain_of (greatest (x), greatest (h));
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

/* Colours outside the gamut are few and dear: a group without any goes on. */
void pull_group (inout Pixels pixels, const int first)
{
  bool outside = false;
  [[unroll]] for (int i = 0; i < GROUP; i++) {
    if (first + i <= BLOCK)
      outside = outside || gamut_outside (pixels.at[first + i].xyz);
  }
  if (!outside)
    return;
  [[unroll]] for (int i = 0; i < GROUP; i++) {
    if (first + i <= BLOCK) {
      const vec3 l = pixels.at[first + i].xyz;
      pixels.at[first + i].xyz = gamut_outside (l) ? gamut_pull (l) : l;
    }
  }
}

/* The table from a file, in place of all else or behind it. */
void lut_group (inout Pixels pixels, const int first)
{
#ifdef GAIN_TABLE
  [[unroll]] for (int i = 0; i < GROUP; i++) {
    if (first + i <= BLOCK)
      pixels.at[first + i].xyz
          = lut_apply (LUT_INSTEAD ? pixels.at[first + i].xyz
                                   : pixels.at[first + i].xyz * LUT_UNIT)
            * (1.0 / LUT_UNIT);
  }
#endif
}

/* Which pixels of a group `view` marks. */
struct Marks
{
  bool at[GROUP];
};

Marks find_marks (Pixels pixels, const int first)
{
  Marks marks;
#ifdef GAIN_TABLE
  [[unroll]] for (int i = 0; i < GROUP; i++) {
    if (VIEW == VIEW_GAMUT && first + i <= BLOCK)
      marks.at[i] = !gamut_fits (pixels.at[first + i].xyz);
  }
#endif
  return marks;
}

void put_marks (inout Pixels pixels, const int first, Marks marks)
{
#ifdef GAIN_TABLE
  [[unroll]] for (int i = 0; i < GROUP; i++) {
    if (VIEW == VIEW_GAMUT && first + i <= BLOCK && marks.at[i])
      pixels.at[first + i].xyz = VIEW_MARK * VIEW_WHITE;
  }
#endif
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
  if (LUT != LUT_NONE && LUT_INSTEAD) {
    lut_group (pixels, first);
    return;
  }
  [[unroll]] for (int i = 0; i < GROUP; i++) {
    if (first + i <= BLOCK)
      pixels.at[first + i].xyz
          = to_light (pixels.at[first + i].xyz);
  }
  [[unroll]] for (int i = 0; i < GROUP; i++) {
    if (first + i <= BLOCK)
      pixels.at[first + i].xyz = light_matrix (pixels.at[first + i].xyz);
  }
  const Marks marks = find_marks (pixels, first);
  if (GAMUT != GAMUT_CLIP)
    pull_group (pixels, first);
  [[unroll]] for (int i = 0; i < GROUP; i++) {
    if (first + i <= BLOCK)
      pixels.at[first + i].xyz = clamp (pixels.at[first + i].xyz, 0.0, 1.0);
  }
  [[unroll]] for (int i = 0; i < GROUP; i++) {
    if (first + i <= BLOCK)
      pixels.at[first + i].xyz
          = target_signal (pixels.at[first + i].xyz);
  }
  if (LUT != LUT_NONE)
    lut_group (pixels, first);
  put_marks (pixels, first, marks);
}

/* A row of the half that `view` leaves unmapped. FALSE: it is the other one. */
bool clip_row (inout Pixels pixels, uint block)
{
#ifdef GAIN_TABLE
  if (VIEW == VIEW_SPLIT && block * BLOCK < view_border ()) {
    [[unroll]] for (int i = 0; i <= BLOCK; i++)
      pixels.at[i].xyz
          = view_clipped (clamp (in_matrix (pixels.at[i].xyz), 0.0, 1.0));
    return true;
  }
#endif
  return false;
}

/* Chroma of pixel @i where four share a sample. */
vec2 quarter (Chroma here, int i)
{
  const int s = (i + 3) >> 2;
  const float at = float ((i + 3) & 3) - (UP_H_EVEN == 0.0 ? 0.0 : 1.5);
  return neighbour (here.at[s], here.at[at < 0.0 ? max (s, 1) - 1 : s + 1],
                    abs (at) * 0.25);
}

/* Gives every pixel of a row its chroma from the samples of @here. */
void spread_chroma (inout Pixels pixels, Chroma here)
{
  [[unroll]] for (int i = 0; i <= BLOCK; i++) {
    if (SOURCE_HSUB == 0) {
      /* Samples are as many as pixels; formats without are all full. */
    } else if (SOURCE_HSUB == 2) {
      pixels.at[i].yz = quarter (here, i);
    } else if ((i & 1) == 1) {
      pixels.at[i].yz = neighbour (here.at[i / 2 + 1], here.at[i / 2],
                                   UP_H_EVEN);
    } else {
      pixels.at[i].yz = neighbour (here.at[i / 2], here.at[i / 2 + 1],
                                   UP_H_ODD);
    }
  }
}

/* Out of four pixels a sample. One that is cosited takes their neighbours only.
 */
Filtered filter_quarters (Pixels pixels)
{
  Filtered filtered;
  [[unroll]] for (int i = 0; i < SAMPLES; i++) {
    if (i < TARGET_SAMPLES) {
      const int x = (4 * i + 1) % BLOCK;
      const vec3 a = pixels.at[x].xyz, b = pixels.at[x + 1].xyz;
      if (DOWN_LEFT)
        filtered.at[i] = ((pixels.at[x - 1].xyz + b) + (a + a)) * 0.25;
      else
        filtered.at[i]
            = ((a + b) + (pixels.at[x + 2].xyz + pixels.at[x + 3].xyz)) * 0.25;
    }
  }
  return filtered;
}

Filtered filter_row (Pixels pixels)
{
  if (TARGET_HSUB == 2)
    return filter_quarters (pixels);
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

ChromaCodes round_chroma (uint block, uint row, Filtered filtered)
{
  const Thresholds t = thresholds (block, TARGET_SAMPLES, row, DITHER_CHROMA);
  ChromaCodes codes;
  [[unroll]] for (int i = 0; i < SAMPLES; i++) {
    const vec2 chroma = out_chroma (filtered.at[i]);
    const uint threshold = threshold_of (t, i);
    codes.at[i] = uvec2 (dither_code (chroma.x, TARGET_1BITS, threshold),
                         dither_code (chroma.y, TARGET_2BITS, threshold));
  }
  return codes;
}

Codes round_pixels (uint block, uint row, Pixels pixels)
{
  const Thresholds t = thresholds (block, BLOCK, row, uvec2 (0));
  Codes codes;
  [[unroll]] for (int i = 0; i < BLOCK; i++) {
    const vec4 v = pixels.at[i + 1];
    const uint threshold = threshold_of (t, i);
    codes.at[i] = uvec4 (0);
    codes.at[i].x
        = dither_code (out_luma (v.xyz), TARGET_0BITS, threshold);
    if (TARGET_HSUB == 0) {
      const vec2 chroma = out_chroma (v.xyz);
      codes.at[i].y = dither_code (chroma.x, TARGET_1BITS, threshold);
      codes.at[i].z = dither_code (chroma.y, TARGET_2BITS, threshold);
    }
    if (ALPHA != ALPHA_NONE)
      codes.at[i].w = alpha_code (v.w);
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
  if (PATH == PATH_LIGHT && !clip_row (pixels, block)) {
    convert_group (pixels, 0);
    if (BLOCK >= GROUP)
      convert_group (pixels, GROUP);
  }
#ifdef GAIN_TABLE
  if (VIEW == VIEW_CURVE)
    view_draw (pixels, block, row);
#endif
  return pixels;
}

/* Source chroma around a row: of the pair above the row's lower neighbour, and
 * that neighbour's. An odd row lies between its own pair's and the next's, an
 * even one between the pair's before and its own: both times the same two. */
struct Window
{
  Chroma upper, lower;
};

Window first_window (uint block, uint pair)
{
  Window window;
  window.upper = source_chroma (block, max (pair, 1) - 1);
  window.lower = window.upper;
  if (!HALO_TOP)
    window.lower = source_chroma (block, pair);
  return window;
}

/* @row may be -1, the row above the first. */
Chroma chroma_of_row (inout Window window, uint block, int row, uint pairs)
{
  const bool odd = (row & 1) == 1;
  Chroma chroma;

  if (SOURCE_VSUB == 0)
    return source_chroma (block, max (row, 0));
  if (odd) {
    window.upper = window.lower;
    window.lower = source_chroma (block, min (uint (row + 1) / 2, pairs - 1));
  }
  const float weight = odd ? UP_V_ODD : 1.0 - UP_V_EVEN;
  [[unroll]] for (int i = 0; i < SAMPLES + 2; i++) {
    const vec2 upper = window.upper.at[i], lower = window.lower.at[i];
    chroma.at[i] = upper + (lower - upper) * weight;
  }
  return chroma;
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
  const int first = 2 * int (min (gl_GlobalInvocationID.y * uint (ROW_PAIRS),
                                  pairs - ROW_PAIRS));
  const int last = int (params.height) - 1;
  Window window;
  Filtered above, even;

  if (SOURCE_VSUB == 1)
    window = first_window (block, first / 2);
  for (int row = HALO_TOP ? first - 1 : first; row < first + 2 * ROW_PAIRS;
       row++) {
    Chroma chroma;
    Filtered filtered;

    if (!SOURCE_FULL)
      chroma = chroma_of_row (window, block, row, pairs);
    const uint inside = uint (clamp (row, 0, last));
    const Pixels pixels = make_row (block, inside, chroma);
    if (CHROMA_DIRECT)
      filtered = direct (chroma);
    else
      filtered = filter_row (pixels);

    if ((!HALO_TOP || row >= first) && (EVEN_HEIGHT || row <= last))
      target_pixels (block, inside, round_pixels (block, inside, pixels),
                     round_chroma (block, inside, filtered));
    if (TARGET_VSUB == 1) {
      if ((row & 1) == 0) {
        even = filtered;
      } else {
        if (!EVEN_HEIGHT && row > last)
          filtered = even;
        if (CHROMA_DIRECT)
          even = direct (window.upper);
        else
          even = filter_pair (above, even, filtered);
        if (!HALO_TOP || row >= first)
          target_chroma (block, uint (row) / 2,
                         round_chroma (block, uint (row) / 2, even));
        above = filtered;
      }
    }
  }
}
