/* vkcolorconvert: properties about shapes, and the shape that follows. */
#include "ditherproperty.h"
#include "gstvkccolorconvert-private.h"
#include "shapefilter.h"
#include "sizecaps.h"

#define DEFAULT_METHOD       COLOR_FILTER_BICUBIC
#define DEFAULT_ADD_BORDERS  TRUE
#define DEFAULT_BORDER_COLOR 0xff000000

enum
{
  PROP_0,
  PROP_SCALING_METHOD,
  PROP_LINEAR_LIGHT,
  PROP_ADD_BORDERS,
  PROP_BORDER_COLOR,
  PROP_VIDEO_DIRECTION,
  PROP_DITHER,
  PROP_REFERENCE_WHITE,
};

#define GST_TYPE_VKC_SCALING_METHOD (gst_vkc_scaling_method_get_type ())
static GType
gst_vkc_scaling_method_get_type (void)
{
  static const GEnumValue values[] = {
    { COLOR_FILTER_NEAREST, "Nearest sample", "nearest" },
    { COLOR_FILTER_BILINEAR, "Triangle", "bilinear" },
    { COLOR_FILTER_BICUBIC, "Catmull-Rom cubic", "bicubic" },
    { COLOR_FILTER_MITCHELL, "Cubic of Mitchell and Netravali", "mitchell" },
    { COLOR_FILTER_LANCZOS, "Windowed sinc with three lobes", "lanczos" },
    { COLOR_FILTER_AREA, "Mean over the area", "area" },
    { 0, NULL, NULL },
  };
  static gsize type;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
                       g_enum_register_static ("GstVkcScalingMethod", values));
  return type;
}

GstVideoOrientationMethod
gst_vkc_color_convert_get_direction (GstVkcColorConvert *self)
{
  GstVideoOrientationMethod direction;

  GST_OBJECT_LOCK (self);
  direction = self->properties.direction;
  if (direction == GST_VIDEO_ORIENTATION_AUTO)
    direction = self->properties.tagged;
  GST_OBJECT_UNLOCK (self);
  return direction;
}

static void
set_turn (struct color_shape *shape, GstVideoOrientationMethod direction)
{
  switch (direction) {
  case GST_VIDEO_ORIENTATION_90R:
    shape->transpose = shape->flip_y = true;
    break;
  case GST_VIDEO_ORIENTATION_180:
    shape->flip_x = shape->flip_y = true;
    break;
  case GST_VIDEO_ORIENTATION_90L:
    shape->transpose = shape->flip_x = true;
    break;
  case GST_VIDEO_ORIENTATION_HORIZ:
    shape->flip_x = true;
    break;
  case GST_VIDEO_ORIENTATION_VERT:
    shape->flip_y = true;
    break;
  case GST_VIDEO_ORIENTATION_UL_LR:
    shape->transpose = true;
    break;
  case GST_VIDEO_ORIENTATION_UR_LL:
    shape->transpose = shape->flip_x = shape->flip_y = true;
    break;
  default:
    break;
  }
}

gboolean
gst_vkc_color_convert_turns (GstVkcColorConvert *self)
{
  struct color_shape shape = { .transpose = false };

  set_turn (&shape, gst_vkc_color_convert_get_direction (self));
  return shape.transpose;
}

void
gst_vkc_color_convert_set_tagged (GstVkcColorConvert *self,
                                  GstVideoOrientationMethod tagged)
{
  gboolean changed;

  GST_OBJECT_LOCK (self);
  changed = self->properties.tagged != tagged
            && self->properties.direction == GST_VIDEO_ORIENTATION_AUTO;
  self->properties.tagged = tagged;
  GST_OBJECT_UNLOCK (self);
  if (changed)
    gst_vkc_filter_reconfigure (GST_VKC_FILTER (self));
}

/* The whole target, or the part of it that keeps the display aspect ratio. */
static struct color_rect
find_picture (const struct color_shape *shape, const GstVideoInfo *in,
              const GstVideoInfo *out, gboolean add_borders)
{
  const gint width = GST_VIDEO_INFO_WIDTH (out);
  const gint height = GST_VIDEO_INFO_HEIGHT (out);
  const gboolean subsampled = GST_VIDEO_INFO_N_COMPONENTS (out) > 2;
  struct size_shape picture
      = { shape->crop.width, shape->crop.height, GST_VIDEO_INFO_PAR_N (in),
          GST_VIDEO_INFO_PAR_D (in) };
  gdouble aspect = size_shape_aspect (&picture);

  if (!add_borders)
    return (struct color_rect){ 0, 0, width, height };
  if (shape->transpose)
    aspect = 1 / aspect;
  return color_shape_letterbox (
      width, height,
      aspect * GST_VIDEO_INFO_PAR_D (out) / GST_VIDEO_INFO_PAR_N (out),
      subsampled ? 1 << GST_VIDEO_FORMAT_INFO_W_SUB (out->finfo, 1) : 1,
      subsampled ? 1 << GST_VIDEO_FORMAT_INFO_H_SUB (out->finfo, 1) : 1);
}

gboolean
gst_vkc_color_convert_find_shape (GstVkcColorConvert *self,
                                  const GstVideoInfo *in,
                                  const struct color_rect *crop,
                                  const GstVideoInfo *out,
                                  struct color_shape *shape,
                                  struct shape_settings *settings)
{
  const GstVideoOrientationMethod direction
      = gst_vkc_color_convert_get_direction (self);
  gboolean add_borders;

