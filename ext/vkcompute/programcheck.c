/* What the passes of a program are together. */
#include "programcheck.h"

#include "gst/vk/format.h"
#include "imageformat.h"
#include "parameters.h"

gboolean
compute_program_has (const struct compute_program *program,
                     enum frame_role role)
{
  for (guint i = 0; i < program->n_passes; i++)
    if (frame_bindings_have (&program->passes[i].kernel->bindings, role))
      return TRUE;
  return FALSE;
}

gboolean
compute_program_wants_buffer (const struct compute_program *program,
                              enum frame_role role)
{
  for (guint i = 0; i < program->n_passes; i++)
    if (frame_bindings_want_buffer (&program->passes[i].kernel->bindings, role))
      return TRUE;
  return FALSE;
}

gboolean
compute_program_accepts (const struct compute_program *program,
                         enum frame_role role, const GstVideoFormatInfo *info)
{
  for (guint i = 0; i < program->n_passes; i++)
    if (!frame_bindings_accept (&program->passes[i].kernel->bindings, role,
                                info))
      return FALSE;
  return TRUE;
}

gchar *
compute_program_describe (const struct compute_program *program,
                          enum frame_role role)
{
  GString *all = g_string_new (NULL);

  for (guint i = 0; i < program->n_passes; i++) {
    g_autofree gchar *one
        = frame_bindings_describe (&program->passes[i].kernel->bindings, role);

    if (*one != '\0')
      g_string_append_printf (all, "%s%s", all->len > 0 ? ", " : "", one);
  }
  return g_string_free (all, FALSE);
}

gboolean
compute_program_is_in_place (const struct compute_program *program)
{
  return program->n_passes == 1 && program->passes[0].kernel->bindings.in_place;
}

gboolean
compute_program_check_parameters (const struct compute_program *program,
                                  const GstStructure *parameters,
                                  GError **error)
{
  for (gint i = 0;
       parameters != NULL && i < gst_structure_n_fields (parameters); i++) {
    const gchar *name = gst_structure_nth_field_name (parameters, i);
    g_autoptr (GstStructure) one = gst_structure_new_empty ("one");
    g_autoptr (GError) why = NULL;
    gboolean ok = FALSE;

    gst_structure_set_value (one, name,
                             gst_structure_get_value (parameters, name));
    for (guint k = 0; !ok && k < program->n_passes; k++) {
      g_clear_error (&why);
      ok = parameters_check (one, program->passes[k].kernel->reflection, &why);
    }
    if (!ok) {
      g_propagate_error (error, g_steal_pointer (&why));
      return FALSE;
    }
  }
  return TRUE;
}

gboolean
compute_program_constants_differ (const struct compute_program *program,
                                  const GstStructure *before,
                                  const GstStructure *after)
{
  for (guint i = 0; i < program->n_passes; i++) {
    const struct reflection *reflection = program->passes[i].kernel->reflection;
    struct parameters_constants constants[2];

    parameters_get_constants (before, reflection, &constants[0]);
    parameters_get_constants (after, reflection, &constants[1]);
    if (memcmp (&constants[0], &constants[1], sizeof constants[0]) != 0)
      return TRUE;
  }
  return FALSE;
}

static gboolean
refuse (const struct program_pass *pass, GError **error, const gchar *what,
        const gchar *reason)
{
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
               "%s%s%s%s: %s", *pass->name != '\0' ? "pass `" : "", pass->name,
               *pass->name != '\0' ? "`: " : "", what, reason);
  return FALSE;
}

static gboolean
refuse_binding (const struct program_pass *pass,
                const struct frame_binding *binding, GError **error,
                const gchar *reason)
{
  g_autofree gchar *what = frame_binding_describe (binding->declared);

  return refuse (pass, error, what, reason);
}

/* A pass binds what lies between passes with the texels that it declares, and
 * reads what was written before. */
