/* A conversion as code: which module, in blocks of how many pixels, with which
 * constants. Where frames lie and what tables hold is no part of it. */
#pragma once

#include "colorside.h"
#include "gst/vk/pipeline.h"

G_BEGIN_DECLS

struct colorcode
{
  struct color_plan plan;
  struct colorside in, out;
  gboolean gain_table; /* the gain is read from one; else it is the plan's */

  /* By colorcode_set_size(). */
  guint block; /* pixels of a row that an invocation makes */
  guint32 groups[2];

  guint copied; /* by colorcode_leave_copies(): planes of the target */
};

/* Blocks and workgroups; completes the plan for them. */
void colorcode_set_size (struct colorcode *self,
                         const struct vkc_device *device);

/* Leaves planes to color_copy_add() where that is cheaper than a kernel. */
void colorcode_leave_copies (struct colorcode *self,
                             const struct vkc_device *device);

/* Whether BINDING_GAIN and BINDING_LUT must be bound; if the plan is dithered,
 * so must BINDING_DITHER. */
gboolean colorcode_has_tables (const struct colorcode *self);

/* For frames all of whose rows start at multiples of @alignment bytes, one of
 * kernel_alignments. Transfer full. */
struct vkc_pipeline *colorcode_compile (const struct colorcode *self,
                                        struct vkc_device *device,
                                        guint alignment, GError **error);

G_END_DECLS
