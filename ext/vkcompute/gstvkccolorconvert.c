/* vkcolorconvert: format and colorimetry, colorimetrically exact. */
#include "gstvkccolorconvert.h"

#include "colorcaps.h"
#include "colorkernel.h"
#include "gst/base/gstvkccaps.h"

GST_DEBUG_CATEGORY_STATIC (gst_vkc_color_convert_debug);
#define GST_CAT_DEFAULT gst_vkc_color_convert_debug

struct _GstVkcColorConvert
{
  GstVkcFilter parent;
  struct colorkernel *kernel;
};

G_DEFINE_TYPE (GstVkcColorConvert, gst_vkc_color_convert, GST_TYPE_VKC_FILTER)
GST_ELEMENT_REGISTER_DEFINE (vkcolorconvert, "vkcolorconvert", GST_RANK_NONE,
                             GST_TYPE_VKC_COLOR_CONVERT)

static GstCaps *
gst_vkc_color_convert_transform_caps (GstBaseTransform *trans,
                                      GstPadDirection direction, GstCaps *caps,
                                      GstCaps *filter)
{
  return gst_vkc_caps_transform (caps, GST_VKC_CAPS_ALL, color_formats, filter);
}

static GstCaps *
gst_vkc_color_convert_fixate_caps (GstBaseTransform *trans,
                                   GstPadDirection direction, GstCaps *caps,
                                   GstCaps *othercaps)
{
  const GstStructure *in = gst_caps_get_structure (caps, 0);
  GstStructure *out;

  othercaps = gst_vkc_caps_fixate_format_like (
      othercaps,
      gst_video_format_from_string (gst_structure_get_string (in, "format")));
  if (gst_caps_is_empty (othercaps))
    return othercaps;
  othercaps = gst_caps_make_writable (othercaps);
  out = gst_caps_get_structure (othercaps, 0);
  color_fixate (out, in, NULL);
  othercaps = gst_caps_fixate (othercaps);
  color_keep_hdr_metadata (gst_caps_get_structure (othercaps, 0), in);
  return othercaps;
}

static gboolean
gst_vkc_color_convert_set_info (GstVkcFilter *filter, GstCaps *in_caps,
                                const GstVideoInfo *in, GstCaps *out_caps,
                                const GstVideoInfo *out, GError **error)
{
  GstVkcColorConvert *self = GST_VKC_COLOR_CONVERT (filter);
  const struct color_settings settings = { .tone_map = false };

  if (!colorkernel_set_info (self->kernel, gst_vkc_filter_get_device (filter),
                             in_caps, in, out_caps, out, &settings, error))
    return FALSE;
  gst_base_transform_set_passthrough (GST_BASE_TRANSFORM (filter),
                                      colorkernel_is_identity (self->kernel));
  return TRUE;
}

static gboolean
gst_vkc_color_convert_plan (GstVkcFilter *filter, const GstVkcFrame *in,
                            const GstVkcFrame *out, struct vkc_job *job,
                            GError **error)
{
  return colorkernel_plan (GST_VKC_COLOR_CONVERT (filter)->kernel, in, out, job,
                           error);
}

static void
gst_vkc_color_convert_add_stats (GstVkcFilter *filter, GstStructure *element)
{
  colorkernel_add_stats (GST_VKC_COLOR_CONVERT (filter)->kernel, element);
}

static void
gst_vkc_color_convert_reset (GstVkcFilter *filter)
{
  colorkernel_reset (GST_VKC_COLOR_CONVERT (filter)->kernel);
}

static void
gst_vkc_color_convert_finalize (GObject *object)
{
  colorkernel_free (GST_VKC_COLOR_CONVERT (object)->kernel);
  G_OBJECT_CLASS (gst_vkc_color_convert_parent_class)->finalize (object);
}

static void
gst_vkc_color_convert_class_init (GstVkcColorConvertClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstVkcFilterClass *filter_class = GST_VKC_FILTER_CLASS (klass);
  GstCaps *caps = gst_vkc_caps_template (color_formats);

  GST_DEBUG_CATEGORY_INIT (gst_vkc_color_convert_debug, "vkcolorconvert", 0,
                           "Vulkan colour conversion");
  object_class->finalize = gst_vkc_color_convert_finalize;
  trans_class->transform_caps = gst_vkc_color_convert_transform_caps;
  trans_class->fixate_caps = gst_vkc_color_convert_fixate_caps;
  filter_class->set_info = gst_vkc_color_convert_set_info;
  filter_class->plan = gst_vkc_color_convert_plan;
  filter_class->add_stats = gst_vkc_color_convert_add_stats;
  filter_class->reset = gst_vkc_color_convert_reset;

  gst_element_class_add_pad_template (
      element_class,
      gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_add_pad_template (
      element_class,
      gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
  gst_caps_unref (caps);
  gst_element_class_set_static_metadata (
      element_class, "Vulkan colour converter",
      "Filter/Converter/Video/Colorspace",
      "Converts pixel formats and colorimetry on a Vulkan device",
      "gst-vkcompute");
}

static void
gst_vkc_color_convert_init (GstVkcColorConvert *self)
{
  self->kernel = colorkernel_new ();
}
