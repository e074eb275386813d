/* Caps transformations and the choice of formats. */
#include "gstvkccaps.h"

#include "gstvkcdrm.h"

/* Features that frames have whatever memory they are in: overlays come along as
 * a meta, a field is a frame of fewer rows. */
static const gchar *const traits[]
    = { GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION,
        GST_CAPS_FEATURE_FORMAT_INTERLACED };

GstCaps *
gst_vkc_caps_template (const gchar *const *formats)
{
  GstCaps *caps = gst_caps_new_simple (
      "video/x-raw", "width", GST_TYPE_INT_RANGE, 1, G_MAXINT, "height",
      GST_TYPE_INT_RANGE, 1, G_MAXINT, "framerate", GST_TYPE_FRACTION_RANGE, 0,
      1, G_MAXINT, 1, NULL);
  GstCaps *known, *all;

  for (guint i = 0; i < G_N_ELEMENTS (traits); i++)
    gst_caps_append_structure_full (
        caps, gst_structure_copy (gst_caps_get_structure (caps, 0)),
        gst_caps_features_new (traits[i], NULL));
  known = gst_vkc_caps_transform (caps, GST_VKC_CAPS_FORMAT, formats, NULL);
  /* Which modifiers there are only a device knows. */
  all = gst_vkc_drm_show (known, NULL);
  gst_caps_unref (known);
  gst_caps_unref (caps);
  return all;
}

static void
set_formats (GstStructure *structure, const gchar *const *formats)
{
  GValue list = G_VALUE_INIT, name = G_VALUE_INIT;

  g_value_init (&list, GST_TYPE_LIST);
  for (; *formats != NULL; formats++) {
    if (gst_video_format_from_string (*formats) == GST_VIDEO_FORMAT_UNKNOWN)
      continue;
    g_value_init (&name, G_TYPE_STRING);
    g_value_set_string (&name, *formats);
    gst_value_list_append_and_take_value (&list, &name);
  }
  gst_structure_take_value (structure, "format", &list);
}

/* Pixels of any shape only where somebody speaks of their shape. */
static void
free_size (GstStructure *structure)
{
  gst_structure_set (structure, "width", GST_TYPE_INT_RANGE, 1, G_MAXINT,
                     "height", GST_TYPE_INT_RANGE, 1, G_MAXINT, NULL);
  if (gst_structure_has_field (structure, "pixel-aspect-ratio"))
    gst_structure_set (structure, "pixel-aspect-ratio", GST_TYPE_FRACTION_RANGE,
                       1, G_MAXINT, G_MAXINT, 1, NULL);
}

gboolean
gst_vkc_caps_is_hdr_field (const gchar *name)
{
  return g_str_equal (name, "mastering-display-info")
         || g_str_equal (name, "content-light-level")
         || g_str_has_prefix (name, "hdr") || g_str_has_prefix (name, "dovi")
         || g_str_has_prefix (name, "dolby");
}

static gboolean
is_no_hdr_field (GQuark field, GValue *value, gpointer data)
{
  return !gst_vkc_caps_is_hdr_field (g_quark_to_string (field));
}

void
gst_vkc_caps_remove_hdr (GstStructure *structure)
{
  gst_structure_filter_and_map_in_place (structure, is_no_hdr_field, NULL);
}

static void
free_fields (GstStructure *structure, GstVkcCapsFields fields,
             const gchar *const *formats)
{
  if (fields & GST_VKC_CAPS_COLORIMETRY)
    gst_structure_remove_field (structure, "colorimetry");
  if (fields & GST_VKC_CAPS_CHROMA_SITE)
    gst_structure_remove_field (structure, "chroma-site");
  if (fields & GST_VKC_CAPS_HDR_METADATA)
    gst_vkc_caps_remove_hdr (structure);
  if (fields & GST_VKC_CAPS_SIZE)
    free_size (structure);
  if (!(fields & GST_VKC_CAPS_FORMAT))
    return;
  if (formats != NULL)
    set_formats (structure, formats);
  else
    gst_structure_remove_field (structure, "format");
}

/* @features without the memories that we know. */
static GstCapsFeatures *
without_memory (const GstCapsFeatures *features)
{
  GstCapsFeatures *rest = gst_caps_features_copy (features);

  gst_caps_features_remove (rest, GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY);
  gst_caps_features_remove (rest, GST_VKC_FEATURE_DMABUF);
  return rest;
}

