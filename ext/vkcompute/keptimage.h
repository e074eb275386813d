/* Storage that is kept from frame to frame: history, state buffers. */
#pragma once

#include "gst/vk/image.h"

/* A persistent image (vkc_image_set_persistent()) that starts with @content,
 * and zeros behind it; NULL: all zeros. */
struct vkc_image *kept_image_new (struct vkc_device *device,
                                  const struct vkc_image_params *params,
                                  GBytes *content, GError **error);

/* The parameters of @size bytes in a buffer. */
void kept_image_buffer_params (struct vkc_image_params *params, gsize size);

/* The parameters of one plane of texels, rows without padding. */
void kept_image_texel_params (struct vkc_image_params *params, VkFormat format,
                              guint width, guint height);
