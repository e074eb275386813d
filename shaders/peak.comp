/* Finds a frame's peak and average, smooths them over time, and makes the tone
 * curve's table of them; gst/color/peak.c is its witness. The pixels of one row
 * in two are read, in PQ; the workgroup that is last to add its part does the
 * rest. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require

#define PEAK_PARAMS
#define BLOCK 8
#define LANES gl_WorkGroupSize.x

#include "kernel_ids.h"
#include "peak_ids.h"
#include "curve_constants.h"
#include "constants.glsl"
#include "planes.glsl"
#include "planes_memory.glsl"
#include "planes_buffer.glsl"
#include "planes_bits.glsl"
#include "planes_image.glsl"
#include "planes_lone.glsl"
#include "matrix.glsl"
#include "transfer.glsl"
#include "curves.glsl"
#include "peak_state.glsl"

layout (constant_id = ID_PEAK_ROWS) const int ROWS = 1;
layout (constant_id = ID_PEAK_COLUMNS) const int COLUMNS = 1;
layout (constant_id = ID_PEAK_CURVE) const int CURVE = CURVE_SPLINE;
layout (constant_id = ID_PEAK_FALLBACK) const float FALLBACK = 1000.0;
layout (constant_id = ID_PEAK_TARGET) const float TARGET_PEAK = 203.0;
layout (constant_id = ID_PEAK_BLACK) const float TARGET_BLACK = 0.0;
layout (constant_id = ID_PEAK_EXPOSURE) const float EXPOSURE = 1.0;
layout (constant_id = ID_PEAK_PARAM) const float PARAM = 0.0;
layout (constant_id = ID_PEAK_DOMAIN) const int DOMAIN = DOMAIN_PQ;
layout (constant_id = ID_PEAK_UNIT) const float UNIT = 10000.0;
layout (constant_id = ID_PEAK_LENGTH) const float LENGTH = 1.0;
layout (constant_id = ID_PEAK_SCALE) const float SCALE = 1.0;
layout (constant_id = ID_PEAK_PERCENTILE) const float PERCENTILE = 0.99995;
layout (constant_id = ID_PEAK_LIGHT) const float LIGHT = 10000.0;

layout (std430, set = 0, binding = BINDING_STATE) coherent buffer State
{
  PeakState state;
};

layout (std430, set = 0, binding = BINDING_RESULT) writeonly buffer Result
{
  float result_peak, result_average;
  uint result_frames, result_scenes;
  float result_frame_peak, result_frame_average, result_moved;
  uint result_pad;
};

/* Nothing shows below, cd/m2: the gain stays as it is here. */
const float DARKEST = 0.003;
const float USUAL_AVERAGE = 10.0;

/* One column: a bin a word, for all lanes. As many columns as lanes: each lane
 * counts in its own, two bins in a word, without atomics, which a CPU does lane
 * by lane and locked. What the columns add up to replaces the first words. */
const uint WORDS = COLUMNS == 1 ? PEAK_BINS : PEAK_BINS / 2 * COLUMNS;
shared uint bins[WORDS];
shared bool is_last;

/* PQ signal of what the curve will see. */
float level (vec3 codes)
{
  const vec3 x = in_matrix (codes);
  if (SOURCE_TRANSFER == TRANSFER_PQ)
    return max (x.x, max (x.y, x.z));
  const vec3 l = source_light (clamp (x, 0.0, 1.0));
  return pq_of (max (l.x, max (l.y, l.z)) * LIGHT);
}

/* The upper bits of a number's fraction: a CPU converts to integers lane by
 * lane. */
uint bin_of (float signal)
{
  const float most = 1.0 - 0.5 / float (PEAK_BINS);
  const float one = 1.0 + clamp (signal, 0.0, most);
  return (floatBitsToUint (one) >> 13) & (PEAK_BINS - 1);
}

