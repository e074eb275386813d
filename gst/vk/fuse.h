/* Which jobs of a batch are fused. All under the recorder's lock. */
#pragma once

#include "gst/vk/recorder-private.h"

/* Decides for the jobs of the open batch. Until it is accepted that is no
 * more than a mark on them: the next batch decides anew. */
void vkc_fuse_batch (struct vkc_recorder *recorder);

/* What to record for @job, which does the work of others: fills @whole, which
 * names the jobs' images without references. */
void vkc_fuse_fill (const struct vkc_job *job, struct vkc_job *whole);

/* The kernel that runs for @job: NULL for copies, and for jobs that another one
 * does. */
struct vkc_pipeline *vkc_job_kernel (const struct vkc_job *job);
