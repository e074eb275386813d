/* Memories that are frames on the device. */
#include "gstvkcmemory.h"

#include <string.h>

#include "gst/vk/recorder.h"
#include "gst/vk/result.h"
#include "gstvkcblack.h"
#include "gstvkccaps.h"
#include "gstvkclog.h"

/* Idle storage that an allocator keeps. */
#define MAX_IDLE 16

struct _GstVkcAllocator
{
  GstAllocator parent;

  struct vkc_device *device;

  GMutex lock;
  GQueue storage; /* struct vkc_image, the oldest first; maybe in flight */
};

G_DEFINE_FINAL_TYPE (GstVkcAllocator, gst_vkc_allocator, GST_TYPE_ALLOCATOR)

gboolean
gst_is_vkc_memory (const GstMemory *memory)
{
  return memory != NULL && memory->allocator != NULL
         && GST_IS_VKC_ALLOCATOR (memory->allocator);
}

struct vkc_image *
gst_vkc_buffer_get_image (GstBuffer *buffer)
{
  GstMemory *memory;

  if (gst_buffer_n_memory (buffer) != 1)
    return NULL;
  memory = gst_buffer_peek_memory (buffer, 0);
  return gst_is_vkc_memory (memory) ? ((GstVkcMemory *)memory)->image : NULL;
}

bool
gst_vkc_buffer_is_sole (const void *object, const struct vkc_image *image,
                        unsigned n)
{
  GstBuffer *buffer = (GstBuffer *)object;

  return GST_MINI_OBJECT_REFCOUNT_VALUE (buffer) == (gint)n
         && gst_vkc_buffer_get_image (buffer) == image
         && GST_MINI_OBJECT_REFCOUNT_VALUE (gst_buffer_peek_memory (buffer, 0))
                == 1;
}

gboolean
gst_vkc_buffer_is_last_to_know (GstBuffer *buffer)
{
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    if (GST_MINI_OBJECT_REFCOUNT_VALUE (gst_buffer_peek_memory (buffer, i))
        != 1)
      return FALSE;
  }
  return gst_buffer_is_all_memory_writable (buffer);
}

enum vkc_map_flags
gst_vkc_map_flags (GstMapFlags flags)
{
  enum vkc_map_flags result = 0;

  if (flags & GST_MAP_READ)
    result |= VKC_MAP_READ;
  if (flags & GST_MAP_WRITE)
    result |= VKC_MAP_WRITE;
  return result;
}

static gpointer
gst_vkc_memory_map_full (GstMemory *memory, GstMapInfo *info, gsize maxsize)
{
  GstVkcMemory *self = (GstVkcMemory *)memory;
  g_autoptr (GError) error = NULL;
  gpointer data = vkc_image_map (self->image, gst_vkc_map_flags (info->flags), &error);

  if (error == NULL)
    return data;
  GST_WARNING ("frame %p: %s", self->image, error->message);
  /* Stock elements turn a map that fails into criticals, nonsense or a silent
   * end; the owner of the failed work has said what happened. */
  if (data != NULL)
    gst_vkc_fill_black (data, self->info);
  return data;
}

static void
gst_vkc_memory_unmap_full (GstMemory *memory, GstMapInfo *info)
{
  vkc_image_unmap (((GstVkcMemory *)memory)->image, gst_vkc_map_flags (info->flags));
}

/* A copy is for the CPU. */
static GstMemory *
gst_vkc_memory_copy (GstMemory *memory, gssize offset, gssize size)
{
  GstMapInfo from, to;
  GstMemory *copy;

  if (!gst_memory_map (memory, &from, GST_MAP_READ))
    return NULL;
  if (size == -1)
    size = (gssize)from.size > offset ? (gssize)from.size - offset : 0;

  copy = gst_allocator_alloc (NULL, size, NULL);
  if (copy != NULL && gst_memory_map (copy, &to, GST_MAP_WRITE)) {
    memcpy (to.data, from.data + offset, size);
    gst_memory_unmap (copy, &to);
  }
  gst_memory_unmap (memory, &from);
  return copy;
}

static GstMemory *
gst_vkc_memory_share (GstMemory *memory, gssize offset, gssize size)
{
  GstVkcMemory *self = (GstVkcMemory *)memory;
  GstMemory *root = memory->parent != NULL ? memory->parent : memory;
  GstVkcMemory *part = g_new0 (GstVkcMemory, 1);

  if (size == -1)
    size = memory->size - offset;
  gst_memory_init (GST_MEMORY_CAST (part),
                   GST_MINI_OBJECT_FLAGS (root)
                       | GST_MINI_OBJECT_FLAG_LOCK_READONLY,
                   memory->allocator, root, memory->maxsize, memory->align,
                   memory->offset + offset, size);
  part->image = vkc_image_ref (self->image);
  part->info = self->info;
  return GST_MEMORY_CAST (part);
}

/* Parts of a frame may be neighbours, but nobody may merge them behind the
 * device's back. */
static gboolean
gst_vkc_memory_is_span (GstMemory *first, GstMemory *second, gsize *offset)
{
  return FALSE;
}

static gboolean
same_params (const struct vkc_image_params *a, const struct vkc_image_params *b)
{
  if (a->storage != b->storage || a->n_planes != b->n_planes
      || a->size != b->size)
    return FALSE;
  for (guint i = 0; i < a->n_planes; i++) {
    const struct vkc_plane *p = &a->planes[i], *q = &b->planes[i];

    if (p->format != q->format || p->width != q->width || p->height != q->height
        || p->offset != q->offset || p->stride != q->stride)
      return FALSE;
  }
  return TRUE;
}

