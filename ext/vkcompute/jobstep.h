/* Further jobs of one frame. */
#pragma once

#include <glib.h>

#include "gst/vk/device.h"
#include "gst/vk/job.h"

G_BEGIN_DECLS

/* Takes @step, which is full if @is_filled, and plans it. FALSE with what
 * filling it or vkc_recorder_append() said. */
gboolean job_step_append (struct vkc_device *device, struct vkc_job *step,
                          gboolean is_filled, GError **error);

G_END_DECLS
