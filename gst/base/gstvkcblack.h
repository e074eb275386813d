/* Black, which is what a frame shows whose work failed. */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* Fills a frame that lies at @data in the layout of @info with opaque black. */
void gst_vkc_fill_black (guint8 *data, const GstVideoInfo *info);

G_END_DECLS
