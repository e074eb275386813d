/* Scratch images. */
#include "scratch.h"

#include "gst/vk/recorder.h"
#include "gst/vk/sync.h"

struct scratch_pool
{
  struct vkc_device *device;
  struct vkc_image_params params;
  struct vkc_mutex lock;
  GQueue idle; /* struct vkc_image, longest unused first */
  gint ref_count;
};

struct scratch_pool *
scratch_pool_new (struct vkc_device *device,
                  const struct vkc_image_params *params)
{
  struct scratch_pool *pool = g_new0 (struct scratch_pool, 1);

  pool->ref_count = 1;
  pool->device = vkc_device_ref (device);
  pool->params = *params;
  vkc_mutex_init (&pool->lock);
  g_queue_init (&pool->idle);
  return pool;
}

void
scratch_pool_unref (struct scratch_pool *pool)
{
  if (pool == NULL || !g_atomic_int_dec_and_test (&pool->ref_count))
    return;
  g_queue_clear_full (&pool->idle, (GDestroyNotify) vkc_image_unref);
  vkc_mutex_clear (&pool->lock);
  vkc_device_unref (pool->device);
  g_free (pool);
}

/* One that the device is done with, or NULL. */
static struct vkc_image *
take_idle (struct scratch_pool *pool)
{
  struct vkc_image *image;

  vkc_mutex_lock (&pool->lock);
  image = g_queue_pop_head (&pool->idle);
  vkc_mutex_unlock (&pool->lock);
  if (image == NULL || vkc_image_is_idle (image))
    return image;
  vkc_mutex_lock (&pool->lock);
  g_queue_push_head (&pool->idle, image);
  vkc_mutex_unlock (&pool->lock);
  return NULL;
}

struct scratch *
scratch_new (struct scratch_pool *pool, GError **error)
{
  struct vkc_image *image = take_idle (pool);
  struct scratch *scratch;

  if (image == NULL)
    image = vkc_image_new (pool->device, &pool->params, error);
  if (image == NULL)
    return NULL;
  scratch = g_new (struct scratch, 1);
  g_atomic_int_inc (&pool->ref_count);
  *scratch
      = (struct scratch){ .image = image, .pool = pool, .ref_count = 1 };
  return scratch;
}

struct scratch *
scratch_ref (struct scratch *scratch)
{
  g_atomic_int_inc (&scratch->ref_count);
  return scratch;
}

void
scratch_unref (struct scratch *scratch)
{
  struct scratch_pool *pool;

  if (scratch == NULL || !g_atomic_int_dec_and_test (&scratch->ref_count))
    return;
  pool = scratch->pool;
  vkc_recorder_discard (pool->device->recorder, scratch->image);
  vkc_mutex_lock (&pool->lock);
  g_queue_push_tail (&pool->idle, scratch->image);
  vkc_mutex_unlock (&pool->lock);
  g_free (scratch);
  scratch_pool_unref (pool);
}
