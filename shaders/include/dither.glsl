/* Ordered dither, as gst/color/dither.h has it: the thresholds of a row's part
 * of a block are words of the table, begun in their middle where its samples are
 * no multiple of four. They stay bytes: a
 * code's fraction is rounded to as many steps as there are thresholds, and
 * their sum carries into the code. Modules without DITHER have neither table
 * nor sum. */

const int THRESHOLD_BITS = 8;

/* Four a word, of sample 0 in the lowest byte. */
struct Thresholds
{
  uint words[(BLOCK + 3) / 4];
};

#ifdef DITHER
layout (std430, set = 0, binding = BINDING_DITHER) readonly restrict buffer
Dither
{
  uint dither_words[];
};

layout (std430, set = 0, binding = BINDING_DITHER) readonly restrict buffer
DitherPairs
{
  uvec2 dither_pairs[];
};
#endif

/* Where subsampled chroma starts in the table. */
const uvec2 DITHER_CHROMA = uvec2 (32, 16);

/* Of @n samples from column @n times @block on. */
Thresholds thresholds (uint block, int n, uint row, uvec2 origin)
{
  Thresholds t;
#ifdef DITHER
  const uint row_start = ((row + origin.y) & 63) * 64;
  const uint column = block * uint (n) + origin.x;
  if (n == 8) {
    const uvec2 pair = dither_pairs[(row_start + (column & 63)) >> 3];
    t.words[0] = pair.x;
    t.words[min (1, BLOCK / 4 - 1)] = pair.y;
    return t;
  }
  [[unroll]] for (int i = 0; 4 * i < BLOCK; i++) {
    if (4 * i < n)
      t.words[i] = dither_words[(row_start + ((column + 4 * i) & 63)) >> 2];
  }
  if (n % 4 != 0) {
    const uint bits = (column & 3) * 8;
    /* Two shifts for the upper part: one by 32 bits is not defined. */
    [[unroll]] for (int i = 0; 4 * i < n; i++)
      t.words[i] = (t.words[i] >> bits)
                   | (4 * i + 4 < n ? (t.words[i + 1] << 1) << (31 - bits) : 0);
  }
#endif
  return t;
}

uint threshold_of (Thresholds t, int i)
{
#ifdef DITHER
  return (t.words[i >> 2] >> ((i & 3) * 8)) & 255;
#else
  return 0;
#endif
}
