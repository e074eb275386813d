/* Kernel source: from what the user named to SPIR-V words. */
#include "kernelsource.h"

#include "glsl.h"
#include "sourcefile.h"

#define SPIRV_MAGIC 0x07230203u

static gboolean
is_spirv (const gchar *name, const gchar *data, gsize size)
{
  guint32 magic = 0;

  if (size >= sizeof magic)
    memcpy (&magic, data, sizeof magic);
  return magic == SPIRV_MAGIC || magic == GUINT32_SWAP_LE_BE (SPIRV_MAGIC)
         || g_str_has_suffix (name, ".spv");
}

/* Takes @data. */
static gboolean
take_spirv (struct kernel_source *source, gchar *data, gsize size,
            GError **error)
{
  const guint32 *words = (const guint32 *)data;

  if (size == 0 || size % sizeof *words != 0) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "%s is no SPIR-V module: %" G_GSIZE_FORMAT
                 " bytes are not whole words (truncated?)",
                 source->name, size);
    g_free (data);
    return FALSE;
  }
  if (words[0] == GUINT32_SWAP_LE_BE (SPIRV_MAGIC)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "%s is SPIR-V in the other byte order", source->name);
    g_free (data);
    return FALSE;
  }
  source->is_module = TRUE;
  source->words = (guint32 *)data;
  source->n_words = size / sizeof *words;
  return TRUE;
}

static gboolean
load_file (struct kernel_source *source,
           const struct kernel_source_params *params, GError **error)
{
  g_autofree gchar *folder = g_path_get_dirname (params->location);
  g_autofree gchar *text = NULL;
  gsize size = 0;

  source->name = g_path_get_basename (params->location);
  if (params->files != NULL)
    g_ptr_array_add (params->files, g_strdup (params->location));
  text = source_file_read (params->location, &size, error);
  if (text == NULL)
    return FALSE;
  if (is_spirv (source->name, text, size))
    return take_spirv (source, g_steal_pointer (&text), size, error);
  source->words = glsl_compile (
      &(struct glsl_source){ .name = params->location,
                             .text = text,
                             .length = size,
                             .folder = folder,
                             .include_path = params->include_path,
                             .defines = params->defines,
                             .files = params->files },
      &source->n_words, error);
  return source->words != NULL;
}

static gboolean
load_text (struct kernel_source *source,
           const struct kernel_source_params *params, GError **error)
{
  source->name = g_strdup ("shader");
  source->words = glsl_compile (
      &(struct glsl_source){ .name = "shader",
                             .text = params->shader,
                             .length = strlen (params->shader),
                             .include_path = params->include_path,
                             .defines = params->defines,
                             .files = params->files },
      &source->n_words, error);
  return source->words != NULL;
}

gboolean
kernel_source_load (struct kernel_source *source,
                    const struct kernel_source_params *params, GError **error)
{
  gboolean ok = FALSE;

  *source = (struct kernel_source){ 0 };
  if (params->location != NULL && params->shader != NULL)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "both a location and a shader text were given");
  else if (params->location != NULL)
    ok = load_file (source, params, error);
  else if (params->shader != NULL)
    ok = load_text (source, params, error);
  else
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "no shader was given: set location, shader or passes");
  if (!ok)
    kernel_source_clear (source);
  return ok;
}

void
kernel_source_clear (struct kernel_source *source)
{
  g_free (source->name);
  g_free (source->words);
  *source = (struct kernel_source){ 0 };
}
