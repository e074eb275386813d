/* What the colour kernel must make of a frame, computed on the CPU: samples are
 * taken one by one, chroma is spread and filtered as CASES of chroma siting
 * say, and every pixel goes through the kernel's witness. */
#pragma once

#include <stdint.h>

#include "gst/color/kernel.h"

struct model_frame
{
  const struct color_format *format;
  int width, height;
  uint8_t *plane[MAX_PLANES]; /* first byte of each */
  int stride[MAX_PLANES];
};

/* Writes the visible samples of @target. */
void model_convert (const struct color_plan *plan,
                    const struct model_frame *source,
                    const struct color_site *source_site,
                    const struct model_frame *target,
                    const struct color_site *target_site);

/* The code of component @k at column @x and row @y of its own plane. */
uint32_t model_get (const struct model_frame *frame, int k, int x, int y);
void model_set (const struct model_frame *frame, int k, int x, int y,
                uint32_t code);

/* Columns and rows of component @k. */
int model_columns (const struct model_frame *frame, int k);
int model_rows (const struct model_frame *frame, int k);
