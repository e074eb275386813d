/* DRM's names of formats. */
#include "gstvkcdrm.h"

#include <string.h>

#include "gstvkccaps.h"

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
  return gst_video_format_from_string (GST_VKC_DMA_DRM)
         != GST_VIDEO_FORMAT_UNKNOWN;
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
  const GstCapsFeatures *features = gst_caps_get_features (caps, 0);

  return !gst_caps_features_is_any (features)
         && gst_caps_features_contains (features, GST_VKC_FEATURE_DMABUF);
}

gboolean
gst_vkc_video_info_from_caps (GstVideoInfo *info, const GstCaps *caps,
                              guint64 *modifier)
{
  const GstStructure *structure;
  const gchar *format, *drm_format;
  guint64 ignored;
  g_autoptr (GstCaps) plain = NULL;

  if (modifier == NULL)
    modifier = &ignored;
  *modifier = 0;
  if (!gst_caps_is_fixed (caps))
    return FALSE;
  structure = gst_caps_get_structure (caps, 0);
  format = gst_structure_get_string (structure, "format");
  drm_format = gst_structure_get_string (structure, "drm-format");
  if (g_strcmp0 (format, GST_VKC_DMA_DRM) != 0)
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
                 void (*visit) (const gchar *string, gpointer data),
                 gpointer data)
{
  if (value == NULL)
    return;
  if (G_VALUE_HOLDS_STRING (value))
    visit (g_value_get_string (value), data);
  for (guint i = 0;
       GST_VALUE_HOLDS_LIST (value) && i < gst_value_list_get_size (value); i++)
    visit (g_value_get_string (gst_value_list_get_value (value, i)), data);
}

static void
append (GValue *list, const gchar *string)
{
  GValue item = G_VALUE_INIT;

  g_value_init (&item, G_TYPE_STRING);
  g_value_set_string (&item, string);
  gst_value_list_append_and_take_value (list, &item);
}

/* Once each: a format may come with many modifiers. */
static void
append_format (const gchar *drm_format, gpointer data)
{
  GValue *list = data;
  guint64 modifier;
  const gchar *format = gst_vkc_drm_to_format (drm_format, &modifier);

  if (format == NULL
      || gst_video_format_from_string (format) == GST_VIDEO_FORMAT_UNKNOWN)
    return;
  for (guint i = 0; i < gst_value_list_get_size (list); i++) {
    if (g_str_equal (g_value_get_string (gst_value_list_get_value (list, i)),
                     format))
      return;
  }
  append (list, format);
}

/* FALSE: it has formats, and we know none of them. */
static gboolean
hide_structure (GstStructure *structure)
{
  const GValue *formats = gst_structure_get_value (structure, "drm-format");
  GValue list = G_VALUE_INIT;

  if (formats == NULL) {
    gst_structure_remove_field (structure, "format");
    return TRUE;
  }
  g_value_init (&list, GST_TYPE_LIST);
  for_each_string (formats, append_format, &list);
  gst_structure_remove_field (structure, "drm-format");
  switch (gst_value_list_get_size (&list)) {
  case 0:
    g_value_unset (&list);
    return FALSE;
  case 1: /* as fixed caps have it */
    gst_structure_set_value (structure, "format",
                             gst_value_list_get_value (&list, 0));
    g_value_unset (&list);
    return TRUE;
  default:
    gst_structure_take_value (structure, "format", &list);
    return TRUE;
  }
}

static gboolean
is_drm (const GstStructure *structure)
{
  return g_strcmp0 (gst_structure_get_string (structure, "format"),
                    GST_VKC_DMA_DRM)
         == 0;
}

GstCaps *
gst_vkc_drm_hide (GstCaps *caps)
{
  GstCaps *hidden;

  if (gst_caps_is_any (caps))
    return gst_caps_ref (caps);
  hidden = gst_caps_new_empty ();
  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    GstStructure *structure
        = gst_structure_copy (gst_caps_get_structure (caps, i));

    if (is_drm (structure) && !hide_structure (structure))
      gst_structure_free (structure);
    else
      gst_caps_append_structure_full (
          hidden, structure,
          gst_caps_features_copy (gst_caps_get_features (caps, i)));
  }
  return hidden;
}

struct showing
{
  GHashTable *names;
  GValue list;
};

static void
append_names (const gchar *format, gpointer data)
{
  struct showing *showing = data;
  const gchar *const *all = g_hash_table_lookup (showing->names, format);

  for (; all != NULL && *all != NULL; all++)
    append (&showing->list, *all);
}

static void
append_all_names (struct showing *showing)
{
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    append_names (names[i].format, showing);
}

