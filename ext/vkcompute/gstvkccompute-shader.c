/* GstVkcCompute: which shader runs, and the properties that say so. */
#include "gstvkccompute-private.h"
#include "parameters.h"

GST_DEBUG_CATEGORY_EXTERN (gst_vkc_compute_debug);
#define GST_CAT_DEFAULT gst_vkc_compute_debug

struct compute_kernel *
gst_vkc_compute_get_kernel (GstVkcCompute *self)
{
  struct compute_kernel *kernel;

  GST_OBJECT_LOCK (self);
  kernel = self->kernel != NULL ? compute_kernel_ref (self->kernel) : NULL;
  GST_OBJECT_UNLOCK (self);
  return kernel;
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
gst_vkc_compute_set_kernel (GstVkcCompute *self, struct compute_kernel *kernel,
                            GPtrArray *files)
{
  struct compute_kernel *old_kernel;
  GPtrArray *old_files = NULL;

  GST_OBJECT_LOCK (self);
  old_kernel = self->kernel;
  self->kernel = kernel;
  if (files != NULL) {
    old_files = self->files;
    self->files = files;
    g_atomic_int_set (&self->files_changed, TRUE);
  }
  GST_OBJECT_UNLOCK (self);
  compute_kernel_unref (old_kernel);
  g_clear_pointer (&old_files, g_ptr_array_unref);
}

static struct compute_kernel *
make_kernel (const struct compute_settings *settings, GPtrArray *files,
             GError **error)
{
  struct kernel_source_params source = compute_settings_source (settings);
  struct compute_kernel *kernel;

  source.files = files;
  kernel = compute_kernel_new (&source, settings->bindings, error);
  if (kernel == NULL
      || parameters_check (settings->parameters, kernel->reflection, error))
    return kernel;
  compute_kernel_unref (kernel);
  return NULL;
}

gboolean
gst_vkc_compute_load (GstVkcCompute *self, GstMessageType type)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_free);
  struct compute_settings settings;
  struct compute_kernel *kernel;
  g_autoptr (GError) error = NULL;

  gst_vkc_compute_get_settings (self, &settings);
  kernel = make_kernel (&settings, files, &error);
  compute_settings_clear (&settings);
  if (kernel == NULL) {
    g_ptr_array_unref (files);
    gst_vkc_filter_post (GST_ELEMENT (self), type, error);
    return FALSE;
  }
  GST_INFO_OBJECT (self, "%s: workgroups of %ux%ux%u", kernel->reflection->name,
                   kernel->reflection->local_size[0],
                   kernel->reflection->local_size[1],
                   kernel->reflection->local_size[2]);
  gst_vkc_compute_set_kernel (self, kernel, files);
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
  struct compute_kernel *kernel = gst_vkc_compute_get_kernel (self);
  g_autoptr (GError) error = NULL;

  if (kernel == NULL)
    return TRUE;
  if (!parameters_check (g_value_get_boxed (value), kernel->reflection, &error))
    gst_vkc_filter_post (GST_ELEMENT (self), GST_MESSAGE_WARNING, error);
  compute_kernel_unref (kernel);
  return error == NULL;
}

static gboolean
constants_differ (GstVkcCompute *self, const GstStructure *before,
                  const GstStructure *after)
{
  struct compute_kernel *kernel = gst_vkc_compute_get_kernel (self);
  struct parameters_constants constants[2];

  if (kernel == NULL)
    return FALSE;
  parameters_get_constants (before, kernel->reflection, &constants[0]);
  parameters_get_constants (after, kernel->reflection, &constants[1]);
  compute_kernel_unref (kernel);
  return memcmp (&constants[0], &constants[1], sizeof constants[0]) != 0;
}

/* A new value while the element runs counts from the next frame on. */
static void
apply_change (GstVkcCompute *self, enum compute_change change,
              const struct compute_settings *before)
{
  struct compute_settings after;

  gst_vkc_compute_get_settings (self, &after);
  g_atomic_int_set (&self->values_changed, TRUE);
  g_atomic_int_set (&self->files_changed, TRUE);
  /* Both are unset for a moment by who changes from one to the other. */
  if (change == COMPUTE_CHANGE_SOURCE
      && (after.location != NULL || after.shader != NULL)) {
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
