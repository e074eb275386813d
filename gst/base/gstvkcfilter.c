/* GstVkcFilter: its life and its properties. */
#include "gstvkcfilter.h"

#include "gst/vk/dmabuf.h"
#include "gst/vk/result.h"
#include "gst/vk/settings.h"
#include "gstvkcdrm.h"
#include "gstvkcfilter-private.h"
#include "gstvkclog.h"
#include "gstvkcstats.h"

enum
{
  PROP_0,
  PROP_DEVICE,
  PROP_STATS,
};

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (GstVkcFilter, gst_vkc_filter,
                                     GST_TYPE_BASE_TRANSFORM)

GstVkcFilterPrivate *
gst_vkc_filter_private (GstVkcFilter *self)
{
  return gst_vkc_filter_get_instance_private (self);
}

static void
set_owner (GstVkcFilter *self, struct vkc_owner *owner)
{
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);
  struct vkc_owner *old;

  GST_OBJECT_LOCK (self);
  old = priv->owner;
  priv->owner = owner;
  GST_OBJECT_UNLOCK (self);
  if (old != NULL)
    vkc_owner_unref (old);
}

static void
post_no_device (GstVkcFilter *self, const GError *error)
{
  if (!g_error_matches (error, VKC_ERROR, VKC_ERROR_NO_DEVICE))
    gst_vkc_filter_post (GST_ELEMENT (self), GST_MESSAGE_ERROR, error);
  else
    GST_ELEMENT_ERROR (self, RESOURCE, NOT_FOUND,
                       ("%s. Install a Vulkan driver; Debian's package "
                        "mesa-vulkan-drivers has one for the CPU as well",
                        error->message),
                       (NULL));
}

static gboolean
gst_vkc_filter_start (GstBaseTransform *trans)
{
  GstVkcFilter *self = GST_VKC_FILTER (trans);
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);
  g_autoptr (GError) error = NULL;

  if (!gst_vkc_filter_open_device (self, &error)) {
    post_no_device (self, error);
    return FALSE;
  }
  /* A new run, a new owner: what is still on its way from the last one must
   * not fail this one. */
  set_owner (self, gst_vkc_filter_new_owner (self, &priv->link));
  priv->max_pending = vkc_setting ("VKC_MAX_PENDING", VKC_DEFAULT_MAX_PENDING);
  vkc_owner_set_limit (priv->owner, priv->max_pending);
  priv->input = gst_vkc_input_new (priv->device);
  priv->proposed = gst_vkc_allocator_new (priv->device);
  priv->produced = gst_vkc_allocator_new (priv->device);
  priv->configured = FALSE;
  priv->refused_last = FALSE;
  g_atomic_int_set (&priv->dirty, FALSE);
  g_atomic_int_set (&priv->peer_is_ours, FALSE);
  g_atomic_int_set (&priv->started, TRUE);
  return TRUE;
}

static gboolean
gst_vkc_filter_stop (GstBaseTransform *trans)
{
  GstVkcFilter *self = GST_VKC_FILTER (trans);
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);
  GstVkcFilterClass *klass = GST_VKC_FILTER_GET_CLASS (self);

  g_atomic_int_set (&priv->started, FALSE);
  /* Frames that outlive the run can still be mapped; their owner stays, but
   * has nobody to tell. */
  vkc_owner_set_interrupted (priv->owner, true);
  g_weak_ref_set (priv->link, NULL);

  if (klass->reset != NULL)
    klass->reset (self);
  gst_vkc_filter_clear_allocation (self);
  g_clear_pointer (&priv->input, gst_vkc_input_free);
  gst_clear_caps (&priv->in_caps);
  gst_clear_caps (&priv->out_caps);
  return TRUE;
}

gboolean
gst_vkc_filter_apply_info (GstVkcFilter *self)
{
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);
  GstVkcFilterClass *klass = GST_VKC_FILTER_GET_CLASS (self);
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  g_autoptr (GError) error = NULL;
  gboolean passthrough;

  /* GStreamer tries caps again that were refused; kernels take long. */
  if (vkc_owner_has_failed (priv->owner))
    return FALSE;
  /* First, so that a setting that changes from here on counts. */
  g_atomic_int_set (&priv->dirty, FALSE);
  if (klass->set_info != NULL
      && !klass->set_info (self, priv->in_caps, &priv->in_info, priv->out_caps,
                           &priv->out_info, &error)) {
    vkc_owner_fail (priv->owner, error);
    return FALSE;
  }

  /* In other memory, or tiled in another way, it is another frame. */
  if (gst_vkc_caps_is_dmabuf (priv->in_caps)
          != gst_vkc_caps_is_dmabuf (priv->out_caps)
      || priv->in_modifier != priv->out_modifier)
    gst_base_transform_set_passthrough (trans, FALSE);
  passthrough = gst_base_transform_is_passthrough (trans);
  /* Upstream's peer is another one now. */
  if (priv->configured && passthrough != priv->was_passthrough)
    gst_base_transform_reconfigure_sink (trans);
  priv->was_passthrough = passthrough;
  priv->configured = TRUE;
  return TRUE;
}

