/* vktonemap: what is brighter than the target can show is mapped into it. */
#include "gstvkctonemap.h"

#include <string.h>

#include "colorcaps.h"
#include "colorkernel.h"
#include "gst/base/gstvkccaps.h"

GST_DEBUG_CATEGORY_STATIC (gst_vkc_tonemap_debug);
#define GST_CAT_DEFAULT gst_vkc_tonemap_debug

#define DEFAULT_CURVE COLOR_CURVE_SPLINE
#define DEFAULT_GAMUT COLOR_GAMUT_CLIP

enum
{
  PROP_0,
  PROP_CURVE,
  PROP_GAMUT_MAPPING,
  PROP_SOURCE_PEAK,
  PROP_TARGET_PEAK,
  PROP_REFERENCE_WHITE,
};

struct _GstVkcTonemap
{
  GstVkcFilter parent;
  struct colorkernel *kernel;
  struct color_settings settings; /* under the object's lock */
};

G_DEFINE_TYPE (GstVkcTonemap, gst_vkc_tonemap, GST_TYPE_VKC_FILTER)
GST_ELEMENT_REGISTER_DEFINE (vktonemap, "vktonemap", GST_RANK_NONE,
                             GST_TYPE_VKC_TONEMAP)

#define GST_TYPE_VKC_TONE_CURVE (gst_vkc_tone_curve_get_type ())
static GType
gst_vkc_tone_curve_get_type (void)
{
  static const GEnumValue values[] = {
    { COLOR_CURVE_CLIP, "Clip at the target's peak", "clip" },
    { COLOR_CURVE_BT2390, "Knee of ITU-R BT.2390", "bt2390" },
    { COLOR_CURVE_SPLINE, "Spline in PQ, bent at a usual scene's average",
      "spline" },
    { COLOR_CURVE_MOBIUS, "Linear, then rational", "mobius" },
    { COLOR_CURVE_REINHARD, "Reinhard", "reinhard" },
    { COLOR_CURVE_HABLE, "Filmic curve by Hable", "hable" },
    { COLOR_CURVE_LINEAR, "Everything scaled to fit", "linear" },
    { COLOR_CURVE_GAMMA, "Power function", "gamma" },
    { 0, NULL, NULL },
  };
  static gsize type;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
                       g_enum_register_static ("GstVkcToneCurve", values));
  return type;
}

#define GST_TYPE_VKC_GAMUT_MAPPING (gst_vkc_gamut_mapping_get_type ())
static GType
gst_vkc_gamut_mapping_get_type (void)
{
  static const GEnumValue values[] = {
    { COLOR_GAMUT_CLIP, "Clip each channel", "clip" },
    { COLOR_GAMUT_DESATURATE, "Towards grey of the same luminance",
      "desaturate" },
    { 0, NULL, NULL },
  };
  static gsize type;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
                       g_enum_register_static ("GstVkcGamutMapping", values));
  return type;
}

static GstCaps *
gst_vkc_tonemap_transform_caps (GstBaseTransform *trans,
                                GstPadDirection direction, GstCaps *caps,
                                GstCaps *filter)
{
  return gst_vkc_caps_transform (caps, GST_VKC_CAPS_ALL, color_formats, filter);
}

/* HDR becomes BT.709 in 8 bits where the peer lets it; SDR stays as it is. */
static GstCaps *
gst_vkc_tonemap_fixate_caps (GstBaseTransform *trans, GstPadDirection direction,
                             GstCaps *caps, GstCaps *othercaps)
{
  const GstStructure *in = gst_caps_get_structure (caps, 0);
  const gboolean map = direction == GST_PAD_SINK && color_structure_is_hdr (in);
  GstVideoColorimetry bt709;

  if (map)
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
  return gst_caps_fixate (othercaps);
}

static gboolean
gst_vkc_tonemap_set_info (GstVkcFilter *filter, GstCaps *in_caps,
                          const GstVideoInfo *in, GstCaps *out_caps,
                          const GstVideoInfo *out, GError **error)
{
  GstVkcTonemap *self = GST_VKC_TONEMAP (filter);
  struct color_settings settings;

  GST_OBJECT_LOCK (self);
  settings = self->settings;
  GST_OBJECT_UNLOCK (self);
  if (!colorkernel_set_info (self->kernel, gst_vkc_filter_get_device (filter),
                             in_caps, in, out_caps, out, &settings, error))
    return FALSE;
  gst_base_transform_set_passthrough (
      GST_BASE_TRANSFORM (filter),
      colorkernel_is_identity (self->kernel)
          && !color_structure_is_hdr (gst_caps_get_structure (in_caps, 0)));
  return TRUE;
}

static gboolean
gst_vkc_tonemap_plan (GstVkcFilter *filter, const GstVkcFrame *in,
                      const GstVkcFrame *out, struct vkc_job *job,
                      GError **error)
{
  return colorkernel_plan (GST_VKC_TONEMAP (filter)->kernel, in, out, job,
                           error);
}

static void
gst_vkc_tonemap_add_stats (GstVkcFilter *filter, GstStructure *element)
{
  colorkernel_add_stats (GST_VKC_TONEMAP (filter)->kernel, element);
}

static void
gst_vkc_tonemap_reset (GstVkcFilter *filter)
{
  colorkernel_reset (GST_VKC_TONEMAP (filter)->kernel);
}

