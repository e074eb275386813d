/* Image formats: what shaders declare, what Vulkan calls it, and which frames
 * have planes of such texels. */
#include "imageformat.h"

/* clang-format off */
/* In the order of SPIR-V's numbers, which start at 1 (Rgba32f). */
static const struct image_format formats[] = {
  { "rgba32f", VK_FORMAT_R32G32B32A32_SFLOAT, 16, 4 },
  { "rgba16f", VK_FORMAT_R16G16B16A16_SFLOAT, 8, 4 },
  { "r32f", VK_FORMAT_R32_SFLOAT, 4, 1 },
  { "rgba8", VK_FORMAT_R8G8B8A8_UNORM, 4, 4 },
  { "rgba8_snorm", VK_FORMAT_R8G8B8A8_SNORM, 4, 4 },
  { "rg32f", VK_FORMAT_R32G32_SFLOAT, 8, 2 },
  { "rg16f", VK_FORMAT_R16G16_SFLOAT, 4, 2 },
  { "r11f_g11f_b10f", VK_FORMAT_B10G11R11_UFLOAT_PACK32, 4, 3 },
  { "r16f", VK_FORMAT_R16_SFLOAT, 2, 1 },
  { "rgba16", VK_FORMAT_R16G16B16A16_UNORM, 8, 4 },
  { "rgb10_a2", VK_FORMAT_A2B10G10R10_UNORM_PACK32, 4, 4 },
  { "rg16", VK_FORMAT_R16G16_UNORM, 4, 2 },
  { "rg8", VK_FORMAT_R8G8_UNORM, 2, 2 },
  { "r16", VK_FORMAT_R16_UNORM, 2, 1 },
  { "r8", VK_FORMAT_R8_UNORM, 1, 1 },
  { "rgba16_snorm", VK_FORMAT_R16G16B16A16_SNORM, 8, 4 },
  { "rg16_snorm", VK_FORMAT_R16G16_SNORM, 4, 2 },
  { "rg8_snorm", VK_FORMAT_R8G8_SNORM, 2, 2 },
  { "r16_snorm", VK_FORMAT_R16_SNORM, 2, 1 },
  { "r8_snorm", VK_FORMAT_R8_SNORM, 1, 1 },
  { "rgba32i", VK_FORMAT_R32G32B32A32_SINT, 16, 4 },
  { "rgba16i", VK_FORMAT_R16G16B16A16_SINT, 8, 4 },
  { "rgba8i", VK_FORMAT_R8G8B8A8_SINT, 4, 4 },
  { "r32i", VK_FORMAT_R32_SINT, 4, 1 },
  { "rg32i", VK_FORMAT_R32G32_SINT, 8, 2 },
  { "rg16i", VK_FORMAT_R16G16_SINT, 4, 2 },
  { "rg8i", VK_FORMAT_R8G8_SINT, 2, 2 },
  { "r16i", VK_FORMAT_R16_SINT, 2, 1 },
  { "r8i", VK_FORMAT_R8_SINT, 1, 1 },
  { "rgba32ui", VK_FORMAT_R32G32B32A32_UINT, 16, 4 },
  { "rgba16ui", VK_FORMAT_R16G16B16A16_UINT, 8, 4 },
  { "rgba8ui", VK_FORMAT_R8G8B8A8_UINT, 4, 4 },
  { "r32ui", VK_FORMAT_R32_UINT, 4, 1 },
  { "rgb10_a2ui", VK_FORMAT_A2B10G10R10_UINT_PACK32, 4, 4 },
  { "rg32ui", VK_FORMAT_R32G32_UINT, 8, 2 },
  { "rg16ui", VK_FORMAT_R16G16_UINT, 4, 2 },
  { "rg8ui", VK_FORMAT_R8G8_UINT, 2, 2 },
  { "r16ui", VK_FORMAT_R16_UINT, 2, 1 },
  { "r8ui", VK_FORMAT_R8_UINT, 1, 1 },
};

/* Frames whose planes are texels. A plane beyond those that are named is like
 * the last one. Names, since this GStreamer may not know all of them. */