/* @structure's twin with DMA_DRM; NULL if its formats have no name there. */
static GstStructure *
show_structure (const GstStructure *structure, GHashTable *drm_names)
{
  const GValue *formats = gst_structure_get_value (structure, "format");
  struct showing showing = { .names = drm_names, .list = G_VALUE_INIT };
  GstStructure *twin = gst_structure_copy (structure);

  gst_structure_set (twin, "format", G_TYPE_STRING, GST_VKC_DMA_DRM, NULL);
  gst_structure_remove_field (twin, "drm-format");
  if (drm_names == NULL)
    return twin;
  g_value_init (&showing.list, GST_TYPE_LIST);
  if (formats == NULL)
    append_all_names (&showing);
  else
    for_each_string (formats, append_names, &showing);
  if (gst_value_list_get_size (&showing.list) > 0) {
    gst_structure_take_value (twin, "drm-format", &showing.list);
    return twin;
  }
  g_value_unset (&showing.list);
  gst_structure_free (twin);
  return NULL;
}

GstCaps *
gst_vkc_drm_show (GstCaps *caps, GHashTable *drm_names)
{
  GstCaps *shown;

  if (gst_caps_is_any (caps) || !gst_vkc_drm_is_known ())
    return gst_caps_ref (caps);
  shown = gst_caps_new_empty ();
  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    const GstStructure *structure = gst_caps_get_structure (caps, i);
    const GstCapsFeatures *features = gst_caps_get_features (caps, i);
    GstStructure *twin = NULL;

    if (!is_drm (structure) && !gst_caps_features_is_any (features)
        && gst_caps_features_contains (features, GST_VKC_FEATURE_DMABUF))
      twin = show_structure (structure, drm_names);
    gst_caps_append_structure_full (shown, gst_structure_copy (structure),
                                    gst_caps_features_copy (features));
    if (twin != NULL)
      gst_caps_append_structure_full (shown, twin,
                                      gst_caps_features_copy (features));
  }
  return shown;
}

/* Modifiers that all planes of @format can have on @device. */
static GArray *
common_modifiers (struct vkc_device *device, const gchar *format,
                  enum vkc_dmabuf_way way)
{
  GArray *common = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  const uint64_t linear = VKC_MODIFIER_LINEAR;
  struct vkc_image_params params;
  GstVideoInfo info;

  g_array_append_val (common, linear);
  if (!device->can_import_dmabuf
      || !gst_video_info_set_format (
          &info, gst_video_format_from_string (format), 64, 64)
      || !gst_vkc_image_params_from_info (&params, &info, VKC_STORAGE_IMAGE))
    return common;
  for (guint plane = 0; plane < params.n_planes; plane++) {
    uint32_t n;
    g_autofree uint64_t *all
        = vkc_dmabuf_modifiers (device, params.planes[plane].format, way, &n);

    if (plane == 0)
      g_array_append_vals (common, all + 1, n - 1);
    for (guint i = common->len; plane > 0 && i-- > 1;) {
      gboolean found = FALSE;

      for (uint32_t k = 0; k < n; k++)
        found |= all[k] == g_array_index (common, uint64_t, i);
      if (!found)
        g_array_remove_index (common, i);
    }
  }
  return common;
}

static gchar **
names_of (struct vkc_device *device, const gchar *format, const gchar *fourcc,
          enum vkc_dmabuf_way way)
{
  g_autoptr (GArray) modifiers = common_modifiers (device, format, way);
  gchar **all = g_new0 (gchar *, modifiers->len + 1);

  all[0] = g_strdup (fourcc);
  for (guint i = 1; i < modifiers->len; i++)
    all[i] = g_strdup_printf ("%s:0x%016" G_GINT64_MODIFIER "x", fourcc,
                              g_array_index (modifiers, uint64_t, i));
  return all;
}

GHashTable *
gst_vkc_drm_names_new (struct vkc_device *device, enum vkc_dmabuf_way way)
{
  GHashTable *all = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                           (GDestroyNotify)g_strfreev);

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    if (gst_video_format_from_string (names[i].format)
        != GST_VIDEO_FORMAT_UNKNOWN)
      g_hash_table_insert (
          all, (gpointer)names[i].format,
          names_of (device, names[i].format, names[i].fourcc, way));
  }
  return all;
}

gboolean
gst_vkc_drm_allows (GHashTable *drm_names, const gchar *format,
                    guint64 modifier)
{
  const gchar *const *all = g_hash_table_lookup (drm_names, format);
  guint64 allowed;

  for (; all != NULL && *all != NULL; all++) {
    if (gst_vkc_drm_to_format (*all, &allowed) != NULL && allowed == modifier)
      return TRUE;
  }
  return FALSE;
}
