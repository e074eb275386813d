/* vkcolorconvert: any format and colorimetry to any other. */
#pragma once

#include "gst/base/gstvkcfilter.h"

G_BEGIN_DECLS

#define GST_TYPE_VKC_COLOR_CONVERT (gst_vkc_color_convert_get_type ())
G_DECLARE_FINAL_TYPE (GstVkcColorConvert, gst_vkc_color_convert, GST,
                      VKC_COLOR_CONVERT, GstVkcFilter)
GST_ELEMENT_REGISTER_DECLARE (vkcolorconvert)

G_END_DECLS
