/* GLSL to SPIR-V with shaderc. Without shaderc at build time every call is an
 * error that says so. */
#pragma once

#include <gst/gst.h>

struct glsl_source
{
  const gchar *name; /* in the compiler's messages */
  const gchar *text;
  gsize length; /* bytes */

  /* The folder of the file: `#include` starts there and never leaves the tree
   * below it. NULL: a text without a file. */
  const gchar *folder;
  const gchar *include_path;   /* one more such tree; NULL: none */
  const GstStructure *defines; /* macros: names and values; NULL: none */
  GPtrArray *files; /* gets the path of every file that is read, or is NULL */
};

/* The SPIR-V words of a compute shader; free with g_free(). Errors are
 * GST_RESOURCE_ERROR_SETTINGS with the compiler's words. */
guint32 *glsl_compile (const struct glsl_source *source, gsize *n_words,
                       GError **error);
