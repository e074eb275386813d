/* Scales, mirrors and places a plane as it is: rows and columns in one pass,
 * from a frame of any format whose samples are whole in words to another one.
 *
 * An invocation walks down the source rows of a strip. It filters its block of
 * each along the row, at weights that it keeps, and adds that to the rows of
 * the target that are open; those that are complete are stored. Nothing but the
 * result is rounded, and every source word is loaded once a strip. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#ifdef LANES
#extension GL_KHR_shader_subgroup_shuffle : require
#endif

#include "resample.glsl"

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
const int WORDS = (SPAN * SOURCE_STEP + 3) / 4;
const int SUMS = PIXELS * COMPONENTS;
const int TARGET_WORDS = PIXELS * TARGET_STEP / 4;

uint next_words[RESAMPLE_MOST_WORDS]; /* of the row behind that of words */
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

/* The block's words of a row that starts at byte @row. Where filters do not
 * reach, anything will do. */
void load_words (uint row, int first)
{
  const int last = int (params.source_last);
  const int start = int (row >> 2) + first;
  const uint bits = (row & 3) * 8;
  uint next = 0;

  [[unroll]] for (int k = WORDS; k >= 0; k--) {
    if (k < WORDS || !ALIGNED) {
      const uint word = source_words[clamp (start + k, 0, last)];
      /* Two shifts for the upper part: one by 32 bits is not defined. */
      next_words[k] = ALIGNED ? word
                              : (word >> bits) | ((next << 1) << (31 - bits));
      next = word;
    }
  }
}

void take_words ()
{
  [[unroll]] for (int k = 0; k < WORDS; k++)
    words[k] = next_words[k];
}

/* Source row @row's part in every sample of the block. Its words are there; those
 * of what is filtered next are under way meanwhile. */
void filter_row (uint row, int first)
{
  [[unroll]] for (int c = 0; c < COMPONENTS; c++) {
    if (c == 0 || !ONE_PLANE) {
      const bool last = ONE_PLANE || c + 1 == COMPONENTS;

      take_words ();
      load_words (last ? place_row (0, row + 1) : place_row (c + 1, row), first);
    }
    [[unroll]] for (int i = 0; i < PIXELS; i++) {
      const int base = ((FLIP ? PIXELS - 1 - i : i) * STEP) >> 16;
      float sum = 0.0;
      [[unroll]] for (int k = 0; k < TAPS; k++)
        sum += across[i * TAPS + k] * value_of (c, base + k);
      row_sums[i * COMPONENTS + c] = sum;
    }
  }
}

bool is_inside (uint x)
{
  return !BORDERED || (x >= params.left && x < params.right);
}

/* The oldest open row, or one of border. */
void store_row (uint block, uint y, bool is_border)
{
  const uint start = (params.target.x + y * params.target.y) >> 2;
  const uint visible = (params.width * uint (TARGET_STEP) + 3) >> 2;
  uint stored[RESAMPLE_MOST_PIXELS * 2];

  [[unroll]] for (int k = 0; k < TARGET_WORDS; k++)
    stored[k] = 0;
  [[unroll]] for (int i = 0; i < PIXELS; i++) {
    const bool inside = !is_border && is_inside (block * PIXELS + i);
    [[unroll]] for (int c = 0; c < COMPONENTS; c++) {
      const Component here = component (c);
      const int at = i * TARGET_STEP + here.target_offset;
      stored[at >> 2] |= (inside ? code_of (c, i) : params.border[c])
                         << ((at & 3) * 8 + here.target_shift);
    }
  }
  [[unroll]] for (int k = 0; k < TARGET_WORDS; k++) {
    const uint at = block * TARGET_WORDS + k;
    if (WHOLE || at < visible)
      target_words[start + at] = stored[k];
  }
}

/* The rows of a strip that are all border. */
void fill (uint block, uint to, uint rows)
{
  for (uint i = 0; i < rows; i++)
    store_row (block, to + i, true);
}

/* If @is_done, the oldest open row is complete. Only what is stored is under a
 * condition: a CPU's lanes blend all that changes under one. */
void finish_row (uint block, bool is_done, inout uint to)
{
  if (is_done)
    store_row (block, to, false);
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
  load_words (place_row (0, from), first);
  [[unroll]] for (int k = 0; k < OPEN * SUMS; k++)
    open_sums[k] = 0.0;
  for (uint i = 0; i < strip[RESAMPLE_STRIP_ROWS]; i++) {
    filter_row (from + i, first);
    load_down (steps);
    steps += (OPEN + 4) / 4;
    [[unroll]] for (int o = 0; o < OPEN; o++) {
      [[unroll]] for (int k = 0; k < SUMS; k++)
        open_sums[o * SUMS + k] += uintBitsToFloat (down[o]) * row_sums[k];
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
