/* Kernel source: from what the user named to SPIR-V words.
 *
 * A file that starts with SPIR-V's magic number, or is named *.spv, is SPIR-V;
 * all else is GLSL. Errors are GST_RESOURCE_ERROR: NOT_FOUND, OPEN_READ, READ,
 * or SETTINGS with the compiler's words. */
#pragma once

#include <gst/gst.h>

/* What the user set; unset ones are NULL. */
struct kernel_source_params
{
  const gchar *location;       /* a file */
  const gchar *shader;         /* GLSL text, instead of a file */
  const gchar *include_path;   /* GLSL: where else `#include` may look */
  const GstStructure *defines; /* GLSL: macros */
  const gchar *entry_point;    /* for reflection; NULL: "main" */

  /* Gets the path of every file that is read (g_free() them), also when the
   * source turns out to be broken; may be NULL. */
  GPtrArray *files;
};

struct kernel_source
{
  gchar *name; /* for messages: the file's base name, or "shader" */
  guint32 *words;
  gsize n_words;
  gboolean is_module; /* it was SPIR-V already */
};

/* On failure @source is {0}. The words are not checked yet: reflection does
 * that. */
gboolean kernel_source_load (struct kernel_source *source,
                             const struct kernel_source_params *params,
                             GError **error);
void kernel_source_clear (struct kernel_source *source);
