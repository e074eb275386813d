/* Scales a plane as it is by a ratio of small numbers, for CPUs: what
 * resample.comp does, where a few samples of the target have all the weights
 * that there are.
 *
 * An invocation walks down the source rows of a strip, as many at a time as it
 * takes until the weights of rows repeat. So which rows of the target are open
 * is known before, and weights are the same in all lanes. Beyond an edge the
 * sample at the edge is loaded again. Lanes load each unit once and pass on what
 * their neighbours need. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_KHR_shader_subgroup_shuffle : require

#include "resample.glsl"
#include "planes_words.glsl"
#include "planes_texels.glsl"

layout (local_size_x = RESAMPLE_LANES) in;

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

layout (std430, set = 0, binding = RESAMPLE_TABLE) readonly restrict buffer
Table
{
  float table[];
};

/* Of a block: its own units of a source row. */
const int UNITS = PIXELS / TO * FROM * SOURCE_STEP / 4;
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

/* The block's own units, behind LEFT others. */
void load_own (int c, uint row, int first)
{
  [[unroll]] for (int k = 0; k < UNITS; k += PAIRS ? 2 : 1) {
    if (PAIRS)
      load_pair (c, row, first + k, LEFT + k);
    else
      units[LEFT + k] = edge_unit_at (c, row, first + k);
  }
}

/* The units beside them, which are other lanes' own. */
void load_others (int c, uint row, int first)
{
  const uint lane = gl_SubgroupInvocationID;

  [[unroll]] for (int k = 0; k < max (LEFT, RIGHT); k++) {
    UNIT edge = UNIT (0);

    if ((lane == 0 && k < LEFT) || (lane == RESAMPLE_LANES - 1 && k < RIGHT))
      edge = edge_unit_at (c, row,
                           lane == 0 ? first - 1 - k : first + UNITS + k);
    if (k < LEFT) {
      const UNIT left = subgroupShuffle (units[LEFT + UNITS - 1 - k], lane - 1);
      units[LEFT - 1 - k] = lane == 0 ? edge : left;
    }
    if (k < RIGHT) {
      const UNIT right = subgroupShuffle (units[LEFT + k], lane + 1);
      units[LEFT + UNITS + k] = lane == RESAMPLE_LANES - 1 ? edge : right;
    }
  }
}

/* Source row @row's part in every sample of the block that begins with unit
 * @first. */
void filter_row (uint row, int first)
{
  [[unroll]] for (int c = 0; c < COMPONENTS; c++) {
    if (c == 0 || !ONE_PLANE) {
      load_own (c, row, first);
      load_others (c, row, first);
    }
    [[unroll]] for (int i = 0; i < PIXELS; i++) {
      const int base
          = LEFT * 4 / SOURCE_STEP + i / TO * FROM + first_of (i % TO);
      float sum = 0.0;
      [[unroll]] for (int k = 0; k < TAPS; k++)
        sum = fma (across[i % TO * TAPS + k], value_of (c, base + k), sum);
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
        open_sums[o * SUMS + i] = fma (down[q * DOWN_TAPS + k], row_sums[i],
                                       open_sums[o * SUMS + i]);
    }
  }
}

uint code_at (uint block, int row, int i, int c)
{
  return code_of (c, row * PIXELS + i);
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

      filter_row (uint (row), block * UNITS);
      add_row (j);
    }
    if (round >= from) {
      [[unroll]] for (int q = 0; q < DOWN_TO; q++)
        store_block (uint (block), q, uint (round * DOWN_TO + q));
    }
    [[unroll]] for (int k = 0; k < OPEN * SUMS; k++)
      open_sums[k] = k + DOWN_TO * SUMS < OPEN * SUMS
                         ? open_sums[k + DOWN_TO * SUMS]
                         : 0.0;
  }
}
