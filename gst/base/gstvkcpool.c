/* The pool of frames. */
#include "gstvkcpool.h"

#include "gst/vk/recorder.h"
#include "gstvkccaps.h"
#include "gstvkclog.h"

struct _GstVkcPool
{
  GstBufferPool parent;

  GstVkcAllocator *allocator;
  struct vkc_owner *owner; /* may be NULL */
  /* Set while inactive, constant while active. */
  GstVideoInfo info; /* the layout of each frame */
  gboolean aligned;
  GstVideoAlignment alignment;
};

G_DEFINE_FINAL_TYPE (GstVkcPool, gst_vkc_pool, GST_TYPE_BUFFER_POOL)

GType
gst_vkc_marker_api_get_type (void)
{
  static GType type;

  if (g_once_init_enter (&type)) {
    const gchar *tags[] = { NULL };

    g_once_init_leave (&type,
                       gst_meta_api_type_register ("GstVkcMarkerAPI", tags));
  }
  return type;
}

static const gchar **
gst_vkc_pool_get_options (GstBufferPool *pool)
{
  static const gchar *options[]
      = { GST_BUFFER_POOL_OPTION_VIDEO_META,
          GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT, NULL };

  return options;
}

/* Kernels read rows in whole words. */
static gboolean
align_info (GstVideoInfo *info, GstVideoAlignment *alignment)
{
  for (guint i = 0; i < GST_VIDEO_MAX_PLANES; i++)
    alignment->stride_align[i] |= 3;
  return gst_video_info_align (info, alignment);
}

static gboolean
gst_vkc_pool_set_config (GstBufferPool *pool, GstStructure *config)
{
  GstVkcPool *self = GST_VKC_POOL (pool);
  guint size, min, max;
  GstCaps *caps;
  GstVideoInfo info;

  if (!gst_buffer_pool_config_get_params (config, &caps, &size, &min, &max)
      || caps == NULL || !gst_video_info_from_caps (&info, caps)
      || GST_VIDEO_INFO_FORMAT (&info) == GST_VIDEO_FORMAT_UNKNOWN) {
    GST_WARNING_OBJECT (pool, "no frames for %" GST_PTR_FORMAT, config);
    return FALSE;
  }

  self->aligned = gst_buffer_pool_config_has_option (
      config, GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT);
  if (self->aligned) {
    gst_buffer_pool_config_get_video_alignment (config, &self->alignment);
    if (!align_info (&info, &self->alignment))
      return FALSE;
    gst_buffer_pool_config_set_video_alignment (config, &self->alignment);
  }
  info.size = MAX (size, info.size);
  self->info = info;
  gst_buffer_pool_config_set_params (config, caps, info.size, min, max);
  return GST_BUFFER_POOL_CLASS (gst_vkc_pool_parent_class)
      ->set_config (pool, config);
}

static GstFlowReturn
gst_vkc_pool_alloc_buffer (GstBufferPool *pool, GstBuffer **buffer,
                           GstBufferPoolAcquireParams *params)
{
  GstVkcPool *self = GST_VKC_POOL (pool);
  GstVideoInfo *info = &self->info;
  g_autoptr (GError) error = NULL;
  GstVideoMeta *meta;
  GstMemory *memory
      = gst_vkc_allocator_alloc_frame (self->allocator, info,
                                       gst_vkc_storage_for (info), &error);

  if (memory == NULL) {
    GST_ERROR_OBJECT (pool, "%s", error->message);
    if (self->owner != NULL)
      vkc_owner_fail (self->owner, error);
    return GST_FLOW_ERROR;
  }
  *buffer = gst_buffer_new ();
  gst_buffer_append_memory (*buffer, memory);
  meta = gst_buffer_add_video_meta_full (
      *buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_INFO_FORMAT (info),
      GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info),
      GST_VIDEO_INFO_N_PLANES (info), info->offset, info->stride);
  if (self->aligned)
    gst_video_meta_set_alignment (meta, self->alignment);
  return GST_FLOW_OK;
}

/* A pool that could not make all of its first buffers keeps those that it made,
 * also when it goes. */
