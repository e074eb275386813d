/* Imported dmabufs as the recorder sees them. */
#pragma once

#include <sys/types.h>

#include "gst/vk/dmabuf.h"
#include "gst/vk/image-private.h"

#define VKC_DMABUF_HANDLE VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT

struct vkc_import_cache;

/* What tells one dmabuf, and one way to see it, from another. */
struct vkc_dmabuf_key
{
  struct
  {
    dev_t device;
    ino_t inode;
  } objects[VKC_MAX_PLANES]; /* of each plane */
  struct vkc_dmabuf view;    /* with all descriptors -1 */
};

struct vkc_dmabuf_import
{
  struct vkc_dmabuf_key key;
  int fds[VKC_MAX_PLANES];   /* one a plane, ours: they keep the inode */
  size_t sizes[VKC_MAX_PLANES]; /* of the dmabufs, bytes */
  VkDeviceMemory memory[VKC_MAX_PLANES];

  /* Guarded by the cache's lock. */
  bool is_listed;
  bool is_kept;
  bool is_parked; /* listed, without references, without one of the device */
  GList link;     /* among the parked ones */

  int has_no_fences; /* atomic: the kernel gives and takes none for it */
  uint64_t fenced;   /* the recorder's lock: value whose fence was attached */
};

/* dmabuf.c: @image, half built, becomes an import of @dmabuf. */
bool vkc_dmabuf_fill (struct vkc_image *image, const struct vkc_dmabuf *dmabuf,
                      const struct vkc_dmabuf_key *key, GError **error);

/* dmabuf-modifiers.c: whether vkc_dmabuf_modifiers() lists @modifier: drivers
 * may make what they are asked for with one that they do not know. */
bool vkc_dmabuf_knows_modifier (struct vkc_device *device, VkFormat format,
                                uint64_t modifier);

/* dmabuf-plane.c: an image for @plane, without memory. @modifier: which, and
 * how it lies, as VkImageCreateInfo::pNext has it; NULL: as the driver lays
 * out linear images. */
bool vkc_dmabuf_create_plane (struct vkc_device *device,
                              const struct vkc_plane *plane,
                              const void *modifier, VkImage *image,
                              GError **error);

/* Part of vkc_image_destroy(). */
void vkc_dmabuf_clear (struct vkc_image *image);

/* Whether they name the same dmabuf. */
bool vkc_dmabuf_is_alias (const struct vkc_image *a,
                          const struct vkc_image *b);

/* dmabuf-cache.c. The cache belongs to the recorder; its lock is innermost. */
struct vkc_import_cache *vkc_import_cache_new (void);
void vkc_import_cache_free (struct vkc_import_cache *cache);

/* vkc_image_unref() of an import. */
void vkc_dmabuf_unref (struct vkc_image *image);
