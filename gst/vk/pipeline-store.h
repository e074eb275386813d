/* What the driver has compiled, kept on disk from one process to the next:
 * $XDG_CACHE_HOME/gst-vkcompute/<pipelineCacheUUID>.pipelines.
 *
 * Threads: as the cache of pipelines, which owns it. Whatever fails here costs
 * time and nothing else. */
#pragma once

#include "gst/vk/device.h"

struct vkc_pipeline_store;

/* Reads what there is for @device, which it borrows. Data of another driver, or
 * such that were damaged, are left alone. */
struct vkc_pipeline_store *vkc_pipeline_store_new (struct vkc_device *device);

/* For vkCreateComputePipelines; VK_NULL_HANDLE if there is none. */
VkPipelineCache
vkc_pipeline_store_handle (const struct vkc_pipeline_store *store);

/* Writes what was added, unless that is nothing. */
void vkc_pipeline_store_free (struct vkc_pipeline_store *store);
