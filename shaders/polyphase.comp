/* Scales a plane as it is by a ratio of small numbers, for CPUs: what
 * resample.comp does, where a few samples of the target have all the weights
 * that there are.
 *
 * An invocation walks down the source rows of a strip, as many at a time as it
 * takes until the weights of rows repeat. So which rows of the target are open
 * is known before, and weights are the same in all lanes. Beyond an edge the
 * sample at the edge is loaded again. Lanes load each word once and pass on what
 * their neighbours need. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_shuffle : require

#include "resample.glsl"

layout (local_size_x = RESAMPLE_LANES) in;

layout (constant_id = RESAMPLE_ID_PAIRS) const bool PAIRS = false;
layout (constant_id = RESAMPLE_ID_LEFT) const int LEFT = 0;
layout (constant_id = RESAMPLE_ID_RIGHT) const int RIGHT = 0;
layout (constant_id = RESAMPLE_ID_FROM) const int FROM = 1;
layout (constant_id = RESAMPLE_ID_TO) const int TO = 1;
layout (constant_id = RESAMPLE_ID_FIRST) const int FIRST_0 = 0;
layout (constant_id = RESAMPLE_ID_FIRST + 1) const int FIRST_1 = 0;
layout (constant_id = RESAMPLE_ID_FIRST + 2) const int FIRST_2 = 0;
layout (constant_id = RESAMPLE_ID_FIRST + 3) const int FIRST_3 = 0;
layout (constant_id = RESAMPLE_ID_DOWN_FROM) const int DOWN_FROM = 1;
layout (constant_id = RESAMPLE_ID_DOWN_TO) const int DOWN_TO = 1;
layout (constant_id = RESAMPLE_ID_DOWN_TAPS) const int DOWN_TAPS = 1;
layout (constant_id = RESAMPLE_ID_DOWN_FIRST) const int DOWN_FIRST_0 = 0;
layout (constant_id = RESAMPLE_ID_DOWN_FIRST + 1) const int DOWN_FIRST_1 = 0;
layout (constant_id = RESAMPLE_ID_DOWN_FIRST + 2) const int DOWN_FIRST_2 = 0;
layout (constant_id = RESAMPLE_ID_DOWN_FIRST + 3) const int DOWN_FIRST_3 = 0;
layout (constant_id = RESAMPLE_ID_START) const int START = 0;
layout (constant_id = RESAMPLE_ID_LEAD) const int LEAD = 0;

layout (std430, set = 0, binding = RESAMPLE_SOURCE) readonly restrict buffer
SourcePairs
{
  uvec2 source_pairs[];
};

layout (std430, set = 0, binding = RESAMPLE_TARGET) writeonly restrict buffer
TargetPairs
{
  uvec2 target_pairs[];
};

layout (std430, set = 0, binding = RESAMPLE_TABLE) readonly restrict buffer
Table
{
  float table[];
};

/* Of a block: its own words of a source row, and those of its target row. */
const int WORDS = PIXELS / TO * FROM * SOURCE_STEP / 4;
const int TARGET_WORDS = PIXELS * TARGET_STEP / 4;
const int SUMS = PIXELS * COMPONENTS;

float across[POLYPHASE_MOST_PHASES * RESAMPLE_MOST_TAPS]; /* weights */
float down[POLYPHASE_MOST_PHASES * RESAMPLE_MOST_TAPS];

void load_weights ()
{
  [[unroll]] for (int k = 0; k < TO * TAPS; k++)
    across[k] = table[k];
  [[unroll]] for (int k = 0; k < DOWN_TO * DOWN_TAPS; k++)
    down[k] = table[TO * TAPS + k];
}

int first_of (int i)
{
  return i == 0 ? FIRST_0 : i == 1 ? FIRST_1 : i == 2 ? FIRST_2 : FIRST_3;
}

int down_first_of (int i)
{
  return i == 0   ? DOWN_FIRST_0
         : i == 1 ? DOWN_FIRST_1
         : i == 2 ? DOWN_FIRST_2
                  : DOWN_FIRST_3;
}

/* A word of only the sample that is the first or the last one of @word. */
uint repeat (uint word, bool last)
{
  if (SOURCE_STEP == 1)
    return (last ? word >> 24 : word & 0xff) * 0x01010101u;
  if (SOURCE_STEP == 2)
    return (last ? word >> 16 : word & 0xffff) * 0x00010001u;
  return word;
}

/* Word @at of the row that starts at byte @row; beyond its edges the samples
 * there. */
uint load_word (uint row, int at)
{
  const int last = int (params.row_words) - 1;
  const uint place = (row >> 2) + clamp (at, 0, last);
  uint word = source_words[place];

  if (!ALIGNED) {
    const uint bits = (row & 3) * 8;
    const uint next = source_words[min (place + 1, params.source_last)];

    /* Two shifts for the upper part: one by 32 bits is not defined. */
    word = (word >> bits) | ((next << 1) << (31 - bits));
  }
  return at < 0 || at > last ? repeat (word, at > last) : word;
}

