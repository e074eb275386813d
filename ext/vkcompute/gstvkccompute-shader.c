/* GstVkcCompute: which shader runs, and the properties that say so. */
#include "computecaps.h"
#include "gstvkccompute-private.h"

GST_DEBUG_CATEGORY_EXTERN (gst_vkc_compute_debug);
#define GST_CAT_DEFAULT gst_vkc_compute_debug

struct compute_program *
gst_vkc_compute_get_program (GstVkcCompute *self)
{
  struct compute_program *program = NULL;

  GST_OBJECT_LOCK (self);
  if (self->program != NULL)
    program = compute_program_ref (self->program);
  GST_OBJECT_UNLOCK (self);
  return program;
}

void
gst_vkc_compute_get_settings (GstVkcCompute *self,
                              struct compute_settings *settings)
{
  GST_OBJECT_LOCK (self);
  compute_settings_copy (settings, &self->settings);
  GST_OBJECT_UNLOCK (self);
}

void
gst_vkc_compute_set_program (GstVkcCompute *self,
                             struct compute_program *program, GPtrArray *files)
{
  struct compute_program *old_program;
  GPtrArray *old_files = NULL;

  GST_OBJECT_LOCK (self);
  old_program = self->program;
  self->program = program;
  if (files != NULL) {
    old_files = self->files;
    self->files = files;
    g_atomic_int_set (&self->files_changed, TRUE);
  }
  GST_OBJECT_UNLOCK (self);
  compute_program_unref (old_program);
  g_clear_pointer (&old_files, g_ptr_array_unref);
}

void
gst_vkc_compute_set_state (GstVkcCompute *self, struct compute_state *state)
{
  struct compute_state *old;

  GST_OBJECT_LOCK (self);
  old = self->state;
  self->state = state != NULL ? compute_state_ref (state) : NULL;
  GST_OBJECT_UNLOCK (self);
  compute_state_unref (old);
}

GBytes *
gst_vkc_compute_read_buffer (GstVkcCompute *self, const gchar *name)
{
  struct compute_state *state = NULL;
  g_autoptr (GError) error = NULL;
  GBytes *bytes;

  GST_OBJECT_LOCK (self);
  if (self->state != NULL)
    state = compute_state_ref (self->state);
  GST_OBJECT_UNLOCK (self);
  if (state == NULL)
    return NULL;
  bytes = compute_state_read (state, name != NULL ? name : "", &error);
  compute_state_unref (state);
  if (error != NULL)
    gst_vkc_filter_post (GST_ELEMENT (self), GST_MESSAGE_WARNING, error);
  return bytes;
}

static struct compute_program *
make_program (const struct compute_settings *settings, GPtrArray *files,
              GError **error)
{
  struct compute_program *program
      = compute_caps_check_settings (settings, error)
            ? compute_program_new (settings, files, error)
            : NULL;

  if (program == NULL
      || compute_program_check_parameters (program, settings->parameters,
                                           error))
    return program;
  compute_program_unref (program);
  return NULL;
}

gboolean
gst_vkc_compute_load (GstVkcCompute *self, GstMessageType type)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_free);
  struct compute_settings settings;
  struct compute_program *program;
  g_autoptr (GError) error = NULL;

  gst_vkc_compute_get_settings (self, &settings);
  program = make_program (&settings, files, &error);
  compute_settings_clear (&settings);
  if (program == NULL) {
    g_ptr_array_unref (files);
    gst_vkc_filter_post (GST_ELEMENT (self), type, error);
    return FALSE;
  }
  GST_INFO_OBJECT (self, "%s: %u passes", program->name, program->n_passes);
  gst_vkc_compute_set_program (self, program, files);
  gst_vkc_compute_renew_child (self);
  return TRUE;
}

