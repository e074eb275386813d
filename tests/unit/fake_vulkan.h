/* A Vulkan device made of nothing but pthreads, for tests of the recorder that
 * shall not depend on a driver: ThreadSanitizer sees all of it. It knows
 * buffers, and one kernel: target = source + push constant, word by word. */
#pragma once

#include "gst/vk/device.h"

#define FAKE_WORDS 64

/* With a recorder; vkc_device_unref() ends it. */
struct vkc_device *fake_device_new (void);

/* What the last device was given as its cache of pipelines, and what each gives
 * when it goes; both start with the header of @device's driver. */
extern char fake_cache_given[64];
extern size_t fake_cache_given_size;
#define FAKE_CACHE_SIZE 40

/* The kernel: bindings "source" 0 and "target" 1, 4 bytes of constants. */
struct vkc_pipeline *fake_pipeline_new (struct vkc_device *device);

/* Others like it, one for each @number. */
struct vkc_pipeline *fake_pipeline_variant (struct vkc_device *device,
                                            uint32_t number);