void count (uint bin)
{
  if (COLUMNS == 1)
    atomicAdd (bins[bin], 1u);
  else
    bins[(bin >> 1) * COLUMNS + gl_LocalInvocationIndex]
        += 1u << ((bin & 1) * 16);
}

void count_block (uint block, uint row)
{
  Pixels pixels = source_pixels (block, row);
  Chroma chroma;

  if (SOURCE_HSUB == 1)
    chroma = source_chroma (block, row >> SOURCE_VSUB);
  [[unroll]] for (int i = 0; i < BLOCK; i++) {
    if (WHOLE_BLOCKS || block * BLOCK + i < params.width) {
      vec3 codes = pixels.at[i + 1].xyz;
      if (SOURCE_HSUB == 1)
        codes.yz = chroma.at[i / 2 + 1];
      count (bin_of (level (codes)));
    }
  }
}

/* Of all lanes. */
uint counted (uint bin)
{
  if (COLUMNS == 1)
    return bins[bin];
  uint sum = 0;
  for (uint i = 0; i < COLUMNS; i++)
    sum += (bins[(bin >> 1) * COLUMNS + i] >> ((bin & 1) * 16)) & 0xffff;
  return sum;
}

/* A run of bins that a lane looks through: what is in them and how much they add
 * to the average and to the distance from the frame before. */
shared uint run_counts[LANES];
shared float run_means[LANES], run_moves[LANES];
shared uint peak_bin;

/* The bins of lane @lane, from x to y. */
uvec2 run_of (uint lane)
{
  const uint length = (PEAK_BINS + LANES - 1) / LANES;
  const uint start = lane * length;
  return min (uvec2 (max (start, PEAK_BLACK), start + length), PEAK_BINS);
}

/* Finds peak_bin, run_means and run_moves for a frame that is not all black. All
 * lanes; @n: samples in all runs, @before: in those before the lane's. */
void look_through (uint lane, uint before, uint n)
{
  const uvec2 run = run_of (lane);
  const float needed = PERCENTILE * float (n);
  uint sum = before;
  float mean = 0.0, moved = 0.0;

  for (uint i = run.x; i < run.y; i++) {
    const float middle = (float (i) + 0.5) / float (PEAK_BINS);
    const bool below = float (sum) < needed;
    sum += bins[i];
    const float share = float (sum) / float (n);
    mean += middle * (float (bins[i]) / float (n));
    if ((below || i == PEAK_BLACK) && float (sum) >= needed)
      peak_bin = i;
    moved += abs (share - state.before[i]);
    state.before[i] = share;
  }
  run_means[lane] = mean;
  run_moves[lane] = moved;
}

/* The frame's peak and average as the middles of bins; x < 0: all is black.
 * @moved: how far the histogram is from the one of the frame before. All lanes;
 * the first one's answer counts. */
vec2 measure (uint lane, out float moved)
{
  const uvec2 run = run_of (lane);
  uint n = 0, before = 0;
  float mean = 0.0;

  for (uint i = run.x; i < run.y; i++)
    n += bins[i];
  run_counts[lane] = n;
  barrier ();
  n = 0;
  for (uint i = 0; i < LANES; i++) {
    before += i < lane ? run_counts[i] : 0;
    n += run_counts[i];
  }
  moved = 0.0;
  if (n == 0)
    return vec2 (-1.0);
  look_through (lane, before, n);
  barrier ();
  for (uint i = 0; i < LANES; i++) {
    mean += run_means[i];
    moved += run_moves[i];
  }
  moved /= float (PEAK_BINS);
  return vec2 ((float (peak_bin) + 0.5) / float (PEAK_BINS), mean);
}

