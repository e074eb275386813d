/* GstVkcFilter: whose memory frames are in, and whether the peer is ours. */
#include "gstvkcfilter-private.h"

#include "gstvkcconsumer.h"
#include "gstvkcdmabufpool.h"
#include "gstvkcdrm.h"
#include "gstvkclog.h"
#include "gstvkcpeerpool.h"
#include "gstvkcpool.h"

/* Frames that upstream should have besides its own: one that is filled and one
 * that is pending. More are made as they are needed. */
#define MIN_INPUT_FRAMES 2

static GstBaseTransformClass *parent_class;

gboolean
gst_vkc_filter_is_tail (GstVkcFilter *self)
{
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);

  /* The peer's word may be a lie: elements that work in place forward
   * the marker and then map the frame. */
  return !g_atomic_int_get (&priv->peer_is_ours)
         || vkc_owner_was_mapped (priv->owner);
}

static gboolean
has_marker (GstQuery *query)
{
  return gst_query_find_allocation_meta (query, GST_VKC_MARKER_API_TYPE, NULL);
}

/* Whether frames of @info can come from the pool that is there: all that makes
 * a frame is the same, the rate is not part of it. */
static gboolean
pool_serves (const GstVkcFilterPrivate *priv, const GstVideoInfo *info,
             guint64 modifier, gboolean dmabuf)
{
  GstVideoInfo have = priv->pool_info;

  have.fps_n = info->fps_n;
  have.fps_d = info->fps_d;
  return priv->pool != NULL && priv->pool_is_dmabuf == dmabuf
         && priv->pool_modifier == modifier
         && gst_video_info_is_equal (&have, info);
}

static void
drop_pool (GstVkcFilterPrivate *priv)
{
  if (priv->pool != NULL)
    gst_buffer_pool_set_active (priv->pool, FALSE);
  gst_clear_object (&priv->pool);
  priv->pool_is_peers = priv->pool_needs_wait = FALSE;
}

/* The peer's dmabufs, if it has some to give. */
static gboolean
adopt_pool (GstVkcFilterPrivate *priv, GstQuery *query, GstCaps *caps,
            const GstVideoInfo *info)
{
  gboolean needs_wait = FALSE;
  GstBufferPool *pool;

  if (g_atomic_int_get (&priv->peer_is_ours))
    return FALSE;
  /* It may be the one that is in use: then it must be idle to be tried. */
  if (priv->pool_is_peers)
    drop_pool (priv);
  pool = gst_vkc_peer_pool_adopt (query, caps, info, priv->device, priv->owner,
                                  &needs_wait);
  if (pool == NULL)
    return FALSE;
  drop_pool (priv);
  priv->pool = pool;
  priv->pool_is_peers = TRUE;
  priv->pool_needs_wait = needs_wait;
  priv->pool_info = *info;
  return TRUE;
}

/* Whose drivers read without a look at our fences. */
static gboolean
feeds_v4l2 (GstVkcFilter *self)
{
  return gst_vkc_pad_feeds_v4l2 (
      GST_BASE_TRANSFORM_SRC_PAD (GST_BASE_TRANSFORM (self)));
}

static gboolean
renew_pool (GstVkcFilter *self, GstQuery *query, GstCaps *caps)
{
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);
  gboolean dmabuf, needs_wait;
  GstVideoInfo info;
  guint64 modifier;

  if (!gst_vkc_video_info_from_caps (&info, caps, &modifier))
    return FALSE;
  if (adopt_pool (priv, query, caps, &info))
    return TRUE;
  dmabuf = gst_vkc_caps_is_dmabuf (caps);
  needs_wait = dmabuf && feeds_v4l2 (self);
  if (pool_serves (priv, &info, modifier, dmabuf)) {
    priv->pool_needs_wait = needs_wait;
    return TRUE;
  }

  drop_pool (priv);
  priv->pool_needs_wait = needs_wait;
  priv->pool = dmabuf ? gst_vkc_dmabuf_pool_new (priv->device, priv->owner)
                      : gst_vkc_pool_new (priv->produced, priv->owner);
  priv->pool_info = info;
  priv->pool_modifier = modifier;
  priv->pool_is_dmabuf = dmabuf;
  if (gst_vkc_pool_configure (priv->pool, caps)
      && gst_buffer_pool_set_active (priv->pool, TRUE))
    return TRUE;
  drop_pool (priv);
  GST_ELEMENT_ERROR (
      self, RESOURCE, SETTINGS,
      ("No frames of %s can be made", GST_VIDEO_INFO_NAME (&info)), (NULL));
  return FALSE;
}

/* Of all that the peer takes only overlays are something for upstream to know:
 * propose_allocation() passes it on. */
static void
keep_overlays (GstQuery *query)
{
  for (guint i = gst_query_get_n_allocation_metas (query); i-- > 0;) {
    if (gst_query_parse_nth_allocation_meta (query, i, NULL)
        != GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE)
      gst_query_remove_nth_allocation_meta (query, i);
  }
}

/* Output frames are ours, or dmabufs of the peer's pool; its allocator, and
 * what other memory it has, are ignored. */
