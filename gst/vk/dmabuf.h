/* Frames in dmabufs, which other devices and processes write and read.
 *
 * One dmabuf seen in one way is one vkc_image, however many file descriptors
 * and memories name it: it is known by the inode, never by the number of a
 * descriptor. The image belongs to a foreign queue family: each submission
 * that touches it acquires it once and releases it once.
 *
 * Threads: any. */
#pragma once

#include <poll.h>

#include "gst/vk/image.h"

#define VKC_MODIFIER_LINEAR UINT64_C (0)

struct vkc_dmabuf_plane
{
  int fd;                 /* borrowed; planes may share one */
  size_t offset;          /* bytes from the start of the dmabuf */
  uint32_t stride;        /* bytes */
  uint32_t width, height; /* texels that are used */
  VkFormat format;        /* of the VkImage */
};

/* A way to see dmabufs. BUFFER storage takes the whole of planes[0].fd and
 * ignores the rest of the plane: its image has one plane of bytes. */
struct vkc_dmabuf
{
  enum vkc_storage storage;
  uint64_t modifier; /* VKC_MODIFIER_LINEAR for a buffer */
  uint32_t n_planes;
  struct vkc_dmabuf_plane planes[VKC_MAX_PLANES];
};

/* The image of @dmabuf, made now or found (counted as import or import-hit).
 * @keep: when nobody holds it any more it stays for later, one of at most
 * $VKC_MAX_IMPORTS (32) such images, of which the least recently used goes
 * first; otherwise it goes with its last reference. A VkImage of linear planes
 * may be wider than asked for: see vkc_image_params(). Errors: REFUSED for what
 * the dmabuf or the device cannot be, else as vkc_image_new(); nothing is left
 * behind. */
VKC_API struct vkc_image *vkc_dmabuf_import (struct vkc_device *device,
                                             const struct vkc_dmabuf *dmabuf,
                                             bool keep, GError **error);

/* Lets go of all kept images that nobody holds. */
VKC_API void vkc_dmabuf_trim (struct vkc_device *device);

/* What is done with dmabufs. */
enum vkc_dmabuf_way
{
  VKC_DMABUF_IMPORT, /* others make them */
  VKC_DMABUF_EXPORT, /* we do */
};

/* The modifiers with which images of @format can be imported (and, for EXPORT,
 * also made here), read and written, linear first; @n: how many. Without the
 * extension: linear. g_free() it. */
VKC_API uint64_t *vkc_dmabuf_modifiers (struct vkc_device *device,
                                        VkFormat format,
                                        enum vkc_dmabuf_way way, uint32_t *n);

/* Whether @image is one. */
VKC_API bool vkc_image_is_dmabuf (const struct vkc_image *image);

/* A new dmabuf of @size bytes, from the device's memory; -1 with @error. The
 * caller closes it. */
VKC_API int vkc_dmabuf_new (struct vkc_device *device, size_t size,
                            GError **error);

/* A new dmabuf for one plane, of which @plane has width, height and format,
 * laid out by the driver as @modifier says: fills in descriptor, which the
 * caller closes, offset and stride. */
VKC_API bool vkc_dmabuf_new_plane (struct vkc_device *device,
                                   uint64_t modifier,
                                   struct vkc_dmabuf_plane *plane,
                                   GError **error);

struct vkc_job;

/* @job will read (or, with @writes, write) @image: it comes after what others
 * are still doing to the dmabuf. Their fence is waited for by the submission
 * where kernel and driver can, else here, bounded by $VKC_TIMEOUT_MS. */
VKC_API bool vkc_job_await_dmabuf (struct vkc_job *job,
                                   struct vkc_image *image, bool writes,
                                   GError **error);

/* After the flush of the job that writes @image, which reaches @done: others
 * may have the dmabuf. They wait for the fence that the flush has put on it;
 * where that was not possible, this waits for the device. */
VKC_API bool vkc_dmabuf_publish (struct vkc_image *image, uint64_t done,
                                 GError **error);

/* The seam for tests: how the kernel is called. NULL takes it back. */
struct vkc_dmabuf_calls
{
  int (*ioctl) (int fd, unsigned long request, void *argument);
  int (*poll) (struct pollfd *fds, nfds_t n, int timeout_ms);
};
VKC_API void vkc_dmabuf_set_calls (const struct vkc_dmabuf_calls *calls);
