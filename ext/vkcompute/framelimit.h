/* What is too large for a device. */
#pragma once

#include <gst/video/video.h>

#include "gst/vk/image.h"

G_BEGIN_DECLS

/* Whether frames of @info in @storage are within the device's limits. Error:
 * RESOURCE/SETTINGS. */
gboolean frame_limit_check (const struct vkc_device *device,
                            const GstVideoInfo *info, enum vkc_storage storage,
                            GError **error);

/* The same for a dispatch of @groups workgroups. */
gboolean frame_limit_check_groups (const struct vkc_device *device,
                                   const guint32 groups[2], GError **error);

G_END_DECLS
