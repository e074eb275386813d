/* Reading what a user named. */
#include "sourcefile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FILE_SIZE (64 << 20)

static gchar *
read_all (int fd, gsize wanted, gsize *size)
{
  gchar *data = g_try_malloc (wanted + 1);
  gsize have = 0;

  while (data != NULL && have < wanted) {
    gssize n = read (fd, data + have, wanted - have);

    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      g_free (data);
      return NULL;
    }
    if (n == 0)
      break;
    have += n;
  }
  if (data != NULL)
    data[have] = '\0';
  *size = have;
  return data;
}

gchar *
source_file_read (const gchar *path, gsize *size, GError **error)
{
  /* Not blocking: a FIFO without a writer would hold the caller for ever. */
  const int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat info;
  gchar *data = NULL;

  if (fd < 0) {
    g_set_error (error, GST_RESOURCE_ERROR,
                 errno == ENOENT ? GST_RESOURCE_ERROR_NOT_FOUND
                                 : GST_RESOURCE_ERROR_OPEN_READ,
                 "cannot open \"%s\": %s", path, g_strerror (errno));
    return NULL;
  }
  if (fstat (fd, &info) < 0 || !S_ISREG (info.st_mode)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ,
                 "\"%s\" is not a regular file", path);
  } else if (info.st_size > MAX_FILE_SIZE) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "\"%s\" has %" G_GUINT64_FORMAT
                 " bytes; a shader has at most %d",
                 path, (guint64)info.st_size, MAX_FILE_SIZE);
  } else {
    data = read_all (fd, info.st_size, size);
    if (data == NULL)
      g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
                   "cannot read \"%s\": %s", path, g_strerror (errno));
  }
  close (fd);
  return data;
}

static gboolean
is_below (const gchar *root, const gchar *path)
{
  char *real = realpath (root, NULL);
  gsize n = real != NULL ? strlen (real) : 0;
  gboolean below;

  if (n > 0 && real[n - 1] == G_DIR_SEPARATOR)
    n--;
  below = real != NULL && strncmp (real, path, n) == 0
          && path[n] == G_DIR_SEPARATOR;
  free (real);
  return below;
}

gchar *
source_file_resolve (const gchar *const *roots, const gchar *folder,
                     const gchar *name, GError **error)
{
  g_autofree gchar *path = g_path_is_absolute (name)
                               ? g_strdup (name)
                               : g_build_filename (folder, name, NULL);
  char *real = realpath (path, NULL);
  gchar *found = NULL;

  if (real == NULL)
    return NULL;
  for (guint i = 0; found == NULL && roots[i] != NULL; i++)
    if (is_below (roots[i], real))
      found = g_strdup (real);
  if (found == NULL)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "\"%s\" lies outside the shader's folder", name);
  free (real);
  return found;
}
