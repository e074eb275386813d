/* Recorder: turns the pending jobs behind an image into one queue submission.
 *
 * Exactly one per device. Ordering is by one timeline semaphore; its value, the
 * images' states and the counters move only after the queue accepted the work.
 *
 * Threads: any. Locks: recorder.lock, then the owners'. Never waits for the GPU
 * under either, and calls nothing foreign there. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "gst/vk/image.h"
#include "gst/vk/job.h"
#include "gst/vk/owner.h"

struct vkc_recorder;

struct vkc_recorder_counters
{
  uint64_t id;
  uint64_t buffers; /* frames whose flush led a submission as the tail */
  uint64_t submits;
  uint64_t submit_fails;
  uint64_t dispatches;
  uint64_t fused; /* jobs that a later one's dispatch did */
  uint64_t barriers;
  uint64_t waits; /* vkWaitSemaphores by streaming or application threads */
  uint64_t waits_eos;
  uint64_t waits_release;
  uint64_t watches; /* vkWaitSemaphores by the completion thread */
  uint64_t wait_timeouts;
  uint64_t flush[VKC_N_FLUSH_REASONS];
  uint64_t discarded;
  uint64_t state_only;
  uint64_t imports;
  uint64_t import_hits;
  uint64_t copies; /* vkCmdCopy* */
  uint64_t uploads;
  uint64_t downloads;
  uint64_t in_flight; /* submissions; a gauge */
  uint64_t pending;   /* jobs, steps included; a gauge */
  uint64_t splits;
  uint64_t quarantined;
};

/* Hangs @job on the image that it writes, as its pending producer, and takes
 * the caller's reference. If @job's owner has as many pending frames as its
 * limit allows, waits (at most $VKC_MAX_PENDING_MS) until one was flushed or
 * discarded, and then flushes the oldest. Any pending job that @job's output
 * had is discarded. Nothing is recorded yet, unless $VKC_BATCH is 1. */
VKC_API bool vkc_recorder_append (struct vkc_recorder *recorder,
                                  struct vkc_job *job, GError **error);

/* Submits everything that @image still waits for; @for_host: and makes its
 * content visible to the CPU in the same submission. *@done (may be NULL): the
 * timeline value that is reached when its content is there. Work that was
 * already submitted is not submitted again. @owner leads the flush in the
 * statistics; it may be NULL. Does not wait for the image.
 *
 * On failure no image state has been published. Where the batch was refused or
 * the device is lost, its images hold no content and the jobs' owners are told.
 * Where there was no command buffer in time, the image stays pending, and its
 * owner is told; where there was no host memory (@for_host), it stays pending
 * and nobody is told but the caller. */
VKC_API bool vkc_recorder_flush (struct vkc_recorder *recorder,
                                 struct vkc_image *image,
                                 enum vkc_flush_reason reason, bool for_host,
                                 struct vkc_owner *owner, uint64_t *done,
                                 GError **error);

/* Flushes all that @owner has pending, oldest first. */
VKC_API bool vkc_recorder_flush_owner (struct vkc_recorder *recorder,
                                       struct vkc_owner *owner,
                                       enum vkc_flush_reason reason,
                                       GError **error);

/* Waits, bounded by $VKC_TIMEOUT_MS, until @value is reached. */
VKC_API bool vkc_recorder_wait (struct vkc_recorder *recorder, uint64_t value,
                                GError **error);

/* Waits until all that @owner has in flight is over and its pins are back
 * (EOS, drain); on the completion thread, which lets go of them, not for pins.
 * Errors are @owner's own; another owner's are not consumed. */
VKC_API bool vkc_recorder_drain_owner (struct vkc_recorder *recorder,
                                       struct vkc_owner *owner, bool at_eos,
                                       GError **error);

/* Drops the pending job that writes @image, if any: the frame is wanted by
 * nobody. Never blocks on the GPU. */
VKC_API void vkc_recorder_discard (struct vkc_recorder *recorder,
                                   struct vkc_image *image);

/* The same from a place that must not wait for the recorder's lock (a memory
 * that is freed): where that is taken, it happens when it is released. @image
 * stays planned until then. */
VKC_API void vkc_recorder_discard_soon (struct vkc_recorder *recorder,
                                        struct vkc_image *image);

/* Waits, bounded, until all accepted work is over, and lets go of what it held;
 * counted as waits-release if it had to wait. For the allocator that is out of
 * memory, and before what should be a device's last reference goes. */
void vkc_recorder_run_releases (struct vkc_recorder *recorder);

/* The device is lost or hung: every call refuses, a new device is needed. */
VKC_API bool vkc_recorder_is_lost (struct vkc_recorder *recorder);

VKC_API struct vkc_recorder_counters
vkc_recorder_counters (struct vkc_recorder *recorder);

/* Counters that others keep. */
VKC_API void vkc_recorder_count_import (struct vkc_recorder *recorder,
                                        bool hit);
VKC_API void vkc_recorder_count_upload (struct vkc_recorder *recorder);
