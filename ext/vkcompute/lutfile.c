/* Loads .cube files. */
#include "lutfile.h"

#include <gst/gst.h>

/* 129^3 entries of 40 characters. */
#define LARGEST ((gsize)256 << 20)

struct color_cube *
lutfile_load (const gchar *path, GError **error)
{
  static gint serials;
  g_autofree gchar *text = NULL;
  g_autoptr (GError) reason = NULL;
  struct color_cube *cube;
  struct color_cube_error where;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, &reason)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ,
                 "The table cannot be read: %s", reason->message);
    return NULL;
  }
  cube = g_new0 (struct color_cube, 1);
  if (length > LARGEST || !color_cube_parse (cube, text, length, &where)) {
    if (length > LARGEST)
      where = (struct color_cube_error){ 0, "it is larger than 256 MiB" };
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "%s, line %d: %s", path, where.line, where.reason);
    g_free (cube);
    return NULL;
  }
  cube->serial = (guint)g_atomic_int_add (&serials, 1) + 1;
  return cube;
}

void
lutfile_free (struct color_cube *cube)
{
  if (cube == NULL)
    return;
  color_cube_clear (cube);
  g_free (cube);
}
