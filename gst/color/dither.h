/* Ordered dither: what is added to a sample before it is rounded. */
#pragma once

#include <stdint.h>

enum color_dither
{
  COLOR_DITHER_NONE,    /* round half up */
  COLOR_DITHER_ORDERED, /* blue noise, where the depth falls */
};

#define COLOR_DITHER_SIZE 64

/* Thresholds, row by row; the tile repeats. As many of each of 0 ... 255, so
 * that it adds nothing on average; made by dither-table.py. */
extern const uint8_t color_dither_table[COLOR_DITHER_SIZE * COLOR_DITHER_SIZE];

/* In codes, within +-0.5, for the sample at @x, @y of its component. */
static inline float
color_dither_threshold (unsigned x, unsigned y)
{
  const unsigned at = y % COLOR_DITHER_SIZE * COLOR_DITHER_SIZE
                      + x % COLOR_DITHER_SIZE;

  return ((float)color_dither_table[at] - 127.5f) * (1.0f / 256);
}

/* Subsampled chroma starts elsewhere in the tile, so that its noise is not
 * luma's. */
#define COLOR_DITHER_CHROMA_X 32
#define COLOR_DITHER_CHROMA_Y 16
