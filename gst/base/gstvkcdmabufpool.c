/* Frames in dmabufs of our own. */
#include "gstvkcdmabufpool.h"

#include <unistd.h>

#include "gst/vk/dmabuf.h"
#include "gst/vk/recorder.h"
#include "gstvkcblack.h"
#include "gstvkccaps.h"
#include "gstvkcdmabuf.h"
#include "gstvkcdrm.h"
#include "gstvkclog.h"
#include "gstvkcmemory.h"

/* Rows start where displays, encoders and software drivers want them. */
#define STRIDE_ALIGN 255

struct _GstVkcDmabufAllocator
{
  GstDmaBufAllocator parent;

  struct vkc_device *device;
  GstMemoryMapFullFunction parent_map;
  GstMemoryUnmapFullFunction parent_unmap;
};

G_DEFINE_FINAL_TYPE (GstVkcDmabufAllocator, gst_vkc_dmabuf_allocator,
                     GST_TYPE_DMABUF_ALLOCATOR)

struct _GstVkcDmabufPool
{
  GstBufferPool parent;

  GstVkcDmabufAllocator *allocator;
  struct vkc_owner *owner;
  /* Set while inactive. */
  GstVideoInfo info;
  guint64 modifier;
};

G_DEFINE_FINAL_TYPE (GstVkcDmabufPool, gst_vkc_dmabuf_pool,
                     GST_TYPE_BUFFER_POOL)

static GQuark
info_quark (void)
{
  return g_quark_from_static_string ("gst-vkc-dmabuf-info");
}

/* By a mapping of its own: the caller's may be for reading only. Of a tiled
 * frame nobody knows here what that is. */
static void
put_black (GstVkcDmabufAllocator *self, GstMemory *memory, gsize maxsize)
{
  const GstVideoInfo *frame
      = gst_mini_object_get_qdata (GST_MINI_OBJECT (memory), info_quark ());
  GstMapInfo info = { .memory = memory, .flags = GST_MAP_READWRITE };
  gpointer data
      = frame != NULL ? self->parent_map (memory, &info, maxsize) : NULL;

  if (data == NULL)
    return;
  gst_vkc_fill_black (data, frame);
  self->parent_unmap (memory, &info);
}

/* As a frame in memory of ours: one that is lost is black. */
static gpointer
gst_vkc_dmabuf_allocator_map (GstMemory *memory, GstMapInfo *info,
                              gsize maxsize)
{
  GstVkcDmabufAllocator *self = GST_VKC_DMABUF_ALLOCATOR (memory->allocator);
  struct vkc_image *image = gst_vkc_dmabuf_memory_image (memory, self->device);
  g_autoptr (GError) error = NULL;

  if (image != NULL
      && !vkc_image_settle (image, gst_vkc_map_flags (info->flags), &error)) {
    GST_WARNING ("frame %p: %s", image, error->message);
    put_black (self, memory, maxsize);
  }
  return self->parent_map (memory, info, maxsize);
}

static void
gst_vkc_dmabuf_allocator_unmap (GstMemory *memory, GstMapInfo *info)
{
  GstVkcDmabufAllocator *self = GST_VKC_DMABUF_ALLOCATOR (memory->allocator);
  struct vkc_image *image = gst_vkc_dmabuf_memory_image (memory, self->device);

  self->parent_unmap (memory, info);
  if (image != NULL)
    vkc_image_unmap (image, gst_vkc_map_flags (info->flags));
}

/* Rows after rows, in one dmabuf. */
static GstMemory *
alloc_linear (GstVkcDmabufAllocator *self, const GstVideoInfo *info,
              GError **error)
{
  const int fd = vkc_dmabuf_new (self->device, info->size, error);
  GstMemory *memory;

  if (fd < 0)
    return NULL;
  memory = gst_dmabuf_allocator_alloc (GST_ALLOCATOR (self), fd, info->size);
  gst_mini_object_set_qdata (GST_MINI_OBJECT (memory), info_quark (),
                             gst_video_info_copy (info),
                             (GDestroyNotify)gst_video_info_free);
  return memory;
}

