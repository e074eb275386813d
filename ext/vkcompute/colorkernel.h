/* The colour kernel on a device: a conversion that was negotiated, and the
 * pipelines that do it. One thread at a time, but for colorkernel_add_stats(),
 * which may be called from any. */
#pragma once

#include <gst/video/video.h>

#include "gst/base/gstvkcframe.h"
#include "gst/color/plan.h"

G_BEGIN_DECLS

struct colorkernel;

struct colorkernel *colorkernel_new (void);

/* Accepts NULL. */
void colorkernel_free (struct colorkernel *self);

/* One side of a conversion: what its samples are and mean, how many there are,
 * and in which storage. */
struct colorkernel_side
{
  struct color_side color;
  GstVideoInfo info;
  enum vkc_storage storage;
  guint row_step;      /* 2: a field of a frame; 0 is 1 */
  gboolean keeps_rest; /* of a target: another job's rows are in it */
};

void colorkernel_sides_from_caps (struct colorkernel_side *in, GstCaps *in_caps,
                                  const GstVideoInfo *in_info,
                                  struct colorkernel_side *out,
                                  GstCaps *out_caps,
                                  const GstVideoInfo *out_info);

/* Plans the conversion between frames of the same size, and makes the pipeline
 * for the usual frame. @settings' native_log is filled in here. */
gboolean colorkernel_set_sides (struct colorkernel *self,
                                struct vkc_device *device,
                                const struct colorkernel_side *in,
                                const struct color_light *light,
                                const struct colorkernel_side *out,
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
 * @table, a buffer that peakdetector.h fills; NULL: from the plan, which may
 * need a table of its own. Takes its
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

struct colorformula;

/* The kernel of @formula, and its workgroups: as colorkernel_plan()'s would be.
 * Transfer full. */
struct vkc_pipeline *colorkernel_compile (struct vkc_device *device,
                                          const struct colorformula *formula,
                                          guint32 groups[3], GError **error);

/* Drops what belongs to the device. */
void colorkernel_reset (struct colorkernel *self);

/* The settings as they were resolved. */
void colorkernel_add_stats (struct colorkernel *self, GstStructure *stats);

G_END_DECLS