/* Subclasses see formats; of DRM's names only those of tiled frames stay. */
static GstCaps *
hide_name (GstCaps *caps, guint64 modifier)
{
  GstCaps *hidden = gst_vkc_drm_hide (caps);

  if (modifier == VKC_MODIFIER_LINEAR)
    return hidden;
  hidden = gst_caps_make_writable (hidden);
  gst_caps_set_value (hidden, "drm-format",
                      gst_structure_get_value (gst_caps_get_structure (caps, 0),
                                               "drm-format"));
  return hidden;
}

/* Fields that are pictures of their own lie one behind the other, or in buffers
 * of their own, for elements that know those. */
static gboolean
check_fields (GstVkcFilter *self, const GstVideoInfo *info)
{
  const GstVideoInterlaceMode mode = GST_VIDEO_INFO_INTERLACE_MODE (info);
  g_autoptr (GError) error = NULL;

  if (mode != GST_VIDEO_INTERLACE_MODE_FIELDS
      && (mode != GST_VIDEO_INTERLACE_MODE_ALTERNATE
          || GST_VKC_FILTER_GET_CLASS (self)->fields))
    return TRUE;
  g_set_error (&error, GST_STREAM_ERROR, GST_STREAM_ERROR_NOT_IMPLEMENTED,
               "Fields that are no rows of one frame (interlace-mode=%s) are "
               "not supported: weave them to interleaved frames, or "
               "deinterlace them, before this element",
               gst_video_interlace_mode_to_string (mode));
  vkc_owner_fail (gst_vkc_filter_private (self)->owner, error);
  return FALSE;
}

/* GstVideoInfo has no layout for what is larger than 2 GiB. */
static void
refuse_caps (GstVkcFilter *self, GstCaps *in, GstCaps *out)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *from = gst_caps_to_string (in);
  g_autofree gchar *to = gst_caps_to_string (out);

  g_set_error (&error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
               "Frames of these caps are no video, or too large: %s, to %s",
               from, to);
  vkc_owner_fail (gst_vkc_filter_private (self)->owner, error);
}

static gboolean
gst_vkc_filter_set_caps (GstBaseTransform *trans, GstCaps *in, GstCaps *out)
{
  GstVkcFilter *self = GST_VKC_FILTER (trans);
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);
  GstVideoInfo in_info, out_info;

  if (!gst_vkc_video_info_from_caps (&in_info, in, &priv->in_modifier)
      || !gst_vkc_video_info_from_caps (&out_info, out,
                                        &priv->out_modifier)) {
    refuse_caps (self, in, out);
    return FALSE;
  }
  if (!check_fields (self, &in_info)
      || !gst_vkc_filter_check_modifier (self, &in_info, priv->in_modifier))
    return FALSE;
  gst_caps_take (&priv->in_caps, hide_name (in, priv->in_modifier));
  gst_caps_take (&priv->out_caps, hide_name (out, priv->out_modifier));
  gst_vkc_input_set_modifier (priv->input, priv->in_modifier);
  priv->in_info = in_info;
  priv->out_info = out_info;
  return gst_vkc_filter_apply_info (self);
}

struct vkc_device *
gst_vkc_filter_get_device (GstVkcFilter *filter)
{
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (filter);

  return g_atomic_int_get (&priv->started) ? priv->device : NULL;
}

void
gst_vkc_filter_refresh (GstVkcFilter *filter)
{
  g_atomic_int_set (&gst_vkc_filter_private (filter)->dirty, TRUE);
}

void
gst_vkc_filter_reconfigure (GstVkcFilter *filter)
{
  gst_vkc_filter_refresh (filter);
  gst_base_transform_reconfigure_src (GST_BASE_TRANSFORM (filter));
}

static GstStateChangeReturn
gst_vkc_filter_change_state (GstElement *element, GstStateChange transition)
{
  GstVkcFilter *self = GST_VKC_FILTER (element);
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);
  GstStateChangeReturn ret;

  /* Before the pads are deactivated, which waits for the streaming thread. */
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY && priv->owner != NULL)
    vkc_owner_set_interrupted (priv->owner, true);
  ret = GST_ELEMENT_CLASS (gst_vkc_filter_parent_class)
            ->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_READY_TO_NULL)
    gst_vkc_filter_close_device (self);
  return ret;
}

