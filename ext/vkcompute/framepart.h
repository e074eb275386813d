/* The part of a frame that a kernel has to see. */
#pragma once

#include "gst/base/gstvkcframe.h"
#include "gst/color/shape.h"

G_BEGIN_DECLS

/* What of a frame of @info is @seen, with the chroma that pixels at its edges
 * may have from beyond them, in columns and rows that kernels read as fast as
 * whole frames. */
struct color_rect frame_part_around (const GstVideoInfo *info,
                                     const struct color_rect *seen);

/* @rect of a frame of @info as a frame of its own; where it lies in memory,
 * frame_part_place() says. */
void frame_part_info (GstVideoInfo *part, const GstVideoInfo *info,
                      const struct color_rect *rect);

/* @whole from the pixel at @rect's corner on. @info: of the part, which must
 * outlive it. @row_step: from one of the frame's rows to the next, as in struct
 * colorside. */
void frame_part_place (GstVkcFrame *part, const GstVkcFrame *whole,
                       const GstVideoInfo *info, const struct color_rect *rect,
                       guint row_step);

G_END_DECLS
