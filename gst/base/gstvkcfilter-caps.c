/* GstVkcFilter: negotiation. Subclasses think in formats; DRM's names of them
 * and the modifiers are put on here. */
#include "gstvkcfilter-private.h"

#include "gst/vk/dmabuf.h"
#include "gstvkcdrm.h"
#include "gstvkclog.h"

static GstBaseTransformClass *parent_class;

/* What frames at the pad on the other side of @direction may be called; NULL:
 * anything, as no device has said what it can do. Unref it. */
static GHashTable *
other_names (GstVkcFilter *self, GstPadDirection direction)
{
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);
  GHashTable *names;

  GST_OBJECT_LOCK (self);
  names = priv->drm_names[direction == GST_PAD_SINK ? VKC_DMABUF_EXPORT
                                                    : VKC_DMABUF_IMPORT];
  if (names != NULL)
    g_hash_table_ref (names);
  GST_OBJECT_UNLOCK (self);
  return names;
}

/* Takes @caps, of the pad on the other side of @direction. */
static GstCaps *
show (GstVkcFilter *self, GstPadDirection direction, GstCaps *caps)
{
  GHashTable *names = other_names (self, direction);
  GstCaps *shown = gst_vkc_drm_show (caps, names);

  g_clear_pointer (&names, g_hash_table_unref);
  gst_caps_unref (caps);
  return shown;
}

static GstCaps *
gst_vkc_filter_transform_caps (GstBaseTransform *trans,
                               GstPadDirection direction, GstCaps *caps,
                               GstCaps *filter)
{
  GstVkcFilter *self = GST_VKC_FILTER (trans);
  g_autoptr (GstCaps) hidden = gst_vkc_drm_hide (caps);
  g_autoptr (GstCaps) hidden_filter
      = filter != NULL ? gst_vkc_drm_hide (filter) : NULL;
  g_autoptr (GstCaps) all = show (
      self, direction,
      GST_VKC_FILTER_GET_CLASS (self)->transform_caps (self, direction, hidden,
                                                       hidden_filter));

  return filter != NULL
             ? gst_caps_intersect_full (filter, all, GST_CAPS_INTERSECT_FIRST)
             : g_steal_pointer (&all);
}

static GstCaps *
fixate (GstVkcFilter *self, GstPadDirection direction, GstCaps *caps,
        GstCaps *othercaps)
{
  GstVkcFilterClass *klass = GST_VKC_FILTER_GET_CLASS (self);

  return klass->fixate_caps != NULL
             ? klass->fixate_caps (self, direction, caps, othercaps)
             : parent_class->fixate_caps (GST_BASE_TRANSFORM (self), direction,
                                          caps, othercaps);
}

/* The subclass chooses among formats; then what they are called in
 * @othercaps. */
static GstCaps *
gst_vkc_filter_fixate_caps (GstBaseTransform *trans, GstPadDirection direction,
                            GstCaps *caps, GstCaps *othercaps)
{
  GstVkcFilter *self = GST_VKC_FILTER (trans);
  g_autoptr (GstCaps) hidden = gst_vkc_drm_hide (caps);
  GstCaps *fixed
      = fixate (self, direction, hidden, gst_vkc_drm_hide (othercaps));
  GstCaps *shown, *named;

  if (gst_caps_is_empty (fixed) || !gst_vkc_caps_is_dmabuf (fixed)) {
    gst_caps_unref (othercaps);
    return fixed;
  }
  shown = show (self, direction, fixed);
  named = gst_caps_intersect_full (othercaps, shown, GST_CAPS_INTERSECT_FIRST);
  gst_caps_unref (othercaps);
  gst_caps_unref (shown);
  return gst_caps_is_empty (named) ? named : gst_caps_fixate (named);
}

gboolean
gst_vkc_filter_check_modifier (GstVkcFilter *self, const GstVideoInfo *info,
                               guint64 modifier)
{
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);
  GHashTable *names = priv->drm_names[VKC_DMABUF_IMPORT];
  const gchar *name = GST_VIDEO_INFO_NAME (info);
  g_autofree gchar *list = NULL;
  g_autoptr (GError) error = NULL;

  if (modifier == VKC_MODIFIER_LINEAR
      || gst_vkc_drm_allows (names, name, modifier))
    return TRUE;
  if (g_hash_table_lookup (names, name) != NULL)
    list = g_strjoinv (", ", g_hash_table_lookup (names, name));
  g_set_error (&error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
               "%s cannot read dmabufs of %s with modifier "
               "0x%016" G_GINT64_MODIFIER "x: it takes %s",
               priv->device->name, name, modifier,
               list != NULL ? list : "none of it");
  vkc_owner_fail (priv->owner, error);
  return FALSE;
}

/* Upstream would only learn that nothing was negotiated: a modifier that the
 * device lacks gets as far as set_caps(), which says so. */
static gboolean
gst_vkc_filter_accept_caps (GstBaseTransform *trans, GstPadDirection direction,
                            GstCaps *caps)
{
  g_autoptr (GstCaps) linear = NULL;
  const gchar *format;
  GstVideoInfo info;
  guint64 modifier;

  /* The template leaves open what a device can import, but no frame is without
   * a format. */
  if (gst_caps_is_fixed (caps) && gst_vkc_caps_is_dmabuf (caps)
      && !gst_vkc_video_info_from_caps (&info, caps, &modifier))
    return FALSE;
  if (parent_class->accept_caps (trans, direction, caps))
    return TRUE;
  if (direction != GST_PAD_SINK || !gst_caps_is_fixed (caps)
      || !gst_vkc_caps_is_dmabuf (caps) || modifier == VKC_MODIFIER_LINEAR)
    return FALSE;
  format = gst_vkc_drm_from_format (GST_VIDEO_INFO_NAME (&info));
  linear = gst_caps_copy (caps);
  gst_caps_set_simple (linear, "drm-format", G_TYPE_STRING, format, NULL);
  return parent_class->accept_caps (trans, direction, linear);
}

void
gst_vkc_filter_class_init_caps (GstBaseTransformClass *klass)
{
  parent_class = g_type_class_peek_parent (klass);
  klass->transform_caps = gst_vkc_filter_transform_caps;
  klass->fixate_caps = gst_vkc_filter_fixate_caps;
  klass->accept_caps = gst_vkc_filter_accept_caps;
}