/* Keeps @image for the next frame; takes it. */
static void
store (GstVkcAllocator *self, struct vkc_image *image)
{
  struct vkc_image *surplus = NULL;

  g_mutex_lock (&self->lock);
  g_queue_push_tail (&self->storage, image);
  if (g_queue_get_length (&self->storage) > MAX_IDLE)
    surplus = g_queue_pop_head (&self->storage);
  g_mutex_unlock (&self->lock);
  vkc_image_unref (surplus);
}

static struct vkc_image *
pop_stored (GstVkcAllocator *self)
{
  struct vkc_image *image;

  g_mutex_lock (&self->lock);
  image = g_queue_pop_head (&self->storage);
  g_mutex_unlock (&self->lock);
  return image;
}

/* An idle one for @params. Those of other kinds, of which one may be stored at any
 * time, are dropped on the way: the stream changed. Looks at images without the
 * lock: that waits for the recorder's, and whoever frees a memory must not. */
static struct vkc_image *
take_stored (GstVkcAllocator *self, const struct vkc_image_params *params)
{
  GQueue busy = G_QUEUE_INIT;
  struct vkc_image *image, *put_back;

  while ((image = pop_stored (self)) != NULL) {
    if (!same_params (vkc_image_params (image), params))
      vkc_image_unref (image);
    else if (vkc_image_is_idle (image))
      break;
    else
      g_queue_push_tail (&busy, image);
  }
  g_mutex_lock (&self->lock);
  while ((put_back = g_queue_pop_tail (&busy)) != NULL)
    g_queue_push_head (&self->storage, put_back);
  g_mutex_unlock (&self->lock);
  return image;
}

GstMemory *
gst_vkc_allocator_alloc_frame (GstVkcAllocator *self, const GstVideoInfo *info,
                               enum vkc_storage storage, GError **error)
{
  struct vkc_image_params params;
  struct vkc_image *image;
  GstVkcMemory *memory;

  if (!gst_vkc_image_params_from_info (&params, info, storage)) {
    g_set_error (error, VKC_ERROR, VKC_ERROR_REFUSED,
                 "no storage for a frame of %s in this layout",
                 GST_VIDEO_INFO_NAME (info));
    return NULL;
  }
  image = take_stored (self, &params);
  if (image == NULL)
    image = vkc_image_new (self->device, &params, error);
  if (image == NULL)
    return NULL;

  memory = g_new0 (GstVkcMemory, 1);
  gst_memory_init (GST_MEMORY_CAST (memory), 0, GST_ALLOCATOR (self), NULL,
                   params.size, 15, 0, GST_VIDEO_INFO_SIZE (info));
  memory->image = image;
  memory->info = gst_video_info_copy (info);
  return GST_MEMORY_CAST (memory);
}

/* The GstMemory goes, perhaps on the completion thread: nothing here waits. */
static void
gst_vkc_allocator_free (GstAllocator *allocator, GstMemory *memory)
{
  GstVkcMemory *self = (GstVkcMemory *)memory;

  if (memory->parent != NULL) {
    vkc_image_unref (self->image);
  } else {
    /* Nobody can want the frame any more. */
    vkc_recorder_discard_soon (vkc_image_device (self->image)->recorder,
                               self->image);
    store (GST_VKC_ALLOCATOR (allocator), self->image);
    gst_video_info_free (self->info);
  }
  g_free (self);
}

/* Only whole frames are made here. */
static GstMemory *
gst_vkc_allocator_alloc (GstAllocator *allocator, gsize size,
                         GstAllocationParams *params)
{
  GST_WARNING_OBJECT (allocator, "makes frames only");
  return NULL;
}

GstVkcAllocator *
gst_vkc_allocator_new (struct vkc_device *device)
{
  GstVkcAllocator *self = g_object_new (GST_TYPE_VKC_ALLOCATOR, NULL);

  gst_object_ref_sink (self);
  self->device = vkc_device_ref (device);
  return self;
}

GstMemory *
gst_vkc_root_memory (GstMemory *memory)
{
  while (memory->parent != NULL)
    memory = memory->parent;
  return memory;
}

struct vkc_device *
gst_vkc_allocator_get_device (GstVkcAllocator *self)
{
  return self->device;
}

static void
gst_vkc_allocator_finalize (GObject *object)
{
  GstVkcAllocator *self = GST_VKC_ALLOCATOR (object);

  g_queue_clear_full (&self->storage, (GDestroyNotify)vkc_image_unref);
  g_mutex_clear (&self->lock);
  vkc_device_unref (self->device);
  G_OBJECT_CLASS (gst_vkc_allocator_parent_class)->finalize (object);
}

static void
gst_vkc_allocator_class_init (GstVkcAllocatorClass *klass)
{
  gst_vkc_log_init ();
  G_OBJECT_CLASS (klass)->finalize = gst_vkc_allocator_finalize;
  GST_ALLOCATOR_CLASS (klass)->alloc = gst_vkc_allocator_alloc;
  GST_ALLOCATOR_CLASS (klass)->free = gst_vkc_allocator_free;
}

static void
gst_vkc_allocator_init (GstVkcAllocator *self)
{
  GstAllocator *allocator = GST_ALLOCATOR (self);

  g_mutex_init (&self->lock);
  g_queue_init (&self->storage);
  allocator->mem_type = GST_VKC_MEMORY_TYPE;
  allocator->mem_map_full = gst_vkc_memory_map_full;
  allocator->mem_unmap_full = gst_vkc_memory_unmap_full;
  allocator->mem_copy = gst_vkc_memory_copy;
  allocator->mem_share = gst_vkc_memory_share;
  allocator->mem_is_span = gst_vkc_memory_is_span;
  GST_OBJECT_FLAG_SET (self, GST_ALLOCATOR_FLAG_CUSTOM_ALLOC);
}