static void
gst_vkc_tonemap_set_property (GObject *object, guint id, const GValue *value,
                              GParamSpec *pspec)
{
  GstVkcTonemap *self = GST_VKC_TONEMAP (object);
  struct color_settings before;
  gboolean changed;

  GST_OBJECT_LOCK (self);
  before = self->settings;
  switch (id) {
  case PROP_CURVE:
    self->settings.curve = g_value_get_enum (value);
    break;
  case PROP_GAMUT_MAPPING:
    self->settings.gamut = g_value_get_enum (value);
    break;
  case PROP_SOURCE_PEAK:
    self->settings.source_peak = g_value_get_double (value);
    break;
  case PROP_TARGET_PEAK:
    self->settings.target_peak = g_value_get_double (value);
    break;
  case PROP_REFERENCE_WHITE:
    self->settings.reference_white = g_value_get_double (value);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    break;
  }
  changed = memcmp (&before, &self->settings, sizeof before) != 0;
  GST_OBJECT_UNLOCK (self);
  /* A controller sets the same value for every frame. */
  if (changed)
    gst_vkc_filter_reconfigure (GST_VKC_FILTER (self));
}

static void
gst_vkc_tonemap_get_property (GObject *object, guint id, GValue *value,
                              GParamSpec *pspec)
{
  GstVkcTonemap *self = GST_VKC_TONEMAP (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
  case PROP_CURVE:
    g_value_set_enum (value, self->settings.curve);
    break;
  case PROP_GAMUT_MAPPING:
    g_value_set_enum (value, self->settings.gamut);
    break;
  case PROP_SOURCE_PEAK:
    g_value_set_double (value, self->settings.source_peak);
    break;
  case PROP_TARGET_PEAK:
    g_value_set_double (value, self->settings.target_peak);
    break;
  case PROP_REFERENCE_WHITE:
    g_value_set_double (value, self->settings.reference_white);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_vkc_tonemap_finalize (GObject *object)
{
  colorkernel_free (GST_VKC_TONEMAP (object)->kernel);
  G_OBJECT_CLASS (gst_vkc_tonemap_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *object_class)
{
  const GParamFlags flags
      = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING;

  g_object_class_install_property (
      object_class, PROP_CURVE,
      g_param_spec_enum ("curve", "Tone curve",
                         "How luminance between black and the source's peak "
                         "becomes luminance below the target's",
                         GST_TYPE_VKC_TONE_CURVE, DEFAULT_CURVE, flags));
  g_object_class_install_property (
      object_class, PROP_GAMUT_MAPPING,
      g_param_spec_enum ("gamut-mapping", "Gamut mapping",
                         "What becomes of colours that the target's primaries "
                         "cannot make",
                         GST_TYPE_VKC_GAMUT_MAPPING, DEFAULT_GAMUT, flags));
  g_object_class_install_property (
      object_class, PROP_SOURCE_PEAK,
      g_param_spec_double ("source-peak", "Source peak",
                           "Brightest that the source gets, in cd/m2 (0: what "
                           "its metadata say, and 1000 without)",
                           0, 10000, 0, flags | GST_PARAM_CONTROLLABLE));
  g_object_class_install_property (
      object_class, PROP_TARGET_PEAK,
      g_param_spec_double ("target-peak", "Target peak",
                           "Where the tone curve ends, in cd/m2 (0: the "
                           "reference white for SDR)",
                           0, 10000, 0, flags | GST_PARAM_CONTROLLABLE));
  g_object_class_install_property (
      object_class, PROP_REFERENCE_WHITE,
      g_param_spec_double ("reference-white", "Reference white",
                           "Luminance that SDR's white stands for, in cd/m2 "
                           "(0: 203, as in ITU-R BT.2408)",
                           0, 10000, 0, flags | GST_PARAM_CONTROLLABLE));
  gst_type_mark_as_plugin_api (GST_TYPE_VKC_TONE_CURVE, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_VKC_GAMUT_MAPPING, 0);
}

static void
gst_vkc_tonemap_class_init (GstVkcTonemapClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstVkcFilterClass *filter_class = GST_VKC_FILTER_CLASS (klass);
  GstCaps *caps = gst_vkc_caps_template (color_formats);

  GST_DEBUG_CATEGORY_INIT (gst_vkc_tonemap_debug, "vktonemap", 0,
                           "Vulkan tone mapping");
  object_class->set_property = gst_vkc_tonemap_set_property;
  object_class->get_property = gst_vkc_tonemap_get_property;
  object_class->finalize = gst_vkc_tonemap_finalize;
  trans_class->transform_caps = gst_vkc_tonemap_transform_caps;
  trans_class->fixate_caps = gst_vkc_tonemap_fixate_caps;
  filter_class->set_info = gst_vkc_tonemap_set_info;
  filter_class->plan = gst_vkc_tonemap_plan;
  filter_class->add_stats = gst_vkc_tonemap_add_stats;
  filter_class->reset = gst_vkc_tonemap_reset;
  install_properties (object_class);

  gst_element_class_add_pad_template (
      element_class,
      gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_add_pad_template (
      element_class,
      gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
  gst_caps_unref (caps);
  gst_element_class_set_static_metadata (
      element_class, "Vulkan tone mapper", "Filter/Effect/Video",
      "Maps HDR10 and HLG video to SDR on a Vulkan device", "gst-vkcompute");
}

static void
gst_vkc_tonemap_init (GstVkcTonemap *self)
{
  self->kernel = colorkernel_new ();
  self->settings = (struct color_settings){ .tone_map = true,
                                            .curve = DEFAULT_CURVE,
                                            .mode = COLOR_TONE_MAX,
                                            .gamut = DEFAULT_GAMUT };
}
