/* One side of a conversion: what its samples are and mean, how many there are,
 * and in which storage. */
#pragma once

#include <gst/video/video.h>

#include "gst/color/plan.h"
#include "gst/vk/image.h"

G_BEGIN_DECLS

struct colorside
{
  struct color_side color;
  GstVideoInfo info;
  enum vkc_storage storage;
  guint row_step;      /* 2: a field of a frame; 0 is 1 */
  gboolean keeps_rest; /* of a target: another job's rows are in it */
};

/* Both sides, of whole frames. */
void colorsides_from_caps (struct colorside *in, GstCaps *in_caps,
                           const GstVideoInfo *in_info, struct colorside *out,
                           GstCaps *out_caps, const GstVideoInfo *out_info);

/* All rows of a frame, and no others' beside them. */
gboolean colorside_is_whole (const struct colorside *side);

G_END_DECLS
