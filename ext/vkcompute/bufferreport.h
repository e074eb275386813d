/* Buffers as messages on the bus: a copy of what each frame leaves in them, on
 * its way in the frame's own submission. */
#pragma once

#include "computestate.h"

/* Plans, as part of @job's frame, to post what the state's buffers hold after
 * it: an element message "vkcompute-buffers" of @element with "frame"
 * (guint64), "pts" and each buffer's bytes (GstBuffer) by its name. */
gboolean buffer_report_plan (const struct compute_state *state,
                             GstElement *element, struct vkc_job *job,
                             guint64 frame, GstClockTime pts, GError **error);
