/* What a shader may ask about the frame by naming a push constant so. The list
 * is in docs/shaders.md. */
#pragma once

#include <gst/video/video.h>

#include "reflection.h"

struct frame_values
{
  guint width, height; /* pixels, of the frame that goes out */
  guint64 frame;       /* frames since the start */
  gdouble time;        /* seconds: the frame's timestamp */

  /* Buffers: bytes, by plane. The layout of the caps is what both frames have
   * unless the shader asks for each one's own. */
  gsize offset[GST_VIDEO_MAX_PLANES];
  guint stride[GST_VIDEO_MAX_PLANES];
  gsize source_offset[GST_VIDEO_MAX_PLANES];
  guint source_stride[GST_VIDEO_MAX_PLANES];
  gsize target_offset[GST_VIDEO_MAX_PLANES];
  guint target_stride[GST_VIDEO_MAX_PLANES];
};

/* Whether a value is known for @member by its name. */
gboolean frame_values_know (const struct reflected_member *member);

/* Writes all members of @block to @data (the block's size): those without a
 * known value as 0. */
void frame_values_write (const struct frame_values *values,
                         const struct reflected_block *block, guint8 *data);

/* Whether the shader copes with a frame in any layout, because it asks for the
 * offset and stride of that one frame. */
gboolean frame_values_has_source_layout (const struct reflection *reflection);
gboolean frame_values_has_target_layout (const struct reflection *reflection);
