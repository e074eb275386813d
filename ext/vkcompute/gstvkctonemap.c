/* vktonemap: what is brighter than the target can show is mapped into it. */
#include "gstvkctonemap-private.h"

#include <string.h>

#include "colorcaps.h"
#include "gst/base/gstvkccaps.h"
#include "gst/vk/device.h"
#include "gst/vk/recorder.h"
#include "lutfile.h"
#include "tonemapcaps.h"

GST_DEBUG_CATEGORY (gst_vkc_tonemap_debug);
#define GST_CAT_DEFAULT gst_vkc_tonemap_debug

G_DEFINE_TYPE (GstVkcTonemap, gst_vkc_tonemap, GST_TYPE_VKC_FILTER)
GST_ELEMENT_REGISTER_DEFINE (vktonemap, "vktonemap", GST_RANK_NONE,
                             GST_TYPE_VKC_TONEMAP)

struct tonemap_settings
gst_vkc_tonemap_get_settings (GstVkcTonemap *self)
{
  struct tonemap_settings settings;

  GST_OBJECT_LOCK (self);
  settings = self->settings;
  GST_OBJECT_UNLOCK (self);
  return settings;
}

static GstCaps *
gst_vkc_tonemap_transform_caps (GstVkcFilter *self, GstPadDirection direction,
                                GstCaps *caps, GstCaps *filter)
{
  return gst_vkc_caps_transform (caps, GST_VKC_CAPS_ALL, color_formats, filter);
}

/* HDR becomes BT.709 in 8 bits where the peer lets it; what stays HDR keeps its
 * depth, SDR stays as it is. */
static GstCaps *
gst_vkc_tonemap_fixate_caps (GstVkcFilter *filter, GstPadDirection direction,
                             GstCaps *caps, GstCaps *othercaps)
{
  const struct tonemap_settings settings
      = gst_vkc_tonemap_get_settings (GST_VKC_TONEMAP (filter));
  const gboolean forward = direction == GST_PAD_SINK;
  g_autoptr (GstCaps) meant = forward
                                  ? tonemap_settings_override (&settings, caps)
                                  : gst_caps_ref (caps);
  const GstStructure *in = gst_caps_get_structure (meant, 0);
  const gboolean map = forward && color_structure_is_hdr (in);
  GstVideoColorimetry bt709;

  if (map && color_caps_take_sdr (othercaps))
    othercaps = gst_vkc_caps_fixate_format (othercaps, color_formats);
  else
    othercaps = gst_vkc_caps_fixate_format_like (
        othercaps,
        gst_video_format_from_string (gst_structure_get_string (in, "format")));
  if (gst_caps_is_empty (othercaps))
    return othercaps;
  gst_video_colorimetry_from_string (&bt709, GST_VIDEO_COLORIMETRY_BT709);
  othercaps = gst_caps_make_writable (othercaps);
  color_fixate (gst_caps_get_structure (othercaps, 0), in, map ? &bt709 : NULL);
  othercaps = gst_caps_fixate (othercaps);
  if (forward)
    tonemap_fixate_metadata (&settings, meant, othercaps);
  return othercaps;
}

static void
take_detector (GstVkcTonemap *self, struct peakdetector *detector)
{
  struct peakdetector *old;

  GST_OBJECT_LOCK (self);
  old = self->detector;
  self->detector = detector;
  GST_OBJECT_UNLOCK (self);
  if (old != detector)
    peakdetector_free (old);
}

static void
set_table (GstVkcTonemap *self, struct vkc_image *table)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->converters); i++)
    colorkernel_set_table (converter_get_kernel (self->converters[i]), table);
}

/* Before the kernels are planned: has a detector there or takes it away. What
 * it has seen stays with it. */
static gboolean
prepare_detector (GstVkcTonemap *self, const struct tonemap_settings *settings,
                  GstCaps *in_caps, GstCaps *out_caps, GError **error)
{
  struct vkc_device *device = gst_vkc_filter_get_device (GST_VKC_FILTER (self));
  struct peakdetector *detector = self->detector;
  struct color_plan plan;

  tonemap_plan_light (settings, in_caps, out_caps, &plan);
  if (!plan.tone_mapped || plan.tone.inverse
      || (self->cube != NULL && settings->lut_mode == TONEMAP_LUT_INSTEAD)
      || !tonemap_settings_detect (settings, device->is_cpu)) {
    set_table (self, NULL);
    take_detector (self, NULL);
    return TRUE;
  }
  if (detector == NULL)
    detector = peakdetector_new (device, error);
  if (detector == NULL)
    return FALSE;
  take_detector (self, detector);
  set_table (self, peakdetector_table (detector));
  return TRUE;
}

