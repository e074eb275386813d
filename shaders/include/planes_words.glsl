/* Planes in buffers, for resample.comp and polyphase.comp: units are words. */

#ifdef SOURCE_BUFFER
#define UNIT uint

layout (std430, set = 0, binding = RESAMPLE_SOURCE) readonly restrict buffer
Source
{
  uint source_words[];
};

layout (std430, set = 0, binding = RESAMPLE_SOURCE) readonly restrict buffer
SourcePairs
{
  uvec2 source_pairs[];
};

UNIT units[RESAMPLE_MOST_UNITS]; /* of a source row, in the block's reach */

float sample_of (Component c, int i)
{
  const int at = i * SOURCE_STEP + c.source_offset;
  const int shift = (at & 3) * 8 + c.source_shift;
  return float (int ((units[at >> 2] >> shift) & ((1u << c.source_bits) - 1)));
}

/* Where component @c has source row @row. */
uint place_row (int c, uint row)
{
  return params.source[c].x + row * params.source[c].y;
}

/* Words need not begin where the buffer's do. Two shifts for the upper part: one
 * by 32 bits is not defined. */
uint word_at (uint start, uint place)
{
  const uint bits = (start & 3) * 8;
  const uint word = source_words[place];

  if (ALIGNED)
    return word;
  return (word >> bits)
         | ((source_words[min (place + 1, params.source_last)] << 1)
            << (31 - bits));
}

/* Unit @at of a row of component @c; where the row has none anything. */
UNIT unit_at (int c, uint row, int at)
{
  const uint start = place_row (c, row);
  const int last = int (params.source_last);

  return word_at (start, uint (clamp (int (start >> 2) + at, 0, last)));
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

/* The same; where the row has none, of the sample at its edge. */
UNIT edge_unit_at (int c, uint row, int at)
{
  const uint start = place_row (c, row);
  const int last = int (params.row_units) - 1;
  const uint word = word_at (start, (start >> 2) + clamp (at, 0, last));

  return at < 0 || at > last ? repeat (word, at > last) : word;
}

/* Units @at and the next one; @at is even. */
void load_pair (int c, uint row, int at, int to)
{
  const uvec2 pair = source_pairs[((place_row (c, row) >> 2) + at) / 2];

  units[to] = pair.x;
  units[to + 1] = pair.y;
}
#endif

#ifdef TARGET_BUFFER
layout (std430, set = 0, binding = RESAMPLE_TARGET) writeonly restrict buffer
Target
{
  uint target_words[];
};

layout (std430, set = 0, binding = RESAMPLE_TARGET) writeonly restrict buffer
TargetPairs
{
  uvec2 target_pairs[];
};

/* Word @k of block @block in open row @row. One after the other: all that is
 * known of a block at a time are its sums. */
uint word_of (uint block, int row, int k)
{
  uint word = 0;

  [[unroll]] for (int i = 0; i < PIXELS; i++) {
    [[unroll]] for (int c = 0; c < COMPONENTS; c++) {
      const Component here = component (c);
      const int at = i * TARGET_STEP + here.target_offset;

      if (at >> 2 == k)
        word |= code_at (block, row, i, c)
                << ((at & 3) * 8 + here.target_shift);
    }
  }
  return word;
}

/* Stores block @block of open row @row as that of row @y of the target. */
void store_block (uint block, int row, uint y)
{
  const int n = PIXELS * TARGET_STEP / 4;
  const uint start = (params.target.x + y * params.target.y) >> 2;
  const uint visible = (params.width * uint (TARGET_STEP) + 3) >> 2;

  [[unroll]] for (int k = 0; k < n; k += PAIRS ? 2 : 1) {
    const uint at = block * n + k;
    const uint word = word_of (block, row, k);

    if (PAIRS)
      target_pairs[(start + at) / 2]
          = uvec2 (word, word_of (block, row, k + 1));
    else if (WHOLE || at < visible)
      target_words[start + at] = word;
  }
}
#endif
