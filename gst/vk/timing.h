/* How long kernels run, by the device's clock: for batches that would outrun a
 * watchdog, and for the tracer. All under the recorder's lock. */
#pragma once

#include "gst/vk/recorder-private.h"

/* @device can, and something asks for it: $VKC_MAX_BATCH_MS or a tracer. */
bool vkc_timing_is_on (const struct vkc_recorder *recorder);

/* Reads the clock before the first job of the batch, and after each. Errors
 * leave the batch without times. */
void vkc_timing_begin (struct vkc_recorder *recorder, struct vkc_slot *slot);
void vkc_timing_job_recorded (struct vkc_recorder *recorder,
                              struct vkc_slot *slot);

/* @slot's submission is over: takes its times into its pipelines' averages.
 * Returns the whole's nanoseconds, 0 if unknown. */
uint64_t vkc_timing_take (struct vkc_recorder *recorder,
                          struct vkc_slot *slot);

/* What @job is expected to take, nanoseconds; 0 before it ran once. */
uint64_t vkc_timing_predict (const struct vkc_job *job);
