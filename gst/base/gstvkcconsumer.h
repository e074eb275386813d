/* Who gets frames in the end. */
#pragma once

#include <gst/gst.h>

#include "gst/vk/api.h"

G_BEGIN_DECLS

/* Whether frames that are pushed out of @src reach an element of V4L2, as far
 * as pads tell: through queues, filters and branches, into bins and out of them.
 * V4L2 looks at no fences, and nothing in caps or queries says that it is
 * there. */
VKC_API gboolean gst_vkc_pad_feeds_v4l2 (GstPad *src);

G_END_DECLS
