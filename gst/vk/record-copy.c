/* vkCmdCopy*, counted. */
#include "gst/vk/record-copy.h"

#include "gst/vk/format.h"

static void
copy_image (struct vkc_recorder *recorder, VkImage image, VkBuffer buffer,
            bool to_image, const struct vkc_copy_side *image_side,
            const struct vkc_copy_side *buffer_side,
            const struct vkc_copy *copy)
{
  const struct vkc_functions *vk = &recorder->device->vk;
  VkCommandBuffer commands = recorder->batch.slot->commands;
  const VkBufferImageCopy region = {
    .bufferOffset = buffer_side->offset,
    .bufferRowLength = buffer_side->stride / copy->texel_size,
    .imageSubresource
    = { .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1 },
    .imageOffset = { (int32_t) image_side->x, (int32_t) image_side->y, 0 },
    .imageExtent = { copy->width, copy->height, 1 },
  };

  if (to_image)
    vk->CmdCopyBufferToImage (commands, buffer, image,
                              VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1,
                              &region);
  else
    vk->CmdCopyImageToBuffer (commands, image,
                              VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer, 1,
                              &region);
  recorder->batch.counted.copies++;
}

/* Between buffers every row is a region: strides differ. */
static void
copy_rows (struct vkc_recorder *recorder, VkBuffer source, VkBuffer target,
           const struct vkc_copy *copy)
{
  g_autofree VkBufferCopy *rows = g_new (VkBufferCopy, copy->height);

  for (uint32_t y = 0; y < copy->height; y++)
    rows[y] = (VkBufferCopy){
      .srcOffset = copy->from.offset + (size_t) y * copy->from.stride,
      .dstOffset = copy->to.offset + (size_t) y * copy->to.stride,
      .size = (VkDeviceSize) copy->width * copy->texel_size,
    };
  recorder->device->vk.CmdCopyBuffer (recorder->batch.slot->commands, source,
                                      target, copy->height, rows);
  recorder->batch.counted.copies++;
}

void
vkc_record_copy_frame (struct vkc_recorder *recorder, struct vkc_image *image,
                       bool to_device)
{
  const struct vkc_image_params *params = &image->params;

  if (params->storage == VKC_STORAGE_BUFFER) {
    const struct vkc_copy whole = {
      .width = (uint32_t) params->size,
      .height = 1,
      .texel_size = 1,
    };

    copy_rows (recorder,
               to_device ? image->mirror.handle : image->buffer.handle,
               to_device ? image->buffer.handle : image->mirror.handle,
               &whole);
    return;
  }
  for (uint32_t i = 0; i < params->n_planes; i++) {
    const struct vkc_plane *plane = &params->planes[i];
    const struct vkc_copy_side buffer = {
      .offset = plane->offset,
      .stride = plane->stride,
    };
    const struct vkc_copy copy = {
      .width = plane->width,
      .height = plane->height,
      .texel_size = vkc_format_texel_size (plane->format),
    };

    copy_image (recorder, image->planes[i], image->mirror.handle, to_device,
                &(const struct vkc_copy_side){ .plane = i }, &buffer, &copy);
  }
}

void
vkc_record_copy_rectangles (struct vkc_recorder *recorder,
                            struct vkc_image *source, struct vkc_image *target,
                            const GArray *copies)
{
  const bool from_image = source->params.storage == VKC_STORAGE_IMAGE;
  const bool to_image = target->params.storage == VKC_STORAGE_IMAGE;

  for (guint i = 0; i < copies->len; i++) {
    const struct vkc_copy *copy = &g_array_index (copies, struct vkc_copy, i);

    if (to_image)
      copy_image (recorder, target->planes[copy->to.plane],
                  source->buffer.handle, true, &copy->to, &copy->from, copy);
    else if (from_image)
      copy_image (recorder, source->planes[copy->from.plane],
                  target->buffer.handle, false, &copy->from, &copy->to, copy);
    else
      copy_rows (recorder, source->buffer.handle, target->buffer.handle, copy);
  }
}
