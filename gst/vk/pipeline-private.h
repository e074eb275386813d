/* The device's set of live pipelines. */
#pragma once

#include "gst/vk/pipeline.h"

/* @device is borrowed; the cache is its own. */
struct vkc_pipeline_cache *vkc_pipeline_cache_new (struct vkc_device *device);

/* Accepts NULL. All pipelines are gone by then. */
void vkc_pipeline_cache_free (struct vkc_pipeline_cache *cache);
