/* Makes buffers and images on imported dmabufs. */
#include "gst/vk/dmabuf-private.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "gst/vk/format.h"
#include "gst/vk/result.h"

/* Imports planes[@plane]'s dmabuf for a resource with these @needs. */
static bool
import_memory (struct vkc_image *image, uint32_t plane,
               const VkMemoryRequirements *needs, VkImage dedicated,
               GError **error)
{
  struct vkc_device *device = image->device;
  struct vkc_dmabuf_import *import = image->dmabuf;
  const VkMemoryDedicatedAllocateInfo dedicated_info = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
    .image = dedicated,
  };
  VkImportMemoryFdInfoKHR import_info = {
    .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
    .pNext = dedicated ? &dedicated_info : NULL,
    .handleType = VKC_DMABUF_HANDLE,
  };
  VkMemoryAllocateInfo info = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
    .pNext = &import_info,
    .allocationSize = dedicated ? needs->size : import->sizes[plane],
  };
  VkMemoryFdPropertiesKHR properties = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_FD_PROPERTIES_KHR,
  };

  if (!vkc_check (device->vk.GetMemoryFdPropertiesKHR (
                      device->handle, VKC_DMABUF_HANDLE, import->fds[plane],
                      &properties),
                  "vkGetMemoryFdPropertiesKHR", error))
    return false;
  info.memoryTypeIndex = vkc_device_memory_type (
      device, needs->memoryTypeBits & properties.memoryTypeBits, 0, 0);
  if (info.memoryTypeIndex == UINT32_MAX)
    return vkc_refuse (error, "no memory of this device can be that dmabuf");

  /* A successful import owns the descriptor. */
  import_info.fd = fcntl (import->fds[plane], F_DUPFD_CLOEXEC, 0);
  if (import_info.fd < 0)
    return vkc_refuse (error, "no more file descriptors");
  if (vkc_device_allocate (device, &info, &import->memory[plane], error))
    return true;
  close (import_info.fd);
  return false;
}

static bool
fill_buffer (struct vkc_image *image, GError **error)
{
  struct vkc_device *device = image->device;
  struct vkc_dmabuf_import *import = image->dmabuf;
  const VkExternalMemoryBufferCreateInfo external = {
    .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
    .handleTypes = VKC_DMABUF_HANDLE,
  };
  const size_t size = import->sizes[0] & ~(size_t)3;
  VkMemoryRequirements needs;

  if (size == 0 || size > device->limits.maxStorageBufferRange)
    return vkc_refuse (error, "the dmabuf is empty or too large for a buffer");
  image->params = (struct vkc_image_params){
    .storage = VKC_STORAGE_BUFFER,
    .n_planes = 1,
    .planes = { { .width = (uint32_t)size, .height = 1, .stride = 4 } },
    .size = size,
  };
  if (!vkc_storage_create (device, &image->buffer, size, &external, error))
    return false;
  device->vk.GetBufferMemoryRequirements (device->handle, image->buffer.handle,
                                          &needs);
  if (needs.size > import->sizes[0])
    return vkc_refuse (error, "the dmabuf is smaller than a buffer must be");
  return import_memory (image, 0, &needs, VK_NULL_HANDLE, error)
         && vkc_check (device->vk.BindBufferMemory (device->handle,
                                                    image->buffer.handle,
                                                    import->memory[0], 0),
                       "vkBindBufferMemory", error);
}

static bool
create_image (struct vkc_image *image, uint32_t plane,
              const struct vkc_dmabuf *dmabuf, GError **error)
{
  const struct vkc_dmabuf_plane *from = &dmabuf->planes[plane];
  const VkSubresourceLayout memory_layout = {
    .offset = from->offset,
    .rowPitch = from->stride,
  };
  const VkImageDrmFormatModifierExplicitCreateInfoEXT modifier = {
    .sType
    = VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_EXPLICIT_CREATE_INFO_EXT,
    .drmFormatModifier = dmabuf->modifier,
    .drmFormatModifierPlaneCount = 1,
    .pPlaneLayouts = &memory_layout,
  };

  return vkc_dmabuf_create_plane (
      image->device, &image->params.planes[plane],
      image->device->has_modifiers ? &modifier : NULL, &image->planes[plane],
      error);
}

/* Without explicit modifiers the driver chooses the pitch. */
static bool
has_pitch (struct vkc_image *image, uint32_t plane, uint32_t stride)
{
  struct vkc_device *device = image->device;
  const VkImageSubresource subresource = {
    .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
  };
  VkSubresourceLayout layout;

  device->vk.GetImageSubresourceLayout (device->handle, image->planes[plane],
                                        &subresource, &layout);
  return layout.rowPitch == stride && layout.offset == 0;
}

