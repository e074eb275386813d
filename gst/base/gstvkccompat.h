/* What differs between the versions of GStreamer. The binary is built against
 * any of them from 1.22 on and runs with any other, so that what is newer is
 * found by name at run time. */
#pragma once

#include <gst/gst.h>

#if !GST_CHECK_VERSION(1, 22, 0)
#error "GStreamer 1.22 or newer is needed"
#endif

/* GstVideoHDRMeta describes the colours of HDR frames, without a tag that says
 * so. */
static inline gboolean
gst_vkc_compat_is_hdr_meta (GType api)
{
  return g_str_equal (g_type_name (api), "GstVideoHDRMetaAPI");
}
