/* Settings from the environment: positive integers; anything else gives the
 * default, with one warning a variable. */
#pragma once

#include <stdint.h>

struct vkc_settings
{
  uint32_t batch;          /* VKC_BATCH: 1 submits and waits for every job */
  uint32_t timeout_ms;     /* VKC_TIMEOUT_MS: longest wait for the GPU, 5000 */
  uint32_t compile_ms;     /* the same where a driver may still compile: 30000
                              unless VKC_TIMEOUT_MS says otherwise */
  uint32_t max_timeouts;   /* VKC_MAX_TIMEOUTS: before a device is hung, 1 */
  uint32_t max_pending;    /* VKC_MAX_PENDING: frames an element may hold, 4 */
  uint32_t max_pending_ms; /* VKC_MAX_PENDING_MS: and for how long, 500 */
  uint32_t max_in_flight;  /* VKC_MAX_IN_FLIGHT: submissions, 4 */
};

/* Reads the environment now; each device keeps what it read when it was
 * opened. */
struct vkc_settings vkc_settings_get (void);

/* The positive integer in the environment variable @name, or @fallback. */
uint32_t vkc_setting (const char *name, uint32_t fallback);