static gboolean
gst_vkc_filter_decide_allocation (GstBaseTransform *trans, GstQuery *query)
{
  GstVkcFilter *self = GST_VKC_FILTER (trans);
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);
  GstCaps *caps;

  gst_query_parse_allocation (query, &caps, NULL);
  if (caps == NULL)
    return FALSE;

  if (gst_vkc_caps_is_dmabuf (caps)
      && !gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE,
                                          NULL)) {
    GST_ELEMENT_ERROR (self, CORE, NEGOTIATION,
                       ("The peer takes dmabufs, but no GstVideoMeta, which "
                        "says how a frame lies in one"),
                       (NULL));
    return FALSE;
  }
  g_atomic_int_set (&priv->peer_is_ours, has_marker (query));
  vkc_owner_clear_mapped (priv->owner);
  GST_DEBUG_OBJECT (self, "the peer is %sone of ours",
                    has_marker (query) ? "" : "not ");

  if (!renew_pool (self, query, caps))
    return FALSE;
  while (gst_query_get_n_allocation_pools (query) > 0)
    gst_query_remove_nth_allocation_pool (query, 0);
  while (gst_query_get_n_allocation_params (query) > 0)
    gst_query_remove_nth_allocation_param (query, 0);
  keep_overlays (query);
  return TRUE;
}

/* Who draws overlays for us may want to know for which size; that is true only
 * of frames that stay as large as they are. */
static void
propose_overlays (const GstVkcFilterPrivate *priv, GstQuery *decided,
                  GstQuery *query)
{
  const GstStructure *params;
  guint i;

  if (decided == NULL
      || !gst_query_find_allocation_meta (
          decided, GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, &i))
    return;
  gst_query_parse_nth_allocation_meta (decided, i, &params);
  gst_query_add_allocation_meta (
      query, GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE,
      gst_vkc_filter_changes_size (priv) ? NULL : params);
}

static GstBufferPool *
propose_pool (GstVkcFilterPrivate *priv, GstCaps *caps)
{
  GstBufferPool *pool = gst_vkc_pool_new (priv->proposed, priv->owner);

  if (gst_vkc_pool_configure (pool, caps))
    return pool;
  gst_object_unref (pool);
  return NULL;
}

static gboolean
gst_vkc_filter_propose_allocation (GstBaseTransform *trans,
                                   GstQuery *decide_query, GstQuery *query)
{
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (GST_VKC_FILTER (trans));
  GstBufferPool *pool = NULL;
  gboolean need_pool;
  GstVideoInfo info;
  GstCaps *caps;

  if (gst_base_transform_is_passthrough (trans)) {
    const gboolean ok = parent_class->propose_allocation (trans, NULL, query);

    g_atomic_int_set (&priv->peer_is_ours, ok && has_marker (query));
    return ok;
  }

  gst_query_parse_allocation (query, &caps, &need_pool);
  if (caps == NULL || priv->proposed == NULL
      || !gst_vkc_video_info_from_caps (&info, caps, NULL))
    return FALSE;
  /* Who has dmabufs has a pool of them. */
  if (need_pool && !gst_vkc_caps_is_dmabuf (caps)
      && (pool = propose_pool (priv, caps)) == NULL)
    return FALSE;

  gst_query_add_allocation_pool (query, pool, GST_VIDEO_INFO_SIZE (&info),
                                 MIN_INPUT_FRAMES, 0);
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  gst_query_add_allocation_meta (query, GST_VKC_MARKER_API_TYPE, NULL);
  propose_overlays (priv, decide_query, query);
  gst_clear_object (&pool);
  return TRUE;
}

static gboolean
gst_vkc_filter_get_unit_size (GstBaseTransform *trans, GstCaps *caps,
                              gsize *size)
{
  GstVideoInfo info;

  if (!gst_vkc_video_info_from_caps (&info, caps, NULL))
    return FALSE;
  *size = GST_VIDEO_INFO_SIZE (&info);
  return TRUE;
}

/* One frame becomes one frame, however large the padding made the input. */
static gboolean
gst_vkc_filter_transform_size (GstBaseTransform *trans,
                               GstPadDirection direction, GstCaps *caps,
                               gsize size, GstCaps *othercaps, gsize *othersize)
{
  return gst_vkc_filter_get_unit_size (trans, othercaps, othersize);
}

static GstFlowReturn
gst_vkc_filter_prepare_output_buffer (GstBaseTransform *trans, GstBuffer *input,
                                      GstBuffer **output)
{
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (GST_VKC_FILTER (trans));
  GstFlowReturn ret;

  if (gst_base_transform_is_passthrough (trans))
    return parent_class->prepare_output_buffer (trans, input, output);
  if (priv->pool == NULL)
    return GST_FLOW_NOT_NEGOTIATED;

  ret = gst_buffer_pool_acquire_buffer (priv->pool, output, NULL);
  if (ret == GST_FLOW_OK)
    GST_BASE_TRANSFORM_GET_CLASS (trans)->copy_metadata (trans, input, *output);
  return ret;
}

void
gst_vkc_filter_clear_allocation (GstVkcFilter *self)
{
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);

  drop_pool (priv);
  gst_clear_object (&priv->input_pool);
  gst_clear_object (&priv->proposed);
  gst_clear_object (&priv->produced);
}

void
gst_vkc_filter_class_init_allocation (GstBaseTransformClass *klass)
{
  parent_class = g_type_class_peek_parent (klass);
  klass->decide_allocation = gst_vkc_filter_decide_allocation;
  klass->propose_allocation = gst_vkc_filter_propose_allocation;
  klass->get_unit_size = gst_vkc_filter_get_unit_size;
  klass->transform_size = gst_vkc_filter_transform_size;
  klass->prepare_output_buffer = gst_vkc_filter_prepare_output_buffer;
}
