/* Data that the host writes once. */
#include "databuffer.h"

#include <string.h>

void
data_buffer_params (struct vkc_image_params *params, gsize size)
{
  *params = (struct vkc_image_params){
    .storage = VKC_STORAGE_BUFFER,
    .n_planes = 1,
    .planes = { { .width = size, .height = 1, .stride = size } },
    .size = size,
  };
}

struct vkc_image *
data_buffer_new (struct vkc_device *device, gconstpointer data, gsize size,
                 GError **error)
{
  struct vkc_image_params params;
  struct vkc_image *image;
  gpointer bytes;

  data_buffer_params (&params, size);
  image = vkc_image_new (device, &params, error);
  if (image == NULL)
    return NULL;
  bytes = vkc_image_map (image, VKC_MAP_WRITE, error);
  if (bytes == NULL) {
    vkc_image_unref (image);
    return NULL;
  }
  if (data != NULL)
    memcpy (bytes, data, size);
  else
    memset (bytes, 0, size);
  vkc_image_unmap (image, VKC_MAP_WRITE);
  return image;
}
