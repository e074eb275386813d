/* Commands for jobs: uploads, barriers, descriptors, dispatches, copies. */
#include "gst/vk/record.h"

#include "gst/vk/debug.h"
#include "gst/vk/dmabuf-private.h"
#include "gst/vk/fuse.h"
#include "gst/vk/record-copy.h"
#include "gst/vk/record-foreign.h"
#include "gst/vk/result.h"

/* The image joins the batch with its published state. */
static void
touch (struct vkc_batch *batch, struct vkc_image *image)
{
  if (image->batch == batch->serial)
    return;
  image->batch = batch->serial;
  image->next = image->state;
  g_ptr_array_add (batch->images, image);
}

static void
add_buffer (struct vkc_barriers *barriers, VkBuffer buffer,
            struct vkc_access *last, struct vkc_access next)
{
  VkImageMemoryBarrier2 scopes;

  next.layout = VK_IMAGE_LAYOUT_UNDEFINED;
  if (!vkc_access_barrier (last, &next, &scopes, last))
    return;
  barriers->buffers[barriers->n_buffers++] = (VkBufferMemoryBarrier2){
    .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
    .srcStageMask = scopes.srcStageMask,
    .srcAccessMask = scopes.srcAccessMask,
    .dstStageMask = scopes.dstStageMask,
    .dstAccessMask = scopes.dstAccessMask,
    .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
    .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
    .buffer = buffer,
    .size = VK_WHOLE_SIZE,
  };
}

static void
add_image (struct vkc_barriers *barriers, struct vkc_image *image,
           struct vkc_access next)
{
  if (image->dmabuf && !image->next.is_ours) {
    vkc_foreign_acquire (barriers, image, next);
    return;
  }
  if (image->params.storage == VKC_STORAGE_BUFFER) {
    add_buffer (barriers, image->buffer.handle, &image->next.planes[0], next);
    return;
  }
  for (uint32_t i = 0; i < image->params.n_planes; i++) {
    VkImageMemoryBarrier2 *barrier = &barriers->images[barriers->n_images];

    if (!vkc_access_barrier (&image->next.planes[i], &next, barrier,
                             &image->next.planes[i]))
      continue;
    barrier->image = image->planes[i];
    barrier->subresourceRange = vkc_whole_image;
    barriers->n_images++;
  }
}

static void
emit (struct vkc_recorder *recorder, const VkDependencyInfo *info)
{
  recorder->device->vk.CmdPipelineBarrier2 (recorder->batch.slot->commands,
                                            info);
  recorder->batch.counted.barriers++;
}

static void
emit_barriers (struct vkc_recorder *recorder, const struct vkc_barriers *barriers)
{
  const VkDependencyInfo info = {
    .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
    .bufferMemoryBarrierCount = barriers->n_buffers,
    .pBufferMemoryBarriers = barriers->buffers,
    .imageMemoryBarrierCount = barriers->n_images,
    .pImageMemoryBarriers = barriers->images,
  };

  if (barriers->n_images || barriers->n_buffers)
    emit (recorder, &info);
}

/* The CPU wrote the frame last: its bytes go to the device. */
static void
record_upload (struct vkc_recorder *recorder, struct vkc_image *image)
{
  struct vkc_barriers barriers = { 0 };

  add_buffer (&barriers, image->mirror.handle, &image->next.mirror,
              vkc_access_copy_source ());
  add_image (&barriers, image, vkc_access_copy_target ());
  emit_barriers (recorder, &barriers);
  vkc_record_copy_frame (recorder, image, true);
  image->next.device_valid = true;
  recorder->batch.counted.uploads++;
}

void
vkc_record_download (struct vkc_recorder *recorder, struct vkc_image *image)
{
  struct vkc_barriers barriers = { 0 };

  touch (&recorder->batch, image);
  add_image (&barriers, image, vkc_access_copy_source ());
  add_buffer (&barriers, image->mirror.handle, &image->next.mirror,
              vkc_access_copy_target ());
  emit_barriers (recorder, &barriers);
  vkc_record_copy_frame (recorder, image, false);
  image->next.host_valid = true;
  recorder->batch.writes_for_host = true;
  recorder->batch.counted.downloads++;
}

