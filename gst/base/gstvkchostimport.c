/* Imports of host pages, kept with the memory that they are of. */
#include "gstvkchostimport.h"

#include "gst/vk/recorder.h"
#include "gstvkclog.h"

/* What is known about a memory: qdata of the one that has no parent. */
struct sighting
{
  struct vkc_image *image; /* NULL until it is imported */
  gboolean refused;        /* the driver does not take these pages */
};

/* Guards all sightings: branches of a tee see the same memory. */
static GMutex lock;

static void
free_sighting (gpointer data)
{
  struct sighting *sighting = data;

  vkc_image_unref (sighting->image);
  g_free (sighting);
}

static GQuark
sighting_quark (void)
{
  return g_quark_from_static_string ("gst-vkc-host-import");
}

static GstMemory *
root_of (GstMemory *memory)
{
  while (memory->parent != NULL)
    memory = memory->parent;
  return memory;
}

/* What @root was seen as before; NULL at first sight. */
static struct sighting *
look_up (GstMemory *root, struct vkc_device *device)
{
  struct sighting *sighting
      = gst_mini_object_get_qdata (GST_MINI_OBJECT (root), sighting_quark ());

  /* A device that was lost does not come back. */
  if (sighting != NULL && sighting->image != NULL
      && vkc_image_device (sighting->image) != device
      && vkc_recorder_is_lost (vkc_image_device (sighting->image)->recorder)) {
    vkc_image_unref (sighting->image);
    sighting->image = NULL;
  }
  return sighting;
}

static struct sighting *
note (GstMemory *root)
{
  struct sighting *sighting = g_new0 (struct sighting, 1);

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
enclosing_pages (struct vkc_device *device, const GstMapInfo *map,
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

struct vkc_image *
gst_vkc_host_import (struct vkc_device *device, const GstMapInfo *map,
                     gboolean pooled, gsize *start)
{
  GstMemory *root = root_of (map->memory);
  struct vkc_image *image = NULL;
  struct sighting *sighting;
  struct pages pages;
  gboolean known;

  if (!device->can_import_host_pages
      || !gst_memory_is_type (root, GST_ALLOCATOR_SYSMEM))
    return NULL;
  pages = enclosing_pages (device, map, root);
  *start = map->data - pages.first;

  g_mutex_lock (&lock);
  sighting = look_up (root, device);
  known = sighting != NULL;
  if (sighting == NULL)
    sighting = note (root);
  if (sighting->image != NULL) {
    if (vkc_image_device (sighting->image) == device) {
      image = vkc_image_ref (sighting->image);
      vkc_recorder_count_import (device->recorder, true);
    }
  } else if (!sighting->refused && (known || pooled)) {
    sighting->image = import (device, &pages);
    sighting->refused = sighting->image == NULL;
    if (sighting->image != NULL) {
      image = vkc_image_ref (sighting->image);
      vkc_recorder_count_import (device->recorder, false);
    }
  }
  g_mutex_unlock (&lock);
  return image;
}