static bool
fill_plane (struct vkc_image *image, uint32_t plane,
            const struct vkc_dmabuf *dmabuf, GError **error)
{
  struct vkc_device *device = image->device;
  struct vkc_dmabuf_import *import = image->dmabuf;
  const struct vkc_dmabuf_plane *from = &dmabuf->planes[plane];
  const size_t start = device->has_modifiers ? 0 : from->offset;
  VkMemoryRequirements needs;

  if (!create_image (image, plane, dmabuf, error))
    return false;
  if (!device->has_modifiers && !has_pitch (image, plane, from->stride))
    return vkc_refuse (error, "the device wants another stride");
  device->vk.GetImageMemoryRequirements (device->handle, image->planes[plane],
                                         &needs);
  if (start % needs.alignment != 0)
    return vkc_refuse (error, "the device wants a plane to start elsewhere");
  if (start > import->sizes[plane] || needs.size > import->sizes[plane] - start)
    return vkc_refuse (error, "the dmabuf ends before its plane does");
  return import_memory (image, plane, &needs,
                        start == 0 ? image->planes[plane] : VK_NULL_HANDLE,
                        error)
         && vkc_check (
             device->vk.BindImageMemory (device->handle, image->planes[plane],
                                         import->memory[plane], start),
             "vkBindImageMemory", error);
}

/* The last byte of a linear plane is in the dmabuf. */
static bool
plane_fits (const struct vkc_dmabuf_plane *plane, size_t size)
{
  const size_t texel = vkc_format_texel_size (plane->format);
  const size_t row = plane->width * texel;

  return texel > 0 && plane->height > 0 && plane->stride % texel == 0
         && row <= plane->stride && plane->offset <= size
         && row <= size - plane->offset
         && plane->height - 1 <= (size - plane->offset - row) / plane->stride;
}

/* A linear plane is as wide as its stride allows: the driver then chooses the
 * right pitch even where it cannot be told. */
static bool
set_planes (struct vkc_image *image, const struct vkc_dmabuf *dmabuf,
            GError **error)
{
  const bool linear = dmabuf->modifier == VKC_MODIFIER_LINEAR;

  image->params = (struct vkc_image_params){
    .storage = VKC_STORAGE_IMAGE,
    .n_planes = dmabuf->n_planes,
  };
  for (uint32_t i = 0; i < dmabuf->n_planes; i++) {
    const struct vkc_dmabuf_plane *from = &dmabuf->planes[i];
    const uint32_t texel = vkc_format_texel_size (from->format);
    struct vkc_plane *plane = &image->params.planes[i];

    if (linear && !plane_fits (from, image->dmabuf->sizes[i]))
      return vkc_refuse (error, "a plane does not lie within its dmabuf");
    *plane = (struct vkc_plane){
      .format = from->format,
      .width = linear ? from->stride / texel : from->width,
      .height = from->height,
      .stride = from->stride,
    };
    if (plane->width > image->device->limits.maxImageDimension2D)
      plane->width = from->width;
  }
  return true;
}

static bool
take_fds (struct vkc_dmabuf_import *import, const struct vkc_dmabuf *dmabuf,
          GError **error)
{
  const uint32_t n
      = dmabuf->storage == VKC_STORAGE_BUFFER ? 1 : dmabuf->n_planes;

  memset (import->fds, -1, sizeof import->fds);
  for (uint32_t i = 0; i < n; i++) {
    const off_t size = lseek (dmabuf->planes[i].fd, 0, SEEK_END);

    if (size <= 0)
      return vkc_refuse (error, "a file descriptor is no dmabuf");
    import->sizes[i] = (size_t)size;
    import->fds[i] = fcntl (dmabuf->planes[i].fd, F_DUPFD_CLOEXEC, 0);
    if (import->fds[i] < 0)
      return vkc_refuse (error, "no more file descriptors");
  }
  return true;
}

bool
vkc_dmabuf_fill (struct vkc_image *image, const struct vkc_dmabuf *dmabuf,
                 const struct vkc_dmabuf_key *key, GError **error)
{
  struct vkc_dmabuf_import *import = g_new0 (struct vkc_dmabuf_import, 1);

  image->dmabuf = import;
  image->content_is_foreign = true;
  image->state.device_valid = true;
  import->key = *key;
  import->link.data = image;
  if (!take_fds (import, dmabuf, error))
    return false;
  if (dmabuf->storage == VKC_STORAGE_BUFFER)
    return fill_buffer (image, error);
  for (uint32_t i = 0; i < dmabuf->n_planes; i++)
    if (!vkc_dmabuf_knows_modifier (image->device, dmabuf->planes[i].format,
                                    dmabuf->modifier))
      return vkc_refuse (error, "the device does not know that modifier");
  if (!set_planes (image, dmabuf, error))
    return false;
  for (uint32_t i = 0; i < dmabuf->n_planes; i++)
    if (!fill_plane (image, i, dmabuf, error))
      return false;
  return true;
}

void
vkc_dmabuf_clear (struct vkc_image *image)
{
  struct vkc_device *device = image->device;
  struct vkc_dmabuf_import *import = image->dmabuf;

  if (!import)
    return;
  for (uint32_t i = 0; i < VKC_MAX_PLANES; i++) {
    device->vk.FreeMemory (device->handle, import->memory[i], NULL);
    if (import->fds[i] >= 0)
      close (import->fds[i]);
  }
  g_free (import);
}

bool
vkc_dmabuf_is_alias (const struct vkc_image *a, const struct vkc_image *b)
{
  for (uint32_t i = 0; i < a->params.n_planes; i++)
    for (uint32_t k = 0; k < b->params.n_planes; k++)
      if (memcmp (&a->dmabuf->key.objects[i], &b->dmabuf->key.objects[k],
                  sizeof a->dmabuf->key.objects[i])
          == 0)
        return true;
  return false;
}

bool
vkc_image_is_dmabuf (const struct vkc_image *image)
{
  return image->dmabuf != NULL;
}
