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

/* scale.comp, place.comp, recode.comp and resample.comp: one each. */
extern const struct embedded_code embedded_scale[], embedded_place[],
    embedded_recode[], embedded_resample[];

/* How the target is stored: words of a buffer, its single samples, or texels.
 */
enum embedded_target
{
  EMBEDDED_TARGET_BUFFER,
  EMBEDDED_TARGET_BITS,
  EMBEDDED_TARGET_IMAGE,
};

/* Blocks are 8 pixels wide, or 4; of single samples always 8. */
static inline unsigned
embedded_colorconvert_index (int source_is_image, enum embedded_target target,
                             int block_is_4, int dithers)
{
  static const unsigned char first[] = { 0, 2, 3 };
  const unsigned form
      = first[target] + (target != EMBEDDED_TARGET_BITS && block_is_4);

  return (!!source_is_image * 5 + form) * 2 + !!dithers;
}