static gboolean
gst_vkc_pool_start (GstBufferPool *pool)
{
  GstBufferPoolClass *parent
      = GST_BUFFER_POOL_CLASS (gst_vkc_pool_parent_class);

  if (parent->start (pool))
    return TRUE;
  parent->stop (pool);
  return FALSE;
}

/* A filter in place may have moved the meta of a frame that came back. */
static void
restore_meta (GstVkcPool *self, GstBuffer *buffer)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  const GstVideoInfo *info = &self->info;

  if (meta == NULL)
    return;
  meta->width = GST_VIDEO_INFO_WIDTH (info);
  meta->height = GST_VIDEO_INFO_HEIGHT (info);
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    meta->offset[i] = GST_VIDEO_INFO_PLANE_OFFSET (info, i);
    meta->stride[i] = GST_VIDEO_INFO_PLANE_STRIDE (info, i);
  }
}

static void
discard (GstBuffer *buffer)
{
  struct vkc_image *image = gst_vkc_buffer_get_image (buffer);

  if (image != NULL)
    vkc_recorder_discard (vkc_image_device (image)->recorder, image);
}

static GstFlowReturn
gst_vkc_pool_acquire_buffer (GstBufferPool *pool, GstBuffer **buffer,
                             GstBufferPoolAcquireParams *params)
{
  GstFlowReturn ret = GST_BUFFER_POOL_CLASS (gst_vkc_pool_parent_class)
                          ->acquire_buffer (pool, buffer, params);

  if (ret != GST_FLOW_OK)
    return ret;
  restore_meta (GST_VKC_POOL (pool), *buffer);
  discard (*buffer);
  return ret;
}

/* A frame that nobody wants must not count as pending until its buffer's turn
 * comes again. Whoever drops it waits for nothing. */
static void
gst_vkc_pool_release_buffer (GstBufferPool *pool, GstBuffer *buffer)
{
  struct vkc_image *image = gst_vkc_buffer_get_image (buffer);

  if (image != NULL && gst_vkc_buffer_is_last_to_know (buffer))
    vkc_recorder_discard_soon (vkc_image_device (image)->recorder, image);
  GST_BUFFER_POOL_CLASS (gst_vkc_pool_parent_class)
      ->release_buffer (pool, buffer);
}

gboolean
gst_vkc_pool_configure (GstBufferPool *pool, GstCaps *caps)
{
  GstStructure *config = gst_buffer_pool_get_config (pool);

  gst_buffer_pool_config_set_params (config, caps, 0, 0, 0);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  return gst_buffer_pool_set_config (pool, config);
}

GstBufferPool *
gst_vkc_pool_new (GstVkcAllocator *allocator, struct vkc_owner *owner)
{
  GstVkcPool *self = g_object_new (GST_TYPE_VKC_POOL, NULL);

  gst_object_ref_sink (self);
  self->allocator = gst_object_ref (allocator);
  self->owner = owner != NULL ? vkc_owner_ref (owner) : NULL;
  return GST_BUFFER_POOL (self);
}

static void
gst_vkc_pool_finalize (GObject *object)
{
  GstVkcAllocator *allocator = GST_VKC_POOL (object)->allocator;
  struct vkc_owner *owner = GST_VKC_POOL (object)->owner;

  /* Frees the buffers that are left. */
  G_OBJECT_CLASS (gst_vkc_pool_parent_class)->finalize (object);
  gst_object_unref (allocator);
  vkc_owner_unref (owner);
}

static void
gst_vkc_pool_class_init (GstVkcPoolClass *klass)
{
  GstBufferPoolClass *pool_class = GST_BUFFER_POOL_CLASS (klass);

  gst_vkc_log_init ();
  G_OBJECT_CLASS (klass)->finalize = gst_vkc_pool_finalize;
  pool_class->get_options = gst_vkc_pool_get_options;
  pool_class->set_config = gst_vkc_pool_set_config;
  pool_class->start = gst_vkc_pool_start;
  pool_class->alloc_buffer = gst_vkc_pool_alloc_buffer;
  pool_class->acquire_buffer = gst_vkc_pool_acquire_buffer;
  pool_class->release_buffer = gst_vkc_pool_release_buffer;
}

static void
gst_vkc_pool_init (GstVkcPool *self)
{
}
