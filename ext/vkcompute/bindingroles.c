/* What each of a shader's bindings is: by the user's word, by its name, or by
 * what the shader does with it. */
#include "bindingcheck.h"

/* The part of a frame: "1", "u", "uv"; NULL: all of it. */
static gboolean
parse_plane (struct frame_binding *binding, const gchar *text)
{
  static const struct
  {
    const gchar *name;
    gint component;
  } components[] = { { "y", 0 }, { "u", 1 }, { "v", 2 }, { "uv", 1 },
                     { "r", 0 }, { "g", 1 }, { "b", 2 }, { "a", 3 } };

  if (text == NULL)
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (components); i++)
    if (g_str_equal (components[i].name, text)) {
      binding->component = components[i].component;
      return TRUE;
    }
  if (text[0] < '0' || text[0] > '3' || text[1] != '\0')
    return FALSE;
  binding->plane = text[0] - '0';
  return TRUE;
}

static gboolean
find_name (const gchar *const *list, guint n, const gchar *name, guint *index)
{
  for (guint i = 0; i < n; i++)
    if (g_str_equal (list[i], name)) {
      *index = i;
      return TRUE;
    }
  return FALSE;
}

/* "history2", or "source", "target", "previous", or one of @names. */
static gboolean
parse_name (struct frame_binding *binding, const gchar *name,
            const struct frame_names *names)
{
  static const gchar prefix[] = "history";
  const gsize length = strlen (prefix);

  if (g_str_equal (name, "source"))
    binding->role = FRAME_ROLE_SOURCE;
  else if (g_str_equal (name, "target"))
    binding->role = FRAME_ROLE_TARGET;
  else if (g_str_equal (name, "previous"))
    binding->role = FRAME_ROLE_PREVIOUS;
  else if (g_str_has_prefix (name, prefix) && name[length] >= '1'
           && name[length] <= '0' + FRAME_MAX_HISTORY
           && name[length + 1] == '\0') {
    binding->role = FRAME_ROLE_HISTORY;
    binding->index = name[length] - '0';
  } else if (names != NULL
             && find_name (names->images, names->n_images, name,
                           &binding->index))
    binding->role = FRAME_ROLE_IMAGE;
  else if (names != NULL
           && find_name (names->buffers, names->n_buffers, name,
                         &binding->index))
    binding->role = FRAME_ROLE_BUFFER;
  else
    return FALSE;
  return TRUE;
}

/* "target", "source.1", "source.u", "history1", "half", "file:half.png". */
static gboolean
parse_role (struct frame_binding *binding, const gchar *text,
            const struct frame_names *names)
{
  g_auto (GStrv) parts = g_strsplit (text, ".", 2);

  binding->is_explicit = TRUE;
  if (names != NULL
      && find_name (names->images, names->n_images, text, &binding->index)) {
    binding->role = FRAME_ROLE_IMAGE;
    return TRUE;
  }
  return parts[0] != NULL && parse_name (binding, parts[0], names)
         && parse_plane (binding, parts[1]);
}

/* What the user says about a binding: by its name, or by its number. */
static const gchar *
find_override (const GstStructure *overrides,
               const struct reflected_binding *binding)
{
  g_autofree gchar *number
      = reflected_number_name (binding->set, binding->binding);
  const gchar *text = NULL;

  if (overrides == NULL)
    return NULL;
  if (gst_structure_has_field (overrides, binding->name))
    text = gst_structure_get_string (overrides, binding->name);
  else if (gst_structure_has_field (overrides, number))
    text = gst_structure_get_string (overrides, number);
  else
    return NULL;
  return text != NULL ? text : "";
}

/* All that @overrides names must be there. */
static gboolean
check_overrides (const struct reflection *reflection,
                 const GstStructure *overrides, GError **error)
{
  for (gint i = 0; overrides != NULL && i < gst_structure_n_fields (overrides);
       i++) {
    const gchar *name = gst_structure_nth_field_name (overrides, i);
    gboolean found = FALSE;

    for (guint k = 0; !found && k < reflection->n_bindings; k++) {
      g_autofree gchar *number = reflected_number_name (
          reflection->bindings[k].set, reflection->bindings[k].binding);

      found = g_str_equal (name, reflection->bindings[k].name)
              || g_str_equal (name, number);
    }
    if (!found) {
      g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                   "binding `%s`: the shader declares no such binding", name);
      return FALSE;
    }
  }
  return TRUE;
}

/* Names that mean something, other than "source" and "target", which many
 * shaders use the other way round. */
