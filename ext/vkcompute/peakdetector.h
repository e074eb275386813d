/* Peak detection on the device: each frame is measured, smoothed with what was
 * before, and becomes a table of the tone curve's gain, all in the submission
 * that the frame is mapped in. The CPU never waits for it.
 *
 * What is carried from frame to frame is a persistent state of the recorder:
 * a frame that is dropped still counts, and one that is flushed late is mapped
 * with its own time's table. One thread at a time. */
#pragma once

#include <gst/video/video.h>

#include "gst/base/gstvkcframe.h"
#include "gst/color/plan.h"
#include "shaders/include/peak_ids.h"

G_BEGIN_DECLS

struct peakdetector;

struct peak_settings
{
  gdouble percentile; /* of the pixels that are not black, 0 to 100 */
  gdouble smoothing;  /* seconds; 0: every frame by itself */
};

/* A state that has seen nothing. */
struct peakdetector *peakdetector_new (struct vkc_device *device,
                                       GError **error);

/* Accepts NULL. */
void peakdetector_free (struct peakdetector *self);

/* For frames of @info in @storage that are mapped as @plan says; what was seen
 * so far stays. Until something was seen the peak is @plan's. */
gboolean peakdetector_configure (struct peakdetector *self,
                                 const struct color_plan *plan,
                                 const GstVideoInfo *info,
                                 enum vkc_storage storage,
                                 const struct peak_settings *settings,
                                 GError **error);

/* The table for colorkernel_set_table(); borrowed. */
struct vkc_image *peakdetector_table (struct peakdetector *self);

/* Plans the measurement of @in before @job, which will map it. */
gboolean peakdetector_plan (struct peakdetector *self, const GstVkcFrame *in,
                            struct vkc_job *job, GError **error);

/* What the last frame had that is through, without waiting. FALSE: there was
 * none. Any thread. */
gboolean peakdetector_look (const struct peakdetector *self,
                            struct peak_result *result);

G_END_DECLS
