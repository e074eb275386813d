/* For builds with ThreadSanitizer. GLib and GStreamer are not built with it, and
 * their locks are no pthreads: what they order would be reported as races. So
 * every program has these functions of theirs once more, before the libraries in
 * the order of looking symbols up. They call the real ones, and say what those
 * order: a lock what is done under it; a reference that is dropped what was done
 * before it; a queue what was done before a push. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <gst/gst.h>
#include <sanitizer/tsan_interface.h>

#define REAL(f)                                                                \
  ({                                                                           \
    static __typeof__ (&f) real;                                               \
    gpointer found = g_atomic_pointer_get (&real);                             \
    if (!found)                                                                \
      g_atomic_pointer_set (&real, found = dlsym (RTLD_NEXT, #f));             \
    (__typeof__ (&f)) found;                                                   \
  })

#define TAKES(f, type)                                                         \
  void f (type *lock)                                                          \
  {                                                                            \
    REAL (f) (lock);                                                           \
    __tsan_acquire (lock);                                                     \
  }
#define TRIES(f, type)                                                         \
  gboolean f (type *lock)                                                      \
  {                                                                            \
    const gboolean taken = REAL (f) (lock);                                    \
    if (taken)                                                                 \
      __tsan_acquire (lock);                                                   \
    return taken;                                                              \
  }
#define GIVES(f, type)                                                         \
  void f (type *lock)                                                          \
  {                                                                            \
    __tsan_release (lock);                                                     \
    REAL (f) (lock);                                                           \
  }
/* Whoever drops the last one sees what was done under all. */
#define DROPS(f, type)                                                         \
  void f (type object)                                                         \
  {                                                                            \
    __tsan_release (object);                                                   \
    __tsan_acquire (object);                                                   \
    REAL (f) (object);                                                         \
  }

TAKES (g_mutex_lock, GMutex)
TRIES (g_mutex_trylock, GMutex)
GIVES (g_mutex_unlock, GMutex)
TAKES (g_rec_mutex_lock, GRecMutex)
TRIES (g_rec_mutex_trylock, GRecMutex)
GIVES (g_rec_mutex_unlock, GRecMutex)
TAKES (g_rw_lock_reader_lock, GRWLock)
GIVES (g_rw_lock_reader_unlock, GRWLock)
TAKES (g_rw_lock_writer_lock, GRWLock)
GIVES (g_rw_lock_writer_unlock, GRWLock)
DROPS (g_object_unref, gpointer)
DROPS (gst_object_unref, gpointer)
DROPS (gst_mini_object_unref, GstMiniObject *)

void
g_cond_wait (GCond *cond, GMutex *mutex)
{
  __tsan_release (mutex);
  REAL (g_cond_wait) (cond, mutex);
  __tsan_acquire (mutex);
}

gboolean
g_cond_wait_until (GCond *cond, GMutex *mutex, gint64 end)
{
  gboolean signalled;

  __tsan_release (mutex);
  signalled = REAL (g_cond_wait_until) (cond, mutex, end);
  __tsan_acquire (mutex);
  return signalled;
}

void
g_async_queue_push (GAsyncQueue *queue, gpointer data)
{
  __tsan_release (queue);
  REAL (g_async_queue_push) (queue, data);
}

gpointer
g_async_queue_try_pop (GAsyncQueue *queue)
{
  const gpointer data = REAL (g_async_queue_try_pop) (queue);

  __tsan_acquire (queue);
  return data;
}

gpointer
g_async_queue_timeout_pop (GAsyncQueue *queue, guint64 time)
{
  const gpointer data = REAL (g_async_queue_timeout_pop) (queue, time);

  __tsan_acquire (queue);
  return data;
}

GstFlowReturn
gst_buffer_pool_acquire_buffer (GstBufferPool *pool, GstBuffer **buffer,
                                GstBufferPoolAcquireParams *params)
{
  const GstFlowReturn flow
      = REAL (gst_buffer_pool_acquire_buffer) (pool, buffer, params);

  if (flow == GST_FLOW_OK)
    __tsan_acquire (*buffer);
  return flow;
}

gboolean
gst_bus_post (GstBus *bus, GstMessage *message)
{
  __tsan_release (bus);
  return REAL (gst_bus_post) (bus, message);
}

GstMessage *
gst_bus_timed_pop_filtered (GstBus *bus, GstClockTime timeout,
                            GstMessageType types)
{
  GstMessage *message
      = REAL (gst_bus_timed_pop_filtered) (bus, timeout, types);

  __tsan_acquire (bus);
  return message;
}