void
vkc_record_host_barrier (struct vkc_recorder *recorder)
{
  const VkMemoryBarrier2 barrier = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
    .srcStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT
                    | VK_PIPELINE_STAGE_2_COPY_BIT,
    .srcAccessMask = VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT
                     | VK_ACCESS_2_TRANSFER_WRITE_BIT,
    .dstStageMask = VK_PIPELINE_STAGE_2_HOST_BIT,
    .dstAccessMask = VK_ACCESS_2_HOST_READ_BIT,
  };
  const VkDependencyInfo info = {
    .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
    .memoryBarrierCount = 1,
    .pMemoryBarriers = &barrier,
  };

  emit (recorder, &info);
}

static struct vkc_access
copy_access (const struct vkc_job_image *use)
{
  return use->writes ? vkc_access_copy_target () : vkc_access_copy_source ();
}

static struct vkc_access
dispatch_access (const struct vkc_job_image *use)
{
  struct vkc_access access;

  if (use->sampled)
    return vkc_access_sampled ();
  access = vkc_access_storage (use->reads, use->writes);
  if (use->uniform)
    access.mask |= VK_ACCESS_2_UNIFORM_READ_BIT;
  return access;
}

/* Brings the first @n images of the job where @access_of says. */
static void
prepare_images (struct vkc_recorder *recorder, const struct vkc_job *job,
                uint32_t n,
                struct vkc_access (*access_of) (const struct vkc_job_image *))
{
  struct vkc_barriers barriers = { 0 };

  for (uint32_t i = 0; i < n; i++) {
    struct vkc_image *image = job->images[i].image;

    touch (&recorder->batch, image);
    if (image->dmabuf && !image->next.is_ours)
      vkc_foreign_release_aliases (recorder, image);
    if (job->images[i].reads && !image->next.device_valid
        && image->next.host_valid && image->mirror.handle)
      record_upload (recorder, image);
  }
  for (uint32_t i = 0; i < n; i++)
    add_image (&barriers, job->images[i].image, access_of (&job->images[i]));
  emit_barriers (recorder, &barriers);
}

/* What the job has written is on the device, and for direct storage in the
 * CPU's sight once the batch ends with its barrier. */
static void
note_writes (struct vkc_recorder *recorder, const struct vkc_job *job)
{
  for (uint32_t i = 0; i < job->n_images; i++) {
    struct vkc_image *image = job->images[i].image;

    if (!job->images[i].writes)
      continue;
    image->next.device_valid = true;
    image->next.host_valid = image->is_direct;
    recorder->batch.writes_for_host |= image->is_direct;
  }
}

static VkImageLayout
layout_for (VkDescriptorType type)
{
  return type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE
                 || type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
             ? VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL
             : VK_IMAGE_LAYOUT_GENERAL;
}

static void
write_descriptor (struct vkc_recorder *recorder,
                  const struct vkc_binding_info *info,
                  const struct vkc_job_binding *bound, VkDescriptorSet set)
{
  struct vkc_device *device = recorder->device;
  const bool is_buffer = bound->image->params.storage == VKC_STORAGE_BUFFER;
  VkDescriptorBufferInfo buffer = {
    .buffer = bound->image->buffer.handle,
    .range = VK_WHOLE_SIZE,
  };
  VkWriteDescriptorSet write = {
    .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
    .dstSet = set,
    .dstBinding = info->binding,
    .descriptorCount = 1,
    .descriptorType = info->type,
    .pBufferInfo = &buffer,
  };

  for (uint32_t k = 0; k < info->count; k++) {
    /* Array elements beyond the frame's planes repeat the last one: every
     * descriptor that a shader might touch must be valid. */
    VkDescriptorImageInfo view = {
      .imageView = is_buffer ? VK_NULL_HANDLE
                             : bound->views[MIN (k, bound->n_planes - 1)],
      .imageLayout = layout_for (info->type),
    };

    write.dstArrayElement = k;
    write.pImageInfo = &view;
    device->vk.UpdateDescriptorSets (device->handle, 1, &write, 0, NULL);
  }
}

