/* A peer's own pool of dmabufs. */
#include "gstvkcpeerpool.h"

#include <gst/allocators/gstdmabuf.h>

#include "gst/vk/dmabuf.h"
#include "gst/vk/job.h"
#include "gstvkccaps.h"
#include "gstvkcdmabuf.h"
#include "gstvkcdrm.h"
#include "gstvkclog.h"

/* kmssink's: its frames are dmabufs as well. */
#define OPTION_KMS_EXPORT "GstBufferPoolOptionKMSPrimeExport"

/* What a query says of a pool. */
struct offer
{
  GstBufferPool *pool;
  GstAllocator *allocator;
  GstAllocationParams params;
  guint size, min, max;
};

static gboolean
is_v4l2 (const struct offer *offer)
{
  return g_str_equal (G_OBJECT_TYPE_NAME (offer->pool), "GstV4l2BufferPool");
}

static gboolean
may_have_dmabufs (const struct offer *offer, const GstCaps *caps)
{
  return offer->pool != NULL
         && (gst_vkc_caps_is_dmabuf (caps) || is_v4l2 (offer)
             || (offer->allocator != NULL
                 && GST_IS_DMABUF_ALLOCATOR (offer->allocator))
             || gst_buffer_pool_has_option (offer->pool, OPTION_KMS_EXPORT));
}

static GstStructure *
make_config (const struct offer *offer, GstCaps *caps)
{
  static const gchar *const options[]
      = { GST_BUFFER_POOL_OPTION_VIDEO_META, OPTION_KMS_EXPORT };
  GstStructure *config = gst_buffer_pool_get_config (offer->pool);

  gst_buffer_pool_config_set_params (config, caps, offer->size, offer->min,
                                     offer->max);
  if (offer->allocator != NULL)
    gst_buffer_pool_config_set_allocator (config, offer->allocator,
                                          &offer->params);
  for (guint i = 0; i < G_N_ELEMENTS (options); i++) {
    if (gst_buffer_pool_has_option (offer->pool, options[i]))
      gst_buffer_pool_config_add_option (config, options[i]);
  }
  return config;
}

/* A pool may change what it is asked for, and then wants to be asked again. */
static gboolean
configure (const struct offer *offer, GstCaps *caps)
{
  GstStructure *config;

  if (gst_buffer_pool_set_config (offer->pool, make_config (offer, caps)))
    return TRUE;
  config = gst_buffer_pool_get_config (offer->pool);
  if (gst_buffer_pool_config_validate_params (config, caps, offer->size,
                                              offer->min, offer->max))
    return gst_buffer_pool_set_config (offer->pool, config);
  gst_structure_free (config);
  return FALSE;
}

static gboolean
can_write (GstBuffer *buffer, GstCaps *caps, const GstVideoInfo *info,
           struct vkc_device *device, struct vkc_owner *owner)
{
  struct vkc_job *job = vkc_job_new (owner);
  gsize offset[GST_VIDEO_MAX_PLANES];
  gint stride[GST_VIDEO_MAX_PLANES];
  GstVkcFrame frame = { .info = info,
                        .buffer = buffer,
                        .storage = gst_vkc_storage_for_caps (caps, info) };
  guint64 modifier = VKC_MODIFIER_LINEAR;
  GstVideoInfo ignored;
  g_autoptr (GError) error = NULL;
  const gboolean ok
      = gst_vkc_video_info_from_caps (&ignored, caps, &modifier)
        && gst_vkc_frame_layout (buffer, info, offset, stride, &error)
        && gst_vkc_dmabuf_place (&frame, device, offset, stride, modifier,
                                 TRUE, job, NULL, &error)
               == GST_VKC_DMABUF_PLACED;

  if (error != NULL)
    GST_DEBUG ("frames of the peer's pool cannot be written: %s",
               error->message);
  vkc_job_unref (job);
  return ok;
}

static gboolean
try_frame (GstBufferPool *pool, GstCaps *caps, const GstVideoInfo *info,
           struct vkc_device *device, struct vkc_owner *owner)
{
  GstBufferPoolAcquireParams params
      = { .flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT };
  GstBuffer *buffer;
  gboolean ok;

  if (gst_buffer_pool_acquire_buffer (pool, &buffer, &params) != GST_FLOW_OK)
    return FALSE;
  ok = can_write (buffer, caps, info, device, owner);
  gst_buffer_unref (buffer);
  return ok;
}

static gboolean
adopt (const struct offer *offer, GstCaps *caps, const GstVideoInfo *info,
       struct vkc_device *device, struct vkc_owner *owner)
{
  if (!may_have_dmabufs (offer, caps)
      || gst_buffer_pool_is_active (offer->pool)
      || !configure (offer, caps))
    return FALSE;
  if (gst_buffer_pool_set_active (offer->pool, TRUE)
      && try_frame (offer->pool, caps, info, device, owner))
    return TRUE;
  gst_buffer_pool_set_active (offer->pool, FALSE);
  return FALSE;
}

GstBufferPool *
gst_vkc_peer_pool_adopt (GstQuery *query, GstCaps *caps,
                         const GstVideoInfo *info, struct vkc_device *device,
                         struct vkc_owner *owner, gboolean *needs_wait)
{
  const guint n = gst_query_get_n_allocation_pools (query);
  struct offer offer = { 0 };
  GstBufferPool *adopted = NULL;

  if (!device->can_import_dmabuf)
    return NULL;
  gst_allocation_params_init (&offer.params);
  if (gst_query_get_n_allocation_params (query) > 0)
    gst_query_parse_nth_allocation_param (query, 0, &offer.allocator,
                                          &offer.params);
  for (guint i = 0; i < n && adopted == NULL; i++) {
    gst_query_parse_nth_allocation_pool (query, i, &offer.pool, &offer.size,
                                         &offer.min, &offer.max);
    offer.size = MAX (offer.size, GST_VIDEO_INFO_SIZE (info));
    if (adopt (&offer, caps, info, device, owner)) {
      adopted = gst_object_ref (offer.pool);
      /* V4L2 knows no fences; others may not even know of dmabufs. */
      *needs_wait = is_v4l2 (&offer)
                    || !(gst_vkc_caps_is_dmabuf (caps)
                         || gst_buffer_pool_has_option (offer.pool,
                                                        OPTION_KMS_EXPORT));
      GST_DEBUG ("frames come from the peer's %" GST_PTR_FORMAT, adopted);
    }
    gst_clear_object (&offer.pool);
  }
  gst_clear_object (&offer.allocator);
  return adopted;
}
