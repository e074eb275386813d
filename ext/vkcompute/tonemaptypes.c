/* Names of curves, modes, gamut mappings. */
#include "tonemaptypes.h"

#include "tonemapsettings.h"

#define DEFINE_ENUM(function, name, values)                                    \
  GType function (void)                                                        \
  {                                                                            \
    static gsize type;                                                         \
                                                                               \
    if (g_once_init_enter (&type))                                             \
      g_once_init_leave (&type, g_enum_register_static (name, values));        \
    return type;                                                               \
  }

static const GEnumValue curves[] = {
  { COLOR_CURVE_AUTO, "spline", "auto" },
  { COLOR_CURVE_SPLINE, "Spline in PQ, bent at the scene's average", "spline" },
  { COLOR_CURVE_BT2390, "Knee of ITU-R BT.2390 (EETF)", "bt2390" },
  { COLOR_CURVE_BT2446A, "ITU-R BT.2446 method A, on luminance", "bt2446a" },
  { COLOR_CURVE_BT2446C, "ITU-R BT.2446 method C, fitted to the peaks",
    "bt2446c" },
  { COLOR_CURVE_MOBIUS, "Linear, then rational", "mobius" },
  { COLOR_CURVE_REINHARD, "Reinhard", "reinhard" },
  { COLOR_CURVE_HABLE, "Filmic curve by Hable", "hable" },
  { COLOR_CURVE_GAMMA, "Power function", "gamma" },
  { COLOR_CURVE_LINEAR, "Everything scaled to fit", "linear" },
  { COLOR_CURVE_CLIP, "Clip at the target's peak, hue kept", "clip" },
  { COLOR_CURVE_NONE, "Light stays as it is, channels are clipped", "none" },
  { 0, NULL, NULL },
};
DEFINE_ENUM (gst_vkc_tone_curve_get_type, "GstVkcToneCurve", curves)

static const GEnumValue modes[] = {
  { COLOR_TONE_AUTO, "intensity on GPUs, max on software devices", "auto" },
  { COLOR_TONE_MAX, "One gain, of the largest of R, G and B", "max" },
  { COLOR_TONE_ICTCP, "On I of ICtCp (BT.2390, 5.4.2): hue is kept",
    "intensity" },
  { COLOR_TONE_LUMA, "One gain, of luminance", "luma" },
  { COLOR_TONE_RGB, "Each channel by itself: hues shift", "rgb" },
  { 0, NULL, NULL },
};
DEFINE_ENUM (gst_vkc_tone_mode_get_type, "GstVkcToneMode", modes)

static const GEnumValue gamuts[] = {
  { COLOR_GAMUT_AUTO, "perceptual", "auto" },
  { COLOR_GAMUT_PERCEPTUAL,
    "To the border at constant lightness and about constant hue (Oklab), by "
    "a soft knee",
    "perceptual" },
  { COLOR_GAMUT_CLIP, "Clip each channel", "clip" },
  { COLOR_GAMUT_DESATURATE, "To the border at constant luminance",
    "desaturate" },
  { COLOR_GAMUT_RELATIVE,
    "At constant luminance until no channel is negative, then clip",
    "relative" },
  { COLOR_GAMUT_SATURATION, "Saturation is kept, brightness pays",
    "saturation" },
  { COLOR_GAMUT_DARKEN, "Hue is kept, what is too bright is darkened",
    "darken" },
  { 0, NULL, NULL },
};
DEFINE_ENUM (gst_vkc_gamut_mapping_get_type, "GstVkcGamutMapping", gamuts)

static const GEnumValue transfers[] = {
  { TONEMAP_TRANSFER_AUTO, "What the caps say", "auto" },
  { TONEMAP_TRANSFER_PQ, "SMPTE ST 2084", "pq" },
  { TONEMAP_TRANSFER_HLG, "Hybrid log-gamma", "hlg" },
  { TONEMAP_TRANSFER_SDR, "Gamma of SDR video, ITU-R BT.1886", "sdr" },
  { 0, NULL, NULL },
};
DEFINE_ENUM (gst_vkc_input_transfer_get_type, "GstVkcInputTransfer", transfers)

static const GEnumValue detections[] = {
  { TONEMAP_DETECTION_AUTO, "on for GPUs, off for software devices", "auto" },
  { TONEMAP_DETECTION_OFF, "The metadata's peak", "off" },
  { TONEMAP_DETECTION_ON, "The frames' own peak and average", "on" },
  { 0, NULL, NULL },
};
DEFINE_ENUM (gst_vkc_peak_detection_get_type, "GstVkcPeakDetection", detections)

static const GEnumValue lut_modes[] = {
  { TONEMAP_LUT_AFTER, "On the target's R'G'B', after the mapping", "after" },
  { TONEMAP_LUT_INSTEAD,
    "From the source's R'G'B' to the target's, in place of the mapping",
    "instead" },
  { 0, NULL, NULL },
};
DEFINE_ENUM (gst_vkc_lut_mode_get_type, "GstVkcLutMode", lut_modes)

static const GEnumValue views[] = {
  { COLOR_VIEW_NORMAL, "The mapped picture", "normal" },
  { COLOR_VIEW_SPLIT, "Left half: each channel is clipped; right half: mapped",
    "split" },
  { COLOR_VIEW_GAMUT,
    "Pixels that the target's primaries cannot make behind the curve are magenta",
    "gamut" },
  { COLOR_VIEW_CURVE,
    "Tone curve, peaks and, with detection, histogram over the picture",
    "curve" },
  { 0, NULL, NULL },
};
DEFINE_ENUM (gst_vkc_tonemap_view_get_type, "GstVkcTonemapView", views)

static const GEnumValue presets[] = {
  { TONEMAP_PRESET_NONE, "As the other properties say", "none" },
  { TONEMAP_PRESET_REPRODUCIBLE,
    "bt2390, max, clip, no detection, no dither: the same codes within 1 on "
    "every device",
    "reproducible" },
  { 0, NULL, NULL },
};
DEFINE_ENUM (gst_vkc_tonemap_preset_get_type, "GstVkcTonemapPreset", presets)