/* The block's own words, behind LEFT others. */
void load_own (uint row, int first)
{
  if (PAIRS) {
    [[unroll]] for (int k = 0; k < WORDS; k += 2) {
      const uvec2 pair = source_pairs[((row >> 2) + first + k) / 2];

      words[LEFT + k] = pair.x;
      words[LEFT + k + 1] = pair.y;
    }
  } else {
    [[unroll]] for (int k = 0; k < WORDS; k++)
      words[LEFT + k] = load_word (row, first + k);
  }
}

/* The words beside them, which are other lanes' own. */
void load_others (uint row, int first)
{
  const uint lane = gl_SubgroupInvocationID;

  [[unroll]] for (int k = 0; k < max (LEFT, RIGHT); k++) {
    uint edge = 0;

    if ((lane == 0 && k < LEFT) || (lane == RESAMPLE_LANES - 1 && k < RIGHT))
      edge = load_word (row, lane == 0 ? first - 1 - k : first + WORDS + k);
    if (k < LEFT) {
      const uint left
          = subgroupShuffle (words[LEFT + WORDS - 1 - k], lane - 1);
      words[LEFT - 1 - k] = lane == 0 ? edge : left;
    }
    if (k < RIGHT) {
      const uint right = subgroupShuffle (words[LEFT + k], lane + 1);
      words[LEFT + WORDS + k] = lane == RESAMPLE_LANES - 1 ? edge : right;
    }
  }
}

/* Source row @row's part in every sample of the block that begins with word
 * @first. */
void filter_row (uint row, int first)
{
  [[unroll]] for (int c = 0; c < COMPONENTS; c++) {
    if (c == 0 || !ONE_PLANE) {
      load_own (place_row (c, row), first);
      load_others (place_row (c, row), first);
    }
    [[unroll]] for (int i = 0; i < PIXELS; i++) {
      const int base
          = LEFT * 4 / SOURCE_STEP + i / TO * FROM + first_of (i % TO);
      float sum = 0.0;
      [[unroll]] for (int k = 0; k < TAPS; k++)
        sum += across[i % TO * TAPS + k] * value_of (c, base + k);
      row_sums[i * COMPONENTS + c] = sum;
    }
  }
}

/* Adds that, source row @j of a round, to the target's rows that it is in. */
void add_row (int j)
{
  [[unroll]] for (int o = 0; o < OPEN; o++) {
    const int q = o % DOWN_TO;
    const int k = START + j - o / DOWN_TO * DOWN_FROM - down_first_of (q);

    if (k >= 0 && k < DOWN_TAPS) {
      [[unroll]] for (int i = 0; i < SUMS; i++)
        open_sums[o * SUMS + i] += down[q * DOWN_TAPS + k] * row_sums[i];
    }
  }
}

/* Word @k of open row @o. */
uint word_of (int o, int k)
{
  uint word = 0;

  [[unroll]] for (int i = 0; i < PIXELS; i++) {
    [[unroll]] for (int c = 0; c < COMPONENTS; c++) {
      const Component here = component (c);
      const int at = i * TARGET_STEP + here.target_offset;

      if (at >> 2 == k)
        word |= code_of (c, o * PIXELS + i)
                << ((at & 3) * 8 + here.target_shift);
    }
  }
  return word;
}

/* Open row @o to row @y of the target. */
void store_row (int block, int y, int o)
{
  const uint start = (params.target.x + uint (y) * params.target.y) >> 2;
  const uint visible = (params.width * uint (TARGET_STEP) + 3) >> 2;
  const uint at = uint (block * TARGET_WORDS);

  [[unroll]] for (int k = 0; k < TARGET_WORDS; k += PAIRS ? 2 : 1) {
    if (PAIRS)
      target_pairs[(start + at + k) / 2]
          = uvec2 (word_of (o, k), word_of (o, k + 1));
    else if (WHOLE || at + k < visible)
      target_words[start + at + k] = word_of (o, k);
  }
}

void main ()
{
  const int block = int (gl_GlobalInvocationID.x);
  const int from = int (gl_WorkGroupID.y * params.strip);
  const int to = min (from + int (params.strip), int (params.rounds));

  load_weights ();
  [[unroll]] for (int k = 0; k < OPEN * SUMS; k++)
    open_sums[k] = 0.0;
  for (int round = from - LEAD; round < to; round++) {
    [[unroll]] for (int j = 0; j < DOWN_FROM; j++) {
      const int row = clamp (round * DOWN_FROM + START + j, 0,
                             int (params.last_row));

      filter_row (uint (row), block * WORDS);
      add_row (j);
    }
    if (round >= from) {
      [[unroll]] for (int q = 0; q < DOWN_TO; q++)
        store_row (block, round * DOWN_TO + q, q);
    }
    [[unroll]] for (int k = 0; k < OPEN * SUMS; k++)
      open_sums[k] = k + DOWN_TO * SUMS < OPEN * SUMS
                         ? open_sums[k + DOWN_TO * SUMS]
                         : 0.0;
  }
}
