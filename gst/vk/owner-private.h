/* What the recorder keeps in an owner. */
#pragma once

#include "gst/vk/owner.h"

/* One more, or one less, frame that is planned but not submitted. */
void vkc_owner_pending_up (struct vkc_owner *owner);
void vkc_owner_pending_down (struct vkc_owner *owner);

/* Jobs that exist: pending, in flight, or waiting to let go of their pins. */
struct vkc_job *vkc_owner_job_born (struct vkc_owner *owner);
void vkc_owner_job_gone (struct vkc_owner *owner);

/* Takes @job, which is over, for a later one of this owner to be made of:
 * vkc_owner_job_born() gives it, or NULL. */
void vkc_owner_keep_job (struct vkc_owner *owner, struct vkc_job *job);

/* Waits until all jobs are gone. Returns false at @deadline (monotonic us), or
 * when interrupted. */
bool vkc_owner_wait_jobs_gone (struct vkc_owner *owner, int64_t deadline);

/* Waits while the owner is at its limit. Returns false if it still is after
 * @max_ms: the oldest frame must be flushed. An owner that ran into that once
 * does not wait again until its frames are flushed in time. Time does not count
 * while *@held, atomic, is not 0. */
bool vkc_owner_wait_below_limit (struct vkc_owner *owner, uint32_t max_ms,
                                 const int *held);

void vkc_owner_count_discarded (struct vkc_owner *owner);
void vkc_owner_count_fused (struct vkc_owner *owner);
void vkc_owner_count_flush (struct vkc_owner *owner,
                            enum vkc_flush_reason reason);

/* The last submission with a job of this owner. */
void vkc_owner_set_submitted (struct vkc_owner *owner, uint64_t value);
uint64_t vkc_owner_submitted (struct vkc_owner *owner);