gboolean
gst_vkc_compute_reload (GstVkcCompute *self)
{
  gboolean started;

  GST_OBJECT_LOCK (self);
  started = self->started;
  GST_OBJECT_UNLOCK (self);
  if (!started || !gst_vkc_compute_load (self, GST_MESSAGE_WARNING))
    return FALSE;
  g_atomic_int_set (&self->reloaded, TRUE);
  gst_vkc_filter_reconfigure (GST_VKC_FILTER (self));
  return TRUE;
}

/* Whether the running shader takes @value as its parameters; a warning says why
 * not. */
static gboolean
accepts_parameters (GstVkcCompute *self, const GValue *value)
{
  struct compute_program *program = gst_vkc_compute_get_program (self);
  g_autoptr (GError) error = NULL;

  if (program == NULL)
    return TRUE;
  if (!compute_program_check_parameters (program, g_value_get_boxed (value),
                                         &error))
    gst_vkc_filter_post (GST_ELEMENT (self), GST_MESSAGE_WARNING, error);
  compute_program_unref (program);
  return error == NULL;
}

static gboolean
constants_differ (GstVkcCompute *self, const GstStructure *before,
                  const GstStructure *after)
{
  struct compute_program *program = gst_vkc_compute_get_program (self);
  gboolean differ;

  if (program == NULL)
    return FALSE;
  differ = compute_program_constants_differ (program, before, after);
  compute_program_unref (program);
  return differ;
}

static void
warn_of_settings (GstVkcCompute *self, const struct compute_settings *settings)
{
  g_autoptr (GError) error = NULL;

  if (!compute_caps_check_settings (settings, &error))
    gst_vkc_filter_post (GST_ELEMENT (self), GST_MESSAGE_WARNING, error);
}

/* A new value while the element runs counts from the next frame on. */
static void
apply_change (GstVkcCompute *self, enum compute_change change,
              const struct compute_settings *before)
{
  struct compute_settings after;

  gst_vkc_compute_get_settings (self, &after);
  if (change == COMPUTE_CHANGE_PIPELINE)
    warn_of_settings (self, &after);
  g_atomic_int_set (&self->values_changed, TRUE);
  g_atomic_int_set (&self->files_changed, TRUE);
  /* Both are unset for a moment by who changes from one to the other. */
  if (change == COMPUTE_CHANGE_SOURCE
      && (after.location != NULL || after.shader != NULL
          || after.passes != NULL)) {
    if (gst_vkc_compute_load (self, GST_MESSAGE_ERROR))
      gst_vkc_filter_reconfigure (GST_VKC_FILTER (self));
  } else if (change == COMPUTE_CHANGE_PIPELINE
             || (change == COMPUTE_CHANGE_VALUES
                 && constants_differ (self, before->parameters,
                                      after.parameters))) {
    gst_vkc_filter_reconfigure (GST_VKC_FILTER (self));
  }
  compute_settings_clear (&after);
}

void
gst_vkc_compute_set_property (GObject *object, guint id, const GValue *value,
                              GParamSpec *pspec)
{
  GstVkcCompute *self = GST_VKC_COMPUTE (object);
  struct compute_settings before;
  enum compute_change change;
  gboolean started, known;

  if (g_str_equal (pspec->name, "parameters")
      && !accepts_parameters (self, value))
    return;
  gst_vkc_compute_get_settings (self, &before);
  GST_OBJECT_LOCK (self);
  known = compute_settings_set (&self->settings, id, value, &change);
  started = self->started;
  GST_OBJECT_UNLOCK (self);
  if (!known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  else if (started)
    apply_change (self, change, &before);
  compute_settings_clear (&before);
}

void
gst_vkc_compute_get_property (GObject *object, guint id, GValue *value,
                              GParamSpec *pspec)
{
  GstVkcCompute *self = GST_VKC_COMPUTE (object);
  gboolean known;

  GST_OBJECT_LOCK (self);
  known = compute_settings_get (&self->settings, id, value);
  GST_OBJECT_UNLOCK (self);
  if (!known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}
