/* Caps and formats, table-free: everything follows from GstVideoFormatInfo, and
 * formats are named, so that one binary serves every GStreamer from 1.22 on (a
 * name that this GStreamer lacks is not offered). */
#pragma once

#include <gst/video/video.h>

#include "gst/vk/image.h"

G_BEGIN_DECLS

/* Caps fields that a transformation may change. */
typedef enum
{
  GST_VKC_CAPS_FORMAT = 1 << 0,
  GST_VKC_CAPS_COLORIMETRY = 1 << 1,
  GST_VKC_CAPS_CHROMA_SITE = 1 << 2,
  /* all that gst_vkc_caps_is_hdr_field() knows */
  GST_VKC_CAPS_HDR_METADATA = 1 << 3,
  GST_VKC_CAPS_ALL = (1 << 4) - 1, /* but the size */
  /* width, height, pixel-aspect-ratio */
  GST_VKC_CAPS_SIZE = 1 << 4,
} GstVkcCapsFields;

/* Whether @name says what light there is: mastering-display-info,
 * content-light-level, and what hdr-format, Dolby Vision and the like are called
 * by those who signal them. */
VKC_API gboolean gst_vkc_caps_is_hdr_field (const gchar *name);

/* Takes them from @structure. */
VKC_API void gst_vkc_caps_remove_hdr (GstStructure *structure);

/* @formats: names, NULL-terminated. video/x-raw caps of any size and rate with
 * those that exist here, plain and in dmabufs, with overlays
 * (meta:GstVideoOverlayComposition) and as fields (format:Interlaced): a pad
 * template. */
VKC_API GstCaps *gst_vkc_caps_template (const gchar *const *formats);

/* What the other pad of an element may have when one has @caps: every structure
 * without @fields; other fields and the caps features are kept, memories aside.
 * With GST_VKC_CAPS_FORMAT, "format" becomes the list of @formats (NULL: any).
 * Structures of plain memory come first. @filter may be NULL; its order wins.
 * For transform_caps(). */
VKC_API GstCaps *gst_vkc_caps_transform (GstCaps *caps, GstVkcCapsFields fields,
                                         const gchar *const *formats,
                                         GstCaps *filter);

/* Takes @caps and returns the one structure of it that has the first possible
 * of @preferred formats (names, NULL-terminated), with that format fixed; where
 * none is possible, the first structure with its first format. For
 * fixate_caps(). */
VKC_API GstCaps *gst_vkc_caps_fixate_format (GstCaps *caps,
                                             const gchar *const *preferred);

/* Like above, but prefers what costs @like the least: @like itself, then no
 * lost depth, chroma, colour or alpha, then the fewest bits beyond. */
VKC_API GstCaps *gst_vkc_caps_fixate_format_like (GstCaps *caps,
                                                  GstVideoFormat like);

/* How frames of @info are stored: $VKC_MEMORY ("buffer", "image" or "auto", the
 * default: buffer), and buffer for formats that have no image form. Constant
 * for a format in one process. */
VKC_API enum vkc_storage gst_vkc_storage_for (const GstVideoInfo *info);

/* A boolean in caps as set_info() has them: frames come in images. */
#define GST_VKC_CAPS_AS_IMAGES "vkc-as-images"

/* The same for what comes with @caps, as set_info() has them: dmabufs that are
 * tiled, or planes in dmabufs of their own, are seen as images, whatever
 * $VKC_MEMORY says. */
VKC_API enum vkc_storage gst_vkc_storage_for_caps (const GstCaps *caps,
                                                   const GstVideoInfo *info);

/* Bytes of one row of visible samples of a plane. */
VKC_API gsize gst_vkc_plane_row_bytes (const GstVideoInfo *info, guint plane);

/* Rows of visible samples of a plane. */
VKC_API guint gst_vkc_plane_rows (const GstVideoInfo *info, guint plane);

/* Whether rows of a frame of @info may be @stride bytes apart on the device:
 * whole words, but for the format whose samples are in no words, which kernels
 * address by bits. */
VKC_API gboolean gst_vkc_stride_is_possible (const GstVideoInfo *info,
                                             gint stride);

/* The device's form of a frame whose linear layout is @info's (offsets,
 * strides, size; strides as gst_vkc_stride_is_possible() says). For IMAGE
 * storage each plane is one VkImage of unsigned integers, one texel a sample:
 * R8, R8G8, R16, R16G16, R8G8B8A8, R16G16B16A16, and R32 for packed 10-bit RGB.
 * Returns FALSE for a format without that form. */
VKC_API gboolean gst_vkc_image_params_from_info (
    struct vkc_image_params *params, const GstVideoInfo *info,
    enum vkc_storage storage);

G_END_DECLS