static bool
allocate_sets (struct vkc_recorder *recorder,
               const struct vkc_pipeline *pipeline,
               VkDescriptorSet sets[VKC_MAX_SETS], GError **error)
{
  for (uint32_t i = 0; i < pipeline->n_sets; i++) {
    sets[i] = vkc_slot_descriptor_set (recorder, recorder->batch.slot,
                                       pipeline->set_layouts[i], error);
    if (!sets[i])
      return false;
  }
  return true;
}

static void
push_addresses (struct vkc_recorder *recorder, const struct vkc_job *job)
{
  const struct vkc_functions *vk = &recorder->device->vk;
  const struct vkc_pipeline *pipeline = job->pipeline;
  VkDeviceAddress addresses[VKC_MAX_ADDRESSES];

  for (uint32_t i = 0; i < pipeline->kernel.n_addresses; i++) {
    const VkBufferDeviceAddressInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
      .buffer = job->bindings[i].image->buffer.handle,
    };

    addresses[i]
        = vk->GetBufferDeviceAddress (recorder->device->handle, &info);
  }
  vk->CmdPushConstants (recorder->batch.slot->commands, pipeline->layout,
                        VK_SHADER_STAGE_COMPUTE_BIT, VKC_MAX_PUSH_CONSTANTS,
                        pipeline->kernel.n_addresses * sizeof *addresses,
                        addresses);
}

static bool
record_dispatch (struct vkc_recorder *recorder, const struct vkc_job *job,
                 GError **error)
{
  const struct vkc_functions *vk = &recorder->device->vk;
  const struct vkc_pipeline *pipeline = job->pipeline;
  VkCommandBuffer commands = recorder->batch.slot->commands;
  VkDescriptorSet sets[VKC_MAX_SETS];

  if (!allocate_sets (recorder, pipeline, sets, error))
    return false;
  prepare_images (recorder, job, job->n_images, dispatch_access);
  for (uint32_t i = 0; i < pipeline->kernel.n_bindings; i++) {
    const struct vkc_binding_info *info = &pipeline->kernel.bindings[i];

    if (info->type != VK_DESCRIPTOR_TYPE_SAMPLER)
      write_descriptor (recorder, info, &job->bindings[i], sets[info->set]);
  }
  vk->CmdBindPipeline (commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                       pipeline->handle);
  vk->CmdBindDescriptorSets (commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                             pipeline->layout, 0, pipeline->n_sets, sets, 0,
                             NULL);
  if (pipeline->kernel.push_constants_size)
    vk->CmdPushConstants (commands, pipeline->layout,
                          VK_SHADER_STAGE_COMPUTE_BIT, 0,
                          pipeline->kernel.push_constants_size,
                          job->push_constants);
  if (pipeline->kernel.n_addresses)
    push_addresses (recorder, job);
  vk->CmdDispatch (commands, job->groups[0], job->groups[1], job->groups[2]);
  recorder->batch.counted.dispatches++;
  return true;
}

static void
record_copies (struct vkc_recorder *recorder, const struct vkc_job *job)
{
  prepare_images (recorder, job, 2, copy_access);
  vkc_record_copy_rectangles (recorder, job->images[0].image,
                              job->images[1].image, job->copies);
}

/* What a debugger shows: the last job that a dispatch does is the innermost. */
static void
begin_labels (struct vkc_recorder *recorder, const struct vkc_job *job)
{
  if (job->fused_before)
    begin_labels (recorder, job->fused_before);
  vkc_debug_begin_label (recorder->device, recorder->batch.slot->commands,
                         vkc_owner_name (job->owner),
                         vkc_job_kernel_name (job));
}

static void
end_labels (struct vkc_recorder *recorder, const struct vkc_job *job)
{
  for (; job; job = job->fused_before)
    vkc_debug_end_label (recorder->device, recorder->batch.slot->commands);
}

bool
vkc_record_job (struct vkc_recorder *recorder, const struct vkc_job *job,
                GError **error)
{
  const struct vkc_job *planned = job;
  struct vkc_job fused;
  bool ok = true;

  begin_labels (recorder, planned);
  if (job->fused) {
    vkc_fuse_fill (job, &fused);
    job = &fused;
  }
  if (job->copies)
    record_copies (recorder, job);
  if (job->pipeline)
    ok = record_dispatch (recorder, job, error);
  if (ok)
    note_writes (recorder, job);
  end_labels (recorder, planned);
  return ok;
}
