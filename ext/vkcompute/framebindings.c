/* What each of a shader's bindings is. */
#include "framebindings.h"

#include "imageformat.h"

static gboolean
is_image (const struct reflected_binding *binding)
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

static gboolean
refuse (GError **error, const gchar *what, const gchar *reason)
{
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "%s: %s",
               what, reason);
  return FALSE;
}

static gboolean
refuse_binding (GError **error, const struct reflected_binding *binding,
                const gchar *reason)
{
  g_autofree gchar *what = frame_binding_describe (binding);

  return refuse (error, what, reason);
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
    if (bindings->all[i].role == role && !is_image (bindings->all[i].declared))
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
is_same_texel (VkFormat declared, VkFormat natural)
{
  const struct image_format *a = image_format_from_vulkan (declared);
  const struct image_format *b = image_format_from_vulkan (natural);
  const gsize n = b != NULL ? strlen (b->name) : 0;

  return a != NULL && n > 0 && strncmp (a->name, b->name, n) == 0
         && (a->name[n] == '\0' || g_str_equal (a->name + n, "ui")
             || g_str_equal (a->name + n, "i"));
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
            && !is_same_texel (binding->declared->format, natural)))
      return FALSE;
    *covered |= 1u << i;
  }
  return TRUE;
}

gboolean
frame_bindings_accept (const struct frame_bindings *bindings,
                       enum frame_role role, const GstVideoFormatInfo *info)
{
  const guint all = (1u << GST_VIDEO_FORMAT_INFO_N_PLANES (info)) - 1;
  gboolean some_do = FALSE;
  guint covered = 0;

  if (!frame_bindings_have (bindings, role)
      || frame_bindings_want_buffer (bindings, role))
    return TRUE;
  for (guint i = 0; i < bindings->n; i++) {
    if (bindings->all[i].role != role)
      continue;
    if (!accepts_planes (&bindings->all[i], info, &covered))
      return FALSE;
    some_do |= bindings->all[i].is_explicit;
  }
  /* What is read may be a part that the user chose. */
  return covered == all || (role == FRAME_ROLE_SOURCE && some_do);
}

gchar **
frame_bindings_formats (const struct frame_bindings *bindings,
                        enum frame_role role, const gchar *const *offered)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; offered[i] != NULL; i++) {
    const GstVideoFormat format = gst_video_format_from_string (offered[i]);

    if (format != GST_VIDEO_FORMAT_UNKNOWN
        && frame_bindings_accept (bindings, role,
                                  gst_video_format_get_info (format)))
      g_ptr_array_add (names, g_strdup (offered[i]));
  }
  g_ptr_array_add (names, NULL);
  return (gchar **)g_ptr_array_free (names, FALSE);
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

/* "target", "source.1", "source.u". */
static gboolean
parse_role (struct frame_binding *binding, const gchar *text)
{
  static const struct
  {
    const gchar *name;
    gint component;
  } components[] = { { "y", 0 }, { "u", 1 }, { "v", 2 }, { "uv", 1 },
                     { "r", 0 }, { "g", 1 }, { "b", 2 }, { "a", 3 } };
  g_auto (GStrv) parts = g_strsplit (text, ".", 2);

  binding->is_explicit = TRUE;
  if (g_strcmp0 (parts[0], "source") == 0)
    binding->role = FRAME_ROLE_SOURCE;
  else if (g_strcmp0 (parts[0], "target") == 0)
    binding->role = FRAME_ROLE_TARGET;
  else
    return FALSE;
  if (parts[1] == NULL)
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (components); i++)
    if (g_str_equal (components[i].name, parts[1])) {
      binding->component = components[i].component;
      return TRUE;
    }
  if (parts[1][0] < '0' || parts[1][0] > '3' || parts[1][1] != '\0')
    return FALSE;
  binding->plane = parts[1][0] - '0';
  return TRUE;
}

/* What the user says about a binding: by its name, or by its number. */
static const gchar *
find_override (const GstStructure *overrides,
               const struct reflected_binding *binding)
{
  g_autofree gchar *number = g_strdup_printf ("binding-%u", binding->binding);
  const gchar *text = NULL;

  if (overrides == NULL)
    return NULL;
  if (gst_structure_has_field (overrides, binding->name))
    text = gst_structure_get_string (overrides, binding->name);
  else if (binding->set == 0 && gst_structure_has_field (overrides, number))
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
      g_autofree gchar *number
          = g_strdup_printf ("binding-%u", reflection->bindings[k].binding);

      found = g_str_equal (name, reflection->bindings[k].name)
              || g_str_equal (name, number);
    }
    if (!found) {
      g_autofree gchar *what = g_strdup_printf ("binding `%s`", name);

      return refuse (error, what, "the shader declares no such binding");
    }
  }
  return TRUE;
}

