/* vkcolorconvert: format and colorimetry, colorimetrically exact, and shape. */
#include "colorcaps.h"
#include "gst/base/gstvkccaps.h"
#include "gst/vk/recorder.h"
#include "gstvkccolorconvert-private.h"
#include "hdrwarning.h"
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
gst_vkc_color_convert_transform_caps (GstVkcFilter *self,
                                      GstPadDirection direction, GstCaps *caps,
                                      GstCaps *filter)
{
  return gst_vkc_caps_transform (caps, GST_VKC_CAPS_ALL | GST_VKC_CAPS_SIZE,
                                 color_formats, filter);
}

static GstCaps *
gst_vkc_color_convert_fixate_caps (GstVkcFilter *filter,
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
      &size, in, gst_vkc_color_convert_turns (GST_VKC_COLOR_CONVERT (filter)));
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

static struct color_rect
get_crop (const GstVkcColorConvert *self, const GstVideoInfo *whole)
{
  return self->crop.is_there
             ? self->crop.rect
             : (struct color_rect){ 0, 0, GST_VIDEO_INFO_WIDTH (whole),
                                    GST_VIDEO_INFO_HEIGHT (whole) };
}

static gboolean
set_frames (GstVkcColorConvert *self, const struct converter_caps *caps,
            GError **error)
{
  struct vkc_device *device = gst_vkc_filter_get_device (GST_VKC_FILTER (self));
  const struct color_rect crop = get_crop (self, &caps->in);
  struct shape_settings settings;
  struct color_shape shape;
  const gboolean shapes = gst_vkc_color_convert_find_shape (
      self, &caps->in, &crop, &caps->out, &shape, &settings);

  if (!converter_set_info (self->converters[COLOR_ROWS_FRAME], device, caps,
                           shapes ? &shape : NULL, &settings, error))
    return FALSE;
  set_shape (self, &shape, shapes);
  return TRUE;
}

static gboolean
set_field (GstVkcColorConvert *self, const struct converter_caps *caps,
           enum color_rows rows, GError **error)
{
  struct vkc_device *device = gst_vkc_filter_get_device (GST_VKC_FILTER (self));
  struct converter_caps field = *caps;
  struct shape_settings settings;
  struct color_shape shape;
  struct color_rect crop;
  gboolean shapes;

  converter_field_info (&field.in, &caps->in, rows);
  converter_field_info (&field.out, &caps->out, rows);
  crop = get_crop (self, &field.in);
  if (self->crop.is_there) {
    crop.y /= 2;
    crop.height = MAX (crop.height / 2, 1);
  }
  shapes = gst_vkc_color_convert_find_shape (self, &field.in, &crop, &field.out,
                                             &shape, &settings);
  return converter_set_info (self->converters[rows], device, &field,
                             shapes ? &shape : NULL, &settings, error);
}

/* A turned frame has no fields. */
static gboolean
set_fields (GstVkcColorConvert *self, const struct converter_caps *caps,
            GError **error)
{
  self->has_fields = FALSE;
  if (gst_vkc_color_convert_turns (self)
      || !converter_needs_fields (self->converters[COLOR_ROWS_FRAME]))
    return TRUE;
  if (!set_field (self, caps, COLOR_ROWS_TOP, error)
      || !set_field (self, caps, COLOR_ROWS_BOTTOM, error))
    return FALSE;
  self->has_fields = TRUE;
  return TRUE;
}

/* Buffers with a field each. Places in events are the frame's all the same. */
static gboolean
set_lone_fields (GstVkcColorConvert *self, const struct converter_caps *caps,
                 GError **error)
{
  const struct color_rect crop = get_crop (self, &caps->in);
  struct shape_settings settings;
  struct color_shape shape;

  set_shape (self, &shape,
             gst_vkc_color_convert_find_shape (self, &caps->in, &crop,
                                               &caps->out, &shape, &settings));
  return set_field (self, caps, COLOR_ROWS_TOP_ALONE, error)
         && set_field (self, caps, COLOR_ROWS_BOTTOM_ALONE, error);
}

/* The converter that all that there is goes through. */
static struct converter *
main_converter (GstVkcColorConvert *self)
{
  return self->converters[g_atomic_int_get (&self->has_lone_fields)
                              ? COLOR_ROWS_TOP_ALONE
                              : COLOR_ROWS_FRAME];
}

/* Who only repacks frames leaves it to others what their colours are. */
static void
warn (GstVkcColorConvert *self, const gchar *text)
{
  if (self->decodes && hdr_warning_is_about_colours (text))
    hdr_warning_post (GST_ELEMENT (self), text, &self->warned);
}

