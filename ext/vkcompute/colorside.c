/* From caps to sides. */
#include "colorside.h"

#include "colorcaps.h"
#include "gst/base/gstvkccaps.h"

void
colorsides_from_caps (struct colorside *in, GstCaps *in_caps,
                      const GstVideoInfo *in_info, struct colorside *out,
                      GstCaps *out_caps, const GstVideoInfo *out_info)
{
  *in = (struct colorside){ .info = *in_info };
  in->storage = gst_vkc_storage_for_caps (in_caps, in_info);
  *out = (struct colorside){ .info = *out_info };
  out->storage = gst_vkc_storage_for_caps (out_caps, out_info);
  color_sides_from_caps (&in->color, in_caps, in_info, &out->color, out_caps,
                         out_info);
}

gboolean
colorside_is_whole (const struct colorside *side)
{
  return side->row_step <= 1 && !side->keeps_rest;
}
