/* Metas about places in frames: they go where their pixels go. */
#pragma once

#include <gst/video/video.h>

#include "gst/color/shape.h"

G_BEGIN_DECLS

/* Puts on @output what @meta, of a frame that @shape changes, says there. FALSE:
 * it is no region of interest and no overlay, and nothing was put. */
gboolean placed_meta_move (const struct color_shape *shape, GstBuffer *output,
                           const GstMeta *meta);

G_END_DECLS
