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

/* scale.comp and place.comp: one each. */
extern const struct embedded_code embedded_scale[], embedded_place[];

/* Blocks are 8 pixels wide, or 4. */
static inline unsigned
embedded_colorconvert_index (int source_is_image, int target_is_image,
                             int block_is_4, int dithers)
{
  return !!source_is_image * 8 + !!target_is_image * 4 + !!block_is_4 * 2
         + !!dithers;
}
