/* What becomes of samples in the kernels that scale planes as they are,
 * resample.comp and polyphase.comp. Samples lie whole in units, which are words
 * of a buffer (planes_words.glsl) or texels (planes_texels.glsl).
 *
 * All products are summed up by fma(): what a compiler makes of `a * b + c` is
 * its own choice, kernel by kernel, and each kind of storage has another one. */

#include "resample_ids.h"
#include "shape_ids.h"

layout (constant_id = RESAMPLE_ID_PIXELS) const int PIXELS = 8;
layout (constant_id = RESAMPLE_ID_TAPS) const int TAPS = 1;
layout (constant_id = RESAMPLE_ID_OPEN) const int OPEN = 1;
layout (constant_id = RESAMPLE_ID_WHOLE) const bool WHOLE = false;
layout (constant_id = RESAMPLE_ID_ALIGNED) const bool ALIGNED = false;
layout (constant_id = RESAMPLE_ID_COMPONENTS) const int COMPONENTS = 1;
layout (constant_id = RESAMPLE_ID_ONE_PLANE) const bool ONE_PLANE = true;
layout (constant_id = RESAMPLE_ID_SOURCE_STEP) const int SOURCE_STEP = 1;
layout (constant_id = RESAMPLE_ID_TARGET_STEP) const int TARGET_STEP = 1;
layout (constant_id = RESAMPLE_ID_PREMULTIPLY) const bool PREMULTIPLY = false;
layout (constant_id = RESAMPLE_ID_PAIRS) const bool PAIRS = false;

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

/* What an invocation works on, as much as there may be: what is not used is
 * folded away. Not handed from function to function: drivers take long over
 * copies of arrays. */
float row_sums[RESAMPLE_MOST_PIXELS * 4];  /* what that row makes of the block */
float open_sums[RESAMPLE_MOST_SUMS]; /* rows of the target, not complete yet */


/* Source sample @i of those in reach. */
float sample_of (Component c, int i);

/* The code of component @c of pixel @i of block @block in open row @row; -1: in
 * one of border. */
uint code_at (uint block, int row, int i, int c);

/* Alpha, which is the last component, as a weight. */
float weight_of_alpha (float alpha)
{
  const float most = float ((1u << component (COMPONENTS - 1).source_bits) - 1);
  return fma (alpha, 1.0 / most, SHAPE_LEAST_ALPHA);
}

/* What is summed up for sample @i of component @c. */
float value_of (int c, int i)
{
  const float value = sample_of (component (c), i);
  if (!PREMULTIPLY || c == COMPONENTS - 1)
    return value;
  return value * weight_of_alpha (sample_of (component (COMPONENTS - 1), i));
}

/* The nearest code, ties go up: as many bits are left behind the point as the
 * sum below has place for, in which a half more than that is no rounding. */
uint round_code (float value, int bits)
{
  const int left = bits <= 12 ? 10 : 22 - bits;
  const float most = float ((1u << bits) - 1);
  precise const float sum
      = clamp (value, 0.0, most) + (float (8388608 >> left) + 0.5);
  return (floatBitsToUint (sum) >> left) & ((1u << bits) - 1);
}

/* The code of component @c of pixel @i, counted through all open rows. */
uint code_of (int c, int i)
{
  const Component here = component (c);
  float value = open_sums[i * COMPONENTS + c];

  if (PREMULTIPLY && c < COMPONENTS - 1)
    value /= weight_of_alpha (
        max (open_sums[i * COMPONENTS + COMPONENTS - 1], 0.0));
  return round_code (fma (value, here.gain, here.bias), here.target_bits);
}
