/* Whether files changed since somebody last looked. */
#include "filewatch.h"

#include <sys/stat.h>

#define INTERVAL_US 200000

/* What tells one state of a file from another; editors replace files, so that
 * the time alone would not do. */
struct stamp
{
  dev_t device;
  ino_t inode;
  off_t size;
  struct timespec changed;
};

struct file_watch
{
  guint n;
  gchar **paths;
  struct stamp *stamps;
  gint64 next_look; /* monotonic us */
};

static struct stamp
look (const gchar *path)
{
  struct stamp stamp;
  struct stat info;

  /* Compared as bytes. */
  memset (&stamp, 0, sizeof stamp);
  if (stat (path, &info) == 0) {
    stamp.device = info.st_dev;
    stamp.inode = info.st_ino;
    stamp.size = info.st_size;
    stamp.changed = info.st_mtim;
  }
  return stamp;
}

struct file_watch *
file_watch_new (const GPtrArray *paths)
{
  struct file_watch *watch = g_new0 (struct file_watch, 1);

  watch->n = paths->len;
  watch->paths = g_new0 (gchar *, watch->n + 1);
  watch->stamps = g_new (struct stamp, watch->n);
  for (guint i = 0; i < watch->n; i++) {
    watch->paths[i] = g_strdup (g_ptr_array_index (paths, i));
    watch->stamps[i] = look (watch->paths[i]);
  }
  return watch;
}

void
file_watch_free (struct file_watch *watch)
{
  if (watch == NULL)
    return;
  g_strfreev (watch->paths);
  g_free (watch->stamps);
  g_free (watch);
}

gboolean
file_watch_changed (struct file_watch *watch)
{
  const gint64 now = g_get_monotonic_time ();
  gboolean changed = FALSE;

  if (now < watch->next_look)
    return FALSE;
  watch->next_look = now + INTERVAL_US;
  for (guint i = 0; i < watch->n; i++) {
    const struct stamp stamp = look (watch->paths[i]);

    if (memcmp (&stamp, &watch->stamps[i], sizeof stamp) == 0)
      continue;
    watch->stamps[i] = stamp;
    changed = TRUE;
  }
  return changed;
}
