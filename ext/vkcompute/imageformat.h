/* Image formats: what shaders declare, what Vulkan calls it, and which frames
 * have planes of such texels. */
#pragma once

#include <gst/video/video.h>
#include <vulkan/vulkan.h>

struct image_format
{
  const gchar *name; /* GLSL's layout qualifier */
  VkFormat format;
  guint texel_size; /* bytes */
  guint n_components;
};

/* @spirv: a SpvImageFormat. NULL for Unknown and for 64-bit ones. */
const struct image_format *image_format_from_spirv (guint spirv);
const struct image_format *image_format_from_vulkan (VkFormat format);

const struct image_format *image_format_from_name (const gchar *name);

/* The texels of plane @plane as normalised numbers: what a shader that declares
 * no format gets. UNDEFINED for planes that are no texels (packed 4:2:2,
 * tiles, big-endian words, three-byte pixels). */
VkFormat image_format_of_plane (const GstVideoFormatInfo *info, guint plane);

/* The format of the same texels as whole numbers. */
VkFormat image_format_as_integer (VkFormat format, gboolean is_signed);

/* Floats of any size. */
gboolean image_format_is_float (VkFormat format);

/* The frames that have an image form, by number; NULL behind the last. */
const gchar *image_format_nth_frame (guint n);
