/* Storage of frames: allocation, views, mirrors. */
#include "gst/vk/image-private.h"

#include <string.h>

#include "gst/vk/dmabuf-private.h"
#include "gst/vk/format.h"
#include "gst/vk/recorder-private.h"
#include "gst/vk/result.h"

const VkImageSubresourceRange vkc_whole_image = {
  .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
  .levelCount = 1,
  .layerCount = 1,
};

static bool
create_plane (struct vkc_image *image, uint32_t plane, GError **error)
{
  struct vkc_device *device = image->device;
  const struct vkc_plane *layout = &image->params.planes[plane];
  const VkImageCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
    .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT,
    .imageType = VK_IMAGE_TYPE_2D,
    .format = layout->format,
    .extent = { layout->width, layout->height, 1 },
    .mipLevels = 1,
    .arrayLayers = 1,
    .samples = VK_SAMPLE_COUNT_1_BIT,
    .tiling = VK_IMAGE_TILING_OPTIMAL,
    .usage = VKC_IMAGE_USAGE,
    .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
  };

  return vkc_check (device->vk.CreateImage (device->handle, &info, NULL,
                                            &image->planes[plane]),
                    "vkCreateImage", error);
}

/* All planes in one allocation. */
static bool
bind_planes (struct vkc_image *image, GError **error)
{
  struct vkc_device *device = image->device;
  VkDeviceSize offsets[VKC_MAX_PLANES];
  VkMemoryAllocateInfo info = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
  };
  uint32_t type_bits = UINT32_MAX;

  for (uint32_t i = 0; i < image->params.n_planes; i++) {
    VkMemoryRequirements needs;

    device->vk.GetImageMemoryRequirements (device->handle, image->planes[i],
                                           &needs);
    offsets[i] = (info.allocationSize + needs.alignment - 1) / needs.alignment
                 * needs.alignment;
    info.allocationSize = offsets[i] + needs.size;
    type_bits &= needs.memoryTypeBits;
  }
  info.memoryTypeIndex = vkc_device_memory_type (
      device, type_bits, 0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
  if (!vkc_device_allocate (device, &info, &image->plane_memory, error))
    return false;
  for (uint32_t i = 0; i < image->params.n_planes; i++)
    if (!vkc_check (
            device->vk.BindImageMemory (device->handle, image->planes[i],
                                        image->plane_memory, offsets[i]),
            "vkBindImageMemory", error))
      return false;
  return true;
}

struct vkc_image *
vkc_image_new_empty (struct vkc_device *device,
                     const struct vkc_image_params *params)
{
  struct vkc_image *image = g_new0 (struct vkc_image, 1);

  image->ref_count = 1;
  image->device = vkc_device_ref (device);
  image->params = *params;
  image->views = g_array_new (FALSE, FALSE, sizeof (struct vkc_image_view));
  vkc_mutex_init (&image->lock);
  return image;
}

static bool
create_storage (struct vkc_image *image, GError **error)
{
  struct vkc_device *device = image->device;

  if (image->params.storage == VKC_STORAGE_BUFFER) {
    image->is_direct = device->has_direct_memory || image->params.for_host;
    return vkc_storage_init (device, &image->buffer, image->params.size,
                             image->is_direct, error);
  }
  for (uint32_t i = 0; i < image->params.n_planes; i++)
    if (!create_plane (image, i, error))
      return false;
  return bind_planes (image, error);
}

struct vkc_image *
vkc_image_new (struct vkc_device *device, const struct vkc_image_params *params,
               GError **error)
{
  struct vkc_image *image = vkc_image_new_empty (device, params);

  if (create_storage (image, error))
    return image;
  vkc_image_destroy (image);
  return NULL;
}

static bool
import_pages (struct vkc_image *image, void *pages, size_t size, GError **error)
{
  struct vkc_device *device = image->device;
  const VkExternalMemoryHandleTypeFlagBits type
      = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
  const VkExternalMemoryBufferCreateInfo external = {
    .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
    .handleTypes = type,
  };
  const VkImportMemoryHostPointerInfoEXT import = {
    .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
    .handleType = type,
    .pHostPointer = pages,
  };
  VkMemoryAllocateInfo info = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
    .pNext = &import,
    .allocationSize = size,
  };
  VkMemoryHostPointerPropertiesEXT host = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT,
  };
  VkMemoryRequirements needs;

  if (!vkc_storage_create (device, &image->buffer, size, &external, error)
      || !vkc_check (device->vk.GetMemoryHostPointerPropertiesEXT (
                         device->handle, type, pages, &host),
                     "vkGetMemoryHostPointerPropertiesEXT", error))
    return false;
  device->vk.GetBufferMemoryRequirements (device->handle, image->buffer.handle,
                                          &needs);
  info.memoryTypeIndex = vkc_device_memory_type (
      device, needs.memoryTypeBits & host.memoryTypeBits, VKC_HOST_ACCESS,
      VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
  if (info.memoryTypeIndex == UINT32_MAX || needs.size > size) {
    g_set_error_literal (error, VKC_ERROR, VKC_ERROR_FAILED,
                         "host pages cannot back a buffer on this device");
    return false;
  }
  return vkc_device_allocate (device, &info, &image->buffer.memory, error)
         && vkc_check (device->vk.BindBufferMemory (device->handle,
                                                    image->buffer.handle,
                                                    image->buffer.memory, 0),
                       "vkBindBufferMemory", error);
}

