/* The enumerations of vktonemap's properties. */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

GType gst_vkc_tone_curve_get_type (void);
GType gst_vkc_tone_mode_get_type (void);
GType gst_vkc_gamut_mapping_get_type (void);
GType gst_vkc_input_transfer_get_type (void);
GType gst_vkc_peak_detection_get_type (void);
GType gst_vkc_lut_mode_get_type (void);
GType gst_vkc_tonemap_view_get_type (void);
GType gst_vkc_tonemap_preset_get_type (void);

G_END_DECLS
