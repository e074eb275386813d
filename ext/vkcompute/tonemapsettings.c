/* One row a property: its range, and where its value lies. */
#include "tonemapsettings.h"

#include <gst/video/video.h>

#include "ditherproperty.h"
#include "tonemaptypes.h"

#define AT(field) G_STRUCT_OFFSET (struct tonemap_settings, field)

#define FLAGS                                                                  \
  (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING)

static const struct choice
{
  const gchar *name, *nick, *blurb;
  GType (*type) (void);
  gint usual;
  gsize at;
} choices[] = {
  { "preset", "Preset", "Settings that replace some of the others",
    gst_vkc_tonemap_preset_get_type, TONEMAP_PRESET_NONE, AT (preset) },
  { "curve", "Tone curve",
    "How luminance between black and the source's peak becomes luminance "
    "below the target's",
    gst_vkc_tone_curve_get_type, COLOR_CURVE_AUTO, AT (curve) },
  { "curve-mode", "Tone curve's mode", "What the curve is applied to",
    gst_vkc_tone_mode_get_type, COLOR_TONE_AUTO, AT (curve_mode) },
  { "gamut-mapping", "Gamut mapping",
    "What becomes of colours that the target's primaries cannot make",
    gst_vkc_gamut_mapping_get_type, COLOR_GAMUT_AUTO, AT (gamut) },
  { "input-transfer", "Input transfer",
    "Transfer of a source whose signalling is lost; pq and hlg mean BT.2020 "
    "primaries where the caps have BT.709's or none",
    gst_vkc_input_transfer_get_type, TONEMAP_TRANSFER_AUTO,
    AT (input_transfer) },
  { "dither", DITHER_NICK, DITHER_BLURB, gst_vkc_dither_get_type,
    DEFAULT_DITHER, AT (dither) },
  { "lut-mode", "LUT's mode", "What the table of `lut` is applied to",
    gst_vkc_lut_mode_get_type, TONEMAP_LUT_AFTER, AT (lut_mode) },
  { "view", "View",
    "The mapped picture, or how the mapping works; frames whose light does not "
    "change stay as they are",
    gst_vkc_tonemap_view_get_type, COLOR_VIEW_NORMAL, AT (view) },
  { "peak-detection", "Peak detection",
    "Whether the tone curve follows the frames' brightness; source-peak and "
    "preset=reproducible switch it off",
    gst_vkc_peak_detection_get_type, TONEMAP_DETECTION_AUTO, AT (detection) },
};

static const struct flag
{
  const gchar *name, *nick, *blurb;
  gsize at;
} switches[] = {
  { "inverse", "Inverse",
    "SDR that becomes HDR goes through the curve turned around, up to "
    "target-peak (PQ: 1000 cd/m2 unless set); meant for curves spline and "
    "bt2446a",
    AT (inverse) },
  { "post-peak", "Post peak",
    "Post an element message `vkc-peak` with the detected peak and average in "
    "cd/m2, once a second",
    AT (post_peak) },
};

