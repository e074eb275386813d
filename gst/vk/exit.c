/* Waits, when the process exits, until every device is quiet. */
#include "gst/vk/exit.h"

#include <stdlib.h>

#define MAX_WAIT_MS 2000
#define MAX_PARK_MS 500

static struct vkc_mutex lock = { PTHREAD_MUTEX_INITIALIZER };
static GPtrArray *recorders; /* under the lock */
static int n_closing;        /* atomic */

/* Busy is also a recorder with jobs that it will submit once they are overdue,
 * and one whose lock is taken: at exit nobody may wait for it without a bound. */
static bool
is_quiet (struct vkc_recorder *recorder)
{
  bool quiet;

  if (!vkc_mutex_trylock (&recorder->lock))
    return false;
  vkc_mutex_lock (&recorder->wake_lock);
  quiet = vkc_completion_is_quiet (recorder) && !recorder->watching
          && !recorder->pending.head;
  vkc_mutex_unlock (&recorder->wake_lock);
  vkc_recorder_unlock (recorder);
  return quiet;
}

/* A recorder leaves the list only after its device counts as closing: so that
 * is looked at last. */
static bool
all_are_quiet (void)
{
  bool quiet = true;

  vkc_mutex_lock (&lock);
  for (guint i = 0; i < recorders->len && quiet; i++)
    quiet = is_quiet (g_ptr_array_index (recorders, i));
  vkc_mutex_unlock (&lock);
  return quiet && g_atomic_int_get (&n_closing) == 0;
}

/* Stops the threads behind work that does not end: the driver goes on with it
 * until the process is gone, but nobody may call into it from here on. */
static void
park_the_rest (void)
{
  vkc_mutex_lock (&lock);
  for (guint i = 0; i < recorders->len; i++) {
    struct vkc_recorder *recorder = g_ptr_array_index (recorders, i);

    if (!is_quiet (recorder))
      vkc_completion_park (recorder);
  }
  vkc_mutex_unlock (&lock);
}

static bool
rest_is_parked (void)
{
  bool parked = true;

  vkc_mutex_lock (&lock);
  for (guint i = 0; i < recorders->len && parked; i++) {
    struct vkc_recorder *recorder = g_ptr_array_index (recorders, i);

    parked = is_quiet (recorder) || vkc_completion_is_parked (recorder);
  }
  vkc_mutex_unlock (&lock);
  return parked;
}

static void
wait_ms (int ms, bool (*is_over) (void))
{
  const int64_t deadline = g_get_monotonic_time () + ms * INT64_C (1000);

  while (!is_over () && g_get_monotonic_time () < deadline)
    g_usleep (1000);
}

static void
wait_until_quiet (void)
{
  wait_ms (MAX_WAIT_MS, all_are_quiet);
  park_the_rest ();
  wait_ms (MAX_PARK_MS, rest_is_parked);
}

void
vkc_exit_watch (struct vkc_recorder *recorder)
{
  vkc_mutex_lock (&lock);
  if (!recorders)
    recorders = g_ptr_array_new ();
  g_ptr_array_add (recorders, recorder);
  vkc_mutex_unlock (&lock);
  /* Once a device: handlers run last one first, and each driver's were there
   * before this one. */
  atexit (wait_until_quiet);
}

void
vkc_exit_unwatch (struct vkc_recorder *recorder)
{
  vkc_mutex_lock (&lock);
  g_ptr_array_remove_fast (recorders, recorder);
  vkc_mutex_unlock (&lock);
}

void
vkc_exit_closing (void)
{
  g_atomic_int_inc (&n_closing);
}

void
vkc_exit_closed (void)
{
  g_atomic_int_add (&n_closing, -1);
}
