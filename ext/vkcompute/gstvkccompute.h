/* vkcompute: the user's own compute shader on every frame. */
#pragma once

#include "gst/base/gstvkcfilter.h"

G_BEGIN_DECLS

#define GST_TYPE_VKC_COMPUTE (gst_vkc_compute_get_type ())
G_DECLARE_FINAL_TYPE (GstVkcCompute, gst_vkc_compute, GST, VKC_COMPUTE,
                      GstVkcFilter)

GST_ELEMENT_REGISTER_DECLARE (vkcompute);

G_END_DECLS
