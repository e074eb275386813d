/* GstVkcCompute: negotiation. */
#include "computecaps.h"
#include "gst/base/gstvkcdrm.h"
#include "gstvkccompute-private.h"
#include "navigation.h"
#include "placedmetas.h"

GST_DEBUG_CATEGORY_EXTERN (gst_vkc_compute_debug);
#define GST_CAT_DEFAULT gst_vkc_compute_debug

static GstBaseTransformClass *parent_class;

static GstCaps *
gst_vkc_compute_transform_caps (GstVkcFilter *base, GstPadDirection direction,
                                GstCaps *caps, GstCaps *filter)
{
  GstVkcCompute *self = GST_VKC_COMPUTE (base);
  struct compute_program *program = gst_vkc_compute_get_program (self);
  struct compute_settings settings;
  GstCaps *result;

  gst_vkc_compute_get_settings (self, &settings);
  result = compute_caps_transform (program, &settings, direction, caps, filter);
  if (gst_caps_is_empty (result) && !gst_caps_is_empty (caps) && filter == NULL)
    GST_WARNING_OBJECT (self, "the shader takes none of %" GST_PTR_FORMAT,
                        caps);
  compute_settings_clear (&settings);
  compute_program_unref (program);
  return result;
}

/* Caps that come in and do not fit end in not-negotiated, upstream and without
 * a reason. This is the reason, once for each shader and format. */
static void
explain_refusal (GstVkcCompute *self, GstCaps *caps)
{
  struct compute_program *program = gst_vkc_compute_get_program (self);
  g_auto (GStrv) names
      = program != NULL ? compute_caps_natives (program, GST_PAD_SINK) : NULL;
  GstVideoInfo info;

  if (names != NULL && gst_caps_is_fixed (caps)
      && gst_vkc_video_info_from_caps (&info, caps, NULL)
      && !g_strv_contains ((const gchar *const *)names,
                           GST_VIDEO_INFO_NAME (&info))
      && self->explained != GST_VIDEO_INFO_FORMAT (&info)) {
    const enum frame_role role = compute_program_is_in_place (program)
                                     ? FRAME_ROLE_TARGET
                                     : FRAME_ROLE_SOURCE;
    g_autofree gchar *what = compute_program_describe (program, role);
    g_autofree gchar *list = g_strjoinv (", ", names);

    self->explained = GST_VIDEO_INFO_FORMAT (&info);
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS,
                         ("%s: %s takes %s, not %s", program->name, what, list,
                          GST_VIDEO_INFO_NAME (&info)),
                         ("vkcolorconvert or videoconvert before the element "
                          "make what it takes"));
  }
  compute_program_unref (program);
}

static gboolean
gst_vkc_compute_accept_caps (GstBaseTransform *trans, GstPadDirection direction,
                             GstCaps *caps)
{
  const gboolean ok = parent_class->accept_caps (trans, direction, caps);

  if (!ok && direction == GST_PAD_SINK)
    explain_refusal (GST_VKC_COMPUTE (trans), caps);
  return ok;
}

static GstCaps *
gst_vkc_compute_fixate_caps (GstVkcFilter *base, GstPadDirection direction,
                             GstCaps *caps, GstCaps *othercaps)
{
  GstVkcCompute *self = GST_VKC_COMPUTE (base);
  struct compute_program *program = gst_vkc_compute_get_program (self);
  struct compute_settings settings;

  gst_vkc_compute_get_settings (self, &settings);
  othercaps
      = compute_caps_fixate (program, &settings, direction, caps, othercaps);
  compute_settings_clear (&settings);
  compute_program_unref (program);
  return othercaps;
}

