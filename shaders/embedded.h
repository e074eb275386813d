/* Kernels that were compiled at build time. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct embedded_code
{
  const uint32_t *words;
  size_t size; /* bytes */
};

/* colorconvert.comp, by embedded_colorconvert_index(). */
extern const struct embedded_code embedded_colorconvert[];

/* The same with GAIN_TABLE. */
extern const struct embedded_code embedded_gaintable[];

/* peak.comp, by whether the source is in images. */
extern const struct embedded_code embedded_peak[];

/* polyphase.comp, by embedded_planes_index(), and resample.comp, twice for each:
 * without LANES and with. */
extern const struct embedded_code embedded_polyphase[], embedded_resample[];

static inline unsigned
embedded_planes_index (int source_is_image, int target_is_image)
{
  return !!source_is_image * 2 + !!target_is_image;
}

/* scale.comp, place.comp and recode.comp: one each. */
extern const struct embedded_code embedded_scale[], embedded_place[],
    embedded_recode[];

/* How the target is stored: words of a buffer, its single samples, or texels.
 */
enum embedded_target
{
  EMBEDDED_TARGET_BUFFER,
  EMBEDDED_TARGET_BITS,
  EMBEDDED_TARGET_IMAGE,
};

/* Blocks are 8 pixels wide, or 4; of single samples always 8; of words also 12
 * or 16, and between buffers without a table 24. Walks along rows are of blocks
 * of 8 pixels that are words of a buffer. */
static inline unsigned
embedded_colorconvert_index (int source_is_image, enum embedded_target target,
                             unsigned block, int along_rows, int dithers)
{
  static const unsigned char first[] = { 0, 5, 6 };
  const unsigned form = first[target]
                        + (block == 4    ? 1
                           : along_rows  ? 2
                           : block == 12 ? 3
                           : block == 16 ? 4
                                         : 0);

  if (block == 24)
    return 40 + !!dithers;
  return (!!source_is_image * 8 + form) * 2 + !!dithers;
}

/* The same of modules that take the addresses of both buffers: without tables. */
static inline unsigned
embedded_addressed_index (unsigned block, int along_rows, int dithers)
{
  const unsigned form = along_rows    ? 1
                        : block == 12 ? 2
                        : block == 16 ? 3
                        : block == 24 ? 5
                                      : 0;

  return 32 + form * 2 + !!dithers;
}
