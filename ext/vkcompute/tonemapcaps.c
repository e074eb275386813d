/* Plans and metadata for caps, before there is a device. */
#include "tonemapcaps.h"

#include <string.h>

#include "colorcaps.h"
#include "gst/base/gstvkccaps.h"
#include "gst/base/gstvkcdrm.h"
#include "hdrmetadata.h"

void
tonemap_plan_light (const struct tonemap_settings *settings, GstCaps *in_caps,
                    GstCaps *out_caps, struct color_plan *plan)
{
  struct color_settings color;
  struct color_side in_side, out_side;
  struct color_light light;
  GstVideoInfo in, out;

  memset (plan, 0, sizeof *plan);
  if (!gst_vkc_video_info_from_caps (&in, in_caps, NULL)
      || !gst_vkc_video_info_from_caps (&out, out_caps, NULL))
    return;
  tonemap_settings_resolve (settings, &color);
  color_sides_from_caps (&in_side, in_caps, &in, &out_side, out_caps, &out);
  color_light_from_caps (&light, in_caps);
  color_plan_init (plan, &in_side, &light, &out_side, &color);
}

void
tonemap_fixate_metadata (const struct tonemap_settings *settings,
                         GstCaps *in_caps, GstCaps *out_caps)
{
  const GstStructure *in = gst_caps_get_structure (in_caps, 0);
  GstStructure *out = gst_caps_get_structure (out_caps, 0);
  struct color_plan plan;

  if (!color_structure_is_hdr (out)) {
    gst_vkc_caps_remove_hdr (out);
    return;
  }
  tonemap_plan_light (settings, in_caps, out_caps, &plan);
  if (!plan.tone_mapped)
    color_keep_hdr_metadata (out, in);
  else if (plan.constants[ID_TARGET_TRANSFER] == TRANSFER_PQ)
    hdr_metadata_rewrite (out, in, plan.target_peak);
  else
    gst_vkc_caps_remove_hdr (out);
}
