/* Implicit fences of dmabufs: those of others in, ours out. */
#pragma once

#include "gst/vk/recorder-private.h"

/* Under the recorder's lock, before the submission: what it waits for beside
 * its own timeline. *@n: how many; the array is the batch's. */
const VkSemaphoreSubmitInfo *vkc_fence_waits (struct vkc_recorder *recorder,
                                              uint32_t *n);

/* The semaphore that tells others when the batch is over; NULL if nobody wants
 * to know, or it cannot be told. */
VkSemaphore vkc_fence_signal (struct vkc_recorder *recorder);

/* The queue has accepted the batch, whose @signal (or NULL) it signals with
 * @value: the waits are the slot's now, and a sync file is kept for
 * vkc_fence_take(). */
void vkc_fence_accepted (struct vkc_recorder *recorder, VkSemaphore signal,
                         uint64_t value);

/* Under the lock: what the last batch left to be put on dmabufs. */
struct vkc_outgoing_fence vkc_fence_take (struct vkc_recorder *recorder);

/* Not under the lock: puts it there. */
void vkc_fence_deliver (struct vkc_recorder *recorder,
                        struct vkc_outgoing_fence *fence);

/* Destroys the semaphores that @job was to wait for, if it never ran. */
void vkc_fence_drop_waits (struct vkc_job *job);