  GST_OBJECT_LOCK (self);
  *settings = self->properties.settings;
  add_borders = self->properties.add_borders;
  GST_OBJECT_UNLOCK (self);
  *shape = (struct color_shape){ .crop = *crop };
  set_turn (shape, direction);
  shape->picture = find_picture (shape, in, out, add_borders);
  return crop->width != GST_VIDEO_INFO_WIDTH (in)
         || crop->height != GST_VIDEO_INFO_HEIGHT (in)
         || direction != GST_VIDEO_ORIENTATION_IDENTITY || shape_scales (shape)
         || shape->picture.width != GST_VIDEO_INFO_WIDTH (out)
         || shape->picture.height != GST_VIDEO_INFO_HEIGHT (out);
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GstVkcColorConvert *self = GST_VKC_COLOR_CONVERT (object);
  struct shape_properties *p = &self->properties;

  if (id == PROP_VIDEO_DIRECTION
      && g_value_get_enum (value) == GST_VIDEO_ORIENTATION_CUSTOM) {
    g_warning ("%s: video-direction=custom says nothing of a direction and is "
               "ignored",
               GST_OBJECT_NAME (self));
    return;
  }
  GST_OBJECT_LOCK (self);
  switch (id) {
  case PROP_SCALING_METHOD:
    p->settings.method = g_value_get_enum (value);
    break;
  case PROP_LINEAR_LIGHT:
    p->settings.linear_light = g_value_get_boolean (value);
    break;
  case PROP_ADD_BORDERS:
    p->add_borders = g_value_get_boolean (value);
    break;
  case PROP_BORDER_COLOR:
    p->settings.border = g_value_get_uint (value);
    break;
  case PROP_VIDEO_DIRECTION:
    p->direction = g_value_get_enum (value);
    break;
  case PROP_DITHER:
    p->settings.dither = g_value_get_enum (value);
    break;
  case PROP_REFERENCE_WHITE:
    p->settings.reference_white = g_value_get_double (value);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    break;
  }
  GST_OBJECT_UNLOCK (self);
  gst_vkc_filter_reconfigure (GST_VKC_FILTER (self));
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GstVkcColorConvert *self = GST_VKC_COLOR_CONVERT (object);
  const struct shape_properties *p = &self->properties;

  GST_OBJECT_LOCK (self);
  switch (id) {
  case PROP_SCALING_METHOD:
    g_value_set_enum (value, p->settings.method);
    break;
  case PROP_DITHER:
    g_value_set_enum (value, p->settings.dither);
    break;
  case PROP_REFERENCE_WHITE:
    g_value_set_double (value, p->settings.reference_white);
    break;
  case PROP_LINEAR_LIGHT:
    g_value_set_boolean (value, p->settings.linear_light);
    break;
  case PROP_ADD_BORDERS:
    g_value_set_boolean (value, p->add_borders);
    break;
  case PROP_BORDER_COLOR:
    g_value_set_uint (value, p->settings.border);
    break;
  case PROP_VIDEO_DIRECTION:
    g_value_set_enum (value, p->direction);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    break;
  }
  GST_OBJECT_UNLOCK (self);
}

void
gst_vkc_color_convert_init_shape (GstVkcColorConvert *self)
{
  self->properties = (struct shape_properties){
    .settings = { .method = DEFAULT_METHOD,
                  .dither = DEFAULT_DITHER,
                  .border = DEFAULT_BORDER_COLOR },
    .add_borders = DEFAULT_ADD_BORDERS,
    .direction = GST_VIDEO_ORIENTATION_IDENTITY,
    .tagged = GST_VIDEO_ORIENTATION_IDENTITY,
  };
}

void
gst_vkc_color_convert_class_init_shape (GObjectClass *klass)
{
  const GParamFlags flags
      = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING;

  klass->set_property = set_property;
  klass->get_property = get_property;
  g_object_class_install_property (
      klass, PROP_SCALING_METHOD,
      g_param_spec_enum ("scaling-method", "Scaling method",
                         "Filter that scales frames. All but nearest grow "
                         "when frames get smaller, so that nothing is left out",
                         GST_TYPE_VKC_SCALING_METHOD, DEFAULT_METHOD, flags));
  g_object_class_install_property (
      klass, PROP_LINEAR_LIGHT,
      g_param_spec_boolean ("linear-light", "Linear light",
                            "Mix colours as light does when scaling, not as "
                            "code values. Slower; clips what is no R'G'B' "
                            "between black and white",
                            FALSE, flags));
  g_object_class_install_property (
      klass, PROP_ADD_BORDERS,
      g_param_spec_boolean ("add-borders", "Add borders",
                            "Keep the display aspect ratio by borders around "
                            "the picture where the caps do not keep it",
                            DEFAULT_ADD_BORDERS, flags));
  g_object_class_install_property (
      klass, PROP_BORDER_COLOR,
      g_param_spec_uint ("border-color", "Border colour",
                         "Colour of borders, 0xAARRGGBB: 8-bit full-range "
                         "R'G'B' of the output's colorimetry",
                         0, G_MAXUINT32, DEFAULT_BORDER_COLOR, flags));
  dither_property_install (klass, PROP_DITHER);
  g_object_class_install_property (
      klass, PROP_REFERENCE_WHITE,
      g_param_spec_double ("reference-white", "Reference white",
                           "Luminance that SDR's white has among PQ and HLG, "
                           "in cd/m2 (0: 203, as in ITU-R BT.2408)",
                           0, 10000, 0, flags | GST_PARAM_CONTROLLABLE));
  g_object_class_override_property (klass, PROP_VIDEO_DIRECTION,
                                    "video-direction");
  gst_type_mark_as_plugin_api (GST_TYPE_VKC_SCALING_METHOD, 0);
}
