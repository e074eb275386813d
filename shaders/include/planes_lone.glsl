/* A block sample by sample, out of lone_sample() of planes_image.glsl or
 * planes_bits.glsl. */

#if defined SOURCE_BUFFER || defined SOURCE_IMAGE
Pixels lone_pixels (uint block, uint row)
{
  Pixels pixels;

  [[unroll]] for (int i = 0; i <= BLOCK; i++) {
    const int x = int (block * BLOCK) + i - 1;
    pixels.at[i] = vec4 (0.0);
    if (i > 0 || LOADS_LEFT) {
      pixels.at[i].x = lone_sample (0, x, row);
      if (SOURCE_FULL) {
        pixels.at[i].y = lone_sample (1, x, row);
        pixels.at[i].z = lone_sample (2, x, row);
      }
      if (TAKES_ALPHA)
        pixels.at[i].w = lone_sample (3, x, row);
    }
  }
  return pixels;
}

Chroma lone_chroma (uint block, uint row)
{
  Chroma chroma;

  [[unroll]] for (int i = 0; i < SAMPLES + 2; i++) {
    const int x = int (block * SOURCE_SAMPLES) + i - 1;
    chroma.at[i] = vec2 (lone_sample (1, x, row), lone_sample (2, x, row));
  }
  return chroma;
}
#endif
