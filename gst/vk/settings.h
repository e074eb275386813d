/* Settings from the environment: positive integers; anything else gives the
 * default, with one warning a variable. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* VKC_MAX_PENDING: frames that an element may hold; each owner reads it. */
#define VKC_DEFAULT_MAX_PENDING 4

struct vkc_settings
{
  uint32_t batch;          /* VKC_BATCH: 1 submits and waits for every job */
  uint32_t timeout_ms;     /* VKC_TIMEOUT_MS: longest wait for the GPU, 5000 */
  uint32_t compile_ms;     /* the same where a driver may still compile: 120000
                              on software devices, which do so in a submission,
                              30000 elsewhere; VKC_TIMEOUT_MS is for both */
  uint32_t max_timeouts;   /* VKC_MAX_TIMEOUTS: before a device is hung, 1 */
  uint32_t max_pending_ms; /* VKC_MAX_PENDING_MS: and how long, 500 */
  uint32_t max_in_flight;  /* VKC_MAX_IN_FLIGHT: submissions, 4 */
  uint32_t max_releases;   /* VKC_MAX_RELEASES: images that wait for their last
                              use, 256 */
  uint32_t max_release_bytes; /* VKC_MAX_RELEASE_BYTES: and of that size, 512
                                 MiB */
  bool fuse;               /* VKC_FUSE: 0 runs every job by itself */
  bool addresses;          /* VKC_ADDRESSES: 0 has kernels of software devices
                              take buffers as those of others do */
  uint32_t max_batch_ms;   /* VKC_MAX_BATCH_MS: longest submission, by what its
                              kernels took before; 0, no limit, on software
                              devices, which have no watchdog; else 200 */
};

/* Reads the environment now; each device keeps what it read when it was
 * opened. @is_cpu: it is a software device. */
struct vkc_settings vkc_settings_get (bool is_cpu);

/* The positive integer in the environment variable @name, or @fallback. */
uint32_t vkc_setting (const char *name, uint32_t fallback);
