/* Which binding is which frame, and what frames it can take. */
#include "framebinding.h"

#include "imageformat.h"

gchar *
frame_binding_describe (const struct reflected_binding *binding)
{
  const gchar *kind = binding->type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
                          ? "storage image"
                          : "storage buffer";
  const gchar *space = *binding->format_name != '\0' ? " " : "";

  if (binding->count == 1)
    return g_strdup_printf ("binding `%s` (a%s%s %s)", binding->name, space,
                            binding->format_name, kind);
  return g_strdup_printf ("binding `%s` (an array of %u%s%s %ss)",
                          binding->name, binding->count, space,
                          binding->format_name, kind);
}

static gboolean
refuse (GError **error, const struct reflected_binding *binding,
        const gchar *reason)
{
  g_autofree gchar *what = frame_binding_describe (binding);

  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "%s: %s",
               what, reason);
  return FALSE;
}

static gboolean
take (const struct reflected_binding **place, const gchar *role,
      const struct reflected_binding *binding, GError **error)
{
  g_autofree gchar *reason = NULL;

  if (*place == NULL) {
    *place = binding;
    return TRUE;
  }
  reason = g_strdup_printf ("it would be a second %s beside `%s`", role,
                            (*place)->name);
  return refuse (error, binding, reason);
}

/* "rgba8", "rgba8ui" and "rgba8i" are the same texels. */
static gboolean
is_same_texel (VkFormat declared, VkFormat natural)
{
  const struct image_format *a = image_format_from_vulkan (declared);
  const struct image_format *b = image_format_from_vulkan (natural);
  const gsize n = b != NULL ? strlen (b->name) : 0;

  return a != NULL && n > 0 && strncmp (a->name, b->name, n) == 0
         && (a->name[n] == '\0' || g_str_equal (a->name + n, "ui")
             || g_str_equal (a->name + n, "i"));
}

gboolean
frame_binding_accepts (const struct reflected_binding *binding,
                       const GstVideoFormatInfo *info)
{
  if (binding->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
    return TRUE;
  if (GST_VIDEO_FORMAT_INFO_N_PLANES (info) != binding->count)
    return FALSE;
  for (guint i = 0; i < binding->count; i++) {
    const VkFormat natural = image_format_of_plane (info, i);

    if (natural == VK_FORMAT_UNDEFINED
        || (binding->format != VK_FORMAT_UNDEFINED
            && !is_same_texel (binding->format, natural)))
      return FALSE;
  }
  return TRUE;
}

static gboolean
takes_any_frame (const struct reflected_binding *binding)
{
  const gchar *name;

  for (guint i = 0; (name = image_format_nth_frame (i)) != NULL; i++) {
    const GstVideoFormat format = gst_video_format_from_string (name);

    if (format != GST_VIDEO_FORMAT_UNKNOWN
        && frame_binding_accepts (binding, gst_video_format_get_info (format)))
      return TRUE;
  }
  return FALSE;
}

static gboolean
check_shape (const struct reflected_binding *binding, GError **error)
{
  if (binding->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
    return binding->count == 1
           || refuse (error, binding, "a frame is in one buffer");
  if (!binding->is_plain_2d)
    return refuse (error, binding, "a frame is a plain 2D image");
  if (binding->count > GST_VIDEO_MAX_PLANES)
    return refuse (error, binding, "no frame has so many planes");
  return takes_any_frame (binding)
         || refuse (error, binding, "no frame has planes of such texels");
}

gboolean
frame_bindings_choose (struct frame_bindings *bindings,
                       const struct reflection *reflection, GError **error)
{
  *bindings = (struct frame_bindings){ 0 };
  for (guint i = 0; i < reflection->n_bindings; i++) {
    const struct reflected_binding *binding = &reflection->bindings[i];

    if (!check_shape (binding, error))
      return FALSE;
    if (binding->writes && !take (&bindings->target, "output", binding, error))
      return FALSE;
    if (binding->reads && !binding->writes
        && !take (&bindings->source, "input", binding, error))
      return FALSE;
    if (!binding->reads && !binding->writes)
      return refuse (error, binding, "the shader neither reads nor writes it");
  }
  if (bindings->target == NULL) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "%s writes to none of its bindings, so it has no output",
                 reflection->name);
    return FALSE;
  }
  if (bindings->source == NULL && bindings->target->reads)
    bindings->source = bindings->target;
  return TRUE;
}

gchar **
frame_binding_formats (const struct reflected_binding *binding,
                       const gchar *const *offered)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; offered[i] != NULL; i++) {
    const GstVideoFormat format = gst_video_format_from_string (offered[i]);

    if (format != GST_VIDEO_FORMAT_UNKNOWN
        && frame_binding_accepts (binding, gst_video_format_get_info (format)))
      g_ptr_array_add (names, g_strdup (offered[i]));
  }
  g_ptr_array_add (names, NULL);
  return (gchar **)g_ptr_array_free (names, FALSE);
}

VkFormat
frame_binding_view_format (const struct reflected_binding *binding,
                           const GstVideoFormatInfo *info, guint plane)
{
  const VkFormat natural = image_format_of_plane (info, plane);

  if (binding->format != VK_FORMAT_UNDEFINED)
    return binding->format;
  if (binding->sampled_type == REFLECTED_FLOAT)
    return natural;
  return image_format_as_integer (natural,
                                  binding->sampled_type == REFLECTED_INT);
}
