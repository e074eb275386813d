/* DRM's names of formats. */
#include "gstvkcdrm.h"

#include <string.h>

#define DMA_DRM "DMA_DRM"

static const struct
{
  const gchar *format, *fourcc;
} names[] = {
  { "NV12", "NV12" },        { "NV21", "NV21" },
  { "NV16", "NV16" },        { "NV61", "NV61" },
  { "NV24", "NV24" },        { "I420", "YU12" },
  { "YV12", "YV12" },        { "Y42B", "YU16" },
  { "Y444", "YU24" },        { "YUY2", "YUYV" },
  { "YVYU", "YVYU" },        { "UYVY", "UYVY" },
  { "VYUY", "VYUY" },        { "P010_10LE", "P010" },
  { "P012_LE", "P012" },     { "P016_LE", "P016" },
  { "BGRA", "AR24" },        { "BGRx", "XR24" },
  { "RGBA", "AB24" },        { "RGBx", "XB24" },
  { "ARGB", "BA24" },        { "xRGB", "BX24" },
  { "ABGR", "RA24" },        { "xBGR", "RX24" },
  { "RGB", "BG24" },         { "BGR", "RG24" },
  { "BGR10A2_LE", "AR30" },  { "RGB10A2_LE", "AB30" },
  { "RGB16", "RG16" },       { "BGR16", "BG16" },
  { "VUYA", "AYUV" },        { "Y410", "Y410" },
  { "Y210", "Y210" },        { "GRAY8", "R8  " },
  { "GRAY16_LE", "R16 " },
};

gboolean
gst_vkc_drm_is_known (void)
{
  return gst_video_format_from_string (DMA_DRM) != GST_VIDEO_FORMAT_UNKNOWN;
}

const gchar *
gst_vkc_drm_from_format (const gchar *format)
{
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    if (g_str_equal (names[i].format, format))
      return names[i].fourcc;
  }
  return NULL;
}

const gchar *
gst_vkc_drm_to_format (const gchar *drm_format, guint64 *modifier)
{
  const gchar *colon = strchr (drm_format, ':');
  const gsize length = colon ? (gsize)(colon - drm_format) : strlen (drm_format);

  *modifier = 0;
  if (colon != NULL
      && (!g_str_has_prefix (colon, ":0x")
          || !g_ascii_string_to_unsigned (colon + 3, 16, 0, G_MAXUINT64,
                                          modifier, NULL)))
    return NULL;
  if (length == 0 || length > 4)
    return NULL;
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    gchar padded[5] = "    ";

    memcpy (padded, drm_format, length);
    if (g_str_equal (names[i].fourcc, padded))
      return names[i].format;
  }
  return NULL;
}

gboolean
gst_vkc_caps_is_dmabuf (const GstCaps *caps)
{
  return gst_caps_features_contains (gst_caps_get_features (caps, 0),
                                     GST_VKC_FEATURE_DMABUF);
}

gboolean
gst_vkc_video_info_from_caps (GstVideoInfo *info, const GstCaps *caps,
                              guint64 *modifier)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);
  const gchar *format = gst_structure_get_string (structure, "format");
  const gchar *drm_format
      = gst_structure_get_string (structure, "drm-format");
  guint64 ignored;
  g_autoptr (GstCaps) plain = NULL;

  if (modifier == NULL)
    modifier = &ignored;
  *modifier = 0;
  if (g_strcmp0 (format, DMA_DRM) != 0)
    return gst_video_info_from_caps (info, caps);
  format = drm_format != NULL ? gst_vkc_drm_to_format (drm_format, modifier)
                              : NULL;
  if (format == NULL)
    return FALSE;
  plain = gst_caps_copy (caps);
  gst_caps_set_features (plain, 0, NULL);
  gst_caps_set_simple (plain, "format", G_TYPE_STRING, format, NULL);
  gst_structure_remove_field (gst_caps_get_structure (plain, 0),
                              "drm-format");
  return gst_video_info_from_caps (info, plain);
}

/* Calls @visit for each string of @value, which may be a list. */
static void
for_each_string (const GValue *value,
                 void (*visit) (const gchar *string, GValue *list),
                 GValue *list)
{
  if (value == NULL)
    return;
  if (G_VALUE_HOLDS_STRING (value))
    visit (g_value_get_string (value), list);
  for (guint i = 0;
       GST_VALUE_HOLDS_LIST (value) && i < gst_value_list_get_size (value); i++)
    visit (g_value_get_string (gst_value_list_get_value (value, i)), list);
}

static void
append (GValue *list, const gchar *string)
{
  GValue item = G_VALUE_INIT;

  g_value_init (&item, G_TYPE_STRING);
  g_value_set_string (&item, string);
  gst_value_list_append_and_take_value (list, &item);
}

static void
append_format (const gchar *drm_format, GValue *list)
{
  guint64 modifier;
  const gchar *format = gst_vkc_drm_to_format (drm_format, &modifier);

  if (format != NULL
      && gst_video_format_from_string (format) != GST_VIDEO_FORMAT_UNKNOWN)
    append (list, format);
}

static void
append_fourcc (const gchar *format, GValue *list)
{
  const gchar *fourcc = gst_vkc_drm_from_format (format);

  if (fourcc != NULL)
    append (list, fourcc);
}

void
gst_vkc_drm_normalize (GstStructure *structure)
{
  GValue list = G_VALUE_INIT;

  g_value_init (&list, GST_TYPE_LIST);
  for_each_string (gst_structure_get_value (structure, "drm-format"),
                   append_format, &list);
  gst_structure_remove_field (structure, "drm-format");
  if (gst_value_list_get_size (&list) == 0) {
    gst_structure_remove_field (structure, "format");
    g_value_unset (&list);
    return;
  }
  gst_structure_take_value (structure, "format", &list);
}

gboolean
gst_vkc_drm_translate (GstStructure *structure)
{
  const GValue *formats = gst_structure_get_value (structure, "format");
  GValue list = G_VALUE_INIT;

  g_value_init (&list, GST_TYPE_LIST);
  for_each_string (formats, append_fourcc, &list);
  if (formats != NULL && gst_value_list_get_size (&list) == 0) {
    g_value_unset (&list);
    return FALSE;
  }
  if (formats != NULL)
    gst_structure_take_value (structure, "drm-format", &list);
  else
    g_value_unset (&list);
  gst_structure_set (structure, "format", G_TYPE_STRING, DMA_DRM, NULL);
  return TRUE;
}
