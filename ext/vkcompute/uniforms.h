/* Uniform blocks: numbers that reach a job in small buffers of their own. Made
 * for one kernel, used by one streaming thread. */
#pragma once

#include "framebindings.h"
#include "framevalues.h"
#include "gst/vk/job.h"

struct uniforms;

/* @bindings must outlive it. Takes a reference of @device. */
struct uniforms *uniforms_new (struct vkc_device *device,
                               const struct frame_bindings *bindings);

/* Accepts NULL. */
void uniforms_free (struct uniforms *uniforms);

/* Binds all blocks, filled with @values and what @parameters gives, to @job. A
 * block that is as it was for the last frame is bound again. */
gboolean uniforms_bind (struct uniforms *uniforms,
                        const struct frame_values *values,
                        const GstStructure *parameters, struct vkc_job *job,
                        GError **error);
