/* vktonemap: what it tells: statistics, messages, warnings. */
#include "gstvkctonemap-private.h"
#include "hdrwarning.h"
#include "tonemaptypes.h"

GST_DEBUG_CATEGORY_EXTERN (gst_vkc_tonemap_debug);
#define GST_CAT_DEFAULT gst_vkc_tonemap_debug

static const gchar *
nick_of (GType type, gint value)
{
  g_autoptr (GTypeClass) klass = g_type_class_ref (type);
  const GEnumValue *found = g_enum_get_value (G_ENUM_CLASS (klass), value);

  return found != NULL ? found->value_nick : "";
}

void
gst_vkc_tonemap_take_resolved (GstVkcTonemap *self)
{
  const struct color_plan *plan = colorkernel_get_plan (
      converter_get_kernel (self->converters[COLOR_ROWS_FRAME]));

  GST_OBJECT_LOCK (self);
  self->curve = self->mode = self->gamut = NULL;
  self->view = nick_of (gst_vkc_tonemap_view_get_type (), (gint)plan->view);
  if (plan->tone_mapped) {
    self->curve = nick_of (gst_vkc_tone_curve_get_type (), (gint)plan->curve);
    self->mode = nick_of (gst_vkc_tone_mode_get_type (), (gint)plan->mode);
    self->gamut
        = nick_of (gst_vkc_gamut_mapping_get_type (), (gint)plan->gamut);
  }
  GST_OBJECT_UNLOCK (self);
  if (plan->tone_mapped)
    GST_INFO_OBJECT (self, "%g to %g cd/m2, curve %s, mode %s, gamut %s",
                     plan->source_peak, plan->target_peak, self->curve,
                     self->mode, self->gamut);
}

void
gst_vkc_tonemap_warn (GstVkcTonemap *self, GstBuffer *buffer)
{
  if (self->warned == NULL)
    hdr_warning_post (GST_ELEMENT (self), hdr_warning_of_buffer (buffer),
                      &self->warned);
}

void
gst_vkc_tonemap_warn_of_caps (GstVkcTonemap *self, GstCaps *caps)
{
  static const gchar black[]
      = "A display whose black is more than a quarter of its white was "
        "described by contrast, target-black or hlg-black: a quarter is used";
  const struct color_plan *plan = colorkernel_get_plan (
      converter_get_kernel (self->converters[COLOR_ROWS_FRAME]));
  GstElement *element = GST_ELEMENT (self);

  hdr_warning_post (element, hdr_warning_of_caps (caps), &self->warned);
  if (plan->black_limited && !plan->affine)
    hdr_warning_post (element, black, &self->warned_of_black);
  else
    self->warned_of_black = NULL;
}

void
gst_vkc_tonemap_post_peak (GstVkcTonemap *self)
{
  const gint64 now = g_get_monotonic_time ();
  struct peak_result seen;

  if (!gst_vkc_tonemap_get_settings (self).post_peak
      || now - self->posted < G_USEC_PER_SEC
      || !peakdetector_look (self->detector, &seen))
    return;
  self->posted = now;
  gst_element_post_message (
      GST_ELEMENT (self),
      gst_message_new_element (
          GST_OBJECT (self),
          gst_structure_new ("vkc-peak", "peak", G_TYPE_DOUBLE,
                             (gdouble)seen.peak, "average", G_TYPE_DOUBLE,
                             (gdouble)seen.average, NULL)));
}

static void
add_seen (GstStructure *element, const struct peakdetector *detector)
{
  struct peak_result seen;

  gst_structure_set (element, "peak-detection", G_TYPE_BOOLEAN,
                     detector != NULL, NULL);
  if (detector == NULL || !peakdetector_look (detector, &seen))
    return;
  gst_structure_set (element, "detected-peak", G_TYPE_DOUBLE,
                     (gdouble)seen.peak, "detected-average", G_TYPE_DOUBLE,
                     (gdouble)seen.average, "detected-scenes", G_TYPE_UINT,
                     seen.scenes, "detected-frames", G_TYPE_UINT, seen.frames,
                     "frame-peak", G_TYPE_DOUBLE, (gdouble)seen.frame_peak,
                     "frame-average", G_TYPE_DOUBLE,
                     (gdouble)seen.frame_average, "frame-change", G_TYPE_DOUBLE,
                     (gdouble)seen.moved, NULL);
}

void
gst_vkc_tonemap_add_stats (GstVkcFilter *filter, GstStructure *element)
{
  GstVkcTonemap *self = GST_VKC_TONEMAP (filter);

  converter_add_stats (self->converters[COLOR_ROWS_FRAME], element);
  GST_OBJECT_LOCK (self);
  if (self->curve != NULL)
    gst_structure_set (element, "curve", G_TYPE_STRING, self->curve,
                       "curve-mode", G_TYPE_STRING, self->mode, "gamut-mapping",
                       G_TYPE_STRING, self->gamut, NULL);
  if (self->view != NULL)
    gst_structure_set (element, "view", G_TYPE_STRING, self->view, NULL);
  add_seen (element, self->detector);
  GST_OBJECT_UNLOCK (self);
}
