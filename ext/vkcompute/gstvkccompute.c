/* vkcompute: the user's own compute shader on every frame. */
#include "bufferreport.h"
#include "computecaps.h"
#include "gstvkccompute-private.h"

GST_DEBUG_CATEGORY (gst_vkc_compute_debug);
#define GST_CAT_DEFAULT gst_vkc_compute_debug

G_DEFINE_TYPE_WITH_CODE (
    GstVkcCompute, gst_vkc_compute, GST_TYPE_VKC_FILTER,
    G_IMPLEMENT_INTERFACE (GST_TYPE_CHILD_PROXY,
                           gst_vkc_compute_child_proxy_init))
GST_ELEMENT_REGISTER_DEFINE (vkcompute, "vkcompute", GST_RANK_NONE,
                             GST_TYPE_VKC_COMPUTE)

static void
set_started (GstVkcCompute *self, gboolean started)
{
  GST_OBJECT_LOCK (self);
  self->started = started;
  GST_OBJECT_UNLOCK (self);
}

static gboolean
gst_vkc_compute_start (GstBaseTransform *trans)
{
  GstVkcCompute *self = GST_VKC_COMPUTE (trans);

  self->n_frames = 0;
  self->has_reports = FALSE;
  if (!gst_vkc_compute_load (self, GST_MESSAGE_ERROR))
    return FALSE;
  if (!GST_BASE_TRANSFORM_CLASS (gst_vkc_compute_parent_class)->start (trans))
    return FALSE;
  set_started (self, TRUE);
  return TRUE;
}

static gboolean
gst_vkc_compute_stop (GstBaseTransform *trans)
{
  GstVkcCompute *self = GST_VKC_COMPUTE (trans);

  set_started (self, FALSE);
  gst_vkc_compute_set_program (self, NULL, NULL);
  g_clear_pointer (&self->watch, file_watch_free);
  return GST_BASE_TRANSFORM_CLASS (gst_vkc_compute_parent_class)->stop (trans);
}

static void
warn_of_unset (GstVkcCompute *self)
{
  g_autofree gchar *names = compute_plan_get_unset (self->plan);

  if (names != NULL)
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS,
                         ("Nothing sets %s: the shader sees 0", names),
                         ("see the property parameters"));
}

/* A kernel that was loaded again and does not do: what ran before goes on. */
static gboolean
keep_plan (GstVkcCompute *self, GstCaps *in, GstCaps *out, GError **error)
{
  if (self->plan == NULL || !compute_plan_is_for (self->plan, in, out))
    return FALSE;
  GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS,
                       ("The shader is not used: %s", (*error)->message),
                       (NULL));
  g_clear_error (error);
  gst_vkc_compute_set_program (
      self, compute_program_ref (compute_plan_program (self->plan)), NULL);
  return TRUE;
}

static gboolean
gst_vkc_compute_set_info (GstVkcFilter *filter, GstCaps *in_caps,
                          const GstVideoInfo *in, GstCaps *out_caps,
                          const GstVideoInfo *out, GError **error)
{
  GstVkcCompute *self = GST_VKC_COMPUTE (filter);
  struct compute_program *program = gst_vkc_compute_get_program (self);
  const gboolean reloaded
      = g_atomic_int_compare_and_exchange (&self->reloaded, TRUE, FALSE);
  struct compute_settings settings;
  struct compute_plan *plan;

  gst_vkc_compute_get_settings (self, &settings);
  plan = compute_plan_new (program, gst_vkc_filter_get_device (filter), in_caps,
                           out_caps, &settings, self->plan, error);
  compute_settings_clear (&settings);
  compute_program_unref (program);
  if (plan == NULL)
    return reloaded && keep_plan (self, in_caps, out_caps, error);
  compute_plan_free (self->plan);
  self->plan = plan;
  gst_vkc_compute_set_state (self, compute_plan_state (plan));
  warn_of_unset (self);
  return TRUE;
}

/* What other threads changed since the last frame. */
static void
take_changes (GstVkcCompute *self)
{
  if (g_atomic_int_compare_and_exchange (&self->values_changed, TRUE, FALSE)) {
    struct compute_settings settings;

    gst_vkc_compute_get_settings (self, &settings);
    compute_plan_set_parameters (self->plan, settings.parameters);
    compute_settings_clear (&settings);
  }
  if (g_atomic_int_compare_and_exchange (&self->files_changed, TRUE, FALSE)) {
    g_clear_pointer (&self->watch, file_watch_free);
    GST_OBJECT_LOCK (self);
    if (self->settings.watch && self->files != NULL)
      self->watch = file_watch_new (self->files);
    GST_OBJECT_UNLOCK (self);
  }
  if (self->watch != NULL && file_watch_changed (self->watch))
    gst_vkc_compute_reload (self);
}

/* The child's properties under a GstController, as the element's own are. */
static void
gst_vkc_compute_before_transform (GstBaseTransform *trans, GstBuffer *buffer)
{
  GstVkcCompute *self = GST_VKC_COMPUTE (trans);
  GstObject *child = NULL;

  GST_BASE_TRANSFORM_CLASS (gst_vkc_compute_parent_class)
      ->before_transform (trans, buffer);
  GST_OBJECT_LOCK (self);
  if (self->parameters != NULL)
    child = gst_object_ref (self->parameters);
  GST_OBJECT_UNLOCK (self);
  if (child == NULL)
    return;
  gst_vkc_filter_sync_values (GST_VKC_FILTER (trans), child, buffer);
  gst_object_unref (child);
}

static gboolean
wants_messages (GstVkcCompute *self)
{
  gboolean wanted;

  GST_OBJECT_LOCK (self);
  wanted = self->settings.buffer_messages;
  GST_OBJECT_UNLOCK (self);
  return wanted;
}

