/* Frames that several jobs read, in the device's own memory.
 *
 * Host pages and dmabufs are read where they are, which on a GPU is through the
 * bus. Once is as good as a copy; where two kernels read a frame, one copy is
 * half of that way. One thread at a time. */
#pragma once

#include "gst/base/gstvkcframe.h"
#include "scratch.h"

G_BEGIN_DECLS

struct localcopy;

struct localcopy *localcopy_new (struct vkc_device *device);

/* Accepts NULL. */
void localcopy_free (struct localcopy *self);

/* *@local: what @job and its steps are to read in place of @frame, which they
 * read more than once. Where that is a copy, its job is appended, and *@scratch,
 * else NULL, is to be pinned to them (@job has it) and told scratch_planned().
 * Comes behind vkc_job_share_pins(). */
gboolean localcopy_plan (struct localcopy *self, const GstVkcFrame *frame,
                         struct vkc_job *job, GstVkcFrame *local,
                         struct scratch **scratch, GError **error);

G_END_DECLS
