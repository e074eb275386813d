/* Pictures as the codes of their components, in any format: GStreamer's own
 * packers say where the samples lie, and all maths are in double. */
#pragma once

#include <gst/video/video.h>

#include "gst/color/description.h"

struct picture
{
  GstVideoInfo info;
  struct color_description description;
  guint *codes[4]; /* by component, each of its own size; NULL: none */
};

/* Y, Cb, Cr, A or R, G, B, A: how many columns, rows and bits; 0 for what the
 * format has not. */
guint picture_columns (const struct picture *picture, guint component);
guint picture_rows (const struct picture *picture, guint component);
guint picture_bits (const struct picture *picture, guint component);

/* All codes 0. */
void picture_init (struct picture *picture, const GstVideoInfo *info,
                   const struct color_description *description);
void picture_clear (struct picture *picture);

/* Any codes, also those that no camera makes. */
void picture_fill_randomly (struct picture *picture, guint32 seed);

GstBuffer *picture_to_buffer (const struct picture *picture);

/* A frame with a 1 in each bit of a sample, and 0 elsewhere. */
GstBuffer *picture_mask_new (const GstVideoInfo *info);
void picture_from_buffer (struct picture *picture, GstBuffer *buffer);

/* What @source is as @target, whose transfer and primaries are the same, before
 * rounding: as many numbers as @target has codes. */
struct exact_picture
{
  gdouble *values[4];
};
void picture_convert (const struct picture *source,
                      const struct picture *target,
                      struct exact_picture *exact);
void exact_picture_clear (struct exact_picture *exact);
