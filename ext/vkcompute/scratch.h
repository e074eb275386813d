/* Scratch images: what a frame is copied to between two jobs. Storage is used
 * again once no job needs it, so that a running stream allocates none.
 *
 * Threads: any. */
#pragma once

#include <gst/gst.h>

#include "gst/vk/image.h"

struct scratch_pool;

struct scratch
{
  struct vkc_image *image;
  struct scratch_pool *pool; /* a reference */
  gint ref_count;
};

struct scratch_pool *scratch_pool_new (struct vkc_device *device,
                                       const struct vkc_image_params *params);

/* Accepts NULL. Scratch images that jobs still need keep the pool. */
void scratch_pool_unref (struct scratch_pool *pool);

/* One reference for the caller; each job that reads or writes it pins another
 * (vkc_job_pin() with scratch_unref()). */
struct scratch *scratch_new (struct scratch_pool *pool, GError **error);
struct scratch *scratch_ref (struct scratch *scratch);

/* Accepts NULL. Whatever was planned to write it is discarded with the last
 * reference: nobody can read that any more. */
void scratch_unref (struct scratch *scratch);
