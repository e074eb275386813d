/* What vkcolorconvert and vktonemap do to a frame, or to a field of one:
 * colours in one dispatch, or colours and shape in several. One thread at a
 * time. */
#pragma once

#include "shapekernel.h"

G_BEGIN_DECLS

/* Both sides. @in: the frame with what is cropped; for fields both are those of
 * the field. */
struct converter_caps
{
  GstCaps *in_caps, *out_caps;
  GstVideoInfo in, out;
};

struct converter;

struct converter *converter_new (enum color_rows rows);

/* Accepts NULL. */
void converter_free (struct converter *self);

/* @shape NULL: frames keep theirs. */
gboolean converter_set_info (struct converter *self, struct vkc_device *device,
                             const struct converter_caps *caps,
                             const struct color_shape *shape,
                             const struct shape_settings *settings,
                             GError **error);

/* Frames keep their shape, and @colour says all. */
gboolean converter_set_colours (struct converter *self,
                                struct vkc_device *device,
                                const struct converter_caps *caps,
                                const struct color_settings *colour,
                                GError **error);

/* What does the colours; borrowed. */
struct colorkernel *converter_get_kernel (struct converter *self);

/* Nothing at all would change in a frame. */
gboolean converter_is_identity (const struct converter *self);

/* Whether this converter of frames would mix their fields: rows may get
 * something of their neighbours. */
gboolean converter_needs_fields (const struct converter *self);

/* Where it would: whether @buffer's frame has two fields. */
gboolean converter_is_interlaced (const struct converter *self,
                                  GstBuffer *buffer);

/* Plans the frames' rows that are this converter's; @in and @out are all that
 * their buffers hold.
 * The bottom field's job must be the later one. */
gboolean converter_plan (struct converter *self, const GstVkcFrame *in,
                         const GstVkcFrame *out, struct vkc_job *job,
                         GError **error);

/* The same in a step towards @job's frame, to be appended before @job. Transfer
 * full; NULL: an error. */
struct vkc_job *converter_new_step (struct converter *self,
                                    const GstVkcFrame *in,
                                    const GstVkcFrame *out,
                                    const struct vkc_job *job, GError **error);

void converter_reset (struct converter *self);
void converter_add_stats (struct converter *self, GstStructure *stats);

/* What a field of @whole is, as a frame of its own: its pixels are twice as
 * high. */
void converter_field_info (GstVideoInfo *field, const GstVideoInfo *whole,
                           enum color_rows rows);

/* What a buffer of a stream of @info holds: a frame, or a field alone. */
void converter_buffer_info (GstVideoInfo *held, const GstVideoInfo *info);

G_END_DECLS
