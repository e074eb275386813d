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

/* The queue has refused the batch: @signal (or NULL) is free again. */
void vkc_fence_refused (struct vkc_recorder *recorder, VkSemaphore signal);

/* The queue has accepted the batch: the waits are the slot's now. */
void vkc_fence_waits_accepted (struct vkc_recorder *recorder);

/* The queue has accepted the batch, whose @signal (or NULL) it signals with
 * @value: it is kept for vkc_fence_take(). */
void vkc_fence_accepted (struct vkc_recorder *recorder, VkSemaphore signal,
                         uint64_t value);

/* Under the lock: what submissions left to be put on dmabufs, or NULL. */
GArray *vkc_fence_take (struct vkc_recorder *recorder);

/* Not under the lock, for a driver may wait for the work when it makes a sync
 * file of a semaphore (lavapipe does): puts them there. Takes @fences. */
void vkc_fence_deliver (struct vkc_recorder *recorder, GArray *fences);

/* A semaphore of @idle ones, no longer among them; NULL if there is none. */
VkSemaphore vkc_fence_take_idle (GArray *idle);

/* Part of vkc_recorder_free(). */
void vkc_fence_clear (struct vkc_recorder *recorder);

/* Destroys the semaphores that @job was to wait for, if it never ran. */
void vkc_fence_drop_waits (struct vkc_job *job);
