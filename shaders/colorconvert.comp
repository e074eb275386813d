/* The colour kernel: any description and format to any other in one pass, with
 * or without tone mapping. What a variant does not need is folded away when it
 * is specialized.
 *
 * An invocation makes BLOCK pixels of ROW_PAIRS row pairs, pair by pair. It
 * keeps the chroma of the row above, so that chroma filters that reach over a
 * pair's upper edge cost one row an invocation and not one a pair. With
 * ALONG_ROWS it goes along a row pair (along_rows.glsl). What depends on a row
 * being even or odd is decided here and not while running: a CPU would mask
 * every lane, and blend all that is kept. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require
#ifdef ADDRESSES
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#endif
#ifdef ALONG_ROWS
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#endif

#include "kernel_ids.h"
#include "curve_constants.h"
#include "constants.glsl"
#include "planes.glsl"
#include "dither.glsl"
#include "planes_memory.glsl"
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
 * operations hide each other's latency. With the pixel left of the block there
 * are too many to be one group. */
#ifdef ALONG_ROWS
const int FIRST = 1, GROUP = 8;
#else
const int FIRST = GROUP_EDGES ? 1 : 0, GROUP = 5;
#endif

/* What is filtered down, as sums: R'G'B', or codes where all is affine. @end: the
 * last pixel, which the block on the right needs. */
struct Filtered
{
  vec3 at[SAMPLES];
  vec3 end;
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
    return tone_map_ictcp (x);
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

/* The first two modes are cheap enough for every colour: cheaper than to blend
 * what a branch leaves. In the others a group without any colour outside the
 * gamut goes on. */
void pull_group (inout Pixels pixels, const int first)
{
  if (GAMUT == GAMUT_DESATURATE || GAMUT == GAMUT_PERCEPTUAL) {
    [[unroll]] for (int i = 0; i < GROUP; i++) {
      if (first + i <= BLOCK) {
        const vec3 l = pixels.at[first + i].xyz;
        pixels.at[first + i].xyz = GAMUT == GAMUT_PERCEPTUAL
                                       ? gamut_perceptual (l)
                                       : gamut_desaturate (l, 1.0);
      }
    }
    return;
  }
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
    if (first + i <= BLOCK) {
      const vec3 l = max (pixels.at[first + i].xyz, 0.0);
      pixels.at[first + i].xyz = CLIPS_WHITE ? l : min (l, 1.0);
    }
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
        filtered.at[i] = (pixels.at[x - 1].xyz + b) + (a + a);
      else
        filtered.at[i]
            = (a + b) + (pixels.at[x + 2].xyz + pixels.at[x + 3].xyz);
    }
  }
  filtered.end = pixels.at[BLOCK].xyz;
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
      filtered.at[i] = (pixels.at[2 * i].xyz + odd) + (even + even);
    else
      filtered.at[i] = even + odd;
  }
  filtered.end = pixels.at[BLOCK].xyz;
  return filtered;
}

/* What there is to take of a filtered sample. */
float filtered_share ()
{
  const float row = TARGET_HSUB == 2 || DOWN_LEFT ? 0.25 : 0.5;
  const float column = TARGET_VSUB == 0 ? 1.0 : DOWN_TOP ? 0.25 : 0.5;
  return CHROMA_DIRECT ? 1.0 : row * column;
}

