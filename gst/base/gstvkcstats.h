/* The recorder's and the owners' counters as GstStructures. */
#pragma once

#include <gst/gst.h>

#include "gst/vk/device.h"
#include "gst/vk/owner.h"

G_BEGIN_DECLS

/* `recorder`: @device may be NULL, everything is zero then. Transfer full. */
GstStructure *gst_vkc_stats_recorder (struct vkc_device *device);

/* `element`: @owner may be NULL. Transfer full. */
GstStructure *gst_vkc_stats_element (struct vkc_owner *owner);

G_END_DECLS
