/* What this process holds. */
#include "tests/support/holdings.h"

#include <glib/gstdio.h>
#include <gst/check/gstcheck.h>

#include "tests/support/wrap.h"

/* The validation layer opens the named pipe of its messages with each instance,
 * for good. */
static gboolean
is_named_pipe (const char *path)
{
  g_autofree char *target = g_file_read_link (path, NULL);
  GStatBuf status;

  return target != NULL && target[0] == '/' && g_stat (path, &status) == 0
         && S_ISFIFO (status.st_mode);
}

static guint
count_entries (const char *folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);

    n += !is_named_pipe (path);
  }
  g_dir_close (dir);
  return n;
}

struct test_holdings
test_holdings (void)
{
  return (struct test_holdings){
    .fds = count_entries ("/proc/self/fd"),
    .threads = count_entries ("/proc/self/task"),
    .objects = test_wrap_live (NULL),
  };
}

void
test_assert_back_to (const struct test_holdings *before)
{
  struct test_holdings now;

  for (guint i = 0; i < 500; i++) {
    now = test_holdings ();
    if (now.fds <= before->fds && now.threads <= before->threads
        && now.objects <= before->objects)
      return;
    g_usleep (10000);
  }
  fail ("fds %u, threads %u, objects %d instead of %u, %u, %d", now.fds,
        now.threads, (int) now.objects, before->fds, before->threads,
        (int) before->objects);
}