/* A dmabuf for each plane of a tiled frame: drivers may want memory that is for
 * one image alone. Where planes start and what a stride is, the driver says. */
static gboolean
alloc_tiled (GstVkcDmabufAllocator *self, GstBuffer *buffer,
             GstVideoInfo *info, guint64 modifier, GError **error)
{
  struct vkc_image_params params;
  gsize end = 0;

  if (!gst_vkc_image_params_from_info (&params, info, VKC_STORAGE_IMAGE)) {
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
                 "%s has no form in images", GST_VIDEO_INFO_NAME (info));
    return FALSE;
  }
  for (guint i = 0; i < params.n_planes; i++) {
    struct vkc_dmabuf_plane plane = { .width = params.planes[i].width,
                                      .height = params.planes[i].height,
                                      .format = params.planes[i].format };
    off_t size;

    if (!vkc_dmabuf_new_plane (self->device, modifier, &plane, error))
      return FALSE;
    size = lseek (plane.fd, 0, SEEK_END);
    gst_buffer_append_memory (
        buffer, gst_dmabuf_allocator_alloc (GST_ALLOCATOR (self), plane.fd,
                                            (gsize)size));
    info->offset[i] = end + plane.offset;
    info->stride[i] = (gint)plane.stride;
    end += (gsize)size;
  }
  return TRUE;
}

static void
gst_vkc_dmabuf_allocator_finalize (GObject *object)
{
  vkc_device_unref (GST_VKC_DMABUF_ALLOCATOR (object)->device);
  G_OBJECT_CLASS (gst_vkc_dmabuf_allocator_parent_class)->finalize (object);
}

static void
gst_vkc_dmabuf_allocator_class_init (GstVkcDmabufAllocatorClass *klass)
{
  gst_vkc_log_init ();
  G_OBJECT_CLASS (klass)->finalize = gst_vkc_dmabuf_allocator_finalize;
}

static void
gst_vkc_dmabuf_allocator_init (GstVkcDmabufAllocator *self)
{
  GstAllocator *allocator = GST_ALLOCATOR (self);

  self->parent_map = allocator->mem_map_full;
  self->parent_unmap = allocator->mem_unmap_full;
  allocator->mem_map_full = gst_vkc_dmabuf_allocator_map;
  allocator->mem_unmap_full = gst_vkc_dmabuf_allocator_unmap;
}

static const gchar **
gst_vkc_dmabuf_pool_get_options (GstBufferPool *pool)
{
  static const gchar *options[] = { GST_BUFFER_POOL_OPTION_VIDEO_META, NULL };

  return options;
}

static gboolean
gst_vkc_dmabuf_pool_set_config (GstBufferPool *pool, GstStructure *config)
{
  GstVkcDmabufPool *self = GST_VKC_DMABUF_POOL (pool);
  GstVideoAlignment alignment;
  guint size, min, max;
  GstCaps *caps;

  gst_video_alignment_reset (&alignment);
  for (guint i = 0; i < GST_VIDEO_MAX_PLANES; i++)
    alignment.stride_align[i] = STRIDE_ALIGN;
  if (!gst_buffer_pool_config_get_params (config, &caps, &size, &min, &max)
      || caps == NULL
      || !gst_vkc_video_info_from_caps (&self->info, caps, &self->modifier)
      || !gst_video_info_align (&self->info, &alignment)) {
    GST_WARNING_OBJECT (pool, "no frames for %" GST_PTR_FORMAT, config);
    return FALSE;
  }
  gst_buffer_pool_config_set_params (config, caps, self->info.size, min, max);
  return GST_BUFFER_POOL_CLASS (gst_vkc_dmabuf_pool_parent_class)
      ->set_config (pool, config);
}

