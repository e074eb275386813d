/* GLSL to SPIR-V with shaderc. */
#include "glsl.h"

#include <shaderc/shaderc.h>

#include "sourcefile.h"

/* Cyclic includes end here. */
#define MAX_INCLUDE_DEPTH 32

struct included
{
  shaderc_include_result result; /* first: shaderc hands it back */
  gchar *name;
  gchar *content; /* the file's text, or why there is none */
};

/* Beside the file that includes, then in the include path. */
static gchar *
find_included (const struct glsl_source *source, const gchar *name,
               const gchar *from, GError **error)
{
  const gchar *roots[] = { source->folder, source->include_path, NULL };
  const gchar *const *allowed = source->folder != NULL ? roots : roots + 1;
  /* The main file's name is the one that the user gave; all others are
   * canonical. */
  g_autofree gchar *here = strcmp (from, source->name) == 0
                               ? g_strdup (source->folder)
                               : g_path_get_dirname (from);
  gchar *path = NULL;

  if (here != NULL)
    path = source_file_resolve (allowed, here, name, error);
  if (path == NULL && *error == NULL && source->include_path != NULL)
    path = source_file_resolve (allowed, source->include_path, name, error);
  return path;
}

static shaderc_include_result *
resolve_include (void *data, const char *name, int type, const char *from,
                 size_t depth)
{
  const struct glsl_source *source = data;
  struct included *inc = g_new0 (struct included, 1);
  g_autoptr (GError) error = NULL;
  gsize size = 0;

  if (depth <= MAX_INCLUDE_DEPTH)
    inc->name = find_included (source, name, from, &error);
  if (inc->name != NULL && source->files != NULL)
    g_ptr_array_add (source->files, g_strdup (inc->name));
  if (inc->name != NULL)
    inc->content = source_file_read (inc->name, &size, &error);
  if (inc->content == NULL) {
    /* shaderc takes an empty name for a failure and the content for its
     * words. */
    g_clear_pointer (&inc->name, g_free);
    if (error != NULL)
      inc->content = g_strdup (error->message);
    else if (depth > MAX_INCLUDE_DEPTH)
      inc->content = g_strdup ("includes are nested too deeply");
    else
      inc->content = g_strdup_printf ("\"%s\" was not found", name);
    size = strlen (inc->content);
  }
  inc->result = (shaderc_include_result){
    .source_name = inc->name != NULL ? inc->name : "",
    .source_name_length = inc->name != NULL ? strlen (inc->name) : 0,
    .content = inc->content,
    .content_length = size,
  };
  return &inc->result;
}

static void
release_include (void *data, shaderc_include_result *result)
{
  struct included *inc = (struct included *)result;

  g_free (inc->name);
  g_free (inc->content);
  g_free (inc);
}

static gboolean
add_define (GQuark name, const GValue *value, gpointer options)
{
  const gchar *macro = g_quark_to_string (name);
  g_autofree gchar *text = G_VALUE_HOLDS_STRING (value)
                               ? g_value_dup_string (value)
                               : gst_value_serialize (value);

  if (text == NULL)
    text = g_strdup ("");
  shaderc_compile_options_add_macro_definition (options, macro, strlen (macro),
                                                text, strlen (text));
  return TRUE;
}

/* Without a version glslang takes 110, fails and floods stdout. */
static gboolean
states_version (const gchar *text)
{
  return g_regex_match_simple ("^[ \\t]*#[ \\t]*version\\b", text,
                               G_REGEX_MULTILINE, 0);
}

static shaderc_compile_options_t
make_options (const struct glsl_source *source)
{
  shaderc_compile_options_t options = shaderc_compile_options_initialize ();

  if (options == NULL)
    return NULL;
  /* Names are kept only without optimization; drivers optimize anyway. SPIR-V
   * 1.5 states the workgroup in the form that every tool knows. */
  shaderc_compile_options_set_optimization_level (
      options, shaderc_optimization_level_zero);
  shaderc_compile_options_set_target_env (options, shaderc_target_env_vulkan,
                                          shaderc_env_version_vulkan_1_2);
  shaderc_compile_options_set_target_spirv (options, shaderc_spirv_version_1_5);
  shaderc_compile_options_set_include_callbacks (
      options, resolve_include, release_include, (void *)source);
  if (!states_version (source->text))
    shaderc_compile_options_set_forced_version_profile (options, 450,
                                                        shaderc_profile_none);
  if (source->defines != NULL)
    gst_structure_foreach (source->defines, add_define, options);
  return options;
}

static guint32 *
take_words (shaderc_compilation_result_t result,
            const struct glsl_source *source, gsize *n_words, GError **error)
{
  g_autofree gchar *words = NULL;

  if (shaderc_result_get_compilation_status (result)
      == shaderc_compilation_status_success) {
    const gsize size = shaderc_result_get_length (result);

    *n_words = size / sizeof (guint32);
    return g_memdup2 (shaderc_result_get_bytes (result), size);
  }
  words = g_strdup (shaderc_result_get_error_message (result));
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
               "%s does not compile: %s", source->name, g_strstrip (words));
  return NULL;
}

/* Some engines say above the version which stage it is. The line stays, so that
 * messages count right. */
static gsize
skip_stage (const gchar *text)
{
  static const gchar stage[] = "#[compute]";

  return g_str_has_prefix (text, stage) ? strlen (stage) : 0;
}

guint32 *
glsl_compile (const struct glsl_source *source, gsize *n_words, GError **error)
{
  const gsize skipped = skip_stage (source->text);
  shaderc_compiler_t compiler = shaderc_compiler_initialize ();
  shaderc_compile_options_t options = make_options (source);
  guint32 *words = NULL;

  if (compiler == NULL || options == NULL) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED,
                 "shaderc does not start");
  } else {
    shaderc_compilation_result_t result = shaderc_compile_into_spv (
        compiler, source->text + skipped, source->length - skipped,
        shaderc_glsl_compute_shader, source->name, "main", options);

    words = take_words (result, source, n_words, error);
    shaderc_result_release (result);
  }
  shaderc_compile_options_release (options);
  shaderc_compiler_release (compiler);
  return words;
}
