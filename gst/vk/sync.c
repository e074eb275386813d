/* Locks over pthreads. */
#include "gst/vk/sync.h"

#include <errno.h>
#include <time.h>

void
vkc_mutex_init (struct vkc_mutex *mutex)
{
  pthread_mutex_init (&mutex->handle, NULL);
}

void
vkc_mutex_clear (struct vkc_mutex *mutex)
{
  pthread_mutex_destroy (&mutex->handle);
}

void
vkc_mutex_lock (struct vkc_mutex *mutex)
{
  pthread_mutex_lock (&mutex->handle);
}

bool
vkc_mutex_trylock (struct vkc_mutex *mutex)
{
  return pthread_mutex_trylock (&mutex->handle) == 0;
}

void
vkc_mutex_unlock (struct vkc_mutex *mutex)
{
  pthread_mutex_unlock (&mutex->handle);
}

void
vkc_cond_init (struct vkc_cond *cond)
{
  pthread_condattr_t attributes;

  pthread_condattr_init (&attributes);
  pthread_condattr_setclock (&attributes, CLOCK_MONOTONIC);
  pthread_cond_init (&cond->handle, &attributes);
  pthread_condattr_destroy (&attributes);
}

void
vkc_cond_clear (struct vkc_cond *cond)
{
  pthread_cond_destroy (&cond->handle);
}

void
vkc_cond_broadcast (struct vkc_cond *cond)
{
  pthread_cond_broadcast (&cond->handle);
}

bool
vkc_cond_wait_until (struct vkc_cond *cond, struct vkc_mutex *mutex,
                     int64_t deadline)
{
  const struct timespec until = {
    .tv_sec = deadline / 1000000,
    .tv_nsec = deadline % 1000000 * 1000,
  };

  return pthread_cond_timedwait (&cond->handle, &mutex->handle, &until)
         != ETIMEDOUT;
}
