/* GstVkcContext: holds the devices of a pipeline. Elements share it through
 * GstContext ("gst.vkc.context"), across bins; an application that wants its
 * pipelines to share a device makes one and sets it on them.
 *
 * Threads: any. */
#pragma once

#include <gst/gst.h>

#include "gst/vk/api.h"

G_BEGIN_DECLS

struct vkc_device;

#define GST_VKC_CONTEXT_TYPE "gst.vkc.context"

#define GST_TYPE_VKC_CONTEXT (gst_vkc_context_get_type ())
VKC_API
G_DECLARE_FINAL_TYPE (GstVkcContext, gst_vkc_context, GST, VKC_CONTEXT,
                      GstObject)

/**
 * gst_vkc_context_new:
 * @device: (nullable): index, part of the name or UUID of the device that
 *   elements without a `device` of their own shall use; %NULL takes
 *   $VKC_DEVICE or the best there is
 *
 * Opens nothing yet: the device is opened by the first element that starts, and
 * kept until the context goes. When it is lost, elements post an element message
 * `vkc-device-lost` {device, recorder-id}, and do not start again before they
 * are given a new context.
 *
 * Returns: (transfer full): a new context
 */
VKC_API GstVkcContext *gst_vkc_context_new (const gchar *device);

/**
 * gst_vkc_context_wrap:
 *
 * Returns: (transfer full): a #GstContext to hand to gst_element_set_context()
 */
VKC_API GstContext *gst_vkc_context_wrap (GstVkcContext *self);

/**
 * gst_vkc_context_get_stats:
 *
 * Returns: (transfer full): the structure `stats/recorder` of the default
 *   device: id, device, submits, waits... all zero before it is opened
 */
VKC_API GstStructure *gst_vkc_context_get_stats (GstVkcContext *self);

/* Not API, for the base class and tests: the device that @selector (as for
 * vkc_device_new()) names, opened at the first call, and again after it was
 * lost, unless the application made the context. @error: VKC_ERROR_NO_DEVICE,
 * VKC_ERROR_DEVICE_LOST. Transfer full. */
VKC_API struct vkc_device *gst_vkc_context_open_device (GstVkcContext *self,
                                                        const gchar *selector,
                                                        GError **error);

/* Not API: gives back what gst_vkc_context_open_device() gave. A context that
 * an element made forgets a device that nobody has open: a pipeline in NULL
 * holds no threads and no file descriptors. Accepts a NULL @device. */
VKC_API void gst_vkc_context_close_device (GstVkcContext *self,
                                           struct vkc_device *device);

G_END_DECLS
