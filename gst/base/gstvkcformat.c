/* From GStreamer's description of a format to the device's. */
#include "gstvkccaps.h"

#include "gst/vk/dmabuf.h"
#include "gstvkcdrm.h"

/* The only place that reads $VKC_MEMORY, once. */
static enum vkc_storage
storage_from_environment (void)
{
  static gsize answer; /* 1 + enum vkc_storage */

  if (g_once_init_enter (&answer)) {
    const gchar *value = g_getenv ("VKC_MEMORY");
    enum vkc_storage storage = VKC_STORAGE_BUFFER;

    if (g_strcmp0 (value, "image") == 0)
      storage = VKC_STORAGE_IMAGE;
    else if (value != NULL && !g_str_equal (value, "buffer")
             && !g_str_equal (value, "auto"))
      g_warning ("VKC_MEMORY=\"%s\" is not buffer, image or auto: using auto",
                 value);
    g_once_init_leave (&answer, 1 + (gsize)storage);
  }
  return (enum vkc_storage) (answer - 1);
}

/* The components of @plane; returns how many. */
static guint
plane_components (const GstVideoFormatInfo *info, guint plane,
                  gint components[GST_VIDEO_MAX_COMPONENTS])
{
  guint n = 0;

  gst_video_format_info_component (info, plane, components);
  while (n < GST_VIDEO_MAX_COMPONENTS && components[n] >= 0)
    n++;
  return n;
}

gsize
gst_vkc_plane_row_bytes (const GstVideoInfo *info, guint plane)
{
  gint components[GST_VIDEO_MAX_COMPONENTS];
  const guint n = plane_components (info->finfo, plane, components);
  GstVideoInfo tight;
  gsize bytes = 0;

  for (guint i = 0; i < n; i++) {
    const gint c = components[i];

    bytes = MAX (bytes, (gsize)GST_VIDEO_INFO_COMP_WIDTH (info, c)
                            * GST_VIDEO_INFO_COMP_PSTRIDE (info, c));
  }
  if (bytes > 0)
    return bytes;

  /* Samples that are not whole bytes. */
  if (!gst_video_info_set_format (&tight, GST_VIDEO_INFO_FORMAT (info),
                                  GST_VIDEO_INFO_WIDTH (info),
                                  GST_VIDEO_INFO_FIELD_HEIGHT (info)))
    return ABS (GST_VIDEO_INFO_PLANE_STRIDE (info, plane));
  return GST_VIDEO_INFO_PLANE_STRIDE (&tight, plane);
}

guint
gst_vkc_plane_rows (const GstVideoInfo *info, guint plane)
{
  gint components[GST_VIDEO_MAX_COMPONENTS];

  if (plane_components (info->finfo, plane, components) == 0)
    return GST_VIDEO_INFO_FIELD_HEIGHT (info);
  return GST_VIDEO_INFO_COMP_HEIGHT (info, components[0]);
}

static VkFormat
format_for_texel (guint bytes, guint n_components, guint depth)
{
  switch (bytes) {
  case 1:
    return n_components == 1 ? VK_FORMAT_R8_UINT : VK_FORMAT_UNDEFINED;
  case 2:
    /* Three in 16 bits are RGB. */
    return n_components == 2 ? VK_FORMAT_R8G8_UINT : VK_FORMAT_R16_UINT;
  case 4:
    if (n_components == 2)
      return VK_FORMAT_R16G16_UINT;
    if (n_components < 3)
      return VK_FORMAT_UNDEFINED;
    return depth == 8 ? VK_FORMAT_R8G8B8A8_UINT : VK_FORMAT_R32_UINT;
  case 8:
    return n_components == 4 ? VK_FORMAT_R16G16B16A16_UINT
                             : VK_FORMAT_UNDEFINED;
  default:
    return VK_FORMAT_UNDEFINED;
  }
}

/* The texel of a plane as a VkFormat, UNDEFINED if it has none: all components
 * that share the plane are one texel. */
