/* The .cube file of a property. */
#pragma once

#include <glib.h>

#include "gst/color/cube.h"

G_BEGIN_DECLS

/* A table; lutfile_free() it. Errors are of GStreamer's resource domain and
 * name the file and, where it is malformed, line and reason. */
struct color_cube *lutfile_load (const gchar *path, GError **error);

/* Accepts NULL. */
void lutfile_free (struct color_cube *cube);

G_END_DECLS
