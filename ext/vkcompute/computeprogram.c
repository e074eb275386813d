/* What a vkcompute runs on a frame. */
#include "computeprogram.h"

#include "gst/vk/format.h"
#include "parameters.h"
#include "picturefile.h"
#include "programcheck.h"
#include "programfile.h"
#include "sourcefile.h"

struct compute_program *
compute_program_ref (struct compute_program *program)
{
  g_atomic_int_inc (&program->ref_count);
  return program;
}

void
compute_program_unref (struct compute_program *program)
{
  if (program == NULL || !g_atomic_int_dec_and_test (&program->ref_count))
    return;
  for (guint i = 0; i < program->n_passes; i++) {
    g_free (program->passes[i].name);
    compute_kernel_unref (program->passes[i].kernel);
  }
  for (guint i = 0; i < program->n_images; i++) {
    g_free (program->images[i].name);
    g_clear_pointer (&program->images[i].content, g_bytes_unref);
  }
  for (guint i = 0; i < program->n_buffers; i++) {
    g_free (program->buffers[i].name);
    g_clear_pointer (&program->buffers[i].content, g_bytes_unref);
  }
  g_free (program->name);
  g_free (program);
}

static gboolean
is_taken (const struct compute_program *program, const gchar *name)
{
  for (guint i = 0; i < program->n_images; i++)
    if (g_str_equal (program->images[i].name, name))
      return TRUE;
  for (guint i = 0; i < program->n_buffers; i++)
    if (g_str_equal (program->buffers[i].name, name))
      return TRUE;
  return FALSE;
}

gboolean
compute_program_add_image (struct compute_program *program,
                           const struct program_image *image)
{
  if (program->n_images == PROGRAM_MAX_RESOURCES
      || is_taken (program, image->name))
    return FALSE;
  program->images[program->n_images] = *image;
  program->images[program->n_images++].name = g_strdup (image->name);
  return TRUE;
}

gboolean
compute_program_add_picture (struct compute_program *program, const gchar *name,
                             const gchar *file, GError **error)
{
  struct program_image image
      = { .name = (gchar *)name, .format = VK_FORMAT_R8G8B8A8_UNORM };

  image.content = picture_file_read (file, &image.width, &image.height, error);
  if (image.content == NULL)
    return FALSE;
  if (compute_program_add_image (program, &image))
    return TRUE;
  g_bytes_unref (image.content);
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
               "%s: image `%s`: too many, or that name again", program->name,
               name);
  return FALSE;
}

gboolean
compute_program_add_buffer (struct compute_program *program, const gchar *name,
                            gsize size, const gchar *file, GError **error)
{
  struct program_buffer *buffer = &program->buffers[program->n_buffers];
  gsize length = 0;
  gchar *content = NULL;

  if (program->n_buffers == PROGRAM_MAX_RESOURCES || is_taken (program, name)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "%s: buffer `%s`: too many, or that name again", program->name,
                 name);
    return FALSE;
  }
  if (file != NULL) {
    content = source_file_read (file, &length, error);
    if (content == NULL)
      return FALSE;
  }
  if (size == 0)
    size = length;
  if (size == 0 || size > G_MAXINT32) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "%s: buffer `%s` has no size: give it one, or a file",
                 program->name, name);
    g_free (content);
    return FALSE;
  }
  *buffer = (struct program_buffer){
    .name = g_strdup (name),
    .size = size,
    .content
    = content != NULL ? g_bytes_new_take (content, MIN (length, size)) : NULL,
  };
  program->n_buffers++;
  return TRUE;
}

/* A buffer that only the shader knows is as large as it says. */
static gboolean
name_buffers (struct compute_program *program, struct compute_kernel *kernel,
              GError **error)
{
  for (guint i = 0; i < kernel->bindings.n; i++) {
    struct frame_binding *binding = &kernel->bindings.all[i];
    const struct reflected_block *block = &binding->declared->block;
    g_autofree gchar *what = NULL;

    if (binding->role != FRAME_ROLE_BUFFER || binding->index != FRAME_UNNAMED)
      continue;
    if (!block->is_open) {
      if (!compute_program_add_buffer (program, binding->declared->name,
                                       block->size, NULL, error))
        return FALSE;
      binding->index = program->n_buffers - 1;
      continue;
    }
    what = frame_binding_describe (binding->declared);
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "%s ends with an open array: `buffers` says how many bytes it "
                 "has",
                 what);
    return FALSE;
  }
  return TRUE;
}

/* Takes @kernel. */
static gboolean
add_kernel (struct compute_program *program, const gchar *name,
            struct compute_kernel *kernel, const guint groups[3],
            GError **error)
{
  struct program_pass *pass = &program->passes[program->n_passes++];

  *pass = (struct program_pass){ .name = g_strdup (name), .kernel = kernel };
  memcpy (pass->groups, groups, sizeof pass->groups);
  for (guint i = 0; i < kernel->bindings.n; i++) {
    const struct frame_binding *binding = &kernel->bindings.all[i];

    if (binding->role == FRAME_ROLE_HISTORY)
      program->history = MAX (program->history, binding->index);
    program->feedback |= binding->role == FRAME_ROLE_PREVIOUS;
  }
  return name_buffers (program, kernel, error);
}

