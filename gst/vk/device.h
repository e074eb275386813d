/* A Vulkan device with its one queue and its one recorder.
 *
 * Threads: any. All fields but the reference count are constant after
 * vkc_device_new(). The queue belongs to the recorder: nothing else submits. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "gst/vk/functions.h"

struct vkc_recorder;
struct vkc_pipeline_cache;

#define VKC_MAX_PUSH_CONSTANTS 128 /* bytes; all that Vulkan guarantees */
#define VKC_MAX_ADDRESSES 2 /* of a kernel, behind its push constants */
#define VKC_ADDRESSED_CONSTANTS                                               \
  (VKC_MAX_PUSH_CONSTANTS + VKC_MAX_ADDRESSES * sizeof (VkDeviceAddress))

/* Features, as chained for vkCreateDevice. */
struct vkc_features
{
  VkPhysicalDeviceFeatures2 core;
  VkPhysicalDeviceVulkan11Features v11;
  VkPhysicalDeviceVulkan12Features v12;
  VkPhysicalDeviceVulkan13Features v13;
};

struct vkc_device
{
  struct vkc_functions vk;

  VkInstance instance;
  VkDebugUtilsMessengerEXT messenger;
  VkPhysicalDevice physical;
  VkDevice handle;
  VkQueue queue;
  uint32_t queue_family;
  uint32_t timestamp_bits; /* that its clock counts in; 0: it has none */

  uint32_t index; /* as enumerated */
  char *name;
  uint8_t uuid[VK_UUID_SIZE];
  uint32_t vendor_id, device_id;
  uint8_t pipeline_cache_uuid[VK_UUID_SIZE]; /* changes with the driver */
  bool is_cpu; /* VK_PHYSICAL_DEVICE_TYPE_CPU: software */
  uint32_t shuffle_lanes; /* that compute shaders shuffle and broadcast; 0: none */
  VkPhysicalDeviceLimits limits;
  VkPhysicalDeviceMemoryProperties memory;
  struct vkc_features features; /* those that are enabled */

  /* What was probed beyond the floor (Vulkan 1.3, timelineSemaphore,
   * synchronization2). */
  bool can_import_host_pages; /* VK_EXT_external_memory_host */
  VkDeviceSize host_page_size; /* alignment of such an import, bytes */
  bool can_import_dmabuf;      /* VK_EXT_external_memory_dma_buf */
  bool has_modifiers;          /* VK_EXT_image_drm_format_modifier */
  bool has_sync_fd;            /* semaphores import and export SYNC_FD */
  uint32_t foreign_family;     /* who owns a dmabuf when we do not */
  /* Kernels get at buffers by address. Software devices only: elsewhere it makes
   * them no faster, and a descriptor knows where its buffer ends. */
  bool has_addresses;
  /* A memory type that is device-local, host-visible and host-cached: buffers
   * need no copy for the CPU to read or write them. */
  bool has_direct_memory;

  struct vkc_pipeline_cache *pipelines;
  struct vkc_recorder *recorder;

  int ref_count;
};

/* Opens a device. @selector: an index ("0"), a part of its name (any case) or
 * its UUID in hex; NULL or "" takes $VKC_DEVICE, and without it a discrete GPU
 * before an integrated, a virtual and a software one. Errors:
 * VKC_ERROR_NO_DEVICE with the list of what there is. */
VKC_API struct vkc_device *vkc_device_new (const char *selector,
                                           GError **error);
VKC_API struct vkc_device *vkc_device_ref (struct vkc_device *device);

/* Accepts NULL. The last reference may be dropped on any thread, the recorder's
 * completion thread included; work in flight is waited for, bounded. */
VKC_API void vkc_device_unref (struct vkc_device *device);

/* Whether @selector, as for vkc_device_new(), would choose this device. An
 * empty selector without $VKC_DEVICE accepts any. */
VKC_API bool vkc_device_matches (const struct vkc_device *device,
                                 const char *selector);

/* Whether shaders can store to images of @format. */
VKC_API bool vkc_device_can_store (const struct vkc_device *device,
                                   VkFormat format);

/* Whether shaders can sample images of @format with @filter. */
VKC_API bool vkc_device_can_sample (const struct vkc_device *device,
                                    VkFormat format, VkFilter filter);

/* Index of a memory type out of @type_bits with all of @required and as many
 * as possible of @preferred; UINT32_MAX if there is none. */
uint32_t vkc_device_memory_type (const struct vkc_device *device,
                                 uint32_t type_bits,
                                 VkMemoryPropertyFlags required,
                                 VkMemoryPropertyFlags preferred);

/* vkAllocateMemory; when out of memory, lets the recorder run its releases and
 * tries once more. That may wait for the GPU and for the completion thread: hold
 * no lock that the release of a pin, or a thread that plans, takes. */
bool vkc_device_allocate (struct vkc_device *device,
                          const VkMemoryAllocateInfo *info,
                          VkDeviceMemory *memory, GError **error);

/* For the recorder's completion thread, which outlives all references: destroys
 * what is left, @device included. Accepts a half-built device. */
void vkc_device_destroy (struct vkc_device *device);