/* Whether there is nothing in @features but a memory and traits that we know.
 */
static gboolean
are_known (const GstCapsFeatures *features)
{
  GstCapsFeatures *rest;
  gboolean known;

  if (gst_caps_features_is_any (features))
    return FALSE;
  rest = without_memory (features);
  for (guint i = 0; i < G_N_ELEMENTS (traits); i++)
    gst_caps_features_remove (rest, traits[i]);
  known = gst_caps_features_get_size (rest) == 0;
  gst_caps_features_free (rest);
  return known;
}

/* Takes @structure. */
static void
add (GstCaps *caps, GstStructure *structure, const GstCapsFeatures *features)
{
  if (gst_caps_is_subset_structure_full (caps, structure, features))
    gst_structure_free (structure);
  else
    gst_caps_append_structure_full (caps, structure,
                                    gst_caps_features_copy (features));
}

/* Frames of @structure in @memory, NULL: not said, which is the system's. */
static void
add_in (GstCaps *caps, const GstStructure *structure,
        const GstCapsFeatures *traits_only, const gchar *memory)
{
  GstCapsFeatures *features = gst_caps_features_copy (traits_only);

  if (memory != NULL)
    gst_caps_features_add (features, memory);
  add (caps, gst_structure_copy (structure), features);
  gst_caps_features_free (features);
}

/* Frames of @structure, which is taken, in all the memories that we know: what
 * comes in dmabufs may go in others, and the other way round. With traits
 * GStreamer tells a memory that is not said from the system's. */
static void
add_memories (GstCaps *plain, GstCaps *special, GstStructure *structure,
              const GstCapsFeatures *features)
{
  GstCapsFeatures *rest = without_memory (features);
  const gboolean has_traits = gst_caps_features_get_size (rest) > 0;
  GstCaps *usual = has_traits ? special : plain;

  add_in (usual, structure, rest, GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY);
  if (has_traits)
    add_in (special, structure, rest, NULL);
  add_in (special, structure, rest, GST_VKC_FEATURE_DMABUF);
  gst_caps_features_free (rest);
  gst_structure_free (structure);
}

GstCaps *
gst_vkc_caps_transform (GstCaps *caps, GstVkcCapsFields fields,
                        const gchar *const *formats, GstCaps *filter)
{
  GstCaps *plain, *special, *filtered;

  if (gst_caps_is_any (caps))
    return gst_caps_ref (filter != NULL ? filter : caps);

  plain = gst_caps_new_empty ();
  special = gst_caps_new_empty ();
  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    GstCapsFeatures *features = gst_caps_get_features (caps, i);
    GstStructure *structure
        = gst_structure_copy (gst_caps_get_structure (caps, i));

    free_fields (structure, fields, formats);
    if (are_known (features))
      add_memories (plain, special, structure, features);
    else
      add (special, structure, features);
  }
  /* An open peer takes what is offered first, and must not get a feature that
   * it did not name. */
  gst_caps_append (plain, special);
  if (filter == NULL)
    return plain;

  filtered = gst_caps_intersect_full (filter, plain, GST_CAPS_INTERSECT_FIRST);
  gst_caps_unref (plain);
  return filtered;
}

/* One structure of @caps with its format fixed; takes @caps. */
static GstCaps *
take_structure (GstCaps *caps, guint index, const gchar *format)
{
  GstCaps *one = gst_caps_copy_nth (caps, index);

  if (format != NULL)
    gst_caps_set_simple (one, "format", G_TYPE_STRING, format, NULL);
  gst_caps_unref (caps);
  return one;
}

/* The @n-th format that @structure allows, NULL behind the last. */
static const gchar *
nth_format (const GstStructure *structure, guint n)
{
  const GValue *value = gst_structure_get_value (structure, "format");

  if (value == NULL)
    return NULL;
  if (G_VALUE_HOLDS_STRING (value))
    return n == 0 ? g_value_get_string (value) : NULL;
  if (!GST_VALUE_HOLDS_LIST (value) || n >= gst_value_list_get_size (value))
    return NULL;
  return g_value_get_string (gst_value_list_get_value (value, n));
}

