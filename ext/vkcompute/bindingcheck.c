/* What a shader's bindings are together. */
#include "bindingcheck.h"

#include "imageformat.h"

static gboolean
refuse (GError **error, const gchar *what, const gchar *reason)
{
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "%s: %s",
               what, reason);
  return FALSE;
}

gboolean
binding_refuse (GError **error, const struct reflected_binding *binding,
                const gchar *reason)
{
  g_autofree gchar *what = frame_binding_describe (binding);

  return refuse (error, what, reason);
}

gboolean
binding_check_shape (const struct reflected_binding *binding, GError **error)
{
  if (binding->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER)
    return binding->count == 1
           || binding_refuse (error, binding, "arrays of blocks are not used");
  if (binding->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
    return binding->count == 1
           || binding_refuse (error, binding, "a frame is in one buffer");
  if (!frame_binding_is_image (binding))
    return TRUE;
  if (!binding->is_plain_2d)
    return binding_refuse (error, binding, "a frame is a plain 2D image");
  if (binding->count > GST_VIDEO_MAX_PLANES)
    return binding_refuse (error, binding, "no frame has so many planes");
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

    if (binding->role != FRAME_ROLE_SOURCE
        || !frame_binding_is_image (binding->declared))
      continue;
    if (binding->declared->type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE)
      stored = binding->declared;
    else
      sampled = binding->declared;
  }
  if (sampled != NULL && stored != NULL) {
    g_autofree gchar *reason = g_strdup_printf (
        "the same frame is at `%s` as a storage image", stored->name);

    return binding_refuse (error, sampled, reason);
  }
  return TRUE;
}

/* A plane is written once. */
static gboolean
check_twice (const struct frame_bindings *bindings, GError **error)
{
  const struct reflected_binding *writers[GST_VIDEO_MAX_PLANES] = { NULL };

  for (guint i = 0; i < bindings->n; i++) {
    const struct frame_binding *binding = &bindings->all[i];
    const struct reflected_binding *declared = binding->declared;

    if (binding->role != FRAME_ROLE_TARGET || binding->component >= 0
        || !frame_binding_is_image (declared))
      continue;
    for (guint k = 0; k < declared->count; k++) {
      const guint plane = binding->plane + k;
      g_autofree gchar *reason = NULL;

      if (plane >= GST_VIDEO_MAX_PLANES)
        break;
      if (writers[plane] == NULL) {
        writers[plane] = declared;
        continue;
      }
      reason = g_strdup_printf ("`%s` is plane %u of the frame already",
                                writers[plane]->name, plane);
      return binding_refuse (error, declared, reason);
    }
  }
  return TRUE;
}

/* What is not the frame, but is seen by later passes or frames. */
static gboolean
writes_others (const struct frame_bindings *bindings)
{
  for (guint i = 0; i < bindings->n; i++)
    if (bindings->all[i].declared->writes
        && (bindings->all[i].role == FRAME_ROLE_IMAGE
            || bindings->all[i].role == FRAME_ROLE_BUFFER))
      return TRUE;
  return FALSE;
}

gboolean
binding_check_all (struct frame_bindings *bindings, const gchar *shader,
                   GError **error)
{
  gboolean reads_target = FALSE;

  if (!frame_bindings_have (bindings, FRAME_ROLE_TARGET)
      && !writes_others (bindings)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "%s writes to none of its bindings, so it has no output",
                 shader);
    return FALSE;
  }
  for (guint i = 0; i < bindings->n; i++)
    reads_target |= bindings->all[i].role == FRAME_ROLE_TARGET
                    && bindings->all[i].declared->reads;
  bindings->in_place
      = reads_target && !frame_bindings_have (bindings, FRAME_ROLE_SOURCE);
  count_planes (bindings, FRAME_ROLE_SOURCE);
  count_planes (bindings, FRAME_ROLE_TARGET);
  if (!check_twice (bindings, error))
    return FALSE;
  return check_role (bindings, FRAME_ROLE_SOURCE, error)
         && check_role (bindings, FRAME_ROLE_TARGET, error)
         && check_clash (bindings, error);
}
