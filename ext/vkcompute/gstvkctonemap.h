/* vktonemap: HDR video to SDR. */
#pragma once

#include "gst/base/gstvkcfilter.h"

G_BEGIN_DECLS

#define GST_TYPE_VKC_TONEMAP (gst_vkc_tonemap_get_type ())
G_DECLARE_FINAL_TYPE (GstVkcTonemap, gst_vkc_tonemap, GST, VKC_TONEMAP,
                      GstVkcFilter)
GST_ELEMENT_REGISTER_DECLARE (vktonemap)

G_END_DECLS
