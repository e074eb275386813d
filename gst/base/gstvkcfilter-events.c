/* GstVkcFilter: events and queries on the stream. */
#include "gstvkccontextshare.h"
#include "gstvkcfilter-private.h"
#include "gstvkclog.h"

static GstBaseTransformClass *parent_class;

/* Waits until the GPU has given back all that this element planned. FALSE if
 * some of it failed. */
static gboolean
drain (GstVkcFilter *self, gboolean at_eos)
{
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);
  struct vkc_recorder *recorder;
  g_autoptr (GError) error = NULL;
  gboolean ok;

  if (!g_atomic_int_get (&priv->started))
    return TRUE;
  recorder = priv->device->recorder;
  ok = at_eos
       || vkc_recorder_flush_owner (recorder, priv->owner, VKC_FLUSH_DRAIN,
                                    &error);
  ok &= vkc_recorder_drain_owner (recorder, priv->owner, at_eos,
                                  ok ? &error : NULL);
  if (error != NULL)
    vkc_owner_fail (priv->owner, error);
  else if (!ok)
    GST_WARNING_OBJECT (self, "frames are held");
  return ok;
}

gboolean
gst_vkc_filter_drain (GstVkcFilter *filter)
{
  return drain (filter, FALSE);
}

static gboolean
gst_vkc_filter_sink_event (GstBaseTransform *trans, GstEvent *event)
{
  GstVkcFilter *self = GST_VKC_FILTER (trans);
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);

  switch (GST_EVENT_TYPE (event)) {
  case GST_EVENT_FLUSH_START:
    vkc_owner_set_interrupted (priv->owner, true);
    break;
  case GST_EVENT_FLUSH_STOP:
    vkc_owner_set_interrupted (priv->owner, false);
    break;
  case GST_EVENT_EOS:
    /* An error in the last frame is an error, not an end. Frames that are not
     * flushed yet have a consumer behind us who does the same. */
    if (!gst_vkc_filter_is_tail (self) || drain (self, TRUE))
      break;
    gst_event_unref (event);
    return FALSE;
  default:
    break;
  }
  return parent_class->sink_event (trans, event);
}

static gboolean
gst_vkc_filter_query (GstBaseTransform *trans, GstPadDirection direction,
                      GstQuery *query)
{
  GstVkcFilter *self = GST_VKC_FILTER (trans);
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);
  gboolean ret;

  if (GST_QUERY_TYPE (query) == GST_QUERY_CONTEXT
      && gst_vkc_context_answer_query (GST_ELEMENT (self), query,
                                       &priv->context))
    return TRUE;
  ret = parent_class->query (trans, direction, query);
  /* Only after those behind us have planned on what they held. */
  if (GST_QUERY_TYPE (query) == GST_QUERY_DRAIN && direction == GST_PAD_SINK)
    gst_vkc_filter_drain (self);
  return ret;
}

void
gst_vkc_filter_class_init_events (GstBaseTransformClass *klass)
{
  parent_class = g_type_class_peek_parent (klass);
  klass->sink_event = gst_vkc_filter_sink_event;
  klass->query = gst_vkc_filter_query;
}
