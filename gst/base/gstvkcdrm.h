/* DRM's names of formats, as caps with `format=DMA_DRM` use them. A table of
 * our own, so that a binary that was built before GStreamer 1.24 knows them
 * too. */
#pragma once

#include <gst/video/video.h>

#include "gst/vk/api.h"

G_BEGIN_DECLS

#define GST_VKC_FEATURE_DMABUF "memory:DMABuf"

/* Whether this GStreamer knows `format=DMA_DRM`. */
gboolean gst_vkc_drm_is_known (void);

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

/* The GStreamer formats of @structure, which has DMA_DRM, in place of DRM's. */
void gst_vkc_drm_normalize (GstStructure *structure);

/* @structure's formats as DMA_DRM ones, linear. FALSE where none has a name
 * there. */
gboolean gst_vkc_drm_translate (GstStructure *structure);

G_END_DECLS
