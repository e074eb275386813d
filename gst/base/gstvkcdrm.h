/* DRM's names of formats, as caps with `format=DMA_DRM` use them. A table of
 * our own, so that a binary that was built before GStreamer 1.24 knows them
 * too. */
#pragma once

#include <gst/video/video.h>

#include "gst/vk/device.h"
#include "gst/vk/dmabuf.h"

G_BEGIN_DECLS

#define GST_VKC_FEATURE_DMABUF "memory:DMABuf"

/* The format whose true name `drm-format` has. */
#define GST_VKC_DMA_DRM "DMA_DRM"

/* Whether this GStreamer knows `format=DMA_DRM`. */
VKC_API gboolean gst_vkc_drm_is_known (void);

/* "NV12" of GStreamer to "NV12" of DRM; NULL for a format without one. */
VKC_API const gchar *gst_vkc_drm_from_format (const gchar *format);

/* The other way round, from "FOURCC" or "FOURCC:0xMODIFIER"; @modifier: 0
 * without one. NULL for what we do not know or cannot read. */
VKC_API const gchar *gst_vkc_drm_to_format (const gchar *drm_format,
                                            guint64 *modifier);

/* Whether frames are in dmabufs, by the features of fixed @caps. */
VKC_API gboolean gst_vkc_caps_is_dmabuf (const GstCaps *caps);

/* gst_video_info_from_caps(), also for `format=DMA_DRM`: @info is of the format
 * that `drm-format` names. @modifier may be NULL. */
VKC_API gboolean gst_vkc_video_info_from_caps (GstVideoInfo *info,
                                               const GstCaps *caps,
                                               guint64 *modifier);

/* Elements think in GStreamer's formats: @caps with those in place of DMA_DRM,
 * whatever the modifiers; structures without a format that we know are left
 * out. Transfer full. */
VKC_API GstCaps *gst_vkc_drm_hide (GstCaps *caps);

/* The other way round: each structure of dmabufs is followed by a twin with
 * DMA_DRM, where this GStreamer knows it. @drm_names as below; NULL: any
 * `drm-format`. Transfer full. */
VKC_API GstCaps *gst_vkc_drm_show (GstCaps *caps, GHashTable *drm_names);

/* Each format's `drm-format`s, as far as @device can take or make images with
 * their modifiers, linear first. From gchar * to gchar **; unref it. */
VKC_API GHashTable *gst_vkc_drm_names_new (struct vkc_device *device,
                                           enum vkc_dmabuf_way way);

/* Whether @modifier is among those of @format. */
VKC_API gboolean gst_vkc_drm_allows (GHashTable *drm_names,
                                     const gchar *format, guint64 modifier);

G_END_DECLS
