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

/* The samples of word @at of the source frame: an even one and the next. */
vec2 source_pair (uint at)
{
  const uint word = source_words[at];
  return vec2 (float (int (word & 0xffffu)), float (int (word >> 16)));
}

vec2 weight_of_alpha (vec2 alpha)
{
  return alpha * (1.0 / 65535.0) + SHAPE_LEAST_ALPHA;
}

/* What is summed up for the samples of a word of @plane. @alpha: words from
 * there to those of alpha. */
vec2 source_values (uint plane, uint at, uint alpha)
{
  vec2 values = source_pair (at);
  if (plane == SHAPE_ALPHA)
    return values;
  if (SQUARE)
    values *= values;
  if (PREMULTIPLY)
    values *= weight_of_alpha (source_pair (at + alpha));
  return values;
}

uint words_to_alpha (uint plane)
{
  if (!PREMULTIPLY)
    return 0;
  return (of_plane (SHAPE_ALPHA, SHAPE_FROM) - of_plane (plane, SHAPE_FROM))
         / 2;
}
