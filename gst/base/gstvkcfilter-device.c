/* GstVkcFilter: the pipeline's context and the device out of it. */
#include "gstvkccontextshare.h"
#include "gstvkcdrm.h"
#include "gstvkcfilter-private.h"
#include "gstvkclog.h"
#include "gstvkcstats.h"

static GstElementClass *parent_class;

/* Under the object's lock. */
static void
swap_names (GstVkcFilterPrivate *priv, GHashTable *names[2])
{
  for (guint i = 0; i < 2; i++) {
    GHashTable *old = priv->drm_names[i];

    priv->drm_names[i] = names[i];
    names[i] = old;
  }
}

static void
clear_names (GHashTable *names[2])
{
  for (guint i = 0; i < 2; i++)
    g_clear_pointer (&names[i], g_hash_table_unref);
}

gboolean
gst_vkc_filter_open_device (GstVkcFilter *self, GError **error)
{
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);
  GstVkcContext *context, *old_context;
  struct vkc_device *device, *old_device;
  GHashTable *names[2];
  g_autofree gchar *selector = NULL;

  gst_vkc_context_ensure (GST_ELEMENT (self), &priv->context);
  GST_OBJECT_LOCK (self);
  context = gst_object_ref (priv->context);
  selector = g_strdup (priv->selector);
  GST_OBJECT_UNLOCK (self);

  device = gst_vkc_context_open_device (context, selector, error);
  if (device == NULL) {
    gst_object_unref (context);
    return FALSE;
  }
  if (gst_vkc_context_take_second_device (context))
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS,
                         ("%s is a second device in this pipeline: frames are "
                          "copied between the two",
                          device->name),
                         (NULL));

  names[VKC_DMABUF_IMPORT] = gst_vkc_drm_names_new (device, VKC_DMABUF_IMPORT);
  names[VKC_DMABUF_EXPORT] = gst_vkc_drm_names_new (device, VKC_DMABUF_EXPORT);
  GST_OBJECT_LOCK (self);
  swap_names (priv, names);
  old_device = priv->device;
  old_context = priv->device_context;
  priv->device = device;
  priv->device_context = context;
  GST_OBJECT_UNLOCK (self);
  clear_names (names);
  if (old_device != NULL) {
    gst_vkc_context_close_device (old_context, old_device);
    gst_object_unref (old_context);
  }
  GST_INFO_OBJECT (self, "runs on %s (%s), recorder %" G_GUINT64_FORMAT,
                   device->name, device->is_cpu ? "software" : "hardware",
                   vkc_recorder_counters (device->recorder).id);
  return TRUE;
}

void
gst_vkc_filter_close_device (GstVkcFilter *self)
{
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);
  struct vkc_device *device;
  GstVkcContext *context;
  GstStructure *stats;
  GHashTable *names[2] = { NULL, NULL };

  GST_OBJECT_LOCK (self);
  swap_names (priv, names);
  device = priv->device;
  context = priv->device_context;
  priv->device = NULL;
  priv->device_context = NULL;
  GST_OBJECT_UNLOCK (self);
  clear_names (names);
  if (device == NULL)
    return;

  stats = gst_vkc_stats_recorder (device);
  GST_OBJECT_LOCK (self);
  g_clear_pointer (&priv->last_recorder, gst_structure_free);
  priv->last_recorder = stats;
  GST_OBJECT_UNLOCK (self);
  gst_vkc_context_close_device (context, device);
  gst_object_unref (context);
}

static void
gst_vkc_filter_set_context (GstElement *element, GstContext *context)
{
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (GST_VKC_FILTER (element));
  GstVkcContext *ours = gst_vkc_context_from_wrapped (context);
  GstVkcContext *old = NULL;

  if (ours != NULL) {
    GST_OBJECT_LOCK (element);
    old = priv->context;
    priv->context = ours;
    GST_OBJECT_UNLOCK (element);
  }
  gst_clear_object (&old);
  parent_class->set_context (element, context);
}

void
gst_vkc_filter_class_init_device (GstElementClass *klass)
{
  parent_class = g_type_class_peek_parent (klass);
  klass->set_context = gst_vkc_filter_set_context;
}