static gboolean
guess_by_name (struct frame_binding *binding, const struct frame_names *names)
{
  const struct reflected_binding *declared = binding->declared;
  const gboolean is_buffer
      = declared->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;

  if ((!is_buffer && !frame_binding_is_image (declared))
      || !parse_name (binding, declared->name, names))
    return FALSE;
  switch (binding->role) {
  case FRAME_ROLE_BUFFER:
    return is_buffer;
  case FRAME_ROLE_IMAGE:
    return !is_buffer;
  case FRAME_ROLE_HISTORY:
  case FRAME_ROLE_PREVIOUS:
    return !declared->writes;
  default:
    return FALSE;
  }
}

/* What a binding is by what the shader does with it. @is_frame_in_images: a
 * buffer is something else, then. */
static gboolean
guess_role (struct frame_binding *binding, const struct frame_names *names,
            gboolean is_frame_in_images, GError **error)
{
  const struct reflected_binding *declared = binding->declared;

  if (declared->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER) {
    binding->role = FRAME_ROLE_UNIFORMS;
  } else if (declared->type == VK_DESCRIPTOR_TYPE_SAMPLER) {
    binding->role = FRAME_ROLE_SAMPLER;
  } else if (!declared->writes && !declared->reads) {
    return binding_refuse (error, declared,
                           "the shader neither reads nor writes it");
  } else if (guess_by_name (binding, names)) {
    return TRUE;
  } else if (is_frame_in_images
             && declared->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER) {
    binding->role = FRAME_ROLE_BUFFER;
    binding->index = FRAME_UNNAMED;
  } else {
    binding->role = declared->writes ? FRAME_ROLE_TARGET : FRAME_ROLE_SOURCE;
  }
  return TRUE;
}

/* A frame can only be bound to what holds pixels, the way that the shader uses
 * it. */
static gboolean
apply_override (struct frame_binding *binding, const gchar *text,
                const struct frame_names *names, GError **error)
{
  const struct reflected_binding *declared = binding->declared;

  if (!frame_binding_is_image (declared)
      && declared->type != VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
    return binding_refuse (error, declared, "no frame can be bound to it");
  if (!parse_role (binding, text, names))
    return binding_refuse (
        error, declared,
        "it can be source, target, or a plane of one like source.1 or "
        "source.u, previous, history1 to history8, an image, a buffer, or "
        "file:NAME");
  if (binding->role == FRAME_ROLE_TARGET && !declared->writes)
    return binding_refuse (error, declared, "the shader does not write it");
  if (declared->writes
      && (binding->role == FRAME_ROLE_SOURCE
          || binding->role == FRAME_ROLE_HISTORY
          || binding->role == FRAME_ROLE_PREVIOUS))
    return binding_refuse (error, declared, "the shader writes it");
  if (binding->role == FRAME_ROLE_BUFFER && frame_binding_is_image (declared))
    return binding_refuse (error, declared, "a buffer is bytes");
  if (binding->role == FRAME_ROLE_IMAGE && !frame_binding_is_image (declared))
    return binding_refuse (error, declared, "an image is texels");
  return TRUE;
}

/* Storage buffers are the frame only where no image is. */
static gboolean
writes_images (const struct reflection *reflection)
{
  for (guint i = 0; i < reflection->n_bindings; i++)
    if (reflection->bindings[i].writes
        && frame_binding_is_image (&reflection->bindings[i]))
      return TRUE;
  return FALSE;
}

gboolean
frame_bindings_choose (struct frame_bindings *bindings,
                       const struct reflection *reflection,
                       const GstStructure *overrides,
                       const struct frame_names *names, GError **error)
{
  const gboolean in_images = writes_images (reflection);

  *bindings = (struct frame_bindings){ 0 };
  if (!check_overrides (reflection, overrides, error))
    return FALSE;
  for (guint i = 0; i < reflection->n_bindings; i++) {
    struct frame_binding *binding = &bindings->all[bindings->n++];
    const gchar *override;
    gboolean ok;

    *binding = (struct frame_binding){ .declared = &reflection->bindings[i],
                                       .component = -1 };
    if (!binding_check_shape (binding->declared, error))
      return FALSE;
    override = find_override (overrides, binding->declared);
    ok = override != NULL ? apply_override (binding, override, names, error)
                          : guess_role (binding, names, in_images, error);
    if (!ok)
      return FALSE;
  }
  return binding_check_all (bindings, reflection->name, error);
}
