/* Frames scaled, mirrored, cropped and placed in others of the same colours,
 * plane by plane and in one pass each. One thread at a time. */
#pragma once

#include "gst/base/gstvkcframe.h"
#include "shapefilter.h"

G_BEGIN_DECLS

struct resampler;

struct resampler *resampler_new (void);

/* Accepts NULL. */
void resampler_free (struct resampler *self);

/* Whether frames of @job->from may become frames of @job->to: the same colours
 * in samples that lie whole in words or texels, those of one of the target's
 * planes alike in the source; nothing turned by a quarter, nothing to be
 * weighed with alpha. What is larger or finer than the kernel is made for is
 * told by resampler_set() only. */
gboolean resampler_can (const struct shape_job *job);

/* Makes tables and pipelines. @possible: FALSE where the kernel is not made for
 * that; nothing is kept then, and no @error set. */
gboolean resampler_set (struct resampler *self, struct vkc_device *device,
                        const struct shape_job *job, gboolean *possible,
                        GError **error);

/* Plans one frame; @job writes the target's last plane, steps that are appended
 * here write the others. */
gboolean resampler_plan (struct resampler *self, const GstVkcFrame *in,
                         const GstVkcFrame *out, struct vkc_job *job,
                         GError **error);

/* Drops what belongs to the device. */
void resampler_reset (struct resampler *self);

G_END_DECLS