/* The file is read again when the property names another one. */
static gboolean
load_cube (GstVkcTonemap *self, GError **error)
{
  g_autofree gchar *path = NULL;

  GST_OBJECT_LOCK (self);
  path = g_strdup (self->lut);
  GST_OBJECT_UNLOCK (self);
  if (g_strcmp0 (path, self->cube_path) == 0)
    return TRUE;
  g_clear_pointer (&self->cube, lutfile_free);
  g_clear_pointer (&self->cube_path, g_free);
  if (path == NULL)
    return TRUE;
  self->cube = lutfile_load (path, error);
  if (self->cube != NULL)
    self->cube_path = g_steal_pointer (&path);
  return self->cube != NULL;
}

/* Of frames and, where those would be mixed, of their fields. */
static gboolean
set_converters (GstVkcTonemap *self, const struct converter_caps *caps,
                const struct color_settings *color, GError **error)
{
  struct vkc_device *device = gst_vkc_filter_get_device (GST_VKC_FILTER (self));
  struct converter *const *converters = self->converters;

  self->has_fields = FALSE;
  if (!converter_set_colours (converters[COLOR_ROWS_FRAME], device, caps, color,
                              error))
    return FALSE;
  if (!converter_needs_fields (converters[COLOR_ROWS_FRAME]))
    return TRUE;
  for (guint i = COLOR_ROWS_TOP; i <= COLOR_ROWS_BOTTOM; i++) {
    struct converter_caps field = *caps;

    converter_field_info (&field.in, &caps->in, (enum color_rows)i);
    converter_field_info (&field.out, &caps->out, (enum color_rows)i);
    if (!converter_set_colours (converters[i], device, &field, color, error))
      return FALSE;
  }
  self->has_fields = TRUE;
  return TRUE;
}

static gboolean
gst_vkc_tonemap_set_info (GstVkcFilter *filter, GstCaps *in_caps,
                          const GstVideoInfo *in, GstCaps *out_caps,
                          const GstVideoInfo *out, GError **error)
{
  GstVkcTonemap *self = GST_VKC_TONEMAP (filter);
  const struct tonemap_settings settings = gst_vkc_tonemap_get_settings (self);
  g_autoptr (GstCaps) meant = tonemap_settings_override (&settings, in_caps);
  struct converter_caps caps = { .in_caps = meant, .out_caps = out_caps };
  struct color_settings color;

  converter_buffer_info (&caps.in, in);
  converter_buffer_info (&caps.out, out);
  tonemap_settings_resolve (&settings, &color);
  if (!load_cube (self, error))
    return FALSE;
  color.cube = self->cube;
  color.cube_instead = settings.lut_mode == TONEMAP_LUT_INSTEAD;
  if (meant != in_caps) {
    const gchar *name = gst_structure_get_string (
        gst_caps_get_structure (meant, 0), "colorimetry");

    if (name != NULL)
      gst_video_colorimetry_from_string (&caps.in.colorimetry, name);
  }
  if (!prepare_detector (self, &settings, meant, out_caps, error)
      || !set_converters (self, &caps, &color, error)
      || (self->detector != NULL
          && !peakdetector_configure (
              self->detector,
              colorkernel_get_plan (
                  converter_get_kernel (self->converters[COLOR_ROWS_FRAME])),
              &caps.in, gst_vkc_storage_for_caps (in_caps, in),
              &(struct peak_settings){ .percentile = settings.percentile,
                                       .smoothing = settings.smoothing },
              error)))
    return FALSE;
  gst_vkc_tonemap_take_resolved (self);
  gst_vkc_tonemap_warn_of_caps (self, in_caps);
  gst_base_transform_set_passthrough (
      GST_BASE_TRANSFORM (filter),
      converter_is_identity (self->converters[COLOR_ROWS_FRAME])
          && !color_structure_is_hdr (gst_caps_get_structure (meant, 0)));
  return TRUE;
}

/* Where it is wanted: appends what @job and its steps wait for. */
static gboolean
measure (GstVkcTonemap *self, const GstVkcFrame *in, struct vkc_job *job,
         GError **error)
{
  if (self->detector == NULL)
    return TRUE;
  if (!peakdetector_plan (self->detector, in, job, error))
    return FALSE;
  gst_vkc_tonemap_post_peak (self);
  return TRUE;
}

static gboolean
gst_vkc_tonemap_plan (GstVkcFilter *filter, const GstVkcFrame *in,
                      const GstVkcFrame *out, struct vkc_job *job,
                      GError **error)
{
  GstVkcTonemap *self = GST_VKC_TONEMAP (filter);
  const gboolean by_field = self->has_fields
                            && converter_is_interlaced (
                                self->converters[COLOR_ROWS_FRAME], in->buffer);
  struct vkc_job *top = NULL;

  gst_vkc_tonemap_warn (self, in->buffer);
  if (by_field) {
    top = converter_new_step (self->converters[COLOR_ROWS_TOP], in, out, job,
                              error);
    if (top == NULL)
      return FALSE;
  }
  /* Measured last: a frame that is refused must not have been seen. */
  if (!converter_plan (
          self->converters[by_field ? COLOR_ROWS_BOTTOM : COLOR_ROWS_FRAME], in,
          out, job, error)
      || !measure (self, in, job, error)) {
    vkc_job_unref (top);
    return FALSE;
  }
  return top == NULL
         || vkc_recorder_append (vkc_image_device (out->image)->recorder, top,
                                 error);
}