static GstStructure *
make_stats (GstVkcFilter *self)
{
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);
  GstVkcFilterClass *klass = GST_VKC_FILTER_GET_CLASS (self);
  GstStructure *recorder = NULL, *element, *stats;
  struct vkc_device *device;
  struct vkc_owner *owner;
  guint64 id = 0;

  GST_OBJECT_LOCK (self);
  device = priv->device != NULL ? vkc_device_ref (priv->device) : NULL;
  owner = priv->owner != NULL ? vkc_owner_ref (priv->owner) : NULL;
  if (device == NULL && priv->last_recorder != NULL)
    recorder = gst_structure_copy (priv->last_recorder);
  GST_OBJECT_UNLOCK (self);

  if (recorder == NULL)
    recorder = gst_vkc_stats_recorder (device);
  element = gst_vkc_stats_element (owner);
  if (klass->add_stats != NULL)
    klass->add_stats (self, element);
  gst_structure_get_uint64 (recorder, "id", &id);
  stats = gst_structure_new ("stats", "recorder-id", G_TYPE_UINT64, id,
                             "recorder", GST_TYPE_STRUCTURE, recorder,
                             "element", GST_TYPE_STRUCTURE, element, NULL);
  gst_structure_free (recorder);
  gst_structure_free (element);
  vkc_device_unref (device);
  if (owner != NULL)
    vkc_owner_unref (owner);
  return stats;
}

static void
gst_vkc_filter_set_property (GObject *object, guint id, const GValue *value,
                             GParamSpec *pspec)
{
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (GST_VKC_FILTER (object));

  switch (id) {
  case PROP_DEVICE:
    GST_OBJECT_LOCK (object);
    g_free (priv->selector);
    priv->selector = g_value_dup_string (value);
    GST_OBJECT_UNLOCK (object);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
gst_vkc_filter_get_property (GObject *object, guint id, GValue *value,
                             GParamSpec *pspec)
{
  GstVkcFilter *self = GST_VKC_FILTER (object);
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);

  switch (id) {
  case PROP_DEVICE:
    GST_OBJECT_LOCK (object);
    g_value_set_string (value, priv->selector);
    GST_OBJECT_UNLOCK (object);
    break;
  case PROP_STATS:
    g_value_take_boxed (value, make_stats (self));
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
gst_vkc_filter_finalize (GObject *object)
{
  GstVkcFilter *self = GST_VKC_FILTER (object);
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);

  gst_vkc_filter_close_device (self);
  set_owner (self, NULL);
  gst_clear_object (&priv->context);
  g_clear_pointer (&priv->last_recorder, gst_structure_free);
  g_free (priv->selector);
  G_OBJECT_CLASS (gst_vkc_filter_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *klass)
{
  klass->set_property = gst_vkc_filter_set_property;
  klass->get_property = gst_vkc_filter_get_property;
  g_object_class_install_property (
      klass, PROP_DEVICE,
      g_param_spec_string (
          "device", "Device",
          "Vulkan device: its index, a part of its name or its UUID; unset: "
          "the pipeline's, $VKC_DEVICE or the best there is",
          NULL,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
              | GST_PARAM_MUTABLE_READY));
  g_object_class_install_property (
      klass, PROP_STATS,
      g_param_spec_boxed (
          "stats", "Statistics",
          "Counters of the recorder, which all elements of the pipeline share, "
          "and of this element",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

void
gst_vkc_filter_class_add_pads (GstElementClass *klass, GstCaps *caps)
{
  gst_element_class_add_pad_template (
      klass, gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_add_pad_template (
      klass, gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
  gst_caps_unref (caps);
}

static void
gst_vkc_filter_class_init (GstVkcFilterClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  gst_vkc_log_init ();
  object_class->finalize = gst_vkc_filter_finalize;
  install_properties (object_class);
  element_class->change_state = gst_vkc_filter_change_state;
  trans_class->start = gst_vkc_filter_start;
  trans_class->stop = gst_vkc_filter_stop;
  trans_class->set_caps = gst_vkc_filter_set_caps;
  gst_vkc_filter_class_init_device (element_class);
  gst_vkc_filter_class_init_caps (trans_class);
  gst_vkc_filter_class_init_events (trans_class);
  gst_vkc_filter_class_init_allocation (trans_class);
  gst_vkc_filter_class_init_metas (trans_class);
  gst_vkc_filter_class_init_transform (trans_class);
}

static void
gst_vkc_filter_init (GstVkcFilter *self)
{
  gst_base_transform_set_qos_enabled (GST_BASE_TRANSFORM (self), TRUE);
}
