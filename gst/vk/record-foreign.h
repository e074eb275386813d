/* Dmabufs come from whoever else uses them, and go back. Under the recorder's
 * lock. */
#pragma once

#include "gst/vk/record.h"

/* @image is the batch's until it is released; @next: its first use. */
void vkc_foreign_acquire (struct vkc_barriers *barriers,
                          struct vkc_image *image, struct vkc_access next);

/* Releases every dmabuf that the batch has acquired. */
void vkc_foreign_release_all (struct vkc_recorder *recorder);

/* Releases the other views of @image's dmabuf, so that this one can be
 * acquired. */
void vkc_foreign_release_aliases (struct vkc_recorder *recorder,
                                  const struct vkc_image *image);
