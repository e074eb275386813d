/* Scales, mirrors and places a plane as it is: rows and columns in one pass,
 * from a frame of any format whose samples are whole in units to another one.
 *
 * An invocation walks down the source rows of a strip. It filters its block of
 * each along the row, at weights that it keeps, and adds that to the rows of
 * the target that are open; those that are complete are stored. Nothing but the
 * result is rounded, and every source unit is loaded once a strip. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require
#ifdef LANES
#extension GL_KHR_shader_subgroup_shuffle : require
#endif

#include "resample.glsl"
#include "planes_words.glsl"
#include "planes_texels.glsl"

layout (local_size_x = RESAMPLE_LOCAL_SIZE) in;

layout (constant_id = RESAMPLE_ID_STEP) const int STEP = 65536;
layout (constant_id = RESAMPLE_ID_MOST_DONE) const int MOST_DONE = 1;
layout (constant_id = RESAMPLE_ID_FLIP) const bool FLIP = false;
layout (constant_id = RESAMPLE_ID_BORDERED) const bool BORDERED = false;

layout (std430, set = 0, binding = RESAMPLE_TABLE) readonly restrict buffer
Table
{
  uvec4 table[];
};

#ifdef LANES
layout (std430, set = 0, binding = RESAMPLE_TABLE) readonly restrict buffer
TableWords
{
  uint table_words[];
};
#endif

const int SPAN = (((PIXELS - 1) * STEP) >> 16) + TAPS;
const int UNITS = (SPAN * SOURCE_STEP + 3) / 4;
const int SUMS = PIXELS * COMPONENTS;

UNIT next_units[RESAMPLE_MOST_UNITS]; /* of the row behind that of units */
float across[RESAMPLE_MOST_PIXELS * RESAMPLE_MOST_TAPS + 4]; /* weights */
uint down[RESAMPLE_MOST_OPEN + 4]; /* what is done with a source row */

/* The weights of a block, from four-word @first of the table on. */
void load_across (uint first)
{
  [[unroll]] for (int k = 0; k < PIXELS * TAPS; k += 4) {
    const uvec4 quad = table[first + k / 4];
    [[unroll]] for (int i = 0; i < 4; i++)
      across[k + i] = uintBitsToFloat (quad[i]);
  }
}

/* Those of a source row: the same in all invocations of a workgroup. Each of a
 * CPU's lanes would load all of it, one after the other: with LANES each loads
 * its share, and they tell each other. */
void load_down (uint first)
{
#ifdef LANES
  uint word;

  [[unroll]] for (int k = 0; k <= OPEN; k++) {
    if (k % RESAMPLE_LANES == 0)
      word = table_words[first * 4 + k + gl_SubgroupInvocationID];
    down[k] = subgroupShuffle (word, k % RESAMPLE_LANES);
  }
#else
  [[unroll]] for (int k = 0; k <= OPEN; k += 4) {
    const uvec4 quad = table[first + k / 4];
    [[unroll]] for (int i = 0; i < 4; i++)
      down[k + i] = quad[i];
  }
#endif
}

/* The block's units of a row, next. Where filters do not reach, anything will
 * do. */
void load_units (int c, uint row, int first)
{
  [[unroll]] for (int k = 0; k < UNITS; k++)
    next_units[k] = unit_at (c, row, first + k);
}

void take_units ()
{
  [[unroll]] for (int k = 0; k < UNITS; k++)
    units[k] = next_units[k];
}

/* Source row @row's part in every sample of the block. Its units are there; those
 * of what is filtered next are under way meanwhile. */
void filter_row (uint row, int first)
{
  [[unroll]] for (int c = 0; c < COMPONENTS; c++) {
    if (c == 0 || !ONE_PLANE) {
      const bool last = ONE_PLANE || c + 1 == COMPONENTS;

      take_units ();
      load_units (last ? 0 : c + 1, last ? row + 1 : row, first);
    }
    [[unroll]] for (int i = 0; i < PIXELS; i++) {
      const int base = ((FLIP ? PIXELS - 1 - i : i) * STEP) >> 16;
      float sum = 0.0;
      [[unroll]] for (int k = 0; k < TAPS; k++)
        sum = fma (across[i * TAPS + k], value_of (c, base + k), sum);
      row_sums[i * COMPONENTS + c] = sum;
    }
  }
}

bool is_inside (uint x)
{
  return !BORDERED || (x >= params.left && x < params.right);
}

/* The oldest open row is the one that is complete. */
uint code_at (uint block, int row, int i, int c)
{
  const bool inside = row >= 0 && is_inside (block * PIXELS + i);

  return inside ? code_of (c, i) : params.border[c];
}

/* The rows of a strip that are all border. */
void fill (uint block, uint to, uint rows)
{
  for (uint i = 0; i < rows; i++)
    store_block (block, -1, to + i);
}

/* If @is_done, the oldest open row is complete. Only what is stored is under a
 * condition: a CPU's lanes blend all that changes under one. */
void finish_row (uint block, bool is_done, inout uint to)
{
  if (is_done)
    store_block (block, 0, to);
  to = uint (int (to) + (is_done ? params.turn : 0));
  [[unroll]] for (int k = 0; k < OPEN * SUMS; k++)
    open_sums[k]
        = mix (open_sums[k],
               k + SUMS < OPEN * SUMS ? open_sums[k + SUMS] : 0.0, is_done);
}

void main ()
{
  const uint blocks = (params.width + (PIXELS - 1)) / PIXELS;
  const uint block = min (gl_GlobalInvocationID.x, blocks - 1);
  const uint block_at
      = params.blocks + block * (1 + (PIXELS * TAPS + 3) / 4);
  const int first = int (table[block_at].x);
  const uvec4 strip = table[gl_WorkGroupID.y * 2];
  const uint fill_rows = table[gl_WorkGroupID.y * 2 + 1].x;
  const uint from = strip[RESAMPLE_STRIP_FROM];
  uint steps = strip[RESAMPLE_STRIP_TABLE];
  uint to = strip[RESAMPLE_STRIP_TO];

  load_across (block_at + 1);
  load_units (0, from, first);
  [[unroll]] for (int k = 0; k < OPEN * SUMS; k++)
    open_sums[k] = 0.0;
  for (uint i = 0; i < strip[RESAMPLE_STRIP_ROWS]; i++) {
    filter_row (from + i, first);
    load_down (steps);
    steps += (OPEN + 4) / 4;
    [[unroll]] for (int o = 0; o < OPEN; o++) {
      [[unroll]] for (int k = 0; k < SUMS; k++)
        open_sums[o * SUMS + k] = fma (uintBitsToFloat (down[o]), row_sums[k],
                                       open_sums[o * SUMS + k]);
    }
    /* A condition is cheaper than a loop. */
    if (MOST_DONE == 1) {
      finish_row (block, down[OPEN] > 0, to);
    } else {
      for (uint n = down[OPEN]; n > 0; n--)
        finish_row (block, true, to);
    }
  }
  if (BORDERED)
    fill (block, to, fill_rows);
}