gboolean
compute_program_add_pass (struct compute_program *program, const gchar *name,
                          const struct kernel_source_params *source,
                          const GstStructure *bindings, const guint groups[3],
                          GError **error)
{
  const gchar *images[PROGRAM_MAX_RESOURCES], *buffers[PROGRAM_MAX_RESOURCES];
  const struct frame_names names = { .n_images = program->n_images,
                                     .n_buffers = program->n_buffers,
                                     .images = images,
                                     .buffers = buffers };
  struct compute_kernel *kernel;

  if (program->n_passes == PROGRAM_MAX_PASSES) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "%s: pass `%s`: there are too many", program->name, name);
    return FALSE;
  }
  for (guint i = 0; i < program->n_images; i++)
    images[i] = program->images[i].name;
  for (guint i = 0; i < program->n_buffers; i++)
    buffers[i] = program->buffers[i].name;
  kernel = compute_kernel_new (source, bindings, &names, error);
  if (kernel != NULL && add_kernel (program, name, kernel, groups, error))
    return TRUE;
  if (*name != '\0')
    g_prefix_error (error, "pass `%s`: ", name);
  return FALSE;
}

/* `buffers`: bytes, or "file:NAME". */
static gboolean
add_buffers (struct compute_program *program, const GstStructure *buffers,
             GError **error)
{
  for (gint i = 0; buffers != NULL && i < gst_structure_n_fields (buffers);
       i++) {
    const gchar *name = gst_structure_nth_field_name (buffers, i);
    const GValue *value = gst_structure_get_value (buffers, name);
    const gchar *text
        = G_VALUE_HOLDS_STRING (value) ? g_value_get_string (value) : NULL;
    gint size = 0;

    if (text != NULL && g_str_has_prefix (text, "file:"))
      text += strlen ("file:");
    else if (text != NULL || !gst_structure_get_int (buffers, name, &size)
             || size <= 0) {
      g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                   "buffer `%s` is a number of bytes or file:NAME", name);
      return FALSE;
    }
    if (!compute_program_add_buffer (program, name, size, text, error))
      return FALSE;
  }
  return TRUE;
}

/* `bindings` that name a picture: "file:NAME". The image has that name. */
static gboolean
add_pictures (struct compute_program *program, const GstStructure *bindings,
              GPtrArray *files, GError **error)
{
  for (gint i = 0; bindings != NULL && i < gst_structure_n_fields (bindings);
       i++) {
    const gchar *text = gst_structure_get_string (
        bindings, gst_structure_nth_field_name (bindings, i));
    const gchar *path;

    if (text == NULL || !g_str_has_prefix (text, "file:")
        || is_taken (program, text))
      continue;
    path = text + strlen ("file:");
    if (files != NULL)
      g_ptr_array_add (files, g_strdup (path));
    if (!compute_program_add_picture (program, text, path, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
load_passes (struct compute_program *program,
             const struct compute_settings *settings, GPtrArray *files,
             GError **error)
{
  g_autofree gchar *text = NULL, *folder = NULL;
  gsize length;

  if (settings->location == NULL) {
    program->name = g_strdup ("passes");
    return program_file_parse (program, settings->passes,
                               strlen (settings->passes), NULL, settings, files,
                               error);
  }
  program->name = g_path_get_basename (settings->location);
  folder = g_path_get_dirname (settings->location);
  if (files != NULL)
    g_ptr_array_add (files, g_strdup (settings->location));
  text = source_file_read (settings->location, &length, error);
  return text != NULL
         && program_file_parse (program, text, length, folder, settings, files,
                                error);
}

static gboolean
load (struct compute_program *program, const struct compute_settings *settings,
      GPtrArray *files, GError **error)
{
  struct kernel_source_params source = compute_settings_source (settings);
  guint groups[3] = { 0 };

  if (settings->passes != NULL
      || (settings->location != NULL
          && g_str_has_suffix (settings->location, ".vkc")))
    return add_buffers (program, settings->buffers, error)
           && load_passes (program, settings, files, error);

  source.files = files;
  if (!compute_settings_groups (settings, groups, error)
      || !add_buffers (program, settings->buffers, error)
      || !add_pictures (program, settings->bindings, files, error)
      || !compute_program_add_pass (program, "", &source, settings->bindings,
                                    groups, error))
    return FALSE;
  program->name = g_strdup (program->passes[0].kernel->reflection->name);
  return TRUE;
}

struct compute_program *
compute_program_new (const struct compute_settings *settings, GPtrArray *files,
                     GError **error)
{
  struct compute_program *program = g_new0 (struct compute_program, 1);

  program->ref_count = 1;
  if (load (program, settings, files, error) && program_check (program, error))
    return program;
  compute_program_unref (program);
  return NULL;
}
