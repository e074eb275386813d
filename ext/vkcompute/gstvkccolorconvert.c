/* vkcolorconvert: format and colorimetry, colorimetrically exact, and shape. */
#include "colorcaps.h"
#include "gst/base/gstvkccaps.h"
#include "gstvkccolorconvert-private.h"
#include "sizecaps.h"

GST_DEBUG_CATEGORY_STATIC (gst_vkc_color_convert_debug);
#define GST_CAT_DEFAULT gst_vkc_color_convert_debug

/* Its one property is all that there is. */
static void
gst_vkc_color_convert_direction_init (GstVideoDirectionInterface *iface)
{
}

G_DEFINE_TYPE_WITH_CODE (
    GstVkcColorConvert, gst_vkc_color_convert, GST_TYPE_VKC_FILTER,
    G_IMPLEMENT_INTERFACE (GST_TYPE_VIDEO_DIRECTION,
                           gst_vkc_color_convert_direction_init))
GST_ELEMENT_REGISTER_DEFINE (vkcolorconvert, "vkcolorconvert", GST_RANK_NONE,
                             GST_TYPE_VKC_COLOR_CONVERT)

static GstCaps *
gst_vkc_color_convert_transform_caps (GstBaseTransform *trans,
                                      GstPadDirection direction, GstCaps *caps,
                                      GstCaps *filter)
{
  return gst_vkc_caps_transform (caps, GST_VKC_CAPS_ALL | GST_VKC_CAPS_SIZE,
                                 color_formats, filter);
}

static GstCaps *
gst_vkc_color_convert_fixate_caps (GstBaseTransform *trans,
                                   GstPadDirection direction, GstCaps *caps,
                                   GstCaps *othercaps)
{
  const GstStructure *in = gst_caps_get_structure (caps, 0);
  struct size_shape size;
  GstStructure *out;

  othercaps = gst_vkc_caps_fixate_format_like (
      othercaps,
      gst_video_format_from_string (gst_structure_get_string (in, "format")));
  if (gst_caps_is_empty (othercaps))
    return othercaps;
  othercaps = gst_caps_make_writable (othercaps);
  out = gst_caps_get_structure (othercaps, 0);
  size_shape_from_structure (
      &size, in, gst_vkc_color_convert_turns (GST_VKC_COLOR_CONVERT (trans)));
  size_fixate (out, &size);
  color_fixate (out, in, NULL);
  othercaps = gst_caps_fixate (othercaps);
  color_keep_hdr_metadata (gst_caps_get_structure (othercaps, 0), in);
  return othercaps;
}

/* Input frames as they come, crops included. */
static void
get_whole (const GstVkcColorConvert *self, const GstVideoInfo *in,
           GstVideoInfo *whole)
{
  const GstVideoMeta size
      = { .width = self->crop.width, .height = self->crop.height };

  *whole = *in;
  if (self->crop.is_there)
    gst_vkc_filter_whole_info (whole, in, &size);
}

static void
set_shape (GstVkcColorConvert *self, const struct color_shape *shape,
           gboolean shapes)
{
  GST_OBJECT_LOCK (self);
  self->shape = *shape;
  self->shapes = shapes;
  GST_OBJECT_UNLOCK (self);
}

static gboolean
gst_vkc_color_convert_set_info (GstVkcFilter *filter, GstCaps *in_caps,
                                const GstVideoInfo *in, GstCaps *out_caps,
                                const GstVideoInfo *out, GError **error)
{
  GstVkcColorConvert *self = GST_VKC_COLOR_CONVERT (filter);
  struct vkc_device *device = gst_vkc_filter_get_device (filter);
  struct color_settings settings = { .tone_map = false };
  struct shape_settings shape_settings;
  struct color_shape shape;
  GstVideoInfo whole;
  gboolean shapes;

  get_whole (self, in, &whole);
  shapes = gst_vkc_color_convert_find_shape (self, &whole, out, &shape,
                                             &shape_settings);
  if (shapes) {
    if (!shapekernel_set_info (self->shaper, device, in_caps, &whole, out_caps,
                               out, &shape, &shape_settings, error))
      return FALSE;
  } else {
    shapekernel_reset (self->shaper);
    settings.dither = shape_settings.dither;
    settings.reference_white = shape_settings.reference_white;
    if (!colorkernel_set_info (self->kernel, device, in_caps, in, out_caps, out,
                               &settings, error))
      return FALSE;
  }
  set_shape (self, &shape, shapes);
  gst_base_transform_set_passthrough (
      GST_BASE_TRANSFORM (filter),
      !shapes && colorkernel_is_identity (self->kernel));
  return TRUE;
}

static gboolean
gst_vkc_color_convert_plan (GstVkcFilter *filter, const GstVkcFrame *in,
                            const GstVkcFrame *out, struct vkc_job *job,
                            GError **error)
{
  GstVkcColorConvert *self = GST_VKC_COLOR_CONVERT (filter);

  return self->shapes ? shapekernel_plan (self->shaper, in, out, job, error)
                      : colorkernel_plan (self->kernel, in, out, job, error);
}

static void
gst_vkc_color_convert_add_stats (GstVkcFilter *filter, GstStructure *element)
{
  colorkernel_add_stats (GST_VKC_COLOR_CONVERT (filter)->kernel, element);
}

static void
gst_vkc_color_convert_reset (GstVkcFilter *filter)
{
  GstVkcColorConvert *self = GST_VKC_COLOR_CONVERT (filter);

  self->crop.is_there = FALSE;
  colorkernel_reset (self->kernel);
  shapekernel_reset (self->shaper);
}

static void
gst_vkc_color_convert_finalize (GObject *object)
{
  colorkernel_free (GST_VKC_COLOR_CONVERT (object)->kernel);
  shapekernel_free (GST_VKC_COLOR_CONVERT (object)->shaper);
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
  filter_class->crops = TRUE;
  gst_vkc_color_convert_class_init_shape (object_class);
  gst_vkc_color_convert_class_init_stream (trans_class);

  gst_element_class_add_pad_template (
      element_class,
      gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_add_pad_template (
      element_class,
      gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
  gst_caps_unref (caps);
  gst_element_class_set_static_metadata (
      element_class, "Vulkan colour converter",
      "Filter/Converter/Video/Scaler/Colorspace",
      "Converts pixel formats, colorimetry and size on a Vulkan device",
      "gst-vkcompute");
}

static void
gst_vkc_color_convert_init (GstVkcColorConvert *self)
{
  self->kernel = colorkernel_new ();
  self->shaper = shapekernel_new ();
  gst_vkc_color_convert_init_shape (self);
}
