/* What a kernel sees of a frame: blocks of BLOCK pixels of one row, whatever
 * the format. planes_buffer.glsl, planes_bits.glsl
 * and planes_image.glsl provide, for the block
 * number @block of a row:
 *
 *   Pixels source_pixels (uint block, uint row)
 *   Chroma source_chroma (uint block, uint row)
 *   void target_pixels (uint block, uint row, Codes codes,
 *                       ChromaCodes chroma)
 *   void target_chroma (uint block, uint row, ChromaCodes codes)
 *
 * @chroma is for formats whose chroma comes with every row of pixels. Samples
 * beyond the visible edge repeat the one at the edge. Rows are inside
 * the plane. Targets may write the padding behind a row, nothing else. */

const int SAMPLES = BLOCK / 2;

/* Of a plane with fewer columns; the rest of SAMPLES is not used. */
const int SOURCE_SAMPLES = SOURCE_HSUB == 2 ? BLOCK / 4 : SAMPLES;
const int TARGET_SAMPLES = TARGET_HSUB == 2 ? BLOCK / 4 : SAMPLES;

/* Whether a block of a row of the source is whole words, or at least bytes. */
#if BLOCK % 12 == 0
const bool SOURCE_IN_WORDS = SOURCE_PACKING != PACKING_TEN;
#else
const bool SOURCE_IN_WORDS = SOURCE_PACKING == PACKING_BYTES;
#endif

/* A code as it is kept until it is rounded: where nothing is computed, as it
 * is. */
float kept_code (uint code)
{
  return MULTIPLE > 0 ? uintBitsToFloat (code) : float (int (code));
}

/* Code values. [0] is the pixel left of the block. Of a format with
 * subsampled chroma, y and z are not set. */
struct Pixels
{
  vec4 at[BLOCK + 1];
};

/* Cb and Cr. [0] is the sample left of the block, the last the one right. */
struct Chroma
{
  vec2 at[SAMPLES + 2];
};

/* Rounded code values of a row of pixels. */
struct Codes
{
  uvec4 at[BLOCK];
};

struct ChromaCodes
{
  uvec2 at[SAMPLES];
};

uint plane_width (int hsub)
{
  return (params.width + ((1u << hsub) - 1)) >> hsub;
}

/* The number of the last sample in a row of @plane of the target. */
uint last_of_plane (int plane)
{
  uint last = 0;
  [[unroll]] for (int k = 0; k < 3; k++) {
    const Component c = target_component (k);
    if (c.plane == plane && c.bits > 0)
      last = max (last, (plane_width (target_hsub (k)) - 1) * uint (c.step)
                            + uint (c.offset));
  }
  return last;
}

/* In planes_lone.glsl. */
Pixels lone_pixels (uint block, uint row);
Chroma lone_chroma (uint block, uint row);
