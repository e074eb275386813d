/* Buffers of plain data on the device: tables, parameters, state. */
#pragma once

#include <glib.h>

#include "gst/vk/image.h"

G_BEGIN_DECLS

/* The parameters of @size bytes in a buffer. */
void data_buffer_params (struct vkc_image_params *params, gsize size);

/* A buffer with a copy of @data, @size bytes; NULL: zeros. Transfer full. */
struct vkc_image *data_buffer_new (struct vkc_device *device,
                                   gconstpointer data, gsize size,
                                   GError **error);

G_END_DECLS