static gboolean
gst_vkc_color_convert_set_info (GstVkcFilter *filter, GstCaps *in_caps,
                                const GstVideoInfo *in, GstCaps *out_caps,
                                const GstVideoInfo *out, GError **error)
{
  GstVkcColorConvert *self = GST_VKC_COLOR_CONVERT (filter);
  struct converter_caps caps
      = { .in_caps = in_caps, .out_caps = out_caps, .out = *out };
  const gboolean alone
      = GST_VIDEO_INFO_INTERLACE_MODE (in) == GST_VIDEO_INTERLACE_MODE_ALTERNATE;

  get_whole (self, in, &caps.in);
  g_atomic_int_set (&self->has_lone_fields, alone);
  if (alone ? !set_lone_fields (self, &caps, error)
            : !set_frames (self, &caps, error)
                  || !set_fields (self, &caps, error))
    return FALSE;
  self->decodes = !gst_video_colorimetry_is_equal (&in->colorimetry,
                                                   &out->colorimetry);
  warn (self, hdr_warning_of_caps (in_caps));
  gst_base_transform_set_passthrough (
      GST_BASE_TRANSFORM (filter),
      converter_is_identity (main_converter (self)));
  return TRUE;
}

static gboolean
plan_top (GstVkcColorConvert *self, const GstVkcFrame *in,
          const GstVkcFrame *out, const struct vkc_job *job, GError **error)
{
  struct vkc_job *step = converter_new_step (self->converters[COLOR_ROWS_TOP],
                                             in, out, job, error);

  return step != NULL
         && vkc_recorder_append (vkc_image_device (out->image)->recorder, step,
                                 error);
}

static gboolean
gst_vkc_color_convert_plan (GstVkcFilter *filter, const GstVkcFrame *in,
                            const GstVkcFrame *out, struct vkc_job *job,
                            GError **error)
{
  GstVkcColorConvert *self = GST_VKC_COLOR_CONVERT (filter);

  if (self->warned == NULL)
    warn (self, hdr_warning_of_buffer (in->buffer));
  if (self->has_lone_fields && GST_VIDEO_BUFFER_IS_BOTTOM_FIELD (in->buffer))
    return converter_plan (self->converters[COLOR_ROWS_BOTTOM_ALONE], in, out,
                           job, error);
  if (!self->has_lone_fields && self->has_fields
      && converter_is_interlaced (self->converters[COLOR_ROWS_FRAME],
                                  in->buffer))
    return plan_top (self, in, out, job, error)
           && converter_plan (self->converters[COLOR_ROWS_BOTTOM], in, out, job,
                              error);
  return converter_plan (main_converter (self), in, out, job, error);
}

static void
gst_vkc_color_convert_add_stats (GstVkcFilter *filter, GstStructure *element)
{
  converter_add_stats (main_converter (GST_VKC_COLOR_CONVERT (filter)),
                       element);
}

static void
gst_vkc_color_convert_reset (GstVkcFilter *filter)
{
  GstVkcColorConvert *self = GST_VKC_COLOR_CONVERT (filter);

  self->crop.is_there = FALSE;
  self->warned = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (self->converters); i++)
    converter_reset (self->converters[i]);
}

static void
gst_vkc_color_convert_finalize (GObject *object)
{
  GstVkcColorConvert *self = GST_VKC_COLOR_CONVERT (object);

  for (guint i = 0; i < G_N_ELEMENTS (self->converters); i++)
    converter_free (self->converters[i]);
  G_OBJECT_CLASS (gst_vkc_color_convert_parent_class)->finalize (object);
}

static void
gst_vkc_color_convert_class_init (GstVkcColorConvertClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstVkcFilterClass *filter_class = GST_VKC_FILTER_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (gst_vkc_color_convert_debug, "vkcolorconvert", 0,
                           "Vulkan colour conversion");
  object_class->finalize = gst_vkc_color_convert_finalize;
  filter_class->transform_caps = gst_vkc_color_convert_transform_caps;
  filter_class->fixate_caps = gst_vkc_color_convert_fixate_caps;
  filter_class->set_info = gst_vkc_color_convert_set_info;
  filter_class->plan = gst_vkc_color_convert_plan;
  filter_class->add_stats = gst_vkc_color_convert_add_stats;
  filter_class->reset = gst_vkc_color_convert_reset;
  filter_class->crops = TRUE;
  filter_class->fields = TRUE;
  gst_vkc_color_convert_class_init_shape (object_class);
  gst_vkc_color_convert_class_init_stream (trans_class);

  gst_vkc_filter_class_add_pads (element_class,
                                 gst_vkc_caps_template (color_formats));
  gst_element_class_set_static_metadata (
      element_class, "Vulkan colour converter",
      "Filter/Converter/Video/Scaler/Colorspace",
      "Converts pixel formats, colorimetry and size on a Vulkan device",
      "gst-vkcompute");
}

static void
gst_vkc_color_convert_init (GstVkcColorConvert *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->converters); i++)
    self->converters[i] = converter_new ((enum color_rows)i);
  gst_vkc_color_convert_init_shape (self);
}