ChromaCodes round_chroma (uint block, uint row, Filtered filtered)
{
  const Thresholds t = thresholds (block, TARGET_SAMPLES, row, DITHER_CHROMA);
  ChromaCodes codes;
  [[unroll]] for (int i = 0; i < SAMPLES; i++) {
    const vec2 chroma = out_chroma (filtered.at[i], filtered_share ());
    const uint threshold = threshold_of (t, i);
    codes.at[i] = uvec2 (
        dither_code (chroma.x, floor (OUT_1W), TARGET_1BITS, threshold),
        dither_code (chroma.y, floor (OUT_2W), TARGET_2BITS, threshold));
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
    codes.at[i].x = dither_code (out_luma (v.xyz), floor (OUT_0W),
                                 TARGET_0BITS, threshold);
    if (TARGET_HSUB == 0) {
      const vec2 chroma = out_chroma (v.xyz, 1.0);
      codes.at[i].y
          = dither_code (chroma.x, floor (OUT_1W), TARGET_1BITS, threshold);
      codes.at[i].z
          = dither_code (chroma.y, floor (OUT_2W), TARGET_2BITS, threshold);
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
    [[unroll]] for (int first = FIRST; first <= BLOCK; first += GROUP)
      convert_group (pixels, first);
  }
  /* take_ends() adds it, but left of the frame is what it starts with. */
  if (GROUP_EDGES)
    pixels.at[0].xyz = block > 0 ? vec3 (0.0) : pixels.at[1].xyz;
#ifdef GAIN_TABLE
  if (VIEW == VIEW_CURVE)
    view_draw (pixels, block, row);
#endif
  return pixels;
}

Chroma chroma_between (Chroma upper, Chroma lower, float weight)
{
  Chroma chroma;

  [[unroll]] for (int i = 0; i < SAMPLES + 2; i++)
    chroma.at[i] = upper.at[i] + (lower.at[i] - upper.at[i]) * weight;
  return chroma;
}

/* Source chroma of row @k of a pair: the odd one (1) lies between its own
 * pair's and the next pair's, the even one between the pair's before and its
 * own. */
Chroma chroma_of (uint block, uint row, int k, Chroma upper, Chroma own,
                  Chroma lower)
{
  if (SOURCE_FULL)
    return own;
  if (SOURCE_VSUB == 0)
    return source_chroma (block, row);
  if (k == 0)
    return chroma_between (upper, own, 1.0 - UP_V_EVEN);
  return chroma_between (own, lower, UP_V_ODD);
}

/* What blocks of a group give to those on their right: of one row or of two,
 * by turns, so that what comes next is put where nobody still reads. */
shared vec3 row_ends[4][GROUP_EDGES ? gl_WorkGroupSize.x : 1];

/* Completes the first @n of @rows, whose first samples lack the pixel left of
 * the block, when all have given theirs. */
void take_ends (inout Filtered rows[2], int n, uint block, int turn)
{
  const uint lane = gl_LocalInvocationID.x;

  [[unroll]] for (int k = 0; k < n; k++)
    row_ends[turn + k][lane] = rows[k].end;
  barrier ();
  [[unroll]] for (int k = 0; k < n; k++) {
    if (block > 0)
      rows[k].at[0] += row_ends[turn + k][max (lane, 1) - 1];
  }
}

/* Blocks in a row. */
uint count_blocks ()
{
  return (params.width + (BLOCK - 1)) / BLOCK;
}

/* The number of the next block. */
uint block_behind ()
{
  if (GROUP_EDGES)
    return gl_WorkGroupID.x * (gl_WorkGroupSize.x - 1)
           + gl_LocalInvocationID.x;
  return gl_GlobalInvocationID.x + 1;
}

/* Whether the block is this invocation's to store. Past the edge there are only
 * some with a wrong end on their left where those are exchanged. */
bool owns_block ()
{
  return !GROUP_EDGES
         || (gl_LocalInvocationID.x > 0 && block_behind () <= count_blocks ());
}

Filtered filter_made (Pixels pixels, Chroma chroma)
{
  if (CHROMA_DIRECT)
    return direct (chroma);
  return filter_row (pixels);
}

void store_row (uint block, uint row, Pixels pixels, Filtered filtered)
{
  /* Luma alone is the same from whoever makes the block. */
  if (TARGET_VSUB == 1 || owns_block ())
    target_pixels (block, row, round_pixels (block, row, pixels),
                   round_chroma (block, row, filtered));
}

vec3 filter_column (vec3 above, vec3 even, vec3 odd)
{
  return DOWN_TOP ? (above + odd) + (even + even) : even + odd;
}

/* The chroma row of a pair out of its rows' and that of the row above. */
Filtered filter_pair (Filtered above, Filtered even, Filtered odd)
{
  [[unroll]] for (int i = 0; i < SAMPLES; i++)
    even.at[i] = filter_column (above.at[i], even.at[i], odd.at[i]);
  even.end = filter_column (above.end, even.end, odd.end);
  return even;
}

/* The chroma row of pair @pair. */
void store_chroma (uint block, uint pair, Filtered filtered)
{
  if (TARGET_VSUB == 1 && owns_block ())
    target_chroma (block, pair, round_chroma (block, pair, filtered));
}

/* Whether there is row @k of a pair, which is @row of the frame. */
bool is_row (int k, uint row)
{
  return k == 0 || EVEN_HEIGHT || row < params.height;
}

#ifdef ALONG_ROWS
#include "along_rows.glsl"
#else
/* Whether a row has all that is stored with it before blocks give each other
 * their ends. */
const bool ROWS_ARE_DONE = TARGET_VSUB == 1 || !GROUP_EDGES;

/* What the row above @first gives to the chroma of pair @first / 2. */
Filtered find_above (uint block, uint first, Chroma upper, Chroma own)
{
  const uint row = max (first, 1) - 1;
  const Chroma chroma = chroma_of (block, row, 1, upper, upper, own);

  return filter_made (make_row (block, row, chroma), chroma);
}

void main ()
{
  /* Past the edges the last block and the last pairs are made again: no
   * invocation leaves early, so no lane is masked. */
  const uint pairs = (params.height + 1) / 2;
  const uint block = min (max (block_behind (), 1), count_blocks ()) - 1;
  const uint first
      = min (gl_GlobalInvocationID.y * uint (ROW_PAIRS), pairs - ROW_PAIRS);
  Chroma upper, own, lower;
  Filtered above;

  if (SOURCE_VSUB == 1) {
    upper = source_chroma (block, max (first, 1) - 1);
    own = source_chroma (block, first);
  }
  if (HALO_TOP)
    above = find_above (block, 2 * first, upper, own);
  for (int i = 0; i < ROW_PAIRS; i++) {
    const uint pair = first + i;
    Pixels made[2];
    Filtered rows[2];

    if (SOURCE_VSUB == 1)
      lower = source_chroma (block, min (pair + 1, pairs - 1));
    /* Drivers unroll what they have stripped: two calls would be twice the
     * work for them. */
    [[unroll]] for (int k = 0; k < 2; k++) {
      const uint row = 2 * pair + k;
      made[k] = made[0];
      rows[k] = rows[0];
      if (is_row (k, row)) {
        const Chroma chroma = chroma_of (block, row, k, upper, own, lower);
        made[k] = make_row (block, row, chroma);
        rows[k] = filter_made (made[k], chroma);
        if (ROWS_ARE_DONE)
          store_row (block, row, made[k], rows[k]);
      }
    }
    Filtered chroma[2] = rows;
    if (CHROMA_DIRECT)
      chroma[0] = direct (own);
    else if (TARGET_VSUB == 1)
      chroma[0] = filter_pair (above, rows[0], rows[1]);
    if (GROUP_EDGES)
      take_ends (chroma, TARGET_VSUB == 1 ? 1 : 2, block, (i & 1) * 2);
    if (!ROWS_ARE_DONE) {
      [[unroll]] for (int k = 0; k < 2; k++) {
        if (is_row (k, 2 * pair + k))
          store_row (block, 2 * pair + k, made[k], chroma[k]);
      }
    }
    store_chroma (block, pair, chroma[0]);
    above = rows[1];
    upper = own;
    own = lower;
  }
}
#endif
