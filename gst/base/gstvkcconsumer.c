/* Who gets frames in the end. */
#include "gstvkcconsumer.h"

/* Pads that frames go through on the way: more are no pipeline but a loop. */
#define MAX_DEPTH 64

/* The types of its encoders are made for the devices that are there, and all
 * have a base class of that name. */
static gboolean
is_v4l2 (GstPad *pad)
{
  g_autoptr (GstElement) element = gst_pad_get_parent_element (pad);
  GType type = element != NULL ? G_OBJECT_TYPE (element) : G_TYPE_INVALID;

  for (; type != G_TYPE_INVALID; type = g_type_parent (type)) {
    if (g_str_has_prefix (g_type_name (type), "GstV4l2"))
      return TRUE;
  }
  return FALSE;
}

static gboolean
feeds_v4l2 (GstPad *src, guint depth)
{
  g_autoptr (GstPad) sink = gst_pad_get_peer (src);
  g_autoptr (GstIterator) links = NULL;
  GValue item = G_VALUE_INIT;
  gboolean found = FALSE;

  if (sink == NULL || depth == MAX_DEPTH)
    return FALSE;
  if (is_v4l2 (sink))
    return TRUE;
  /* A bin's pads link to its inside. */
  links = gst_pad_iterate_internal_links (sink);
  while (links != NULL && !found
         && gst_iterator_next (links, &item) == GST_ITERATOR_OK) {
    found = feeds_v4l2 (g_value_get_object (&item), depth + 1);
    g_value_reset (&item);
  }
  if (G_IS_VALUE (&item))
    g_value_unset (&item);
  return found;
}

gboolean
gst_vkc_pad_feeds_v4l2 (GstPad *src)
{
  return feeds_v4l2 (src, 0);
}