static gboolean
fill_buffer (GstVkcDmabufPool *self, GstBuffer *buffer, GstVideoInfo *info,
             GError **error)
{
  GstMemory *memory;

  if (self->modifier != VKC_MODIFIER_LINEAR)
    return alloc_tiled (self->allocator, buffer, info, self->modifier, error);
  memory = alloc_linear (self->allocator, info, error);
  if (memory != NULL)
    gst_buffer_append_memory (buffer, memory);
  return memory != NULL;
}

static GstFlowReturn
gst_vkc_dmabuf_pool_alloc_buffer (GstBufferPool *pool, GstBuffer **buffer,
                                  GstBufferPoolAcquireParams *params)
{
  GstVkcDmabufPool *self = GST_VKC_DMABUF_POOL (pool);
  GstVideoInfo info = self->info;
  g_autoptr (GError) error = NULL;

  *buffer = gst_buffer_new ();
  if (!fill_buffer (self, *buffer, &info, &error)) {
    GST_ERROR_OBJECT (pool, "no dmabuf: %s", error->message);
    vkc_owner_fail (self->owner, error);
    gst_clear_buffer (buffer);
    return GST_FLOW_ERROR;
  }
  gst_buffer_add_video_meta_full (
      *buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_INFO_FORMAT (&info),
      GST_VIDEO_INFO_WIDTH (&info), GST_VIDEO_INFO_HEIGHT (&info),
      GST_VIDEO_INFO_N_PLANES (&info), info.offset, info.stride);
  return GST_FLOW_OK;
}

/* As gst_vkc_pool_release_buffer(). */
static void
gst_vkc_dmabuf_pool_release_buffer (GstBufferPool *pool, GstBuffer *buffer)
{
  struct vkc_device *device = GST_VKC_DMABUF_POOL (pool)->allocator->device;
  struct vkc_image *image = gst_vkc_dmabuf_get_image (buffer, device);

  if (image != NULL && gst_vkc_buffer_is_last_to_know (buffer))
    vkc_recorder_discard_soon (device->recorder, image);
  GST_BUFFER_POOL_CLASS (gst_vkc_dmabuf_pool_parent_class)
      ->release_buffer (pool, buffer);
}

GstBufferPool *
gst_vkc_dmabuf_pool_new (struct vkc_device *device, struct vkc_owner *owner)
{
  GstVkcDmabufPool *self = g_object_new (GST_TYPE_VKC_DMABUF_POOL, NULL);

  gst_object_ref_sink (self);
  self->allocator = g_object_new (GST_TYPE_VKC_DMABUF_ALLOCATOR, NULL);
  gst_object_ref_sink (self->allocator);
  self->allocator->device = vkc_device_ref (device);
  self->owner = vkc_owner_ref (owner);
  return GST_BUFFER_POOL (self);
}

static void
gst_vkc_dmabuf_pool_finalize (GObject *object)
{
  GstVkcDmabufAllocator *allocator = GST_VKC_DMABUF_POOL (object)->allocator;
  struct vkc_owner *owner = GST_VKC_DMABUF_POOL (object)->owner;

  /* Frees the buffers that are left. */
  G_OBJECT_CLASS (gst_vkc_dmabuf_pool_parent_class)->finalize (object);
  gst_object_unref (allocator);
  vkc_owner_unref (owner);
}

static void
gst_vkc_dmabuf_pool_class_init (GstVkcDmabufPoolClass *klass)
{
  GstBufferPoolClass *pool_class = GST_BUFFER_POOL_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gst_vkc_dmabuf_pool_finalize;
  pool_class->get_options = gst_vkc_dmabuf_pool_get_options;
  pool_class->set_config = gst_vkc_dmabuf_pool_set_config;
  pool_class->alloc_buffer = gst_vkc_dmabuf_pool_alloc_buffer;
  pool_class->release_buffer = gst_vkc_dmabuf_pool_release_buffer;
}

static void
gst_vkc_dmabuf_pool_init (GstVkcDmabufPool *self)
{
}
