/* Scratch frames of one size, which may change with the caps. One streaming
 * thread. */
#pragma once

#include "scratch.h"

G_BEGIN_DECLS

struct work_pool
{
  gsize size; /* bytes */
  struct scratch_pool *pool;
};

/* Frames of @size bytes from now on. Error: RESOURCE/SETTINGS, for more than a
 * buffer of @device holds. */
gboolean work_pool_set (struct work_pool *self, struct vkc_device *device,
                        gsize size, GError **error);

/* Accepts a zeroed one. */
void work_pool_clear (struct work_pool *self);

G_END_DECLS
