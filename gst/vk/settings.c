/* Settings from the environment. */
#include "gst/vk/settings.h"

#include <glib.h>

uint32_t
vkc_setting (const char *name, uint32_t fallback)
{
  static GMutex lock;
  static GHashTable *warned;
  const char *text = g_getenv (name);
  guint64 value;

  if (!text)
    return fallback;
  if (g_ascii_string_to_unsigned (text, 10, 1, G_MAXUINT32, &value, NULL))
    return (uint32_t) value;

  g_mutex_lock (&lock);
  if (!warned)
    warned = g_hash_table_new (g_str_hash, g_str_equal);
  if (g_hash_table_add (warned, (gpointer) g_intern_string (name)))
    g_warning ("%s=\"%s\" is not a positive integer: using %u", name, text,
               fallback);
  g_mutex_unlock (&lock);
  return fallback;
}

struct vkc_settings
vkc_settings_get (bool is_cpu)
{
  return (struct vkc_settings){
    .batch = vkc_setting ("VKC_BATCH", 0),
    .timeout_ms = vkc_setting ("VKC_TIMEOUT_MS", 5000),
    .compile_ms = vkc_setting ("VKC_TIMEOUT_MS", is_cpu ? 120000 : 30000),
    .max_timeouts = vkc_setting ("VKC_MAX_TIMEOUTS", 1),
    .max_pending_ms = vkc_setting ("VKC_MAX_PENDING_MS", 500),
    .max_in_flight = vkc_setting ("VKC_MAX_IN_FLIGHT", 4),
    .max_releases = vkc_setting ("VKC_MAX_RELEASES", 256),
    .max_release_bytes
    = vkc_setting ("VKC_MAX_RELEASE_BYTES", UINT32_C (512) << 20),
    .fuse = g_strcmp0 (g_getenv ("VKC_FUSE"), "0") != 0,
    .addresses = g_strcmp0 (g_getenv ("VKC_ADDRESSES"), "0") != 0,
    .max_batch_ms = vkc_setting ("VKC_MAX_BATCH_MS", is_cpu ? 0 : 200),
  };
}