struct vkc_image *
vkc_image_new_from_host_pages (struct vkc_device *device, void *pages,
                               size_t size,
                               const struct vkc_image_params *params,
                               GError **error)
{
  struct vkc_image *image = vkc_image_new_empty (device, params);

  g_assert (params->storage == VKC_STORAGE_BUFFER);
  image->is_direct = image->content_is_foreign = true;
  image->state.device_valid = image->state.host_valid = true;
  if (!import_pages (image, pages, size, error)) {
    vkc_image_destroy (image);
    return NULL;
  }
  image->buffer.host = pages;
  return image;
}

void
vkc_image_set_persistent (struct vkc_image *image)
{
  image->readers = g_ptr_array_new ();
}

void
vkc_image_destroy_parked (struct vkc_image *image)
{
  struct vkc_device *device = image->device;
  const struct vkc_functions *vk = &device->vk;

  for (guint i = 0; i < image->views->len; i++)
    vk->DestroyImageView (
        device->handle,
        g_array_index (image->views, struct vkc_image_view, i).handle, NULL);
  for (uint32_t i = 0; i < VKC_MAX_PLANES; i++)
    vk->DestroyImage (device->handle, image->planes[i], NULL);
  vk->FreeMemory (device->handle, image->plane_memory, NULL);
  vkc_storage_clear (device, &image->mirror);
  vkc_storage_clear (device, &image->buffer);
  vkc_dmabuf_clear (image);
  vkc_owner_unref (image->writer);
  if (image->readers)
    g_ptr_array_unref (image->readers);
  g_array_unref (image->views);
  vkc_mutex_clear (&image->lock);
  g_free (image);
}

void
vkc_image_destroy (struct vkc_image *image)
{
  struct vkc_device *device = image->device;

  vkc_image_destroy_parked (image);
  vkc_device_unref (device);
}

struct vkc_image *
vkc_image_ref (struct vkc_image *image)
{
  g_atomic_int_inc (&image->ref_count);
  return image;
}

bool
vkc_image_try_ref (struct vkc_image *image)
{
  int count = g_atomic_int_get (&image->ref_count);

  while (count > 0) {
    if (g_atomic_int_compare_and_exchange (&image->ref_count, count, count + 1))
      return true;
    count = g_atomic_int_get (&image->ref_count);
  }
  return false;
}

void
vkc_image_unref (struct vkc_image *image)
{
  if (image && image->dmabuf) {
    vkc_dmabuf_unref (image);
    return;
  }
  if (!image || !g_atomic_int_dec_and_test (&image->ref_count))
    return;
  /* An import has no producer to be rid of, and must go before its pages. */
  if (image->content_is_foreign)
    vkc_image_destroy (image);
  else
    vkc_recorder_dispose (image->device->recorder, image);
}

struct vkc_device *
vkc_image_device (const struct vkc_image *image)
{
  return image->device;
}

const struct vkc_image_params *
vkc_image_params (const struct vkc_image *image)
{
  return &image->params;
}

const struct vkc_storage_buffer *
vkc_image_host_side (const struct vkc_image *image)
{
  return image->is_direct ? &image->buffer : &image->mirror;
}

static bool
has_mirror (struct vkc_image *image)
{
  bool has;

  vkc_mutex_lock (&image->lock);
  has = image->mirror.handle;
  vkc_mutex_unlock (&image->lock);
  return has;
}

bool
vkc_image_reserve_host (struct vkc_image *image, GError **error)
{
  struct vkc_storage_buffer mirror;

  if (image->is_direct || image->dmabuf || has_mirror (image))
    return true;
  /* May wait for the GPU: not under the lock. */
  if (!vkc_storage_init (image->device, &mirror, image->params.size, true,
                         error))
    return false;
  vkc_mutex_lock (&image->lock);
  if (!image->mirror.handle) {
    image->mirror = mirror;
    mirror = (struct vkc_storage_buffer){ 0 };
  }
  vkc_mutex_unlock (&image->lock);
  /* Of two threads, one has made it in vain. */
  vkc_storage_clear (image->device, &mirror);
  return true;
}

static VkImageView
create_view (struct vkc_image *image, uint32_t plane, VkFormat format,
             GError **error)
{
  struct vkc_device *device = image->device;
  const VkImageViewCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
    .image = image->planes[plane],
    .viewType = VK_IMAGE_VIEW_TYPE_2D,
    .format = format,
    .subresourceRange = vkc_whole_image,
  };
  struct vkc_image_view view = { .plane = plane, .format = format };

  if (vkc_check (device->vk.CreateImageView (device->handle, &info, NULL,
                                             &view.handle),
                 "vkCreateImageView", error))
    g_array_append_val (image->views, view);
  return view.handle;
}

VkImageView
vkc_image_view (struct vkc_image *image, uint32_t plane, VkFormat format,
                GError **error)
{
  VkImageView handle = VK_NULL_HANDLE;

  if (format == VK_FORMAT_UNDEFINED)
    format = image->params.planes[plane].format;
  vkc_mutex_lock (&image->lock);
  for (guint i = 0; i < image->views->len && !handle; i++) {
    const struct vkc_image_view *view
        = &g_array_index (image->views, struct vkc_image_view, i);

    if (view->plane == plane && view->format == format)
      handle = view->handle;
  }
  if (!handle)
    handle = create_view (image, plane, format, error);
  vkc_mutex_unlock (&image->lock);
  return handle;
}
