/* What vktonemap will do for given caps. */
#pragma once

#include "tonemapsettings.h"

G_BEGIN_DECLS

/* The plan's light; no device is needed. All 0 for caps of no frames. */
void tonemap_plan_light (const struct tonemap_settings *settings,
                         GstCaps *in_caps, GstCaps *out_caps,
                         struct color_plan *plan);

/* HDR that stays HDR says how bright it is now; SDR has no such fields. */
void tonemap_fixate_metadata (const struct tonemap_settings *settings,
                              GstCaps *in_caps, GstCaps *out_caps);

G_END_DECLS
