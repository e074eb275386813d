/* The debug categories of this layer: GST_DEBUG=vkc:4 says which device serves,
 * vkcrecorder:4 what it did, once nobody uses it any more. */
#pragma once

#include <gst/gst.h>

#include "gst/vk/api.h"

G_BEGIN_DECLS

VKC_API GST_DEBUG_CATEGORY_EXTERN (gst_vkc_debug);
GST_DEBUG_CATEGORY_EXTERN (gst_vkc_recorder_debug);

/* Registers it; every class of this layer calls it first. Callable again. */
void gst_vkc_log_init (void);

G_END_DECLS

#define GST_CAT_DEFAULT gst_vkc_debug
