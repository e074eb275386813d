/* An image as the recorder sees it. */
#pragma once

#include "gst/vk/image.h"
#include "gst/vk/owner.h"
#include "gst/vk/storage.h"
#include "gst/vk/sync.h"

/* What is tracked of an image. One copy is published; a batch works on a
 * second one, which becomes the published one when the queue accepts. */
struct vkc_image_state
{
  struct vkc_access planes[VKC_MAX_PLANES]; /* [0] for buffers */
  struct vkc_access mirror;
  bool device_valid; /* the storage holds the frame */
  bool host_valid;   /* and so does what the CPU maps */
  bool is_ours; /* of a dmabuf: acquired, until the batch's end */
};

/* What images are for. */
#define VKC_IMAGE_USAGE                                                       \
  (VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT                    \
   | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT)

/* One level, one layer, colour. */
extern const VkImageSubresourceRange vkc_whole_image;

/* A further view of a plane, in another format. */
struct vkc_image_view
{
  uint32_t plane;
  VkFormat format;
  VkImageView handle;
};

struct vkc_image
{
  int ref_count;
  struct vkc_device *device;
  struct vkc_image_params params;

  struct vkc_storage_buffer buffer; /* BUFFER storage */
  VkImage planes[VKC_MAX_PLANES];   /* IMAGE storage */
  VkDeviceMemory plane_memory;
  struct vkc_dmabuf_import *dmabuf; /* NULL unless it is one */
  bool is_direct; /* the CPU maps the very storage */
  bool content_is_foreign; /* host pages, dmabufs: not ours to forget */

  /* Views and mirror are made when first needed. */
  struct vkc_mutex lock;
  GArray *views; /* struct vkc_image_view */
  struct vkc_storage_buffer mirror;

  /* The rest is guarded by the recorder's lock. */
  struct vkc_image_state state;
  struct vkc_job *producer; /* pending; owns it */
  struct vkc_owner *writer; /* whose job wrote the content last; a reference */
  uint64_t written;         /* timeline value that makes the content valid */
  uint64_t downloaded; /* and the mirror's */
  uint64_t last_use;        /* timeline value of the last submission */
  bool failed;              /* the content was lost with its job */
  unsigned planned;         /* pending jobs that name it */
  int recorder_refs; /* references of submissions in flight and their jobs */
  GPtrArray *readers;       /* pending jobs, borrowed; NULL unless persistent */

  /* While a batch is recorded. */
  struct vkc_image_state next;
  uint64_t batch;
};

/* The view of @plane in @format (VK_FORMAT_UNDEFINED: the plane's own). */
VkImageView vkc_image_view (struct vkc_image *image, uint32_t plane,
                            VkFormat format, GError **error);

/* What the CPU maps: the storage or the mirror. NULL without a mirror yet. */
const struct vkc_storage_buffer *
vkc_image_host_side (const struct vkc_image *image);

/* A reference, unless the last one has gone already. */
bool vkc_image_try_ref (struct vkc_image *image);

/* An image without storage, to be filled. */
struct vkc_image *vkc_image_new_empty (struct vkc_device *device,
                                       const struct vkc_image_params *params);

/* Nothing names the image any more, and it is in no submission. */
void vkc_image_destroy (struct vkc_image *image);

/* The same, for one that has no reference of its device. */
void vkc_image_destroy_parked (struct vkc_image *image);