static gboolean
gst_vkc_compute_plan (GstVkcFilter *filter, const GstVkcFrame *in,
                      const GstVkcFrame *out, struct vkc_job *job,
                      GError **error)
{
  GstVkcCompute *self = GST_VKC_COMPUTE (filter);

  take_changes (self);
  if (!compute_plan_frame (self->plan, in, out, self->n_frames++, job, error))
    return FALSE;
  if (!wants_messages (self))
    return TRUE;
  self->has_reports = TRUE;
  return buffer_report_plan (compute_plan_state (self->plan),
                             GST_ELEMENT (self), job, self->n_frames - 1,
                             GST_BUFFER_PTS (in->buffer), error);
}

/* A listener stops at EOS: nothing may come behind it. */
static void
finish_reports (GstVkcCompute *self)
{
  if (self->has_reports)
    gst_vkc_filter_drain (GST_VKC_FILTER (self));
  self->has_reports = FALSE;
}

static gboolean
gst_vkc_compute_sink_event (GstBaseTransform *trans, GstEvent *event)
{
  GstVkcCompute *self = GST_VKC_COMPUTE (trans);
  const GstEventType type = GST_EVENT_TYPE (event);
  gboolean ret;

  if (type == GST_EVENT_EOS)
    finish_reports (self);
  ret = GST_BASE_TRANSFORM_CLASS (gst_vkc_compute_parent_class)
            ->sink_event (trans, event);
  if (type == GST_EVENT_FLUSH_STOP)
    finish_reports (self);
  return ret;
}

static void
gst_vkc_compute_add_stats (GstVkcFilter *filter, GstStructure *element)
{
  struct compute_program *program
      = gst_vkc_compute_get_program (GST_VKC_COMPUTE (filter));
  g_autofree gchar *target = NULL, *source = NULL;

  if (program == NULL)
    return;
  target = compute_program_describe (program, FRAME_ROLE_TARGET);
  source = compute_program_describe (program, FRAME_ROLE_SOURCE);
  gst_structure_set (element, "shader", G_TYPE_STRING, program->name, "source",
                     G_TYPE_STRING, source, "target", G_TYPE_STRING, target,
                     NULL);
  compute_program_unref (program);
}

static void
gst_vkc_compute_reset (GstVkcFilter *filter)
{
  GstVkcCompute *self = GST_VKC_COMPUTE (filter);

  gst_vkc_compute_set_state (self, NULL);
  g_clear_pointer (&self->plan, compute_plan_free);
}

static void
gst_vkc_compute_finalize (GObject *object)
{
  GstVkcCompute *self = GST_VKC_COMPUTE (object);

  gst_vkc_compute_drop_child (self);
  gst_vkc_compute_set_state (self, NULL);
  compute_plan_free (self->plan);
  file_watch_free (self->watch);
  gst_vkc_compute_set_program (self, NULL, NULL);
  g_clear_pointer (&self->files, g_ptr_array_unref);
  compute_settings_clear (&self->settings);
  G_OBJECT_CLASS (gst_vkc_compute_parent_class)->finalize (object);
}

static void
install_signals (void)
{
  /**
   * GstVkcCompute::reload:
   *
   * Loads the shader again. If that fails, a warning says why, and what runs
   * goes on running.
   *
   * Returns: whether the new one runs from the next frame on
   */
  g_signal_new_class_handler (
      "reload", GST_TYPE_VKC_COMPUTE, G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION,
      G_CALLBACK (gst_vkc_compute_reload), NULL, NULL, NULL, G_TYPE_BOOLEAN, 0);
  /**
   * GstVkcCompute::read-buffer:
   * @name: a buffer's name
   *
   * Waits for the frames that are on their way.
   *
   * Returns: (transfer full) (nullable): its bytes as the last frame left them;
   *   NULL, and a warning on the bus, if there is no such buffer
   */
  g_signal_new_class_handler ("read-buffer", GST_TYPE_VKC_COMPUTE,
                              G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION,
                              G_CALLBACK (gst_vkc_compute_read_buffer), NULL,
                              NULL, NULL, G_TYPE_BYTES, 1, G_TYPE_STRING);
}

static void
gst_vkc_compute_class_init (GstVkcComputeClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstVkcFilterClass *filter_class = GST_VKC_FILTER_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (gst_vkc_compute_debug, "vkcompute", 0,
                           "the user's compute shader");
  object_class->set_property = gst_vkc_compute_set_property;
  object_class->get_property = gst_vkc_compute_get_property;
  object_class->finalize = gst_vkc_compute_finalize;
  compute_settings_install (object_class);
  install_signals ();
  gst_element_class_set_static_metadata (
      element_class, "Vulkan compute shader", "Filter/Effect/Video",
      "Runs a compute shader on every frame", "The gst-vkcompute authors");
  gst_vkc_filter_class_add_pads (element_class, compute_caps_template ());
  gst_type_mark_as_plugin_api (GST_TYPE_VKC_COMPUTE_PARAMETERS, 0);

  trans_class->start = gst_vkc_compute_start;
  trans_class->stop = gst_vkc_compute_stop;
  trans_class->before_transform = gst_vkc_compute_before_transform;
  trans_class->sink_event = gst_vkc_compute_sink_event;
  gst_vkc_compute_class_init_caps (trans_class);
  filter_class->set_info = gst_vkc_compute_set_info;
  filter_class->plan = gst_vkc_compute_plan;
  filter_class->add_stats = gst_vkc_compute_add_stats;
  filter_class->reset = gst_vkc_compute_reset;
}

static void
gst_vkc_compute_init (GstVkcCompute *self)
{
  compute_settings_init (&self->settings);
}
