/* What the bindings of a shader ask of frames. */
#include "framebindings.h"

#include "imageformat.h"

gboolean
frame_binding_is_image (const struct reflected_binding *binding)
{
  return binding->type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
         || binding->type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE
         || binding->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

gchar *
frame_binding_describe (const struct reflected_binding *binding)
{
  const gchar *kind = reflected_kind_name (binding->type);
  const gchar *space = *binding->format_name != '\0' ? " " : "";
  g_autofree gchar *format = g_strconcat (space, binding->format_name, NULL);

  /* "a storage image" is "an array of 3 r8 storage images". */
  if (binding->count == 1)
    return g_strdup_printf ("binding `%s` (a%s %s)", binding->name, format,
                            kind + strlen ("a "));
  return g_strdup_printf ("binding `%s` (an array of %u%s %ss)", binding->name,
                          binding->count, format, kind + strlen ("a "));
}

gchar *
frame_bindings_describe (const struct frame_bindings *bindings,
                         enum frame_role role)
{
  GString *all = g_string_new (NULL);

  for (guint i = 0; i < bindings->n; i++)
    if (bindings->all[i].role == role) {
      g_autofree gchar *one
          = frame_binding_describe (bindings->all[i].declared);

      g_string_append_printf (all, "%s%s", all->len > 0 ? ", " : "", one);
    }
  return g_string_free (all, FALSE);
}

gboolean
frame_bindings_have (const struct frame_bindings *bindings,
                     enum frame_role role)
{
  for (guint i = 0; i < bindings->n; i++)
    if (bindings->all[i].role == role)
      return TRUE;
  return FALSE;
}

gboolean
frame_bindings_want_buffer (const struct frame_bindings *bindings,
                            enum frame_role role)
{
  for (guint i = 0; i < bindings->n; i++)
    if (bindings->all[i].role == role
        && !frame_binding_is_image (bindings->all[i].declared))
      return TRUE;
  return FALSE;
}

guint
frame_binding_plane (const struct frame_binding *binding,
                     const GstVideoFormatInfo *info)
{
  if (binding->component < 0)
    return binding->plane;
  if ((guint)binding->component >= GST_VIDEO_FORMAT_INFO_N_COMPONENTS (info))
    return GST_VIDEO_MAX_PLANES;
  return GST_VIDEO_FORMAT_INFO_PLANE (info, binding->component);
}

/* "rgba8", "rgba8ui" and "rgba8i" are the same texels. */
static gboolean
is_same_texel (const struct image_format *a, const struct image_format *b)
{
  const gsize n = strlen (b->name);

  return strncmp (a->name, b->name, n) == 0
         && (a->name[n] == '\0' || g_str_equal (a->name + n, "ui")
             || g_str_equal (a->name + n, "i"));
}

/* Floats are made of the texels of any frame with as many components. */
static gboolean
can_show (VkFormat declared, VkFormat natural)
{
  const struct image_format *a = image_format_from_vulkan (declared);
  const struct image_format *b = image_format_from_vulkan (natural);

  return a != NULL && b != NULL
         && (image_format_is_float (declared)
                 ? a->n_components == b->n_components
                 : is_same_texel (a, b));
}

static gboolean
accepts_planes (const struct frame_binding *binding,
                const GstVideoFormatInfo *info, guint *covered)
{
  const guint first = frame_binding_plane (binding, info);
  const guint end = first + binding->declared->count;

  if (end > GST_VIDEO_FORMAT_INFO_N_PLANES (info))
    return FALSE;
  for (guint i = first; i < end; i++) {
    const VkFormat natural = image_format_of_plane (info, i);

    if (natural == VK_FORMAT_UNDEFINED
        || (binding->declared->format != VK_FORMAT_UNDEFINED
            && !can_show (binding->declared->format, natural)))
      return FALSE;
    *covered |= 1u << i;
  }
  return TRUE;
}

/* Frames that are kept are like those of the side that they come from. */
static gboolean
is_of_side (const struct frame_binding *binding, enum frame_role role)
{
  return binding->role == role
         || (role == FRAME_ROLE_SOURCE && binding->role == FRAME_ROLE_HISTORY)
         || (role == FRAME_ROLE_TARGET && binding->role == FRAME_ROLE_PREVIOUS);
}

gboolean
frame_bindings_accept (const struct frame_bindings *bindings,
                       enum frame_role role, const GstVideoFormatInfo *info)
{
  const guint all = (1u << GST_VIDEO_FORMAT_INFO_N_PLANES (info)) - 1;
  gboolean some_do = !frame_bindings_have (bindings, role);
  guint covered = some_do ? all : 0, others = 0;

  if (frame_bindings_want_buffer (bindings, role))
    return TRUE;
  for (guint i = 0; i < bindings->n; i++) {
    const struct frame_binding *binding = &bindings->all[i];

    if (!is_of_side (binding, role))
      continue;
    if (!accepts_planes (binding, info,
                         binding->role == role ? &covered : &others))
      return FALSE;
    some_do |= binding->is_explicit;
  }
  /* What is read may be a part that the user chose. */
  return covered == all || (role == FRAME_ROLE_SOURCE && some_do);
}

VkFormat
frame_binding_view_format (const struct frame_binding *binding,
                           const GstVideoFormatInfo *info, guint plane)
{
  const VkFormat natural = image_format_of_plane (info, plane);
  const enum reflected_type type = binding->declared->sampled_type;

  if (binding->declared->format != VK_FORMAT_UNDEFINED)
    return binding->declared->format;
  if (type == REFLECTED_FLOAT)
    return natural;
  return image_format_as_integer (natural, type == REFLECTED_INT);
}
