/* Imports of host pages, kept with the memory that they are of. */
#include "gstvkchostimport.h"

#include "gst/vk/recorder.h"
#include "gstvkclog.h"
#include "gstvkcmemory.h"

/* What is known about a memory: qdata of the one that has no parent. */
struct sighting
{
  struct vkc_image *image;             /* NULL while it is not imported */
  const struct vkc_device *refused_by; /* compared only: its driver said no */
  gboolean busy;                       /* somebody imports it now */
  GList link;                          /* in `sightings` */
};

/* Guards all sightings: branches of a tee see the same memory. Nothing is
 * imported, dropped or waited for under it. */
static GMutex lock;
static GCond forgotten;
static guint n_forgetting; /* threads that drop imports */
static GQueue sightings = G_QUEUE_INIT;

/* The pages go when this returns, and all imports of them before. */
static void
free_sighting (gpointer data)
{
  struct sighting *sighting = data;

  g_mutex_lock (&lock);
  while (n_forgetting > 0)
    g_cond_wait (&forgotten, &lock);
  g_queue_unlink (&sightings, &sighting->link);
  g_mutex_unlock (&lock);
  vkc_image_unref (sighting->image);
  g_free (sighting);
}

static GQuark
sighting_quark (void)
{
  return g_quark_from_static_string ("gst-vkc-host-import");
}

/* Under the lock. *@known: it was seen before. */
static struct sighting *
look_up (GstMemory *root, gboolean *known)
{
  struct sighting *sighting
      = gst_mini_object_get_qdata (GST_MINI_OBJECT (root), sighting_quark ());

  *known = sighting != NULL;
  if (sighting != NULL)
    return sighting;
  sighting = g_new0 (struct sighting, 1);
  sighting->link.data = sighting;
  g_queue_push_tail_link (&sightings, &sighting->link);
  gst_mini_object_set_qdata (GST_MINI_OBJECT (root), sighting_quark (),
                             sighting, free_sighting);
  return sighting;
}

struct pages
{
  guint8 *first;
  gsize size;
};

static struct pages
enclosing_pages (const struct vkc_device *device, const GstMapInfo *map,
                 const GstMemory *root)
{
  const guintptr page = device->host_page_size;
  const guintptr start = (guintptr)(map->data - map->memory->offset);
  const guintptr first = start / page * page;
  const guintptr end = (start + root->maxsize + page - 1) / page * page;

  return (struct pages){ .first = (guint8 *)first, .size = end - first };
}

static struct vkc_image *
import (struct vkc_device *device, const struct pages *pages)
{
  const struct vkc_image_params params = {
    .storage = VKC_STORAGE_BUFFER,
    .n_planes = 1,
    .planes = { { .width = 1, .height = 1, .stride = 4 } },
    .size = pages->size,
  };
  g_autoptr (GError) error = NULL;
  struct vkc_image *image = NULL;

  if (pages->size <= device->limits.maxStorageBufferRange)
    image = vkc_image_new_from_host_pages (device, pages->first, pages->size,
                                           &params, &error);
  if (error != NULL)
    GST_INFO ("pages at %p are copied: %s", pages->first, error->message);
  return image;
}

/* The import that is there, or NULL and whether to make one. Under the lock. */
static struct vkc_image *
use (struct sighting *sighting, struct vkc_device *device, gboolean wanted,
     gboolean *make)
{
  *make = FALSE;
  if (sighting->image == NULL) {
    *make = wanted && !sighting->busy && sighting->refused_by != device;
    sighting->busy |= *make;
    return NULL;
  }
  return vkc_image_device (sighting->image) == device
             ? vkc_image_ref (sighting->image)
             : NULL;
}

gboolean
gst_vkc_host_import_is_possible (const struct vkc_device *device,
                                 GstMemory *memory)
{
  return device->can_import_host_pages
         && gst_memory_is_type (memory, GST_ALLOCATOR_SYSMEM);
}

struct vkc_image *
gst_vkc_host_import (struct vkc_device *device, const GstMapInfo *map,
                     gboolean pooled, gsize *start)
{
  GstMemory *root = gst_vkc_root_memory (map->memory);
  const struct pages pages = enclosing_pages (device, map, root);
  struct sighting *sighting;
  struct vkc_image *image;
  gboolean known, make;

  *start = map->data - pages.first;
  g_mutex_lock (&lock);
  sighting = look_up (root, &known);
  image = use (sighting, device, known || pooled || device->is_cpu, &make);
  g_mutex_unlock (&lock);

  if (image != NULL)
    vkc_recorder_count_import (device->recorder, true);
  if (!make)
    return image;

  image = import (device, &pages);
  if (image != NULL)
    vkc_recorder_count_import (device->recorder, false);
  g_mutex_lock (&lock);
  sighting->busy = FALSE;
  sighting->image = image != NULL ? vkc_image_ref (image) : NULL;
  sighting->refused_by = image != NULL ? NULL : device;
  g_mutex_unlock (&lock);
  return image;
}

void
gst_vkc_host_import_forget (const struct vkc_device *device)
{
  GSList *images = NULL;

  g_mutex_lock (&lock);
  for (GList *l = sightings.head; l != NULL; l = l->next) {
    struct sighting *sighting = l->data;

    if (sighting->refused_by == device)
      sighting->refused_by = NULL;
    if (sighting->image == NULL || vkc_image_device (sighting->image) != device)
      continue;
    images = g_slist_prepend (images, sighting->image);
    sighting->image = NULL;
  }
  n_forgetting++;
  g_mutex_unlock (&lock);

  g_slist_free_full (images, (GDestroyNotify)vkc_image_unref);
  g_mutex_lock (&lock);
  n_forgetting--;
  g_cond_broadcast (&forgotten);
  g_mutex_unlock (&lock);
}
