/* Frames as the project's own kernels see them. */
#pragma once

#include <gst/video/video.h>

#include "gst/base/gstvkcframe.h"
#include "gst/vk/pipeline.h"
#include "shaders/include/kernel_ids.h"

G_BEGIN_DECLS

/* Where the planes of @frame lie and the last word that may be read, as the
 * kernels' push constants want them. FALSE: the frame is too large. */
gboolean kernel_frame_place (const GstVkcFrame *frame, const char *binding,
                             uint32_t planes[MAX_PLANES][2],
                             uint32_t *last_word, GError **error);

/* Kernels are made for frames whose rows start at multiples of so many bytes.
 */
#define KERNEL_ALIGNMENTS 3
extern const guint kernel_alignments[KERNEL_ALIGNMENTS];

/* 16, 4 or 1: bytes that all rows of @frame start at multiples of. */
guint kernel_frame_alignment (const GstVkcFrame *frame);

/* The same of a frame as GStreamer lays it out. */
guint kernel_frame_usual_alignment (const GstVideoInfo *info,
                                    enum vkc_storage storage);

/* 0 to KERNEL_ALIGNMENTS - 1: the greatest of them that @bytes is a multiple
 * of. */
guint kernel_alignment_index (gsize bytes);

/* Fills @info for a frame in @storage. */
void kernel_frame_describe (struct vkc_binding_info *info, const char *name,
                            guint binding, enum vkc_storage storage,
                            gboolean writes);

G_END_DECLS
