/* Reading what a user named: regular files of a sane size, and never one
 * outside the folders that it may come from. Errors are GST_RESOURCE_ERROR. */
#pragma once

#include <gst/gst.h>

/* Reads the whole file at @path; a NUL follows the @size bytes. Refuses what
 * is no regular file or larger than 64 MiB. Free with g_free(). */
gchar *source_file_read (const gchar *path, gsize *size, GError **error);

/* The canonical path of @name, looked for in @folder, which must lie in the
 * tree below one of @roots (ends with NULL) after all links were followed.
 * NULL without @error set means that there is no such file. */
gchar *source_file_resolve (const gchar *const *roots, const gchar *folder,
                            const gchar *name, GError **error);
