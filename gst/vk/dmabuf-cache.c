/* One image for one dmabuf: which imports there are. */
#include "gst/vk/dmabuf-private.h"

#include <string.h>
#include <sys/stat.h>

#include "gst/vk/recorder-private.h"
#include "gst/vk/result.h"

struct vkc_import_cache
{
  struct vkc_mutex importing; /* outermost: one import at a time, which may wait
                                 for memory; no release of a pin takes it */
  struct vkc_mutex lock;      /* innermost; guards the rest */
  GPtrArray *images;          /* borrowed, but for the parked ones */
  GQueue parked;              /* the least recently used first */
  uint32_t max_parked;
};

struct vkc_import_cache *
vkc_import_cache_new (void)
{
  struct vkc_import_cache *cache = g_new0 (struct vkc_import_cache, 1);

  vkc_mutex_init (&cache->importing);
  vkc_mutex_init (&cache->lock);
  cache->images = g_ptr_array_new ();
  cache->max_parked = vkc_setting ("VKC_MAX_IMPORTS", 32);
  return cache;
}

/* Under the lock. */
static void
unlist (struct vkc_import_cache *cache, struct vkc_image *image)
{
  struct vkc_dmabuf_import *import = image->dmabuf;

  if (!import->is_listed)
    return;
  import->is_listed = false;
  g_ptr_array_remove_fast (cache->images, image);
  if (import->is_parked)
    g_queue_unlink (&cache->parked, &import->link);
  import->is_parked = false;
}

/* Under the lock. A parked image that is to go, or NULL. */
static struct vkc_image *
take_oldest (struct vkc_import_cache *cache, uint32_t above)
{
  struct vkc_image *image = NULL;

  if (g_queue_get_length (&cache->parked) > above) {
    image = g_queue_peek_head (&cache->parked);
    unlist (cache, image);
  }
  return image;
}

static void
drop_parked (struct vkc_import_cache *cache, uint32_t above)
{
  struct vkc_image *image;

  do {
    vkc_mutex_lock (&cache->lock);
    image = take_oldest (cache, above);
    vkc_mutex_unlock (&cache->lock);
    if (image)
      vkc_image_destroy_parked (image);
  } while (image);
}

void
vkc_import_cache_free (struct vkc_import_cache *cache)
{
  drop_parked (cache, 0);
  g_ptr_array_unref (cache->images);
  vkc_mutex_clear (&cache->lock);
  vkc_mutex_clear (&cache->importing);
  g_free (cache);
}

void
vkc_dmabuf_trim (struct vkc_device *device)
{
  drop_parked (device->recorder->imports, 0);
}

void
vkc_dmabuf_unref (struct vkc_image *image)
{
  struct vkc_device *device = image->device;
  struct vkc_import_cache *cache = device->recorder->imports;
  struct vkc_dmabuf_import *import = image->dmabuf;
  bool is_last, parks = false;

  vkc_mutex_lock (&cache->lock);
  is_last = g_atomic_int_dec_and_test (&image->ref_count);
  if (is_last && import->is_listed) {
    parks = import->is_kept;
    if (parks) {
      import->is_parked = true;
      g_queue_push_tail_link (&cache->parked, &import->link);
    } else {
      unlist (cache, image);
    }
  }
  vkc_mutex_unlock (&cache->lock);

  if (parks) {
    drop_parked (cache, cache->max_parked);
    vkc_device_unref (device);
  } else if (is_last) {
    vkc_recorder_dispose (device->recorder, image);
  }
}

