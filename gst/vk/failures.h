/* Whose a failure is, and what it says of it. */
#pragma once

#include "gst/vk/recorder-private.h"

/* Owners to be told of an error once the lock is released. */
struct vkc_failures
{
  GPtrArray *owners; /* references; NULL if there are none */
  GError *error;
};

/* @error (copied) is @owner's, too; the first one is told. */
void vkc_failures_add (struct vkc_failures *failures, struct vkc_owner *owner,
                       const GError *error);

/* Without the lock: tells the owners, and clears @failures. */
void vkc_failures_deliver (struct vkc_failures *failures);

/* Puts before the message who wanted what done: "vktonemap0 (peak,
 * colorconvert), sharpen0 (sharpen): ...". */
void vkc_blame_jobs (const GPtrArray *jobs, GError **error);

/* The same for the jobs of the submission that signals @value or, where that is
 * over, of what comes next. Under the recorder's lock. */
void vkc_blame_submission (const struct vkc_recorder *recorder, uint64_t value,
                           GError **error);
