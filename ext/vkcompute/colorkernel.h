/* The colour kernel on a device: a conversion that was negotiated, and the
 * pipelines that do it. One thread at a time, but for colorkernel_add_stats(),
 * which may be called from any. */
#pragma once

#include "colorside.h"
#include "gst/base/gstvkcframe.h"

G_BEGIN_DECLS

struct colorkernel;

struct colorkernel *colorkernel_new (void);

/* Accepts NULL. */
void colorkernel_free (struct colorkernel *self);

/* Plans the conversion between frames of the same size, and makes the pipeline
 * for the usual frame. @settings' native_log is filled in here. */
gboolean colorkernel_set_sides (struct colorkernel *self,
                                struct vkc_device *device,
                                const struct colorside *in,
                                const struct color_light *light,
                                const struct colorside *out,
                                const struct color_settings *settings,
                                GError **error);

/* The same for these caps. */
gboolean colorkernel_set_info (struct colorkernel *self,
                               struct vkc_device *device, GstCaps *in_caps,
                               const GstVideoInfo *in, GstCaps *out_caps,
                               const GstVideoInfo *out,
                               const struct color_settings *settings,
                               GError **error);

/* What was planned last; borrowed, the streaming thread's. */
const struct color_plan *colorkernel_get_plan (const struct colorkernel *self);

/* From the next colorkernel_set_...() on, the tone curve's gain is read from
 * @table, a buffer that peakdetector.h fills; NULL: it is the plan's. Takes its
 * own reference. */
void colorkernel_set_table (struct colorkernel *self, struct vkc_image *table);

/* Nothing at all would change in a frame. */
gboolean colorkernel_is_identity (const struct colorkernel *self);

/* Whether chroma is filtered across rows: then fields must be converted by
 * themselves. */
gboolean colorkernel_mixes_rows (const struct colorkernel *self);

/* Fills @job for one frame. */
gboolean colorkernel_plan (struct colorkernel *self, const GstVkcFrame *in,
                           const GstVkcFrame *out, struct vkc_job *job,
                           GError **error);

/* Drops what belongs to the device. */
void colorkernel_reset (struct colorkernel *self);

/* The settings as they were resolved. */
void colorkernel_add_stats (struct colorkernel *self, GstStructure *stats);

G_END_DECLS