static const struct number
{
  const gchar *name, *nick, *blurb;
  gdouble least, most, usual;
  gsize at;
} numbers[] = {
  { "source-peak", "Source peak",
    "Brightest that the source gets, in cd/m2 (0: MaxCLL, else the mastering "
    "display's peak, else 1000; HLG: hlg-peak)",
    0, 10000, 0, AT (source_peak) },
  { "target-peak", "Target peak",
    "Where the tone curve ends, in cd/m2 (0: the reference white for SDR, the "
    "source's peak for PQ, 1000 for HLG)",
    0, 10000, 0, AT (target_peak) },
  { "target-black", "Target black",
    "Black of the target's display, in cd/m2, as in ITU-R BT.1886 and BT.2390; "
    "at most a quarter of its white counts (0: black stays black)",
    0, 10, 0, AT (target_black) },
  { "contrast", "Contrast",
    "Contrast of the target's display, white to black; replaces target-black; "
    "4 is the least that counts (0: target-black is used)",
    0, 1000000, 0, AT (contrast) },
  { "reference-white", "Reference white",
    "Luminance that SDR's white stands for, in cd/m2 (0: 203, as in ITU-R "
    "BT.2408)",
    0, 10000, 0, AT (reference_white) },
  { "exposure", "Exposure",
    "Brightens the source before the curve, in stops: 1 doubles its light and "
    "its peak",
    -8, 8, 0, AT (exposure) },
  { "saturation", "Saturation",
    "Distance from grey of the same luminance, in linear light behind the "
    "curve, as a factor",
    0, 2, 1, AT (saturation) },
  { "hlg-peak", "HLG peak",
    "Peak of the display that HLG is shown on, in cd/m2: decides the OOTF's "
    "gamma (ITU-R BT.2100, BT.2390) (0: source-peak, else 1000)",
    0, 10000, 0, AT (hlg_peak) },
  { "hlg-black", "HLG black",
    "Black of the display that HLG is shown on, in cd/m2: lifts black as in "
    "ITU-R BT.2100; at most a quarter of hlg-peak counts",
    0, 10, 0, AT (hlg_black) },
  { "spline-pivot", "Spline's pivot",
    "curve=spline: where the curve bends, the scene's average, in cd/m2 (0: "
    "what peak-detection finds, else 10)",
    0, 1000, 0, AT (spline_pivot) },
  { "bt2390-knee-offset", "Knee's offset of BT.2390",
    "curve=bt2390: the knee starts at (1 + x) maxLum - x of the PQ range; the "
    "report's value is 0.5, higher ones bend earlier",
    0.5, 2, 0.5, AT (bt2390_knee_offset) },
  { "mobius-knee", "Mobius' knee",
    "curve=mobius: linear up to this part of the target's peak (0.3: ffmpeg's "
    "default)",
    0.01, 0.99, 0.3, AT (mobius_knee) },
  { "reinhard-contrast", "Reinhard's contrast",
    "curve=reinhard: contrast at the target's peak, without unit (0.5: the "
    "classic curve)",
    0.01, 0.99, 0.5, AT (reinhard_contrast) },
  { "gamma-exponent", "Gamma's exponent",
    "curve=gamma: light relative to the peak is raised to 1 / this (1.8: "
    "ffmpeg's default)",
    1, 4, 1.8, AT (gamma_exponent) },
  { "peak-percentile", "Peak's percentile",
    "The detected peak is above this many percent of the pixels that are not "
    "black; 100: the brightest pixel",
    50, 100, 99.995, AT (percentile) },
  { "smoothing", "Smoothing",
    "Time that the detected peak and average take to follow a scene, in "
    "seconds (0: every frame by itself)",
    0, 60, 1, AT (smoothing) },
};

#define FIRST_SWITCH (1 + G_N_ELEMENTS (choices))
#define FIRST_NUMBER (FIRST_SWITCH + G_N_ELEMENTS (switches))
#define END          (FIRST_NUMBER + G_N_ELEMENTS (numbers))

void
tonemap_settings_install (GObjectClass *klass)
{
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++) {
    const struct choice *c = &choices[i];

    g_object_class_install_property (klass, 1 + i,
                                     g_param_spec_enum (c->name, c->nick,
                                                        c->blurb, c->type (),
                                                        c->usual, FLAGS));
    gst_type_mark_as_plugin_api (c->type (), 0);
  }
  for (guint i = 0; i < G_N_ELEMENTS (switches); i++)
    g_object_class_install_property (
        klass, FIRST_SWITCH + i,
        g_param_spec_boolean (switches[i].name, switches[i].nick,
                              switches[i].blurb, FALSE, FLAGS));
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    const struct number *n = &numbers[i];

    g_object_class_install_property (
        klass, FIRST_NUMBER + i,
        g_param_spec_double (n->name, n->nick, n->blurb, n->least, n->most,
                             n->usual, FLAGS | GST_PARAM_CONTROLLABLE));
  }
}

guint
tonemap_settings_end (void)
{
  return END;
}

void
tonemap_settings_init (struct tonemap_settings *settings)
{
  memset (settings, 0, sizeof *settings);
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    G_STRUCT_MEMBER (gint, settings, choices[i].at) = choices[i].usual;
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    G_STRUCT_MEMBER (gdouble, settings, numbers[i].at) = numbers[i].usual;
}

gboolean
tonemap_settings_set (struct tonemap_settings *settings, guint id,
                      const GValue *value)
{
  if (id == 0 || id >= END)
    return FALSE;
  if (id >= FIRST_NUMBER)
    G_STRUCT_MEMBER (gdouble, settings, numbers[id - FIRST_NUMBER].at)
        = g_value_get_double (value);
  else if (id >= FIRST_SWITCH)
    G_STRUCT_MEMBER (gboolean, settings, switches[id - FIRST_SWITCH].at)
        = g_value_get_boolean (value);
  else
    G_STRUCT_MEMBER (gint, settings, choices[id - 1].at)
        = g_value_get_enum (value);
  return TRUE;
}

