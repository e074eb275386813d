/* The devices of a pipeline. */
#include "gstvkccontext.h"

#include "gst/vk/recorder.h"
#include "gst/vk/result.h"
#include "gstvkccontextshare.h"
#include "gstvkchostimport.h"
#include "gstvkclog.h"
#include "gstvkcstats.h"

struct entry
{
  struct vkc_device *device;
  guint users;
};

struct _GstVkcContext
{
  GstObject parent;

  gchar *selector; /* constant */
  gboolean keeps;  /* constant: devices stay when nobody has them open */

  /* Opening a device takes long, so that it has a lock of its own. */
  GMutex lock;
  GArray *entries; /* struct entry, the default device first */
  gboolean second_device, second_device_told;
};

G_DEFINE_FINAL_TYPE (GstVkcContext, gst_vkc_context, GST_TYPE_OBJECT)

/* Drops a reference that should be the last one: what has the device open
 * behind our backs goes first, so that it is closed now and not soon. */
static void
let_go (gpointer device)
{
  gst_vkc_host_import_forget (device);
  vkc_recorder_run_releases (((struct vkc_device *)device)->recorder);
  vkc_device_unref (device);
}

/* Takes the devices that no work can be given to out of the list. Their users'
 * references keep them alive until they close them. Under the lock, under which
 * nothing is closed. */
static GSList *
steal_lost (GstVkcContext *self)
{
  GSList *lost = NULL;

  for (guint i = self->entries->len; i-- > 0;) {
    struct vkc_device *device
        = g_array_index (self->entries, struct entry, i).device;

    if (!vkc_recorder_is_lost (device->recorder))
      continue;
    GST_WARNING_OBJECT (self, "%s is lost: a new device takes its place",
                        device->name);
    lost = g_slist_prepend (lost, device);
    g_array_remove_index (self->entries, i);
  }
  return lost;
}

static struct entry *
find (GstVkcContext *self, const gchar *selector)
{
  for (guint i = 0; i < self->entries->len; i++) {
    struct entry *entry = &g_array_index (self->entries, struct entry, i);

    if (vkc_device_matches (entry->device, selector))
      return entry;
  }
  return NULL;
}

/* An application that made the context decides when its device is replaced. */
static gboolean
is_usable (GstVkcContext *self, const struct entry *entry, GError **error)
{
  if (!vkc_recorder_is_lost (entry->device->recorder))
    return TRUE;
  g_set_error (error, VKC_ERROR, VKC_ERROR_DEVICE_LOST,
               "the application's Vulkan device %s is lost: it has to set a "
               "new context",
               entry->device->name);
  return FALSE;
}

static struct entry *
add (GstVkcContext *self, const gchar *selector, GError **error)
{
  struct entry entry = { .device = vkc_device_new (selector, error) };

  if (entry.device == NULL)
    return NULL;
  GST_INFO_OBJECT (self, "%s serves (%s), recorder %" G_GUINT64_FORMAT,
                   entry.device->name,
                   entry.device->is_cpu ? "software" : "hardware",
                   vkc_recorder_counters (entry.device->recorder).id);
  self->second_device |= self->entries->len > 0;
  g_array_append_val (self->entries, entry);
  return &g_array_index (self->entries, struct entry, self->entries->len - 1);
}

struct vkc_device *
gst_vkc_context_open_device (GstVkcContext *self, const gchar *selector,
                             GError **error)
{
  struct vkc_device *device = NULL;
  struct entry *entry;
  GSList *lost = NULL;

  if (selector == NULL || *selector == '\0')
    selector = self->selector;

  g_mutex_lock (&self->lock);
  if (!self->keeps)
    lost = steal_lost (self);
  entry = find (self, selector);
  if (entry == NULL)
    entry = add (self, selector, error);
  if (entry != NULL && is_usable (self, entry, error)) {
    entry->users++;
    device = vkc_device_ref (entry->device);
  }
  g_mutex_unlock (&self->lock);
  g_slist_free_full (lost, let_go);
  return device;
}

static void
log_summary (GstVkcContext *self, struct vkc_device *device)
{
  g_autoptr (GstStructure) stats = gst_vkc_stats_recorder (device);

  GST_CAT_INFO_OBJECT (gst_vkc_recorder_debug, self, "%" GST_PTR_FORMAT,
                       stats);
}

void
gst_vkc_context_close_device (GstVkcContext *self, struct vkc_device *device)
{
  struct vkc_device *forgotten = NULL;
  gboolean last = FALSE;

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->entries->len; i++) {
    struct entry *entry = &g_array_index (self->entries, struct entry, i);

    if (entry->device != device)
      continue;
    last = --entry->users == 0;
    if (last && !self->keeps) {
      forgotten = entry->device;
      g_array_remove_index (self->entries, i);
    }
    break;
  }
  g_mutex_unlock (&self->lock);
  if (last)
    log_summary (self, device);
  vkc_device_unref (device);
  if (forgotten != NULL)
    let_go (forgotten);
}

gboolean
gst_vkc_context_take_second_device (GstVkcContext *self)
{
  gboolean result;

  g_mutex_lock (&self->lock);
  result = self->second_device && !self->second_device_told;
  self->second_device_told |= result;
  g_mutex_unlock (&self->lock);
  return result;
}

GstStructure *
gst_vkc_context_get_stats (GstVkcContext *self)
{
  struct vkc_device *device = NULL;
  GstStructure *stats;

  g_return_val_if_fail (GST_IS_VKC_CONTEXT (self), NULL);

  g_mutex_lock (&self->lock);
  if (self->entries->len > 0)
    device = vkc_device_ref (
        g_array_index (self->entries, struct entry, 0).device);
  g_mutex_unlock (&self->lock);

  stats = gst_vkc_stats_recorder (device);
  vkc_device_unref (device);
  return stats;
}

GstVkcContext *
gst_vkc_context_new (const gchar *device)
{
  GstVkcContext *self = g_object_new (GST_TYPE_VKC_CONTEXT, NULL);

  gst_object_ref_sink (self);
  self->selector = g_strdup (device);
  self->keeps = TRUE;
  return self;
}

GstVkcContext *
gst_vkc_context_new_for_pipeline (void)
{
  GstVkcContext *self = gst_vkc_context_new (NULL);

  self->keeps = FALSE;
  return self;
}

static void
gst_vkc_context_finalize (GObject *object)
{
  GstVkcContext *self = GST_VKC_CONTEXT (object);

  for (guint i = 0; i < self->entries->len; i++)
    let_go (g_array_index (self->entries, struct entry, i).device);
  g_array_unref (self->entries);
  g_mutex_clear (&self->lock);
  g_free (self->selector);
  G_OBJECT_CLASS (gst_vkc_context_parent_class)->finalize (object);
}

static void
gst_vkc_context_class_init (GstVkcContextClass *klass)
{
  gst_vkc_log_init ();
  G_OBJECT_CLASS (klass)->finalize = gst_vkc_context_finalize;
}

static void
gst_vkc_context_init (GstVkcContext *self)
{
  g_mutex_init (&self->lock);
  self->entries = g_array_new (FALSE, FALSE, sizeof (struct entry));
}
