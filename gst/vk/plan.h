/* The graph of pending jobs: who has to run before whom. All under the
 * recorder's lock. */
#pragma once

#include "gst/vk/recorder-private.h"

/* Adds @job; what it reads, and from whom, is fixed from here on. */
void vkc_plan_add (struct vkc_recorder *recorder, struct vkc_job *job);

/* Takes @job out, with the list's reference, which is the caller's then. */
void vkc_plan_remove (struct vkc_recorder *recorder, struct vkc_job *job);

/* @job will not run: DISCARDED or FAILED. */
void vkc_plan_drop (struct vkc_recorder *recorder, struct vkc_job *job,
                    enum vkc_job_state state);

/* The first pending job that reads what @job writes, or writes it again; or
 * NULL. Borrowed. */
struct vkc_job *vkc_plan_waiting_for (const struct vkc_recorder *recorder,
                                      const struct vkc_job *job);

/* @image does not want its content any more, be it pending or there. */
void vkc_plan_discard (struct vkc_recorder *recorder, struct vkc_image *image);

/* @image lets go of the job that was to write it. */
void vkc_plan_clear_producer (struct vkc_recorder *recorder,
                              struct vkc_image *image);
