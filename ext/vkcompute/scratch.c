/* Scratch images. */
#include "scratch.h"

#include "gst/vk/recorder.h"
#include "gst/vk/sync.h"

/* One storage, and the frame that it serves or served last. */
struct place
{
  struct vkc_image *image;
  struct scratch *scratch; /* NULL once nobody names that any more */
  gboolean in_planning;
};

struct scratch_pool
{
  struct vkc_device *device;
  struct vkc_image_params params;
  struct vkc_mutex lock;
  GPtrArray *places;
  gint ref_count;
};

struct scratch
{
  struct scratch_pool *pool; /* a reference */
  struct place *place;       /* the pool's */
  gint ref_count;
};

static void
place_free (gpointer data)
{
  struct place *place = data;

  vkc_image_unref (place->image);
  g_free (place);
}

struct scratch_pool *
scratch_pool_new (struct vkc_device *device,
                  const struct vkc_image_params *params)
{
  struct scratch_pool *pool = g_new0 (struct scratch_pool, 1);

  pool->ref_count = 1;
  pool->device = vkc_device_ref (device);
  pool->params = *params;
  pool->places = g_ptr_array_new_with_free_func (place_free);
  vkc_mutex_init (&pool->lock);
  return pool;
}

void
scratch_pool_unref (struct scratch_pool *pool)
{
  if (pool == NULL || !g_atomic_int_dec_and_test (&pool->ref_count))
    return;
  g_ptr_array_unref (pool->places);
  vkc_mutex_clear (&pool->lock);
  vkc_device_unref (pool->device);
  g_free (pool);
}

/* Under the lock. */
static struct place *
find_free (const struct scratch_pool *pool)
{
  for (guint i = 0; i < pool->places->len; i++) {
    struct place *place = g_ptr_array_index (pool->places, i);

    if (!place->in_planning && !vkc_image_is_planned (place->image))
      return place;
  }
  return NULL;
}

/* Under the lock. */
static struct scratch *
use (struct scratch_pool *pool, struct place *place)
{
  struct scratch *scratch = g_new0 (struct scratch, 1);

  g_atomic_int_inc (&pool->ref_count);
  scratch->pool = pool;
  scratch->place = place;
  scratch->ref_count = 1;
  place->scratch = scratch;
  place->in_planning = TRUE;
  return scratch;
}

struct scratch *
scratch_new (struct scratch_pool *pool, GError **error)
{
  struct scratch *scratch = NULL;
  struct vkc_image *image;
  struct place *place;

  vkc_mutex_lock (&pool->lock);
  place = find_free (pool);
  if (place != NULL)
    scratch = use (pool, place);
  vkc_mutex_unlock (&pool->lock);
  if (scratch != NULL)
    return scratch;

  /* May wait for pins, which are this pool's, too: not under the lock. */
  image = vkc_image_new (pool->device, &pool->params, error);
  if (image == NULL)
    return NULL;
  place = g_new0 (struct place, 1);
  place->image = image;
  vkc_mutex_lock (&pool->lock);
  g_ptr_array_add (pool->places, place);
  scratch = use (pool, place);
  vkc_mutex_unlock (&pool->lock);
  return scratch;
}

struct vkc_image *
scratch_image (const struct scratch *scratch)
{
  return scratch->place->image;
}

static void
scratch_unref (gpointer data)
{
  struct scratch *scratch = data;
  struct scratch_pool *pool = scratch->pool;

  if (!g_atomic_int_dec_and_test (&scratch->ref_count))
    return;
  vkc_mutex_lock (&pool->lock);
  /* Unless it serves another frame by now. */
  if (scratch->place->scratch == scratch) {
    vkc_recorder_discard (pool->device->recorder, scratch->place->image);
    scratch->place->scratch = NULL;
  }
  vkc_mutex_unlock (&pool->lock);
  g_free (scratch);
  scratch_pool_unref (pool);
}

void
scratch_pin (struct scratch *scratch, struct vkc_job *job)
{
  g_atomic_int_inc (&scratch->ref_count);
  vkc_job_pin (job, scratch, scratch_unref);
}

void
scratch_planned (struct scratch *scratch)
{
  if (scratch == NULL)
    return;
  vkc_mutex_lock (&scratch->pool->lock);
  scratch->place->in_planning = FALSE;
  vkc_mutex_unlock (&scratch->pool->lock);
  scratch_unref (scratch);
}
