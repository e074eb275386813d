/* Scratch images: what a frame is copied to between two jobs. Storage is used
 * again as soon as all jobs that need it are submitted (the recorder orders
 * them), so that a running stream allocates none and holds few.
 *
 * Threads: a pool belongs to one streaming thread; the rest: any. */
#pragma once

#include <gst/gst.h>

#include "gst/vk/image.h"
#include "gst/vk/job.h"

struct scratch_pool;
struct scratch;

struct scratch_pool *scratch_pool_new (struct vkc_device *device,
                                       const struct vkc_image_params *params);

/* Accepts NULL. Scratch images that jobs still need keep the pool. */
void scratch_pool_unref (struct scratch_pool *pool);

/* For one frame; the caller's until scratch_planned(). */
struct scratch *scratch_new (struct scratch_pool *pool, GError **error);

/* Borrowed. */
struct vkc_image *scratch_image (const struct scratch *scratch);

/* @job, planned and not yet appended, reads it. Once all who do are dropped,
 * what was planned to write it is discarded: nobody would see it. */
void scratch_pin (struct scratch *scratch, struct vkc_job *job);

/* All jobs of the frame are appended, or will never be. Accepts NULL. */
void scratch_planned (struct scratch *scratch);