/* Whether @structure allows @format; an absent field allows all. */
static gboolean
allows_format (const GstStructure *structure, const gchar *format)
{
  const gchar *name;

  if (!gst_structure_has_field (structure, "format"))
    return gst_video_format_from_string (format) != GST_VIDEO_FORMAT_UNKNOWN;
  for (guint n = 0; (name = nth_format (structure, n)) != NULL; n++) {
    if (g_str_equal (name, format))
      return TRUE;
  }
  return FALSE;
}

GstCaps *
gst_vkc_caps_fixate_format (GstCaps *caps, const gchar *const *preferred)
{
  if (gst_caps_is_empty (caps) || gst_caps_is_any (caps))
    return caps;

  for (; *preferred != NULL; preferred++) {
    for (guint i = 0; i < gst_caps_get_size (caps); i++) {
      if (allows_format (gst_caps_get_structure (caps, i), *preferred))
        return take_structure (caps, i, *preferred);
    }
  }
  return take_structure (caps, 0,
                         nth_format (gst_caps_get_structure (caps, 0), 0));
}

/* Bits a pixel, averaged over the subsampled components, times 16. */
static guint
format_bits (const GstVideoFormatInfo *info)
{
  guint bits = 0;

  for (guint c = 0; c < GST_VIDEO_FORMAT_INFO_N_COMPONENTS (info); c++)
    bits += (GST_VIDEO_FORMAT_INFO_DEPTH (info, c) * 16)
            >> (GST_VIDEO_FORMAT_INFO_W_SUB (info, c)
                + GST_VIDEO_FORMAT_INFO_H_SUB (info, c));
  return bits;
}

static guint
chroma_shift (const GstVideoFormatInfo *info)
{
  return GST_VIDEO_FORMAT_INFO_N_COMPONENTS (info) < 3
             ? 0
             : GST_VIDEO_FORMAT_INFO_W_SUB (info, 1)
                   + GST_VIDEO_FORMAT_INFO_H_SUB (info, 1);
}

/* What a picture loses on its way to another format, then what it wastes. */
static guint
format_cost (const GstVideoFormatInfo *from, const GstVideoFormatInfo *to)
{
  const guint lost_depth = MAX (GST_VIDEO_FORMAT_INFO_DEPTH (from, 0),
                                GST_VIDEO_FORMAT_INFO_DEPTH (to, 0))
                           - GST_VIDEO_FORMAT_INFO_DEPTH (to, 0);
  const guint lost_chroma
      = MAX (chroma_shift (from), chroma_shift (to)) - chroma_shift (from);
  guint cost = 0;

  if (from == to)
    return 0;
  if (!GST_VIDEO_FORMAT_INFO_IS_GRAY (from)
      && GST_VIDEO_FORMAT_INFO_IS_GRAY (to))
    cost += 1 << 28;
  if (GST_VIDEO_FORMAT_INFO_HAS_ALPHA (from)
      && !GST_VIDEO_FORMAT_INFO_HAS_ALPHA (to))
    cost += 1 << 24;
  cost += lost_depth << 19;
  cost += lost_chroma << 16;
  if (GST_VIDEO_FORMAT_INFO_IS_RGB (from) != GST_VIDEO_FORMAT_INFO_IS_RGB (to))
    cost += 1 << 14;
  return cost + format_bits (to);
}

GstCaps *
gst_vkc_caps_fixate_format_like (GstCaps *caps, GstVideoFormat like)
{
  const GstVideoFormatInfo *from = gst_video_format_get_info (like);
  guint best = G_MAXUINT, best_index = 0;
  const gchar *best_name = NULL, *name;

  if (gst_caps_is_empty (caps) || gst_caps_is_any (caps))
    return caps;

  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    const GstStructure *structure = gst_caps_get_structure (caps, i);

    for (guint n = 0; (name = nth_format (structure, n)) != NULL; n++) {
      const GstVideoFormat format = gst_video_format_from_string (name);
      guint cost;

      if (format == GST_VIDEO_FORMAT_UNKNOWN)
        continue;
      cost = format_cost (from, gst_video_format_get_info (format));
      if (cost < best) {
        best = cost;
        best_index = i;
        best_name = name;
      }
    }
  }
  return take_structure (caps, best_index, best_name);
}
