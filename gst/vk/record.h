/* Turns planned jobs into commands of the open batch. Nothing here is
 * published: images change their `next` state only. All under the recorder's
 * lock. */
#pragma once

#include "gst/vk/recorder-private.h"

/* Barriers that are emitted with one command. */
struct vkc_barriers
{
  uint32_t n_images, n_buffers;
  VkImageMemoryBarrier2 images[VKC_MAX_BINDINGS * VKC_MAX_PLANES];
  VkBufferMemoryBarrier2 buffers[VKC_MAX_BINDINGS + 1];
};

bool vkc_record_job (struct vkc_recorder *recorder, const struct vkc_job *job,
                     GError **error);

/* Copies @image into what the CPU maps. */
void vkc_record_download (struct vkc_recorder *recorder,
                          struct vkc_image *image);

/* Makes everything written so far visible to the CPU. */
void vkc_record_host_barrier (struct vkc_recorder *recorder);
