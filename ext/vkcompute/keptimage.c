/* Storage that is kept from frame to frame. */
#include "keptimage.h"

#include <string.h>

#include "databuffer.h"
#include "gst/vk/format.h"

void
kept_image_buffer_params (struct vkc_image_params *params, gsize size)
{
  data_buffer_params (params, (size + 3) & ~(gsize)3);
}

void
kept_image_texel_params (struct vkc_image_params *params, VkFormat format,
                         guint width, guint height)
{
  const guint stride = width * vkc_format_texel_size (format);

  *params = (struct vkc_image_params){
    .storage = VKC_STORAGE_IMAGE,
    .n_planes = 1,
    .planes = { { .format = format,
                  .width = width,
                  .height = height,
                  .stride = stride } },
    .size = (gsize)stride * height,
  };
}

struct vkc_image *
kept_image_new (struct vkc_device *device,
                const struct vkc_image_params *params, GBytes *content,
                GError **error)
{
  struct vkc_image *image = vkc_image_new (device, params, error);
  guint8 *bytes;

  if (image == NULL)
    return NULL;
  vkc_image_set_persistent (image);
  bytes = vkc_image_map (image, VKC_MAP_WRITE, error);
  if (bytes == NULL) {
    vkc_image_unref (image);
    return NULL;
  }
  memset (bytes, 0, params->size);
  if (content != NULL) {
    gsize size;
    gconstpointer data = g_bytes_get_data (content, &size);

    memcpy (bytes, data, MIN (size, params->size));
  }
  vkc_image_unmap (image, VKC_MAP_WRITE);
  return image;
}