static void
gst_vkc_tonemap_reset (GstVkcFilter *filter)
{
  GstVkcTonemap *self = GST_VKC_TONEMAP (filter);

  for (guint i = 0; i < G_N_ELEMENTS (self->converters); i++)
    converter_reset (self->converters[i]);
  set_table (self, NULL);
  take_detector (self, NULL);
  self->warned = self->warned_of_black = NULL;
}

static void
gst_vkc_tonemap_set_property (GObject *object, guint id, const GValue *value,
                              GParamSpec *pspec)
{
  GstVkcTonemap *self = GST_VKC_TONEMAP (object);
  struct tonemap_settings before, now;
  gboolean known;

  if (id == tonemap_settings_end ()) {
    GST_OBJECT_LOCK (self);
    g_free (self->lut);
    self->lut = g_value_dup_string (value);
    if (self->lut != NULL && *self->lut == '\0') /* none, as well */
      g_clear_pointer (&self->lut, g_free);
    GST_OBJECT_UNLOCK (self);
    gst_vkc_filter_reconfigure (GST_VKC_FILTER (self));
    return;
  }
  GST_OBJECT_LOCK (self);
  before = self->settings;
  known = tonemap_settings_set (&self->settings, id, value);
  now = self->settings;
  GST_OBJECT_UNLOCK (self);
  if (!known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  /* A controller sets the same value for every frame. */
  if (memcmp (&before, &now, sizeof now) == 0)
    return;
  if (tonemap_settings_change_caps (&before, &now))
    gst_vkc_filter_reconfigure (GST_VKC_FILTER (self));
  else
    gst_vkc_filter_refresh (GST_VKC_FILTER (self));
}

static void
gst_vkc_tonemap_get_property (GObject *object, guint id, GValue *value,
                              GParamSpec *pspec)
{
  GstVkcTonemap *self = GST_VKC_TONEMAP (object);
  gboolean known;

  GST_OBJECT_LOCK (self);
  known = tonemap_settings_get (&self->settings, id, value);
  if (id == tonemap_settings_end ()) {
    g_value_set_string (value, self->lut);
    known = TRUE;
  }
  GST_OBJECT_UNLOCK (self);
  if (!known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
gst_vkc_tonemap_finalize (GObject *object)
{
  GstVkcTonemap *self = GST_VKC_TONEMAP (object);

  peakdetector_free (self->detector);
  for (guint i = 0; i < G_N_ELEMENTS (self->converters); i++)
    converter_free (self->converters[i]);
  lutfile_free (self->cube);
  g_free (self->cube_path);
  g_free (self->lut);
  G_OBJECT_CLASS (gst_vkc_tonemap_parent_class)->finalize (object);
}

static void
gst_vkc_tonemap_class_init (GstVkcTonemapClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstVkcFilterClass *filter_class = GST_VKC_FILTER_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (gst_vkc_tonemap_debug, "vktonemap", 0,
                           "Vulkan tone mapping");
  object_class->set_property = gst_vkc_tonemap_set_property;
  object_class->get_property = gst_vkc_tonemap_get_property;
  object_class->finalize = gst_vkc_tonemap_finalize;
  filter_class->transform_caps = gst_vkc_tonemap_transform_caps;
  filter_class->fixate_caps = gst_vkc_tonemap_fixate_caps;
  filter_class->set_info = gst_vkc_tonemap_set_info;
  filter_class->plan = gst_vkc_tonemap_plan;
  filter_class->add_stats = gst_vkc_tonemap_add_stats;
  filter_class->reset = gst_vkc_tonemap_reset;
  filter_class->fields = TRUE;
  tonemap_settings_install (object_class);
  g_object_class_install_property (
      object_class, tonemap_settings_end (),
      g_param_spec_string (
          "lut", "LUT",
          "File in the format .cube (1D, or 3D up to 129^3, tetrahedral) with "
          "a look for the target's R'G'B'; see lut-mode",
          NULL,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
              | GST_PARAM_MUTABLE_PLAYING));

  gst_vkc_filter_class_add_pads (element_class,
                                 gst_vkc_caps_template (color_formats));
  gst_element_class_set_static_metadata (
      element_class, "Vulkan tone mapper", "Filter/Effect/Video",
      "Maps HDR10 and HLG video to SDR on a Vulkan device", "gst-vkcompute");
}

static void
gst_vkc_tonemap_init (GstVkcTonemap *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->converters); i++)
    self->converters[i] = converter_new ((enum color_rows)i);
  tonemap_settings_init (&self->settings);
}
