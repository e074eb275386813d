/* A list of passes as a key file. */
#include "programfile.h"

#include <math.h>

#include "imageformat.h"
#include "sourcefile.h"

struct parser
{
  struct compute_program *program;
  GKeyFile *keys;
  const gchar *folder;
  const struct compute_settings *settings;
  GPtrArray *files;
};

static gboolean refuse (const struct parser *parser, const gchar *group,
                        GError **error, const gchar *format, ...)
    G_GNUC_PRINTF (4, 5);

static gboolean
refuse (const struct parser *parser, const gchar *group, GError **error,
        const gchar *format, ...)
{
  g_autofree gchar *words = NULL;
  va_list arguments;

  va_start (arguments, format);
  words = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
               "%s: [%s]: %s", parser->program->name, group, words);
  return FALSE;
}

/* The file that @key names; NULL without @error set: there is no such key. */
static gchar *
get_path (const struct parser *parser, const gchar *group, const gchar *key,
          GError **error)
{
  const gchar *const roots[]
      = { parser->folder, parser->settings->include_path, NULL };
  g_autofree gchar *name
      = g_key_file_get_string (parser->keys, group, key, NULL);
  gchar *path;

  if (name == NULL || parser->folder == NULL)
    return g_steal_pointer (&name);
  path = source_file_resolve (roots, parser->folder, name, error);
  if (path == NULL && *error == NULL)
    refuse (parser, group, error, "\"%s\" was not found", name);
  return path;
}

/* "a=source;b=half" as fields. */
static GstStructure *
get_fields (const struct parser *parser, const gchar *group, const gchar *key)
{
  g_auto (GStrv) list
      = g_key_file_get_string_list (parser->keys, group, key, NULL, NULL);
  GstStructure *fields;

  if (list == NULL)
    return NULL;
  fields = gst_structure_new_empty ("fields");
  for (guint i = 0; list[i] != NULL; i++) {
    g_auto (GStrv) pair = g_strsplit (list[i], "=", 2);

    if (pair[0] != NULL && *g_strstrip (pair[0]) != '\0')
      gst_structure_set (fields, pair[0], G_TYPE_STRING,
                         pair[1] != NULL ? g_strstrip (pair[1]) : "", NULL);
  }
  return fields;
}

/* Only keys that mean something are allowed. */
static gboolean
check_keys (const struct parser *parser, const gchar *group,
            const gchar *const *known, GError **error)
{
  g_auto (GStrv) keys = g_key_file_get_keys (parser->keys, group, NULL, NULL);

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    if (!g_strv_contains (known, keys[i]))
      return refuse (parser, group, error, "there is no key `%s`", keys[i]);
  return TRUE;
}

/* 0: by the scale. */
static gboolean
is_size (gdouble size)
{
  return size >= 0 && size <= 32768 && size == rint (size);
}

/* Numbers as they are, or 0 for keys that are not there. */
static gboolean
get_number (const struct parser *parser, const gchar *group, const gchar *key,
            gdouble *number, GError **error)
{
  g_autofree gchar *text
      = g_key_file_get_string (parser->keys, group, key, NULL);
  gchar *end = text;

  *number = 0;
  if (text == NULL)
    return TRUE;
  *number = g_ascii_strtod (text, &end);
  return (*text != '\0' && *g_strchug (end) == '\0')
         || refuse (parser, group, error, "`%s` is no number: %s", key, text);
}

/* Size and format are the file's. */
static gboolean
parse_picture (const struct parser *parser, const gchar *group,
               const gchar *name, GError **error)
{
  static const gchar *const known[] = { "file", NULL };
  GError *why = NULL;
  g_autofree gchar *path = get_path (parser, group, "file", &why);

  if (why != NULL) {
    g_propagate_error (error, why);
    return FALSE;
  }
  if (!check_keys (parser, group, known, error))
    return FALSE;
  if (parser->files != NULL)
    g_ptr_array_add (parser->files, g_strdup (path));
  return compute_program_add_picture (parser->program, name, path, error);
}

static gboolean
parse_image (const struct parser *parser, const gchar *group, const gchar *name,
             GError **error)
{
  static const gchar *const known[]
      = { "format", "width", "height", "scale", NULL };
  g_autofree gchar *format
      = g_key_file_get_string (parser->keys, group, "format", NULL);
  struct program_image image = { .name = (gchar *)name, .scale = 1 };
  const struct image_format *row
      = format != NULL ? image_format_from_name (format) : NULL;
  gdouble width, height, scale;

  if (g_key_file_has_key (parser->keys, group, "file", NULL))
    return parse_picture (parser, group, name, error);
  if (!check_keys (parser, group, known, error)
      || !get_number (parser, group, "width", &width, error)
      || !get_number (parser, group, "height", &height, error)
      || !get_number (parser, group, "scale", &scale, error))
    return FALSE;
  if (row == NULL)
    return refuse (parser, group, error, "`format` is no format of GLSL: %s",
                   format != NULL ? format : "nothing");
  if (g_key_file_has_key (parser->keys, group, "scale", NULL))
    image.scale = scale;
  if (!(image.scale > 0 && image.scale <= 64) || !is_size (width)
      || !is_size (height))
    return refuse (parser, group, error, "there is no such size");
  image.width = width;
  image.height = height;
  image.format = row->format;
  return compute_program_add_image (parser->program, &image)
         || refuse (parser, group, error,
                    "too many images, or that name again");
}