static const struct
{
  const gchar *name;
  VkFormat planes[2];
} frames[] = {
  { "RGBA", { VK_FORMAT_R8G8B8A8_UNORM } },
  { "RGBx", { VK_FORMAT_R8G8B8A8_UNORM } },
  { "RGB10A2_LE", { VK_FORMAT_A2B10G10R10_UNORM_PACK32 } },
  { "RGBA64_LE", { VK_FORMAT_R16G16B16A16_UNORM } },
  { "GRAY8", { VK_FORMAT_R8_UNORM } },
  { "GRAY16_LE", { VK_FORMAT_R16_UNORM } },
  { "NV12", { VK_FORMAT_R8_UNORM, VK_FORMAT_R8G8_UNORM } },
  { "NV21", { VK_FORMAT_R8_UNORM, VK_FORMAT_R8G8_UNORM } },
  { "NV16", { VK_FORMAT_R8_UNORM, VK_FORMAT_R8G8_UNORM } },
  { "NV61", { VK_FORMAT_R8_UNORM, VK_FORMAT_R8G8_UNORM } },
  { "NV24", { VK_FORMAT_R8_UNORM, VK_FORMAT_R8G8_UNORM } },
  { "P010_10LE", { VK_FORMAT_R16_UNORM, VK_FORMAT_R16G16_UNORM } },
  { "P012_LE", { VK_FORMAT_R16_UNORM, VK_FORMAT_R16G16_UNORM } },
  { "P016_LE", { VK_FORMAT_R16_UNORM, VK_FORMAT_R16G16_UNORM } },
  { "I420", { VK_FORMAT_R8_UNORM } },
  { "YV12", { VK_FORMAT_R8_UNORM } },
  { "Y42B", { VK_FORMAT_R8_UNORM } },
  { "Y444", { VK_FORMAT_R8_UNORM } },
  { "GBR", { VK_FORMAT_R8_UNORM } },
  { "RGBP", { VK_FORMAT_R8_UNORM } },
  { "BGRP", { VK_FORMAT_R8_UNORM } },
  { "A420", { VK_FORMAT_R8_UNORM } },
  { "GBRA", { VK_FORMAT_R8_UNORM } },
  { "I420_10LE", { VK_FORMAT_R16_UNORM } },
  { "I420_12LE", { VK_FORMAT_R16_UNORM } },
  { "I422_10LE", { VK_FORMAT_R16_UNORM } },
  { "I422_12LE", { VK_FORMAT_R16_UNORM } },
  { "Y444_10LE", { VK_FORMAT_R16_UNORM } },
  { "Y444_12LE", { VK_FORMAT_R16_UNORM } },
  { "Y444_16LE", { VK_FORMAT_R16_UNORM } },
  { "GBR_10LE", { VK_FORMAT_R16_UNORM } },
  { "GBR_12LE", { VK_FORMAT_R16_UNORM } },
  { "A420_10LE", { VK_FORMAT_R16_UNORM } },
  { "A422_10LE", { VK_FORMAT_R16_UNORM } },
  { "A444_10LE", { VK_FORMAT_R16_UNORM } },
  { "GBRA_10LE", { VK_FORMAT_R16_UNORM } },
  { "GBRA_12LE", { VK_FORMAT_R16_UNORM } },
};
/* clang-format on */

const struct image_format *
image_format_from_spirv (guint spirv)
{
  if (spirv == 0 || spirv > G_N_ELEMENTS (formats))
    return NULL;
  return &formats[spirv - 1];
}

const struct image_format *
image_format_from_vulkan (VkFormat format)
{
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    if (formats[i].format == format)
      return &formats[i];
  return NULL;
}

const struct image_format *
image_format_from_name (const gchar *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_str_equal (formats[i].name, name))
      return &formats[i];
  return NULL;
}

VkFormat
image_format_of_plane (const GstVideoFormatInfo *info, guint plane)
{
  for (gsize i = 0; i < G_N_ELEMENTS (frames); i++) {
    if (g_strcmp0 (GST_VIDEO_FORMAT_INFO_NAME (info), frames[i].name) != 0)
      continue;
    if (plane > 0 && frames[i].planes[1] != VK_FORMAT_UNDEFINED)
      return frames[i].planes[1];
    return frames[i].planes[0];
  }
  return VK_FORMAT_UNDEFINED;
}

VkFormat
image_format_as_integer (VkFormat format, gboolean is_signed)
{
  const struct image_format *row = image_format_from_vulkan (format);
  g_autofree gchar *name = NULL;

  if (row == NULL)
    return VK_FORMAT_UNDEFINED;
  name = g_strconcat (row->name, is_signed ? "i" : "ui", NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_str_equal (formats[i].name, name))
      return formats[i].format;
  return VK_FORMAT_UNDEFINED;
}

gboolean
image_format_is_float (VkFormat format)
{
  const struct image_format *row = image_format_from_vulkan (format);

  return row != NULL && g_str_has_suffix (row->name, "f");
}

const gchar *
image_format_nth_frame (guint n)
{
  return n < G_N_ELEMENTS (frames) ? frames[n].name : NULL;
}
