/* Input frames: any buffer becomes a frame of the device, without a copy where
 * that is possible. Plain data of one element and device; used by its streaming
 * thread. */
#pragma once

#include "gstvkcframe.h"

G_BEGIN_DECLS

struct gst_vkc_input;

struct gst_vkc_input *gst_vkc_input_new (struct vkc_device *device);

/* Accepts NULL. */
void gst_vkc_input_free (struct gst_vkc_input *input);

/* Other caps: the modifier of the dmabufs that come from now on; 0: linear. */
void gst_vkc_input_set_modifier (struct gst_vkc_input *input,
                                 guint64 modifier);

/* Whether frames like @buffer should become images, and do not yet. Asked until
 * there is an answer for these caps. */
gboolean gst_vkc_input_wants_images (struct gst_vkc_input *input,
                                     const GstVideoInfo *info,
                                     GstBuffer *buffer);

/* All frames become images, until the caps are others. */
void gst_vkc_input_use_images (struct gst_vkc_input *input);

/* Resolves @buffer and pins to @job what must stay until it is over. @info must
 * outlive @frame. FALSE with @error: STREAM/DECODE or RESOURCE/READ for a
 * buffer that holds no frame and is to be dropped, else as vkc_image_new(). */
gboolean gst_vkc_input_resolve (struct gst_vkc_input *input, GstVkcFrame *frame,
                                const GstVideoInfo *info, GstBuffer *buffer,
                                struct vkc_job *job, GError **error);

G_END_DECLS
