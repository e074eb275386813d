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

#include "resample_ids.h"
#include "shape_ids.h"

layout (local_size_x = RESAMPLE_LOCAL_SIZE) in;

layout (constant_id = RESAMPLE_ID_PIXELS) const int PIXELS = 8;
layout (constant_id = RESAMPLE_ID_TAPS) const int TAPS = 1;
layout (constant_id = RESAMPLE_ID_STEP) const int STEP = 65536;
layout (constant_id = RESAMPLE_ID_OPEN) const int OPEN = 1;
layout (constant_id = RESAMPLE_ID_MOST_DONE) const int MOST_DONE = 1;
layout (constant_id = RESAMPLE_ID_FLIP) const bool FLIP = false;
layout (constant_id = RESAMPLE_ID_WHOLE) const bool WHOLE = false;
layout (constant_id = RESAMPLE_ID_ALIGNED) const bool ALIGNED = false;
layout (constant_id = RESAMPLE_ID_COMPONENTS) const int COMPONENTS = 1;
layout (constant_id = RESAMPLE_ID_ONE_PLANE) const bool ONE_PLANE = true;
layout (constant_id = RESAMPLE_ID_SOURCE_STEP) const int SOURCE_STEP = 1;
layout (constant_id = RESAMPLE_ID_TARGET_STEP) const int TARGET_STEP = 1;
layout (constant_id = RESAMPLE_ID_BORDERED) const bool BORDERED = false;

layout (constant_id = RESAMPLE_ID_PREMULTIPLY) const bool PREMULTIPLY = false;

struct Component
{
  int source_offset, source_shift, source_bits;
  int target_offset, target_shift, target_bits;
  float gain, bias;
};

#define DECLARE_COMPONENT(name, id)                                           \
  layout (constant_id = (id) + RESAMPLE_SOURCE_OFFSET) const int              \
      name##SOURCE_OFFSET = 0;                                                \
  layout (constant_id = (id) + RESAMPLE_SOURCE_SHIFT) const int               \
      name##SOURCE_SHIFT = 0;                                                 \
  layout (constant_id = (id) + RESAMPLE_SOURCE_BITS) const int                \
      name##SOURCE_BITS = 8;                                                  \
  layout (constant_id = (id) + RESAMPLE_TARGET_OFFSET) const int              \
      name##TARGET_OFFSET = 0;                                                \
  layout (constant_id = (id) + RESAMPLE_TARGET_SHIFT) const int               \
      name##TARGET_SHIFT = 0;                                                 \
  layout (constant_id = (id) + RESAMPLE_TARGET_BITS) const int                \
      name##TARGET_BITS = 8;                                                  \
  layout (constant_id = (id) + RESAMPLE_GAIN) const float name##GAIN = 1.0;   \
  layout (constant_id = (id) + RESAMPLE_BIAS) const float name##BIAS = 0.0;

