/* Pipelines on disk. */
#include "gst/vk/pipeline-store.h"

#include <string.h>

/* The file: a checksum, as text, of the driver's data, and these. Drivers have
 * to check what they are given, but not all of them survive what they find. */
#define SUM_LENGTH 64

struct vkc_pipeline_store
{
  struct vkc_device *device;
  VkPipelineCache handle;
  char *path;
  char *data; /* as read; NULL if there was nothing */
  gsize size;
};

static char *
path_for (const struct vkc_device *device)
{
  char hex[2 * VK_UUID_SIZE + 1];
  g_autofree char *name = NULL;

  for (unsigned i = 0; i < VK_UUID_SIZE; i++)
    g_snprintf (hex + 2 * i, 3, "%02x", device->pipeline_cache_uuid[i]);
  name = g_strconcat (hex, ".pipelines", NULL);
  return g_build_filename (g_get_user_cache_dir (), "gst-vkcompute", name,
                           NULL);
}

static char *
sum_of (const char *data, gsize size)
{
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) data,
                                      size);
}

static bool
is_for (const struct vkc_device *device, const char *data, gsize size)
{
  VkPipelineCacheHeaderVersionOne header;

  if (size < sizeof header)
    return false;
  memcpy (&header, data, sizeof header);
  return header.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE
         && header.vendorID == device->vendor_id
         && header.deviceID == device->device_id
         && memcmp (header.pipelineCacheUUID, device->pipeline_cache_uuid,
                    VK_UUID_SIZE)
                == 0;
}

static void
load (struct vkc_pipeline_store *store)
{
  g_autofree char *file = NULL, *sum = NULL;
  gsize size;

  if (!g_file_get_contents (store->path, &file, &size, NULL)
      || size <= SUM_LENGTH)
    return;
  size -= SUM_LENGTH;
  sum = sum_of (file + SUM_LENGTH, size);
  if (memcmp (sum, file, SUM_LENGTH) != 0
      || !is_for (store->device, file + SUM_LENGTH, size))
    return;
  store->data = g_memdup2 (file + SUM_LENGTH, size);
  store->size = size;
}

struct vkc_pipeline_store *
vkc_pipeline_store_new (struct vkc_device *device)
{
  struct vkc_pipeline_store *store = g_new0 (struct vkc_pipeline_store, 1);
  VkPipelineCacheCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
  };

  store->device = device;
  store->path = path_for (device);
  load (store);
  info.initialDataSize = store->size;
  info.pInitialData = store->data;
  if (device->vk.CreatePipelineCache (device->handle, &info, NULL,
                                      &store->handle)
      != VK_SUCCESS)
    store->handle = VK_NULL_HANDLE;
  return store;
}

VkPipelineCache
vkc_pipeline_store_handle (const struct vkc_pipeline_store *store)
{
  return store->handle;
}

/* A driver that keeps nothing gives no more than the header. */
static void
save (const struct vkc_pipeline_store *store, const char *data, gsize size)
{
  g_autofree char *folder = NULL, *sum = NULL;
  g_autoptr (GByteArray) file = NULL;

  if (size <= sizeof (VkPipelineCacheHeaderVersionOne)
      || (size == store->size && memcmp (data, store->data, size) == 0))
    return;
  folder = g_path_get_dirname (store->path);
  sum = sum_of (data, size);
  file = g_byte_array_sized_new ((guint) (SUM_LENGTH + size));
  g_byte_array_append (file, (const guint8 *) sum, SUM_LENGTH);
  g_byte_array_append (file, (const guint8 *) data, (guint) size);
  if (g_mkdir_with_parents (folder, 0700) == 0)
    g_file_set_contents (store->path, (const char *) file->data, file->len,
                         NULL);
}

void
vkc_pipeline_store_free (struct vkc_pipeline_store *store)
{
  struct vkc_device *device;
  size_t size = 0;

  if (!store)
    return;
  device = store->device;
  if (store->handle
      && device->vk.GetPipelineCacheData (device->handle, store->handle, &size,
                                          NULL)
             == VK_SUCCESS) {
    g_autofree char *data = g_malloc (size);

    if (device->vk.GetPipelineCacheData (device->handle, store->handle, &size,
                                         data)
        == VK_SUCCESS)
      save (store, data, size);
  }
  device->vk.DestroyPipelineCache (device->handle, store->handle, NULL);
  g_free (store->path);
  g_free (store->data);
  g_free (store);
}
