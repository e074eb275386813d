/* The pixels of one frame on the device: one linear buffer, or one VkImage a
 * plane. Everything that names the frame (GstMemory, its sub-memories, an
 * import) shares one vkc_image, so that what a submission publishes is seen by
 * all of them.
 *
 * Threads: any. State is guarded by the recorder's lock. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gst/vk/access.h"
#include "gst/vk/device.h"

#define VKC_MAX_PLANES 4

struct vkc_job;

enum vkc_storage
{
  VKC_STORAGE_BUFFER,
  VKC_STORAGE_IMAGE,
};

/* One plane of the frame. The linear layout (offset, stride) is what the CPU
 * sees, and for buffers what the kernels see as well. */
struct vkc_plane
{
  VkFormat format;        /* of the VkImage; unused for buffers */
  uint32_t width, height; /* texels */
  size_t offset;          /* bytes from the start of the frame */
  uint32_t stride;        /* bytes, a multiple of the texel size */
};

struct vkc_image_params
{
  enum vkc_storage storage;
  uint32_t n_planes;
  struct vkc_plane planes[VKC_MAX_PLANES];
  size_t size; /* bytes of the linear layout */
  bool for_host; /* BUFFER: small, and the CPU maps the very storage on any
                  * device */
};

struct vkc_image;

/* Allocates the storage; its content is undefined. Where memory is short this
 * waits, bounded, for the GPU and for pins to be released: hold no lock that
 * their release takes. Errors: OUT_OF_MEMORY, FAILED; nothing is left behind. */
VKC_API struct vkc_image *
vkc_image_new (struct vkc_device *device,
               const struct vkc_image_params *params, GError **error);

/* Wraps @size bytes of host memory at @pages as a buffer image without a copy
 * (VK_EXT_external_memory_host). @pages and @size: multiples of
 * device.host_page_size. The planes' offsets count from @pages. The memory
 * must outlive the image and every job that uses it. */
VKC_API struct vkc_image *
vkc_image_new_from_host_pages (struct vkc_device *device, void *pages,
                               size_t size,
                               const struct vkc_image_params *params,
                               GError **error);

VKC_API struct vkc_image *vkc_image_ref (struct vkc_image *image);

/* Accepts NULL. Vulkan objects go when the last submission that uses them is
 * over; never blocks. */
VKC_API void vkc_image_unref (struct vkc_image *image);

/* Says that @image's content is carried from job to job (statistics, history):
 * a job that writes it runs after all jobs that were planned before it and read
 * it, whatever order their frames are flushed in. Before the first job. */
VKC_API void vkc_image_set_persistent (struct vkc_image *image);

VKC_API struct vkc_device *vkc_image_device (const struct vkc_image *image);
VKC_API const struct vkc_image_params *
vkc_image_params (const struct vkc_image *image);

/* No pending job and no submission uses it: it may be written by the CPU or
 * given to someone else without a wait. */
VKC_API bool vkc_image_is_idle (struct vkc_image *image);

/* A job that would write it has not been submitted. */
VKC_API bool vkc_image_is_pending (struct vkc_image *image);

/* A job that was not submitted would read or write it. Other than an idle one,
 * an image that no job is planned for may be in use by the device: a job may
 * write it, the CPU may not. */
VKC_API bool vkc_image_is_planned (struct vkc_image *image);

VKC_API VkImageLayout vkc_image_layout (struct vkc_image *image,
                                        uint32_t plane);

enum vkc_map_flags
{
  VKC_MAP_READ = 1 << 0,
  VKC_MAP_WRITE = 1 << 1,
};

/* The frame's bytes in its linear layout. Submits what the frame still waits
 * for (counted as flush-map), waits for the GPU, downloads if need be.
 *
 * Returns NULL only if host memory cannot be had. When the frame's job failed
 * or the wait timed out, @error is set and the memory is still returned: the
 * caller puts black in it. Calls nest; each needs vkc_image_unmap(). */
VKC_API void *vkc_image_map (struct vkc_image *image, enum vkc_map_flags flags,
                             GError **error);

/* The part of vkc_image_map() that comes before the memory, for frames that are
 * mapped by others (dmabufs): after true the CPU may have the frame. False, with
 * @error, if it was lost, or could not be waited for; its writer has been told. */
VKC_API bool vkc_image_settle (struct vkc_image *image,
                               enum vkc_map_flags flags, GError **error);

/* @flags as given to vkc_image_map(): after a WRITE the device's copy is
 * stale, and the next job that reads the frame uploads it first. */
VKC_API void vkc_image_unmap (struct vkc_image *image,
                              enum vkc_map_flags flags);

/* Makes sure that a later vkc_image_map() needs no memory: the host side of a
 * frame that is not directly visible is allocated now, as by vkc_image_new(). */
VKC_API bool vkc_image_reserve_host (struct vkc_image *image, GError **error);
