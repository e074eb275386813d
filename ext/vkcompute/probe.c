/* A process that may crash looks at a module first. */
#include "probe.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEFAULT_MS 10000

/* One run of the helper. */
struct probe
{
  GPid pid;
  gint output;   /* its words */
  GString *text; /* so far */
  gboolean is_late;
  gint status;
};

static const gchar *
helper_path (void)
{
  const gchar *path = g_getenv ("VKC_PROBE");

  return path != NULL && *path != '\0' ? path : VKC_PROBE_PATH;
}

static gint64
deadline (void)
{
  const gchar *text = g_getenv ("VKC_TIMEOUT_MS");
  guint64 ms = DEFAULT_MS;

  if (text != NULL)
    g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT32, &ms, NULL);
  return g_get_monotonic_time () + (gint64)ms * 1000;
}

static gboolean
refuse (GError **error, const gchar *name, const gchar *why,
        const gchar *reason)
{
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
               "%s could not be validated (%s), and %s", name, why, reason);
  return FALSE;
}

static gboolean
is_off (void)
{
  return g_strcmp0 (g_getenv ("VKC_PROBE"), "0") == 0;
}

/* The module in a file of its own; g_unlink() it. */
static gchar *
write_module (const guint32 *words, gsize n_words, GError **error)
{
  gchar *path = NULL;
  const gint fd = g_file_open_tmp ("vkcompute-XXXXXX.spv", &path, error);

  if (fd < 0)
    return NULL;
  g_close (fd, NULL);
  if (g_file_set_contents (path, (const gchar *)words, n_words * sizeof *words,
                           error))
    return path;
  g_unlink (path);
  g_free (path);
  return NULL;
}

static gboolean
start (struct probe *probe, const gchar *file, const gchar *entry_point,
       GError **error)
{
  const gchar *arguments[] = { helper_path (), file, entry_point, NULL };

  return g_spawn_async_with_pipes (
      NULL, (gchar **)arguments, NULL,
      G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL,
      &probe->pid, NULL, &probe->output, NULL, error);
}

/* Until the helper closes its output, which it does by ending. */
static void
listen (struct probe *probe)
{
  const gint64 end = deadline ();
  gchar bytes[256];

  for (;;) {
    const gint64 left = end - g_get_monotonic_time ();
    struct pollfd wait = { .fd = probe->output, .events = POLLIN };
    gint ready;
    gssize n;

    if (left <= 0) {
      probe->is_late = TRUE;
      return;
    }
    ready = poll (&wait, 1, left / 1000 + 1);
    if (ready == 0 || (ready < 0 && errno == EINTR))
      continue;
    n = read (probe->output, bytes, sizeof bytes);
    if (n <= 0 || probe->text->len > 65536)
      return;
    g_string_append_len (probe->text, bytes, n);
  }
}

static void
finish (struct probe *probe)
{
  g_close (probe->output, NULL);
  kill (probe->pid, SIGKILL);
  while (waitpid (probe->pid, &probe->status, 0) < 0 && errno == EINTR)
    ;
  g_spawn_close_pid (probe->pid);
}

/* What follows @word on a line of its own; NULL: there is no such line. */
static gchar *
find_line (const struct probe *probe, const gchar *word)
{
  g_auto (GStrv) lines = g_strsplit (probe->text->str, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], word))
      return g_strdup (lines[i] + strlen (word));
  return NULL;
}

/* Who had the module when it ended. */
static gchar *
get_device (const struct probe *probe)
{
  gchar *device = find_line (probe, "device ");

  return device != NULL ? device : g_strdup ("SPIRV-Cross");
}

/* Runs the helper. FALSE: it could not be run. */
static gboolean
try_module (struct probe *probe, const guint32 *words, gsize n_words,
            const gchar *entry_point, GError **error)
{
  g_autofree gchar *file = write_module (words, n_words, error);
  gboolean ok;

  if (file == NULL)
    return FALSE;
  ok = start (probe, file, entry_point, error);
  if (ok) {
    listen (probe);
    finish (probe);
  }
  g_unlink (file);
  return ok;
}

static gboolean
judge_unknown (const struct probe *probe, const gchar *name, const gchar *why,
               GError **error)
{
  g_autofree gchar *device = get_device (probe);
  g_autofree gchar *refused = find_line (probe, "refused ");
  g_autofree gchar *done = find_line (probe, "compiled");
  g_autofree gchar *reason = NULL;

  if (done != NULL)
    return TRUE;
  if (refused != NULL)
    reason = g_strdup_printf ("%s refuses it: %s", device, refused);
  else if (probe->is_late)
    reason = g_strdup_printf ("%s does not come to an end with it", device);
  else
    reason = g_strdup_printf ("%s crashes on it", device);
  return refuse (error, name, why, reason);
}

gboolean
probe_unknown (const gchar *name, const guint32 *words, gsize n_words,
               const gchar *entry_point, const gchar *why, GError **error)
{
  struct probe probe = { .text = g_string_new (NULL) };
  g_autoptr (GError) failure = NULL;
  gboolean ok;

  if (is_off ())
    ok = refuse (error, name, why, "VKC_PROBE=0 does not let it be tried");
  else if (try_module (&probe, words, n_words, entry_point, &failure))
    ok = judge_unknown (&probe, name, why, error);
  else
    ok = refuse (error, name, why, failure->message);
  g_string_free (probe.text, TRUE);
  return ok;
}

static gboolean
judge_valid (const struct probe *probe, const gchar *name, GError **error)
{
  g_autofree gchar *device = get_device (probe);
  g_autofree gchar *refused = find_line (probe, "refused ");
  g_autofree gchar *done = find_line (probe, "compiled");

  if (done != NULL || refused != NULL)
    return TRUE;
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
               "%s is valid, but %s %s", name, device,
               probe->is_late ? "does not come to an end with it"
                              : "crashes on it");
  return FALSE;
}

gboolean
probe_valid (const gchar *name, const guint32 *words, gsize n_words,
             const gchar *entry_point, GError **error)
{
  struct probe probe = { .text = g_string_new (NULL) };
  g_autoptr (GError) failure = NULL;
  gboolean ok = TRUE;

  /* Without a helper it goes on as it would without this. */
  if (!is_off () && try_module (&probe, words, n_words, entry_point, &failure))
    ok = judge_valid (&probe, name, error);
  else if (failure != NULL)
    GST_INFO ("%s is not tried first: %s", name, failure->message);
  g_string_free (probe.text, TRUE);
  return ok;
}
