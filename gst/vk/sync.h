/* Locks. Plain pthreads: ThreadSanitizer understands them, while it reports
 * every GMutex (a bare futex) as a race. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "gst/vk/api.h"

struct vkc_mutex
{
  pthread_mutex_t handle;
};

struct vkc_cond
{
  pthread_cond_t handle;
};

VKC_API void vkc_mutex_init (struct vkc_mutex *mutex);
VKC_API void vkc_mutex_clear (struct vkc_mutex *mutex);
VKC_API void vkc_mutex_lock (struct vkc_mutex *mutex);
bool vkc_mutex_trylock (struct vkc_mutex *mutex);
VKC_API void vkc_mutex_unlock (struct vkc_mutex *mutex);

void vkc_cond_init (struct vkc_cond *cond);
void vkc_cond_clear (struct vkc_cond *cond);
void vkc_cond_broadcast (struct vkc_cond *cond);

/* @deadline: in microseconds of g_get_monotonic_time(). Returns false once it
 * has passed. */
bool vkc_cond_wait_until (struct vkc_cond *cond, struct vkc_mutex *mutex,
                          int64_t deadline);