static VkFormat
plane_format (const GstVideoFormatInfo *info, guint plane, guint *texel)
{
  gint components[GST_VIDEO_MAX_COMPONENTS];
  const guint n = plane_components (info, plane, components);

  if (n == 0 || GST_VIDEO_FORMAT_INFO_IS_TILED (info))
    return VK_FORMAT_UNDEFINED;
  *texel = GST_VIDEO_FORMAT_INFO_PSTRIDE (info, components[0]);
  for (guint i = 1; i < n; i++) {
    if ((guint)GST_VIDEO_FORMAT_INFO_PSTRIDE (info, components[i]) != *texel)
      return VK_FORMAT_UNDEFINED;
  }
  return format_for_texel (*texel, n,
                           GST_VIDEO_FORMAT_INFO_DEPTH (info, components[0]));
}

static gboolean
format_has_image_form (const GstVideoFormatInfo *info)
{
  guint texel;

  for (guint i = 0; i < GST_VIDEO_FORMAT_INFO_N_PLANES (info); i++) {
    if (plane_format (info, i, &texel) == VK_FORMAT_UNDEFINED)
      return FALSE;
  }
  return TRUE;
}

enum vkc_storage
gst_vkc_storage_for (const GstVideoInfo *info)
{
  const enum vkc_storage storage = storage_from_environment ();

  return storage == VKC_STORAGE_IMAGE && format_has_image_form (info->finfo)
             ? VKC_STORAGE_IMAGE
             : VKC_STORAGE_BUFFER;
}

enum vkc_storage
gst_vkc_storage_for_caps (const GstCaps *caps, const GstVideoInfo *info)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);
  const gchar *drm_format = gst_structure_get_string (structure, "drm-format");
  guint64 modifier;

  if (gst_structure_has_field (structure, GST_VKC_CAPS_AS_IMAGES))
    return VKC_STORAGE_IMAGE;
  return drm_format != NULL
                 && gst_vkc_drm_to_format (drm_format, &modifier) != NULL
                 && modifier != VKC_MODIFIER_LINEAR
             ? VKC_STORAGE_IMAGE
             : gst_vkc_storage_for (info);
}

gboolean
gst_vkc_stride_is_possible (const GstVideoInfo *info, gint stride)
{
  /* Its samples are in no words: a row ends with any byte. */
  return stride > 0
         && (stride % 4 == 0
             || GST_VIDEO_INFO_FORMAT (info) == GST_VIDEO_FORMAT_NV12_10LE40);
}

gboolean
gst_vkc_image_params_from_info (struct vkc_image_params *params,
                                const GstVideoInfo *info,
                                enum vkc_storage storage)
{
  *params = (struct vkc_image_params){
    .storage = storage,
    .n_planes = GST_VIDEO_INFO_N_PLANES (info),
    .size = GST_ROUND_UP_4 (GST_VIDEO_INFO_SIZE (info)),
  };

  for (guint i = 0; i < params->n_planes; i++) {
    guint texel = 1;
    const VkFormat format = plane_format (info->finfo, i, &texel);
    const gint stride = GST_VIDEO_INFO_PLANE_STRIDE (info, i);

    if (!gst_vkc_stride_is_possible (info, stride))
      return FALSE;
    if (storage == VKC_STORAGE_BUFFER || format == VK_FORMAT_UNDEFINED)
      texel = 1;
    params->planes[i] = (struct vkc_plane){
      .format = storage == VKC_STORAGE_IMAGE ? format : VK_FORMAT_UNDEFINED,
      .width = gst_vkc_plane_row_bytes (info, i) / texel,
      .height = gst_vkc_plane_rows (info, i),
      .offset = GST_VIDEO_INFO_PLANE_OFFSET (info, i),
      .stride = stride,
    };
    if (storage == VKC_STORAGE_IMAGE
        && (format == VK_FORMAT_UNDEFINED || stride % texel != 0))
      return FALSE;
  }
  return TRUE;
}
