/* The device's set of live pipelines. */
#pragma once

#include "gst/vk/pipeline.h"

struct vkc_pipeline_cache *vkc_pipeline_cache_new (void);

/* Accepts NULL. All pipelines are gone by then. */
void vkc_pipeline_cache_free (struct vkc_pipeline_cache *cache);
