/* Finds Dolby Vision and HDR10+ by the names that caps and metas have for them.
 * No released GStreamer defines them all, so names are all there is to go by.
 */
#include "hdrwarning.h"

static const gchar dolby[]
    = "Dolby Vision is signalled, and its dynamic metadata are not used. "
      "Streams without a compatible base layer (profile 5) will have wrong "
      "colours (green and purple); others are shown as their base layer";
static const gchar hdr10plus[]
    = "HDR10+ is signalled, and its dynamic metadata are not used: frames are "
      "mapped by their static metadata, or by peak-detection";

static const gchar *
warning_for (const gchar *name)
{
  g_autofree gchar *lower = g_ascii_strdown (name, -1);

  if (strstr (lower, "dolby") != NULL || strstr (lower, "dovi") != NULL)
    return dolby;
  if (strstr (lower, "hdr10+") != NULL || strstr (lower, "hdr10plus") != NULL
      || strstr (lower, "2094") != NULL)
    return hdr10plus;
  return NULL;
}

static gboolean
look_at_field (GQuark field, const GValue *value, gpointer data)
{
  const gchar **found = data;

  *found = warning_for (g_quark_to_string (field));
  if (*found == NULL && G_VALUE_HOLDS_STRING (value)
      && g_value_get_string (value) != NULL)
    *found = warning_for (g_value_get_string (value));
  return *found == NULL;
}

const gchar *
hdr_warning_of_caps (GstCaps *caps)
{
  const gchar *found = NULL;

  gst_structure_foreach (gst_caps_get_structure (caps, 0), look_at_field,
                         &found);
  return found;
}

const gchar *
hdr_warning_of_buffer (GstBuffer *buffer)
{
  const gchar *found = NULL;
  gpointer state = NULL;
  GstMeta *meta;

  while (found == NULL
         && (meta = gst_buffer_iterate_meta (buffer, &state)) != NULL)
    found = warning_for (g_type_name (meta->info->api));
  return found;
}

gboolean
hdr_warning_is_about_colours (const gchar *text)
{
  return text == dolby;
}

void
hdr_warning_post (GstElement *element, const gchar *text, const gchar **last)
{
  if (text == NULL || text == *last)
    return;
  *last = text;
  GST_ELEMENT_WARNING (element, STREAM, NOT_IMPLEMENTED, ("%s.", text), (NULL));
}