static gboolean
check_shape (const struct reflected_binding *binding, GError **error)
{
  if (binding->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER)
    return binding->count == 1
           || refuse_binding (error, binding, "arrays of blocks are not used");
  if (binding->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
    return binding->count == 1
           || refuse_binding (error, binding, "a frame is in one buffer");
  if (!is_image (binding))
    return TRUE;
  if (!binding->is_plain_2d)
    return refuse_binding (error, binding, "a frame is a plain 2D image");
  if (binding->count > GST_VIDEO_MAX_PLANES)
    return refuse_binding (error, binding, "no frame has so many planes");
  return TRUE;
}

/* What a binding is by what the shader does with it. */
static gboolean
guess_role (struct frame_binding *binding, GError **error)
{
  const struct reflected_binding *declared = binding->declared;

  if (declared->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER)
    binding->role = FRAME_ROLE_UNIFORMS;
  else if (declared->type == VK_DESCRIPTOR_TYPE_SAMPLER)
    binding->role = FRAME_ROLE_SAMPLER;
  else if (declared->writes)
    binding->role = FRAME_ROLE_TARGET;
  else if (declared->reads)
    binding->role = FRAME_ROLE_SOURCE;
  else
    return refuse_binding (error, declared,
                           "the shader neither reads nor writes it");
  return TRUE;
}

/* Planes in the order of the bindings, for those that the user did not say. */
static void
count_planes (struct frame_bindings *bindings, enum frame_role role)
{
  guint next = 0;

  for (guint i = 0; i < bindings->n; i++) {
    struct frame_binding *binding = &bindings->all[i];

    if (binding->role != role || binding->is_explicit)
      continue;
    binding->plane = next;
    next += binding->declared->count;
  }
}

static gboolean
check_role (const struct frame_bindings *bindings, enum frame_role role,
            GError **error)
{
  g_autofree gchar *what = frame_bindings_describe (bindings, role);
  const gchar *name;
  guint n = 0;

  for (guint i = 0; i < bindings->n; i++)
    n += bindings->all[i].role == role;
  if (n > 1 && frame_bindings_want_buffer (bindings, role))
    return refuse (error, what, "a frame is in one buffer, or in images");
  for (guint i = 0; (name = image_format_nth_frame (i)) != NULL; i++) {
    const GstVideoFormat format = gst_video_format_from_string (name);

    if (format != GST_VIDEO_FORMAT_UNKNOWN
        && frame_bindings_accept (bindings, role,
                                  gst_video_format_get_info (format)))
      return TRUE;
  }
  return refuse (error, what, "no frame has planes of such texels");
}

/* One image has one layout: it is sampled or stored to. */
static gboolean
check_clash (const struct frame_bindings *bindings, GError **error)
{
  const struct reflected_binding *sampled = NULL, *stored = NULL;

  for (guint i = 0; i < bindings->n; i++) {
    const struct frame_binding *binding = &bindings->all[i];

    if (binding->role != FRAME_ROLE_SOURCE || !is_image (binding->declared))
      continue;
    if (binding->declared->type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE)
      stored = binding->declared;
    else
      sampled = binding->declared;
  }
  if (sampled != NULL && stored != NULL) {
    g_autofree gchar *reason = g_strdup_printf (
        "the same frame is at `%s` as a storage image", stored->name);

    return refuse_binding (error, sampled, reason);
  }
  return TRUE;
}

static gboolean
check_all (struct frame_bindings *bindings, const struct reflection *reflection,
           GError **error)
{
  gboolean reads_target = FALSE;

  if (!frame_bindings_have (bindings, FRAME_ROLE_TARGET)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "%s writes to none of its bindings, so it has no output",
                 reflection->name);
    return FALSE;
  }
  for (guint i = 0; i < bindings->n; i++)
    reads_target |= bindings->all[i].role == FRAME_ROLE_TARGET
                    && bindings->all[i].declared->reads;
  bindings->in_place
      = reads_target && !frame_bindings_have (bindings, FRAME_ROLE_SOURCE);
  count_planes (bindings, FRAME_ROLE_SOURCE);
  count_planes (bindings, FRAME_ROLE_TARGET);
  return check_role (bindings, FRAME_ROLE_SOURCE, error)
         && check_role (bindings, FRAME_ROLE_TARGET, error)
         && check_clash (bindings, error);
}

/* A frame can only be bound to what holds pixels, the way that the shader uses
 * it. */
static gboolean
apply_override (struct frame_binding *binding, const gchar *text,
                GError **error)
{
  const struct reflected_binding *declared = binding->declared;

  if (!is_image (declared)
      && declared->type != VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
    return refuse_binding (error, declared, "no frame can be bound to it");
  if (!parse_role (binding, text))
    return refuse_binding (error, declared,
                           "it can be source, target, or a plane of one like "
                           "source.1 or source.u");
  if (binding->role == FRAME_ROLE_TARGET && !declared->writes)
    return refuse_binding (error, declared, "the shader does not write it");
  if (binding->role == FRAME_ROLE_SOURCE && declared->writes)
    return refuse_binding (error, declared, "the shader writes it");
  return TRUE;
}

gboolean
frame_bindings_choose (struct frame_bindings *bindings,
                       const struct reflection *reflection,
                       const GstStructure *overrides, GError **error)
{
  *bindings = (struct frame_bindings){ 0 };
  if (!check_overrides (reflection, overrides, error))
    return FALSE;
  for (guint i = 0; i < reflection->n_bindings; i++) {
    struct frame_binding *binding = &bindings->all[bindings->n++];
    const gchar *override;
    gboolean ok;

    *binding = (struct frame_binding){ .declared = &reflection->bindings[i],
                                       .component = -1 };
    if (!check_shape (binding->declared, error))
      return FALSE;
    override = find_override (overrides, binding->declared);
    ok = override != NULL ? apply_override (binding, override, error)
                          : guess_role (binding, error);
    if (!ok)
      return FALSE;
  }
  return check_all (bindings, reflection, error);
}