#define COMPONENT_OF(name)                                                    \
  Component (name##SOURCE_OFFSET, name##SOURCE_SHIFT, name##SOURCE_BITS,      \
             name##TARGET_OFFSET, name##TARGET_SHIFT, name##TARGET_BITS,      \
             name##GAIN, name##BIAS)

DECLARE_COMPONENT (C0_, RESAMPLE_ID_COMPONENT)
DECLARE_COMPONENT (C1_, RESAMPLE_ID_COMPONENT + RESAMPLE_FIELDS)
DECLARE_COMPONENT (C2_, RESAMPLE_ID_COMPONENT + RESAMPLE_FIELDS * 2)
DECLARE_COMPONENT (C3_, RESAMPLE_ID_COMPONENT + RESAMPLE_FIELDS * 3)

Component component (int c)
{
  if (c == 0)
    return COMPONENT_OF (C0_);
  if (c == 1)
    return COMPONENT_OF (C1_);
  if (c == 2)
    return COMPONENT_OF (C2_);
  return COMPONENT_OF (C3_);
}

layout (std430, set = 0, binding = RESAMPLE_SOURCE) readonly restrict buffer
Source
{
  uint source_words[];
};

layout (std430, set = 0, binding = RESAMPLE_TARGET) writeonly restrict buffer
Target
{
  uint target_words[];
};

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

/* As many as there may be: what is not used is folded away. */
struct Weights
{
  float at[RESAMPLE_MOST_PIXELS * RESAMPLE_MOST_TAPS + 4];
};

struct Words
{
  uint at[RESAMPLE_MOST_PIXELS * (RESAMPLE_MOST_TAPS + 32) * 2];
};

struct Sums
{
  float at[RESAMPLE_MOST_SUMS];
};

/* @n floats from four-word @first of the table on. */
Weights load_weights (uint first, int n)
{
  Weights weights;

  [[unroll]] for (int k = 0; k < n; k += 4) {
    const uvec4 quad = table[first + k / 4];
    [[unroll]] for (int i = 0; i < 4; i++)
      weights.at[k + i] = uintBitsToFloat (quad[i]);
  }
  return weights;
}

/* What is done with a source row: the same in all invocations of a workgroup.
 * Each of a CPU's lanes would load all of it, one after the other: with LANES
 * each loads its share, and they tell each other. */
Weights load_step (uint first)
{
#ifdef LANES
  Weights weights;
  uint word;

  [[unroll]] for (int k = 0; k <= OPEN; k++) {
    if (k % RESAMPLE_LANES == 0)
      word = table_words[first * 4 + k + gl_SubgroupInvocationID];
    weights.at[k] = uintBitsToFloat (subgroupShuffle (word, k % RESAMPLE_LANES));
  }
  return weights;
#else
  return load_weights (first, OPEN + 1);
#endif
}

/* The block's words of a row that starts at byte @row. Where filters do not
 * reach, anything will do. */
Words load_words (uint row, int first)
{
  const int last = int (params.source_last);
  const int start = int (row >> 2) + first;
  const uint bits = (row & 3) * 8;
  Words words;
  uint next = 0;

  [[unroll]] for (int k = WORDS; k >= 0; k--) {
    if (k < WORDS || !ALIGNED) {
      const uint word = source_words[clamp (start + k, 0, last)];
      /* Two shifts for the upper part: one by 32 bits is not defined. */
      words.at[k] = ALIGNED ? word
                            : (word >> bits) | ((next << 1) << (31 - bits));
      next = word;
    }
  }
  return words;
}

/* Source sample @i from the block's first one on. */
float sample_of (Words words, Component c, int i)
{
  const int at = i * SOURCE_STEP + c.source_offset;
  const int shift = (at & 3) * 8 + c.source_shift;
  return float (
      int ((words.at[at >> 2] >> shift) & ((1u << c.source_bits) - 1)));
}

/* Alpha, which is the last component, as a weight. */
float weight_of_alpha (float alpha)
{
  const float most = float ((1u << component (COMPONENTS - 1).source_bits) - 1);
  return alpha * (1.0 / most) + SHAPE_LEAST_ALPHA;
}

/* What is summed up for sample @i of component @c. */
float value_of (Words words, int c, int i)
{
  const float value = sample_of (words, component (c), i);
  if (!PREMULTIPLY || c == COMPONENTS - 1)
    return value;
  return value
         * weight_of_alpha (sample_of (words, component (COMPONENTS - 1), i));
}

/* Where component @c has source row @row. */
uint place_row (int c, uint row)
{
  return params.source[c].x + row * params.source[c].y;
}

/* A source row's part in every sample of the block. @words: of its first
 * component. */
Sums filter_row (uint row, int first, Words words, Weights weights)
{
  Sums sums;

  [[unroll]] for (int c = 0; c < COMPONENTS; c++) {
    if (c > 0 && !ONE_PLANE)
      words = load_words (place_row (c, row), first);
    [[unroll]] for (int i = 0; i < PIXELS; i++) {
      const int base = ((FLIP ? PIXELS - 1 - i : i) * STEP) >> 16;
      float sum = 0.0;
      [[unroll]] for (int k = 0; k < TAPS; k++) {
        sum += weights.at[i * TAPS + k] * value_of (words, c, base + k);
      }
      sums.at[i * COMPONENTS + c] = sum;
    }
  }
  return sums;
}

/* The nearest code, ties go up: as many bits are left behind the point as the
 * sum below has place for. */
uint round_code (float value, int bits)
{
  const int left = bits <= 12 ? 10 : 22 - bits;
  const float most = float ((1u << bits) - 1);
  precise const float sum
      = clamp (value, 0.0, most) + float (8388608 >> left);
  return ((floatBitsToUint (sum) + ((1u << left) >> 1)) >> left)
         & ((1u << bits) - 1);
}

bool is_inside (uint x)
{
  return !BORDERED || (x >= params.left && x < params.right);
}

/* The code of component @c of the block's pixel @i. */
uint code_of (Sums sums, int c, int i)
{
  const Component here = component (c);
  float value = sums.at[i * COMPONENTS + c];

  if (PREMULTIPLY && c < COMPONENTS - 1)
    value /= weight_of_alpha (
        max (sums.at[i * COMPONENTS + COMPONENTS - 1], 0.0));
  return round_code (value * here.gain + here.bias, here.target_bits);
}

/* A row's words; @sums: of its samples, unless @is_border. */
void store_row (uint block, uint y, Sums sums, bool is_border)
{
  const uint start = (params.target.x + y * params.target.y) >> 2;
  const uint visible = (params.width * uint (TARGET_STEP) + 3) >> 2;
  uint words[RESAMPLE_MOST_PIXELS * 2];

  [[unroll]] for (int k = 0; k < TARGET_WORDS; k++)
    words[k] = 0;
  [[unroll]] for (int i = 0; i < PIXELS; i++) {
    const bool inside = !is_border && is_inside (block * PIXELS + i);
    [[unroll]] for (int c = 0; c < COMPONENTS; c++) {
      const Component here = component (c);
      const int at = i * TARGET_STEP + here.target_offset;
      words[at >> 2] |= (inside ? code_of (sums, c, i) : params.border[c])
                        << ((at & 3) * 8 + here.target_shift);
    }
  }
  [[unroll]] for (int k = 0; k < TARGET_WORDS; k++) {
    const uint at = block * TARGET_WORDS + k;
    if (WHOLE || at < visible)
      target_words[start + at] = words[k];
  }
}

/* The rows of a strip that are all border. */
void fill (uint block, uint to, uint rows)
{
  Sums none;

  [[unroll]] for (int i = 0; i < SUMS; i++)
    none.at[i] = 0.0;
  for (uint i = 0; i < rows; i++)
    store_row (block, to + i, none, true);
}

/* If @is_done, the oldest open row is complete. Only what is stored is under a
 * condition: a CPU's lanes blend all that changes under one. */
void finish_row (uint block, bool is_done, inout uint to, inout Sums open)
{
  if (is_done)
    store_row (block, to, open, false);
  to = uint (int (to) + (is_done ? params.turn : 0));
  [[unroll]] for (int k = 0; k < OPEN * SUMS; k++)
    open.at[k] = mix (open.at[k],
                      k + SUMS < OPEN * SUMS ? open.at[k + SUMS] : 0.0,
                      is_done);
}

void main ()
{
  const uint blocks = (params.width + (PIXELS - 1)) / PIXELS;
  const uint block = min (gl_GlobalInvocationID.x, blocks - 1);
  const uint block_at
      = params.blocks + block * (1 + (PIXELS * TAPS + 3) / 4);
  const int first = int (table[block_at].x);
  const Weights across = load_weights (block_at + 1, PIXELS * TAPS);
  const uvec4 strip = table[gl_WorkGroupID.y * 2];
  const uint fill_rows = table[gl_WorkGroupID.y * 2 + 1].x;
  const uint from = strip[RESAMPLE_STRIP_FROM];
  uint steps = strip[RESAMPLE_STRIP_TABLE];
  uint to = strip[RESAMPLE_STRIP_TO];
  Words next = load_words (place_row (0, from), first);
  Sums open;

  [[unroll]] for (int k = 0; k < OPEN * SUMS; k++)
    open.at[k] = 0.0;
  for (uint i = 0; i < strip[RESAMPLE_STRIP_ROWS]; i++) {
    /* What comes next is under way meanwhile. */
    const Words words = next;
    next = load_words (place_row (0, from + i + 1), first);
    const Sums row = filter_row (from + i, first, words, across);
    const Weights down = load_step (steps);
    const uint done = floatBitsToUint (down.at[OPEN]);

    steps += (OPEN + 4) / 4;
    [[unroll]] for (int o = 0; o < OPEN; o++) {
      [[unroll]] for (int k = 0; k < SUMS; k++)
        open.at[o * SUMS + k] += down.at[o] * row.at[k];
    }
    /* A condition is cheaper than a loop. */
    if (MOST_DONE == 1) {
      finish_row (block, done > 0, to, open);
    } else {
      for (uint n = done; n > 0; n--)
        finish_row (block, true, to, open);
    }
  }
  if (BORDERED)
    fill (block, to, fill_rows);
}
