/* GstVkcFilter: which metas of an input are true of the output. */
#include "gstvkccompat.h"
#include "gstvkcfilter-private.h"

static gboolean
colours_change (const GstVkcFilterPrivate *priv)
{
  const GstVideoInfo *in = &priv->in_info, *out = &priv->out_info;

  return !gst_video_colorimetry_is_equal (&in->colorimetry, &out->colorimetry)
         || in->chroma_site != out->chroma_site
         || GST_VIDEO_INFO_FORMAT (in) != GST_VIDEO_INFO_FORMAT (out);
}

gboolean
gst_vkc_filter_changes_size (const GstVkcFilterPrivate *priv)
{
  return GST_VIDEO_INFO_WIDTH (&priv->in_info)
             != GST_VIDEO_INFO_WIDTH (&priv->out_info)
         || GST_VIDEO_INFO_HEIGHT (&priv->in_info)
                != GST_VIDEO_INFO_HEIGHT (&priv->out_info);
}

/* HDR metadata describe light: no matter in which format, but in the caps'
 * colours and between their peaks. */
static gboolean
light_changes (const GstVkcFilterPrivate *priv)
{
  static const gchar *const fields[]
      = { "mastering-display-info", "content-light-level" };
  const GstVideoColorimetry *in = &priv->in_info.colorimetry;
  const GstVideoColorimetry *out = &priv->out_info.colorimetry;
  const GstStructure *from = gst_caps_get_structure (priv->in_caps, 0);
  const GstStructure *to = gst_caps_get_structure (priv->out_caps, 0);

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (g_strcmp0 (gst_structure_get_string (from, fields[i]),
                   gst_structure_get_string (to, fields[i]))
        != 0)
      return TRUE;
  return in->transfer != out->transfer || in->primaries != out->primaries;
}

/* A meta stays true unless something that it depends on changes. */
static gboolean
gst_vkc_filter_transform_meta (GstBaseTransform *trans, GstBuffer *output,
                               GstMeta *meta, GstBuffer *input)
{
  const GstVkcFilterPrivate *priv
      = gst_vkc_filter_private (GST_VKC_FILTER (trans));
  const gchar *const *tags = gst_meta_api_type_get_tags (meta->info->api);

  if (gst_vkc_compat_is_hdr_meta (meta->info->api))
    return !light_changes (priv);
  for (; tags != NULL && *tags != NULL; tags++) {
    if (g_str_equal (*tags, GST_META_TAG_VIDEO_STR)
        || g_str_equal (*tags, GST_META_TAG_VIDEO_ORIENTATION_STR))
      continue;
    if (g_str_equal (*tags, GST_META_TAG_VIDEO_COLORSPACE_STR)) {
      if (colours_change (priv))
        return FALSE;
    } else if (!g_str_equal (*tags, GST_META_TAG_VIDEO_SIZE_STR)
               || gst_vkc_filter_changes_size (priv)) {
      return FALSE;
    }
  }
  return TRUE;
}

void
gst_vkc_filter_class_init_metas (GstBaseTransformClass *klass)
{
  klass->transform_meta = gst_vkc_filter_transform_meta;
}