static bool
make_key (struct vkc_dmabuf_key *key, const struct vkc_dmabuf *dmabuf,
          GError **error)
{
  const bool is_buffer = dmabuf->storage == VKC_STORAGE_BUFFER;
  const uint32_t n = is_buffer ? 1 : dmabuf->n_planes;

  memset (key, 0, sizeof *key);
  key->view.storage = dmabuf->storage;
  key->view.modifier = dmabuf->modifier;
  key->view.n_planes = n;
  for (uint32_t i = 0; i < n; i++) {
    struct stat status;

    if (fstat (dmabuf->planes[i].fd, &status) != 0)
      return vkc_refuse (error, "a dmabuf's file descriptor is not open");
    key->objects[i].device = status.st_dev;
    key->objects[i].inode = status.st_ino;
    if (!is_buffer)
      key->view.planes[i] = dmabuf->planes[i];
    key->view.planes[i].fd = -1;
  }
  return true;
}

static bool
same_key (const struct vkc_dmabuf_key *a, const struct vkc_dmabuf_key *b)
{
  if (a->view.storage != b->view.storage
      || a->view.modifier != b->view.modifier
      || a->view.n_planes != b->view.n_planes)
    return false;
  for (uint32_t i = 0; i < a->view.n_planes; i++) {
    const struct vkc_dmabuf_plane *p = &a->view.planes[i];
    const struct vkc_dmabuf_plane *q = &b->view.planes[i];

    if (a->objects[i].device != b->objects[i].device
        || a->objects[i].inode != b->objects[i].inode
        || p->offset != q->offset || p->stride != q->stride
        || p->width != q->width || p->height != q->height
        || p->format != q->format)
      return false;
  }
  return true;
}

/* A reference to the image of @key, if there is one. */
static struct vkc_image *
look_up (struct vkc_device *device, const struct vkc_dmabuf_key *key,
         bool keep)
{
  struct vkc_import_cache *cache = device->recorder->imports;
  struct vkc_image *found = NULL;

  vkc_mutex_lock (&cache->lock);
  for (guint i = 0; i < cache->images->len && !found; i++) {
    struct vkc_image *image = g_ptr_array_index (cache->images, i);

    if (same_key (&image->dmabuf->key, key))
      found = image;
  }
  if (found) {
    struct vkc_dmabuf_import *import = found->dmabuf;

    import->is_kept &= keep;
    if (import->is_parked) {
      import->is_parked = false;
      g_queue_unlink (&cache->parked, &import->link);
      vkc_device_ref (device);
    }
    g_atomic_int_inc (&found->ref_count);
  }
  vkc_mutex_unlock (&cache->lock);
  return found;
}

static struct vkc_image *
import_new (struct vkc_device *device, const struct vkc_dmabuf *dmabuf,
            const struct vkc_dmabuf_key *key, bool keep, GError **error)
{
  const struct vkc_image_params params = { .storage = dmabuf->storage };
  struct vkc_import_cache *cache = device->recorder->imports;
  struct vkc_image *image = vkc_image_new_empty (device, &params);

  if (!vkc_dmabuf_fill (image, dmabuf, key, error)) {
    vkc_image_destroy (image);
    return NULL;
  }
  vkc_mutex_lock (&cache->lock);
  image->dmabuf->is_kept = keep;
  image->dmabuf->is_listed = true;
  g_ptr_array_add (cache->images, image);
  vkc_mutex_unlock (&cache->lock);
  return image;
}

struct vkc_image *
vkc_dmabuf_import (struct vkc_device *device, const struct vkc_dmabuf *dmabuf,
                   bool keep, GError **error)
{
  struct vkc_import_cache *cache = device->recorder->imports;
  struct vkc_dmabuf_key key;
  struct vkc_image *image;
  bool hit = true;

  if (!device->can_import_dmabuf) {
    g_set_error (error, VKC_ERROR, VKC_ERROR_REFUSED,
                 "%s cannot import dmabufs", device->name);
    return NULL;
  }
  if (!make_key (&key, dmabuf, error))
    return NULL;
  vkc_mutex_lock (&cache->importing);
  image = look_up (device, &key, keep);
  if (!image) {
    hit = false;
    image = import_new (device, dmabuf, &key, keep, error);
  }
  vkc_mutex_unlock (&cache->importing);
  if (image)
    vkc_recorder_count_import (device->recorder, hit);
  return image;
}