static gboolean
check_image (const struct compute_program *program,
             const struct program_pass *pass,
             const struct frame_binding *binding, guint *written,
             GError **error)
{
  const struct program_image *image = &program->images[binding->index];
  const VkFormat declared = binding->declared->format;

  if (declared != VK_FORMAT_UNDEFINED
      && vkc_format_texel_size (declared)
             != vkc_format_texel_size (image->format)) {
    g_autofree gchar *reason
        = g_strdup_printf ("image `%s` is %s", image->name,
                           image_format_from_vulkan (image->format)->name);

    return refuse_binding (pass, binding, error, reason);
  }
  if (binding->declared->count != 1)
    return refuse_binding (pass, binding, error,
                           "an image between passes is one image");
  if (binding->declared->writes && image->content != NULL)
    return refuse_binding (pass, binding, error,
                           "a picture of a file is only read");
  if (binding->declared->reads && !binding->declared->writes
      && image->content == NULL && !(*written & 1u << binding->index))
    return refuse_binding (pass, binding, error, "no pass before wrote it");
  if (binding->declared->writes)
    *written |= 1u << binding->index;
  return TRUE;
}

static gboolean
check_buffer (const struct compute_program *program,
              const struct program_pass *pass,
              const struct frame_binding *binding, GError **error)
{
  const struct program_buffer *buffer = &program->buffers[binding->index];

  if (buffer->size < binding->declared->block.size) {
    g_autofree gchar *reason = g_strdup_printf (
        "buffer `%s` has %" G_GSIZE_FORMAT " bytes, the shader declares %u",
        buffer->name, buffer->size, binding->declared->block.size);

    return refuse_binding (pass, binding, error, reason);
  }
  return TRUE;
}

static gboolean
check_pass (const struct compute_program *program, guint index, guint *written,
            GError **error)
{
  const struct program_pass *pass = &program->passes[index];
  const struct frame_bindings *bindings = &pass->kernel->bindings;
  const gboolean is_last = index + 1 == program->n_passes;
  guint before = *written;

  for (guint i = 0; i < bindings->n; i++) {
    const struct frame_binding *binding = &bindings->all[i];

    if (binding->role == FRAME_ROLE_IMAGE
        && !check_image (program, pass, binding, &before, error))
      return FALSE;
    if (binding->role == FRAME_ROLE_BUFFER
        && !check_buffer (program, pass, binding, error))
      return FALSE;
    if (binding->role == FRAME_ROLE_TARGET && !is_last)
      return refuse_binding (pass, binding, error,
                             "only the last pass makes the frame that goes "
                             "out: bind it to an image");
    if (binding->role == FRAME_ROLE_TARGET && bindings->in_place
        && (program->feedback || program->n_passes > 1))
      return refuse_binding (pass, binding, error,
                             "only a single pass without a previous frame can "
                             "change the frame in place");
  }
  *written = before;
  return !is_last || frame_bindings_have (bindings, FRAME_ROLE_TARGET)
         || refuse (pass, error, pass->kernel->reflection->name,
                    "the last pass makes no frame");
}

/* All passes must see the frame in one way. */
static gboolean
check_role (const struct compute_program *program, enum frame_role role,
            GError **error)
{
  const struct program_pass *first = &program->passes[0];
  g_autofree gchar *what = compute_program_describe (program, role);
  const gchar *name;

  for (guint i = 0; (name = image_format_nth_frame (i)) != NULL; i++) {
    const GstVideoFormat format = gst_video_format_from_string (name);

    if (format != GST_VIDEO_FORMAT_UNKNOWN
        && compute_program_accepts (program, role,
                                    gst_video_format_get_info (format)))
      break;
  }
  if (name == NULL)
    return refuse (first, error, what, "no frame has planes of such texels");
  for (guint i = 0; i < program->n_passes; i++) {
    const struct frame_bindings *bindings
        = &program->passes[i].kernel->bindings;

    if (frame_bindings_have (bindings, role)
        && frame_bindings_want_buffer (bindings, role)
               != compute_program_wants_buffer (program, role))
      return refuse (&program->passes[i], error, what,
                     "a frame is in one buffer, or in images");
  }
  return TRUE;
}

gboolean
program_check (const struct compute_program *program, GError **error)
{
  guint written = 0;

  if (program->n_passes == 0) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "%s: there is no [pass NAME]", program->name);
    return FALSE;
  }
  for (guint i = 0; i < program->n_passes; i++)
    if (!check_pass (program, i, &written, error))
      return FALSE;
  return check_role (program, FRAME_ROLE_SOURCE, error)
         && check_role (program, FRAME_ROLE_TARGET, error);
}