/* Returns peak and average for this frame, PQ; @now, @moved: as measured. */
vec2 update_levels (vec2 now, float moved)
{
  state.frames++;
  result_frame_peak = now.x < 0.0 ? 0.0 : light_of (now.x);
  result_frame_average = now.x < 0.0 ? 0.0 : light_of (now.y);
  result_moved = moved;
  if (now.x < 0.0)
    return state.seen != 0 ? state.second
                           : vec2 (pq_of (FALLBACK), pq_of (USUAL_AVERAGE));
  if (state.seen == 0 || moved > PEAK_SCENE_CHANGE) {
    state.seen = 1;
    state.scenes++;
    state.first = state.second = now;
    return now;
  }
  const float rise = now.x > state.first.x ? params.rise : params.fall;
  const vec2 first
      = state.first + (now - state.first) * vec2 (rise, params.fall);
  const vec2 second = state.second + (first - state.second) * params.follow;
  state.first = first;
  state.second = second;
  return second;
}

float gain_at (Tone tone, int i, float weight)
{
  const float z = float (i) / float (GAIN_STEPS);
  const float root = z * LENGTH;
  const float there = DOMAIN == DOMAIN_PQ
                          ? light_of (z)
                          : UNIT * root * root * root * root;
  const float light = max (there, DARKEST);
  return sqrt (tone_curve (tone, light * EXPOSURE, weight) / light) * SCALE;
}

/* A lane's part of the table: entries next to each other share a gain. */
void make_table (uint lane, Tone tone, float weight)
{
  const int length = (GAIN_STEPS + int (LANES) - 1) / int (LANES);
  const int start = int (lane) * length;
  float here = gain_at (tone, start, weight);

  for (int i = start; i < min (start + length, GAIN_STEPS); i++) {
    const float next = gain_at (tone, i + 1, weight);
    state.gain[i] = vec2 (here, next - here);
    here = next;
  }
}

shared vec2 levels;

void finish (uint lane)
{
  for (uint i = lane; i < PEAK_BINS; i += LANES)
    bins[i] = atomicExchange (state.bins[i], 0u);
  barrier ();
  float moved;
  const vec2 now = measure (lane, moved);
  if (lane == 0) {
    levels = update_levels (now, moved);
    state.done = 0;
    result_peak = light_of (levels.x);
    result_average = light_of (levels.y);
    result_frames = state.frames;
    result_scenes = state.scenes;
  }
  barrier ();
  const Tone tone = Tone (CURVE, light_of (levels.x) * EXPOSURE, TARGET_PEAK,
                          TARGET_BLACK, light_of (levels.y), PARAM);
  const float weight = CURVE == CURVE_BT2446C
                           ? bt2446c_weight (tone.source, tone.target)
                           : 0.0;
  make_table (lane, tone, weight);
}

/* One of each pair, in turn the first and the second: of interlaced frames these
 * are rows of both fields, and row >> 1 is their own field's chroma. */
uint row_of (uint pair)
{
  return min (pair * 2 + (pair & 1), params.height - 1);
}

void main ()
{
  const uint lane = gl_LocalInvocationIndex;
  const uint blocks = (params.width + (BLOCK - 1)) / BLOCK;
  const uint rows = (params.height + 1) / 2;
  const uint first = gl_WorkGroupID.y * uint (ROWS);

  for (uint i = lane; i < WORDS; i += LANES)
    bins[i] = 0;
  barrier ();
  /* Along rows, which a CPU's caches foresee. */
  for (uint row = first; row < min (first + uint (ROWS), rows); row++) {
    for (uint block = gl_GlobalInvocationID.x; block < blocks;
         block += gl_NumWorkGroups.x * LANES)
      count_block (block, row_of (row));
  }
  barrier ();
  for (uint i = lane; i < PEAK_BINS; i += LANES) {
    const uint n = counted (i);
    if (n > 0)
      atomicAdd (state.bins[i], n);
  }
  memoryBarrierBuffer ();
  barrier ();
  if (lane == 0)
    is_last = atomicAdd (state.done, 1u) == params.groups - 1;
  barrier ();
  if (is_last)
    finish (lane);
}