gboolean
tonemap_settings_get (const struct tonemap_settings *settings, guint id,
                      GValue *value)
{
  if (id == 0 || id >= END)
    return FALSE;
  if (id >= FIRST_NUMBER)
    g_value_set_double (value, G_STRUCT_MEMBER (gdouble, settings,
                                                numbers[id - FIRST_NUMBER].at));
  else if (id >= FIRST_SWITCH)
    g_value_set_boolean (
        value,
        G_STRUCT_MEMBER (gboolean, settings, switches[id - FIRST_SWITCH].at));
  else
    g_value_set_enum (value,
                      G_STRUCT_MEMBER (gint, settings, choices[id - 1].at));
  return TRUE;
}

gboolean
tonemap_settings_change_caps (const struct tonemap_settings *a,
                              const struct tonemap_settings *b)
{
  return a->preset != b->preset || a->curve != b->curve
         || a->input_transfer != b->input_transfer || a->inverse != b->inverse
         || a->source_peak != b->source_peak
         || a->target_peak != b->target_peak;
}

void
tonemap_settings_resolve (const struct tonemap_settings *settings,
                          struct color_settings *color)
{
  *color = (struct color_settings){
    .tone_map = true,
    .inverse = settings->inverse,
    .curve = (enum color_curve)settings->curve,
    .curve_params = { .spline_pivot = settings->spline_pivot,
                      .bt2390_knee_offset = settings->bt2390_knee_offset,
                      .mobius_knee = settings->mobius_knee,
                      .reinhard_contrast = settings->reinhard_contrast,
                      .gamma_exponent = settings->gamma_exponent },
    .mode = (enum color_tone_mode)settings->curve_mode,
    .gamut = (enum color_gamut)settings->gamut,
    .source_peak = settings->source_peak,
    .target_peak = settings->target_peak,
    .reference_white = settings->reference_white,
    .target_black = settings->target_black,
    .contrast = settings->contrast,
    .exposure = settings->exposure,
    .saturation = settings->saturation - 1,
    .hlg_peak = settings->hlg_peak,
    .hlg_black = settings->hlg_black,
    .dither = (enum color_dither)settings->dither,
    .view = (enum color_view)settings->view,
  };
  if (settings->preset != TONEMAP_PRESET_REPRODUCIBLE)
    return;
  color->curve = COLOR_CURVE_BT2390;
  color->curve_params = (struct color_curve_params){ 0 };
  color->mode = COLOR_TONE_MAX;
  color->gamut = COLOR_GAMUT_CLIP;
  color->dither = COLOR_DITHER_NONE;
}

gboolean
tonemap_settings_detect (const struct tonemap_settings *settings,
                         gboolean is_cpu)
{
  if (settings->preset == TONEMAP_PRESET_REPRODUCIBLE
      || settings->source_peak > 0)
    return FALSE;
  return settings->detection == TONEMAP_DETECTION_ON
         || (settings->detection == TONEMAP_DETECTION_AUTO && !is_cpu);
}

GstCaps *
tonemap_settings_override (const struct tonemap_settings *settings,
                           GstCaps *caps)
{
  const GstStructure *old = gst_caps_get_structure (caps, 0);
  const gchar *name = gst_structure_get_string (old, "colorimetry");
  GstVideoColorimetry c = { GST_VIDEO_COLOR_RANGE_UNKNOWN };
  g_autofree gchar *text = NULL;

  if (settings->input_transfer == TONEMAP_TRANSFER_AUTO)
    return gst_caps_ref (caps);
  if (name != NULL)
    gst_video_colorimetry_from_string (&c, name);
  if (settings->input_transfer == TONEMAP_TRANSFER_SDR) {
    c.transfer = GST_VIDEO_TRANSFER_BT709;
  } else {
    c.transfer = settings->input_transfer == TONEMAP_TRANSFER_PQ
                     ? GST_VIDEO_TRANSFER_SMPTE2084
                     : GST_VIDEO_TRANSFER_ARIB_STD_B67;
    /* Signalling that is lost is all lost: BT.709 is what GStreamer puts in
     * its place. */
    if (c.primaries == GST_VIDEO_COLOR_PRIMARIES_UNKNOWN
        || c.primaries == GST_VIDEO_COLOR_PRIMARIES_BT709) {
      c.primaries = GST_VIDEO_COLOR_PRIMARIES_BT2020;
      if (c.matrix != GST_VIDEO_COLOR_MATRIX_RGB)
        c.matrix = GST_VIDEO_COLOR_MATRIX_BT2020;
    }
  }
  text = gst_video_colorimetry_to_string (&c);
  caps = gst_caps_copy (caps);
  if (text != NULL)
    gst_caps_set_simple (caps, "colorimetry", G_TYPE_STRING, text, NULL);
  return caps;
}