static gboolean
parse_buffer (const struct parser *parser, const gchar *group,
              const gchar *name, GError **error)
{
  static const gchar *const known[] = { "size", "file", NULL };
  g_autofree gchar *path = NULL;
  gdouble size;
  GError *why = NULL;

  if (!check_keys (parser, group, known, error)
      || !get_number (parser, group, "size", &size, error))
    return FALSE;
  path = get_path (parser, group, "file", &why);
  if (why != NULL) {
    g_propagate_error (error, why);
    return FALSE;
  }
  return compute_program_add_buffer (parser->program, name,
                                     CLAMP (size, 0, G_MAXUINT32), path, error);
}

static gboolean
get_groups (const struct parser *parser, const gchar *group, guint groups[3],
            GError **error)
{
  gsize n = 0;
  g_autofree gint *list
      = g_key_file_get_integer_list (parser->keys, group, "groups", &n, NULL);

  if (!g_key_file_has_key (parser->keys, group, "groups", NULL))
    return TRUE;
  for (guint i = 0; i < 3; i++) {
    groups[i] = i < n ? (guint)list[i] : 1;
    if (n == 0 || n > 3 || (i < n && list[i] < 1))
      return refuse (parser, group, error,
                     "`groups` is one to three numbers of workgroups");
  }
  return TRUE;
}

static gboolean
parse_pass (const struct parser *parser, const gchar *group, const gchar *name,
            GError **error)
{
  static const gchar *const known[]
      = { "location", "shader", "entry-point", "defines",
          "bindings", "groups", NULL };
  GError *why = NULL;
  g_autofree gchar *path = get_path (parser, group, "location", &why);
  g_autofree gchar *text
      = g_key_file_get_string (parser->keys, group, "shader", NULL);
  g_autofree gchar *entry_point
      = g_key_file_get_string (parser->keys, group, "entry-point", NULL);
  g_autoptr (GstStructure) defines = get_fields (parser, group, "defines");
  g_autoptr (GstStructure) bindings = get_fields (parser, group, "bindings");
  guint groups[3] = { 0 };

  if (why != NULL) {
    g_propagate_error (error, why);
    return FALSE;
  }
  return check_keys (parser, group, known, error)
         && get_groups (parser, group, groups, error)
         && compute_program_add_pass (
             parser->program, name,
             &(struct kernel_source_params){
                 .location = path,
                 .shader = text,
                 .include_path = parser->settings->include_path,
                 .entry_point = entry_point,
                 .defines
                 = defines != NULL ? defines : parser->settings->defines,
                 .files = parser->files,
             },
             bindings, groups, error);
}

/* What a pass names must be there: passes come last. */
static gboolean
parse_groups (const struct parser *parser, gboolean passes, GError **error)
{
  g_auto (GStrv) groups = g_key_file_get_groups (parser->keys, NULL);

  for (guint i = 0; groups[i] != NULL; i++) {
    g_auto (GStrv) words = g_strsplit (groups[i], " ", 2);
    const gchar *name = words[1] != NULL ? g_strstrip (words[1]) : "";
    gboolean ok = TRUE;

    if (*name == '\0')
      return refuse (parser, groups[i], error,
                     "a group is [pass NAME], [image NAME] or [buffer NAME]");
    if (g_str_equal (words[0], "pass"))
      ok = !passes || parse_pass (parser, groups[i], name, error);
    else if (g_str_equal (words[0], "image"))
      ok = passes || parse_image (parser, groups[i], name, error);
    else if (g_str_equal (words[0], "buffer"))
      ok = passes || parse_buffer (parser, groups[i], name, error);
    else
      return refuse (parser, groups[i], error,
                     "a group is [pass NAME], [image NAME] or [buffer NAME]");
    if (!ok)
      return FALSE;
  }
  return TRUE;
}

/* Key files join what has one name; here that is a mistake. */
static gboolean
check_twice (const struct parser *parser, const gchar *text, gsize length,
             GError **error)
{
  g_autofree gchar *copy = g_strndup (text, length);
  g_auto (GStrv) lines = g_strsplit (copy, "\n", -1);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; lines[i] != NULL; i++) {
    const gchar *line = g_strstrip (lines[i]);

    if (*line != '[' || g_hash_table_add (seen, (gpointer)line))
      continue;
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "%s: %s is there twice", parser->program->name, line);
    return FALSE;
  }
  return TRUE;
}

gboolean
program_file_parse (struct compute_program *program, const gchar *text,
                    gsize length, const gchar *folder,
                    const struct compute_settings *settings, GPtrArray *files,
                    GError **error)
{
  g_autoptr (GKeyFile) keys = g_key_file_new ();
  const struct parser parser = { .program = program,
                                 .keys = keys,
                                 .folder = folder,
                                 .settings = settings,
                                 .files = files };
  g_autoptr (GError) why = NULL;

  if (!g_key_file_load_from_data (keys, text, length, G_KEY_FILE_NONE, &why)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "%s: %s", program->name, why->message);
    return FALSE;
  }
  return check_twice (&parser, text, length, error)
         && parse_groups (&parser, FALSE, error)
         && parse_groups (&parser, TRUE, error);
}
