/* An independent model of image layouts and of who owns imported images. It
 * sees what is recorded and what the queue accepts, knows nothing of the
 * recorder, and judges every submission of every test that has the wrapper:
 *
 * - a barrier starts from the layout that the image is in. From UNDEFINED only
 *   an image that has never been in another one;
 * - a descriptor that a dispatch may touch, and a copy, name the layout that
 *   the image is in at that place;
 * - an image that came from outside belongs to others between submissions: it
 *   is acquired from their queue family before it is used, and released to it,
 *   with matching layouts, before the submission ends.
 *
 * The first fault ends the process. Neither pixels nor the validation layer
 * notice any of the last kind.
 *
 * Mutations of the recorder that it was seen to stop: every acquire from
 * UNDEFINED; every barrier from UNDEFINED; descriptors that name GENERAL for
 * sampled images; no release at a submission's end. */
#pragma once

#include <stdbool.h>
#include <vulkan/vulkan.h>

void layouts_image_made (VkImage image, const VkImageCreateInfo *info);
void layouts_image_gone (VkImage image);
void layouts_view_made (VkImageView view, const VkImageViewCreateInfo *info);
void layouts_view_gone (VkImageView view);
void layouts_sets_written (uint32_t n, const VkWriteDescriptorSet *writes);
void layouts_set_made (VkDescriptorSet set);

/* Into a command buffer. */
void layouts_begin (VkCommandBuffer commands);
void layouts_barrier (VkCommandBuffer commands, const VkDependencyInfo *info);
void layouts_bind (VkCommandBuffer commands, uint32_t first, uint32_t n,
                   const VkDescriptorSet *sets);
void layouts_dispatch (VkCommandBuffer commands);
void layouts_use (VkCommandBuffer commands, VkImage image,
                  VkImageLayout layout);

/* The queue has accepted it. */
void layouts_submit (uint32_t n, const VkSubmitInfo2 *infos);
