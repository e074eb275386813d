/* GstVkcFilter: errors, from wherever they are learnt of to the bus. */
#include "gst/vk/recorder.h"
#include "gst/vk/result.h"
#include "gstvkcfilter-private.h"
#include "gstvkclog.h"

/* An error of the Vulkan layer as one of GStreamer's. */
static void
map_error (const GError *error, GQuark *domain, gint *code)
{
  *domain = error->domain;
  *code = error->code;
  if (error->domain == GST_CORE_ERROR || error->domain == GST_LIBRARY_ERROR
      || error->domain == GST_RESOURCE_ERROR
      || error->domain == GST_STREAM_ERROR)
    return;

  *domain = GST_RESOURCE_ERROR;
  *code = GST_RESOURCE_ERROR_FAILED;
  if (g_error_matches (error, VKC_ERROR, VKC_ERROR_NO_DEVICE))
    *code = GST_RESOURCE_ERROR_NOT_FOUND;
  else if (g_error_matches (error, VKC_ERROR, VKC_ERROR_OUT_OF_MEMORY))
    *code = GST_RESOURCE_ERROR_NO_SPACE_LEFT;
  else if (g_error_matches (error, VKC_ERROR, VKC_ERROR_REFUSED))
    *code = GST_RESOURCE_ERROR_SETTINGS;
}

void
gst_vkc_filter_post (GstElement *element, GstMessageType type,
                     const GError *error)
{
  GQuark domain;
  gint code;

  map_error (error, &domain, &code);
  gst_element_message_full (element, type, domain, code,
                            g_strdup (error->message), NULL, __FILE__,
                            G_STRFUNC, __LINE__);
}

static struct vkc_device *
ref_device (GstVkcFilter *self)
{
  struct vkc_device *device;

  GST_OBJECT_LOCK (self);
  device = gst_vkc_filter_private (self)->device;
  if (device != NULL)
    vkc_device_ref (device);
  GST_OBJECT_UNLOCK (self);
  return device;
}

/* For applications, which else would have to read the error's text: the device
 * is gone, for all that ran on it. */
static void
post_device_lost (GstElement *element)
{
  struct vkc_device *device = ref_device (GST_VKC_FILTER (element));

  if (device == NULL)
    return;
  if (vkc_recorder_is_lost (device->recorder))
    gst_element_post_message (
        element,
        gst_message_new_element (
            GST_OBJECT (element),
            gst_structure_new (
                "vkc-device-lost", "device", G_TYPE_STRING, device->name,
                "recorder-id", G_TYPE_UINT64,
                vkc_recorder_counters (device->recorder).id, NULL)));
  vkc_device_unref (device);
}

/* The owner's word to its element, which may be gone. */
static void
owner_failed (const GError *error, gpointer data)
{
  GstElement *element = g_weak_ref_get (data);

  if (element == NULL) {
    GST_INFO ("after its element: %s", error->message);
    return;
  }
  post_device_lost (element);
  gst_vkc_filter_post (element, GST_MESSAGE_ERROR, error);
  gst_object_unref (element);
}

static void
free_weak_ref (gpointer data)
{
  g_weak_ref_clear (data);
  g_free (data);
}

struct vkc_owner *
gst_vkc_filter_new_owner (GstVkcFilter *self, GWeakRef **link)
{
  g_autofree gchar *name = gst_object_get_name (GST_OBJECT (self));

  *link = g_new (GWeakRef, 1);
  g_weak_ref_init (*link, self);
  return vkc_owner_new (name, owner_failed, *link, free_weak_ref);
}
