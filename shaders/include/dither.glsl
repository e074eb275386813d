/* Ordered dither, as gst/color/dither.h has it: the thresholds of a row's part
 * of a block are whole words of the table, or half of one. Modules without
 * DITHER have neither table nor sum. */

struct Thresholds
{
  float at[BLOCK];
};

#ifdef DITHER
layout (std430, set = 0, binding = BINDING_DITHER) readonly restrict buffer
Dither
{
  uint dither_words[];
};
#endif

/* Where subsampled chroma starts in the table. */
const uvec2 DITHER_CHROMA = uvec2 (32, 16);

/* Of @n samples from column @n times @block on. */
Thresholds thresholds (uint block, int n, uint row, uvec2 origin)
{
  Thresholds t;
#ifdef DITHER
  const uint x = (block * uint (n) + origin.x) & 63;
  const uint at = ((row + origin.y) & 63) * 64 + x;
  [[unroll]] for (int i = 0; i < BLOCK; i++) {
    const uint word = dither_words[(at + uint (min (i, n - 1))) >> 2];
    const uint shift = n < 4 ? ((at + uint (i)) & 3) * 8 : uint (i & 3) * 8;
    t.at[i] = (float (int ((word >> shift) & 255)) - 127.5) * (1.0 / 256.0);
  }
#endif
  return t;
}

float dithered (float v, float threshold)
{
#ifdef DITHER
  return v + threshold;
#else
  return v;
#endif
}
