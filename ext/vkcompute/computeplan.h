/* How the frames of one negotiated format go through one kernel. Made for a
 * pair of caps, used by one streaming thread. */
#pragma once

#include "gst/base/gstvkcframe.h"

#include "computekernel.h"

struct compute_plan;

/* Compiles for @device. Errors: GST_RESOURCE_ERROR_SETTINGS by the binding's
 * name, or as vkc_pipeline_get(). */
struct compute_plan *compute_plan_new (struct compute_kernel *kernel,
                                       struct vkc_device *device,
                                       const GstVideoInfo *in,
                                       const GstVideoInfo *out,
                                       GError **error);

/* Accepts NULL. */
void compute_plan_free (struct compute_plan *plan);

/* Fills @job with what makes @out of @in, and appends the steps that must run
 * before it. @number: frames since the start. */
gboolean compute_plan_frame (struct compute_plan *plan, const GstVkcFrame *in,
                             const GstVkcFrame *out, guint64 number,
                             struct vkc_job *job, GError **error);
