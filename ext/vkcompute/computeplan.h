/* How the frames of one negotiated format go through one program. Made for a
 * pair of caps, used by one streaming thread. */
#pragma once

#include "gst/base/gstvkcframe.h"

#include "computeprogram.h"
#include "computesettings.h"
#include "computestate.h"

struct compute_plan;

/* Compiles for @device, and for streams of fixed caps. @before: the plan that
 * this one takes over from, whose state goes on if the program is the same, and
 * as far as the frames are; NULL: none. Errors: GST_RESOURCE_ERROR_SETTINGS by
 * the name of the binding or parameter, or as vkc_pipeline_get(). */
struct compute_plan *compute_plan_new (struct compute_program *program,
                                       struct vkc_device *device, GstCaps *in,
                                       GstCaps *out,
                                       const struct compute_settings *settings,
                                       const struct compute_plan *before,
                                       GError **error);

/* Borrowed. */
struct compute_program *compute_plan_program (const struct compute_plan *plan);
struct compute_state *compute_plan_state (const struct compute_plan *plan);

/* Whether it was made for these frames. */
gboolean compute_plan_is_for (const struct compute_plan *plan, GstCaps *in,
                              GstCaps *out);

/* New values from the next frame on, but for specialization constants, which
 * need a new plan. They were checked. */
void compute_plan_set_parameters (struct compute_plan *plan,
                                  const GstStructure *parameters);

/* The names of numbers that nothing sets, so that the shader sees 0; NULL if
 * there is none. g_free() it. */
gchar *compute_plan_get_unset (const struct compute_plan *plan);

/* Accepts NULL. */
void compute_plan_free (struct compute_plan *plan);

/* Fills @job with what makes @out of @in, and appends the steps that must run
 * before it. @number: frames since the start. */
gboolean compute_plan_frame (struct compute_plan *plan, const GstVkcFrame *in,
                             const GstVkcFrame *out, guint64 number,
                             struct vkc_job *job, GError **error);
