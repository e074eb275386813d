/* The properties of vktonemap: one table, and the settings that they fill. */
#pragma once

#include <gst/gst.h>

#include "gst/color/plan.h"

G_BEGIN_DECLS

enum tonemap_preset
{
  TONEMAP_PRESET_NONE,
  TONEMAP_PRESET_REPRODUCIBLE,
};

/* What the source is said to be, whatever its caps say. */
enum tonemap_transfer
{
  TONEMAP_TRANSFER_AUTO,
  TONEMAP_TRANSFER_PQ,
  TONEMAP_TRANSFER_HLG,
  TONEMAP_TRANSFER_SDR,
};

enum tonemap_detection
{
  TONEMAP_DETECTION_AUTO,
  TONEMAP_DETECTION_OFF,
  TONEMAP_DETECTION_ON,
};

enum tonemap_lut_mode
{
  TONEMAP_LUT_AFTER,
  TONEMAP_LUT_INSTEAD,
};

/* Plain data, no padding that matters: compared with memcmp(). */
struct tonemap_settings
{
  gint preset;
  gint curve, curve_mode, gamut;
  gint input_transfer, detection;
  gint dither, lut_mode, view;
  gboolean inverse, post_peak;
  gdouble source_peak, target_peak, target_black, contrast, reference_white;
  gdouble exposure, saturation;
  gdouble hlg_peak, hlg_black;
  gdouble spline_pivot, bt2390_knee_offset, mobius_knee, reinhard_contrast;
  gdouble gamma_exponent;
  gdouble percentile, smoothing;
};

/* Installs all of them, and marks their types as the plugin's API. */
void tonemap_settings_install (GObjectClass *klass);

/* The first property number that is free. */
guint tonemap_settings_end (void);
void tonemap_settings_init (struct tonemap_settings *settings);

/* FALSE: no such property. Under the caller's lock. */
gboolean tonemap_settings_set (struct tonemap_settings *settings, guint id,
                               const GValue *value);
gboolean tonemap_settings_get (const struct tonemap_settings *settings,
                               guint id, GValue *value);

/* Whether a change between the two may change caps. */
gboolean tonemap_settings_change_caps (const struct tonemap_settings *a,
                                       const struct tonemap_settings *b);

/* As the plan wants them, the preset applied. */
void tonemap_settings_resolve (const struct tonemap_settings *settings,
                               struct color_settings *color);

/* Whether the peak of HDR frames that @color maps is detected. @is_cpu: the
 * device is software. */
gboolean tonemap_settings_detect (const struct tonemap_settings *settings,
                                  gboolean is_cpu);

/* @caps as `input-transfer` means them; a new reference. */
GstCaps *tonemap_settings_override (const struct tonemap_settings *settings,
                                    GstCaps *caps);

G_END_DECLS
