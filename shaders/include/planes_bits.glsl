/* Frames in buffers whose samples lie across bytes or words, sample by sample:
 * targets of PACKING_TEN, whose rows may begin at any byte, and sources of
 * which a block is no whole words. */

/* From the row's first bit to sample @x of component @c. */
uint sample_bit (Component c, int packing, uint x)
{
  const uint n = x * uint (c.step) + uint (c.offset);
  if (packing == PACKING_THREE)
    return n / 3 * 32 + n % 3 * 10;
  if (packing == PACKING_TEN)
    return n * 10;
  return n * 8 + uint (c.shift);
}

#ifdef SOURCE_BUFFER
/* Beyond the edges that of the edge. */
float lone_sample (int k, int x, uint row)
{
  const Component c = source_component (k);
  if (c.bits == 0)
    return 0.0;
  const uint last_column = plane_width (source_hsub (k)) - 1;
  const uint at = uint (clamp (x, 0, int (last_column)));
  const uvec2 place = params.source[c.plane];
  const uint bit = sample_bit (c, SOURCE_PACKING, at);
  const uint byte = place.x + row * place.y + (bit >> 3);
  const uint shift = (byte & 3) * 8 + (bit & 7);
  const uint last = params.source_last;
  const uint word = min ((byte >> 2) + (shift >> 5), last);
  const uint low = source_words[word] >> (shift & 31);
  /* Two shifts: one by 32 bits is not defined. */
  const uint high = (source_words[min (word + 1, last)] << 1)
                    << (31 - (shift & 31));
  return kept_code ((low | high) & ((1u << c.bits) - 1));
}
#endif

#ifdef TARGET_BITS
/* Neighbours in a word are other invocations': each changes its own bits, and
 * what the others hold does not matter. */
layout (std430, set = 0, binding = BINDING_TARGET) restrict buffer Target
{
  uint target_words[];
};

void store_bits (uint word, uint mask, uint bits)
{
  atomicAnd (target_words[word], ~mask);
  atomicOr (target_words[word], bits);
}

/* How many bits belong to a sample, those included that nobody uses behind it.
 */
uint bits_to_store (Component c, uint x, uint bit)
{
  const uint n = x * uint (c.step) + uint (c.offset);
  return n == last_of_plane (c.plane) ? 10 + (-(bit + 10) & 7) : 10;
}

void store_sample (int k, uint x, uint row, uint code)
{
  const Component c = target_component (k);
  if (c.bits == 0 || x >= plane_width (target_hsub (k)))
    return;
  const uvec2 place = params.target[c.plane];
  const uint bit = sample_bit (c, TARGET_PACKING, x);
  const uint byte = place.x + row * place.y + (bit >> 3);
  const uint shift = (byte & 3) * 8 + (bit & 7);
  const uint first = shift & 31;
  const uint word = (byte >> 2) + (shift >> 5);
  const uint n = bits_to_store (c, x, bit);
  const uint mask = ~0u >> (32 - n);

  store_bits (word, mask << first, code << first);
  if (first + n > 32)
    store_bits (word + 1, mask >> (32 - first), code >> (32 - first));
}

void target_chroma (uint block, uint row, ChromaCodes codes)
{
  [[unroll]] for (int i = 0; i < TARGET_SAMPLES; i++) {
    const uint x = block * TARGET_SAMPLES + i;
    store_sample (1, x, row, codes.at[i].x);
    store_sample (2, x, row, codes.at[i].y);
  }
}

void target_pixels (uint block, uint row, Codes codes, ChromaCodes chroma)
{
  [[unroll]] for (int i = 0; i < BLOCK; i++) {
    const uint x = block * BLOCK + i;
    store_sample (0, x, row, codes.at[i].x);
    if (TARGET_FULL) {
      store_sample (1, x, row, codes.at[i].y);
      store_sample (2, x, row, codes.at[i].z);
    }
    if (ALPHA != ALPHA_NONE)
      store_sample (3, x, row, codes.at[i].w);
  }
  if (!TARGET_FULL && TARGET_VSUB == 0)
    target_chroma (block, row, chroma);
}
#endif
