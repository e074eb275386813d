/* Work frames, and the table that says how they lie: shape_ids.h. */

layout (local_size_x = SHAPE_LOCAL_SIZE) in;

layout (constant_id = SHAPE_ID_PREMULTIPLY) const bool PREMULTIPLY = false;
layout (constant_id = SHAPE_ID_SQUARE) const bool SQUARE = false;
layout (constant_id = SHAPE_ID_SCALED) const bool SCALED = false;
layout (constant_id = SHAPE_ID_TRANSPOSE) const bool TRANSPOSE = false;
layout (constant_id = SHAPE_ID_FLIP_X) const bool FLIP_X = false;
layout (constant_id = SHAPE_ID_FLIP_Y) const bool FLIP_Y = false;

layout (std430, set = 0, binding = SHAPE_SOURCE) readonly restrict buffer
Source
{
  uint source_words[];
};

layout (std430, set = 0, binding = SHAPE_TARGET) writeonly restrict buffer
Target
{
  uint target_words[];
};

layout (std430, set = 0, binding = SHAPE_TABLE) readonly restrict buffer Table
{
  uint table[];
};

uint of_plane (uint plane, uint field)
{
  return table[plane * SHAPE_WORDS + field];
}

/* What a filter's sample @i begins with, and the weight of a tap. */
uint filter_first (uint start, uint taps, uint i)
{
  return table[start + i * (taps + 1)];
}

float filter_weight (uint start, uint taps, uint i, uint tap)
{
  return uintBitsToFloat (table[start + i * (taps + 1) + 1 + tap]);
}

float source_code (uint plane, uint x, uint row)
{
  const uint at = of_plane (plane, SHAPE_FROM)
                  + row * of_plane (plane, SHAPE_FROM_STRIDE) + x;
  return float (int (bitfieldExtract (source_words[at >> 1],
                                      int (at & 1) * 16, 16)));
}

float weight_of_alpha (float alpha)
{
  return alpha * (1.0 / 65535.0) + SHAPE_LEAST_ALPHA;
}

/* What is summed up for a sample of the source frame. */
float source_value (uint plane, uint x, uint row)
{
  float value = source_code (plane, x, row);
  if (plane == SHAPE_ALPHA)
    return value;
  if (SQUARE)
    value *= value;
  if (PREMULTIPLY)
    value *= weight_of_alpha (source_code (SHAPE_ALPHA, x, row));
  return value;
}