/* What @pad can have by what the peer of @other has. */
static GstCaps *
query_through (GstBaseTransform *trans, GstPad *pad, GstPad *other,
               GstCaps *filter)
{
  const GstPadDirection direction = GST_PAD_DIRECTION (pad);
  GstBaseTransformClass *klass = GST_BASE_TRANSFORM_GET_CLASS (trans);
  g_autoptr (GstCaps) own = gst_pad_get_pad_template_caps (pad);
  g_autoptr (GstCaps) others = gst_pad_get_pad_template_caps (other);
  g_autoptr (GstCaps) wanted
      = filter != NULL ? klass->transform_caps (trans, direction, filter, NULL)
                       : NULL;
  g_autoptr (GstCaps) peer = gst_pad_peer_query_caps (other, wanted);
  g_autoptr (GstCaps) possible
      = gst_caps_intersect_full (peer, others, GST_CAPS_INTERSECT_FIRST);
  g_autoptr (GstCaps) caps = klass->transform_caps (
      trans, GST_PAD_DIRECTION (other), possible, filter);

  return gst_caps_intersect_full (caps, own, GST_CAPS_INTERSECT_FIRST);
}

/* As the base class does it, but for one thing: that puts first what would be
 * the same on both pads, for the sake of a passthrough. Here that may cost
 * conversions, and there is none. */
static gboolean
gst_vkc_compute_query (GstBaseTransform *trans, GstPadDirection direction,
                       GstQuery *query)
{
  const gboolean is_sink = direction == GST_PAD_SINK;
  GstPad *sink = GST_BASE_TRANSFORM_SINK_PAD (trans);
  GstPad *src = GST_BASE_TRANSFORM_SRC_PAD (trans);
  GstCaps *filter, *caps;

  if (GST_QUERY_TYPE (query) != GST_QUERY_CAPS)
    return parent_class->query (trans, direction, query);
  gst_query_parse_caps (query, &filter);
  caps = query_through (trans, is_sink ? sink : src, is_sink ? src : sink,
                        filter);
  gst_query_set_caps_result (query, caps);
  gst_caps_unref (caps);
  return TRUE;
}

/* The whole of what @pad has. */
static gboolean
get_rect (GstPad *pad, struct color_rect *rect)
{
  GstCaps *caps = gst_pad_get_current_caps (pad);
  const GstStructure *structure
      = caps != NULL ? gst_caps_get_structure (caps, 0) : NULL;
  const gboolean ok
      = structure != NULL
        && gst_structure_get_int (structure, "width", &rect->width)
        && gst_structure_get_int (structure, "height", &rect->height);

  gst_clear_caps (&caps);
  return ok;
}

/* Where the sizes differ, the output shows the whole input. What else a shader
 * does with places is its own. FALSE: they are the same. */
static gboolean
get_shape (GstBaseTransform *trans, struct color_shape *shape)
{
  *shape = (struct color_shape){ .transpose = false };
  return get_rect (GST_BASE_TRANSFORM_SINK_PAD (trans), &shape->crop)
         && get_rect (GST_BASE_TRANSFORM_SRC_PAD (trans), &shape->picture)
         && (shape->crop.width != shape->picture.width
             || shape->crop.height != shape->picture.height);
}

static gboolean
gst_vkc_compute_src_event (GstBaseTransform *trans, GstEvent *event)
{
  struct color_shape shape;

  if (get_shape (trans, &shape))
    event = navigation_to_source (event, &shape);
  return parent_class->src_event (trans, event);
}

static gboolean
gst_vkc_compute_transform_meta (GstBaseTransform *trans, GstBuffer *output,
                                GstMeta *meta, GstBuffer *input)
{
  struct color_shape shape;

  if (get_shape (trans, &shape) && placed_meta_move (&shape, output, meta))
    return FALSE;
  return parent_class->transform_meta (trans, output, meta, input);
}

void
gst_vkc_compute_class_init_caps (GstBaseTransformClass *klass)
{
  parent_class = g_type_class_peek_parent (klass);
  klass->query = gst_vkc_compute_query;
  klass->accept_caps = gst_vkc_compute_accept_caps;
  klass->src_event = gst_vkc_compute_src_event;
  klass->transform_meta = gst_vkc_compute_transform_meta;
  GST_VKC_FILTER_CLASS (klass)->transform_caps = gst_vkc_compute_transform_caps;
  GST_VKC_FILTER_CLASS (klass)->fixate_caps = gst_vkc_compute_fixate_caps;
}
