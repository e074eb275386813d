/* Black by the format's own packer, so that every format has it. */
#include "gstvkcblack.h"

#include <string.h>

/* One row of black in the unpacked form that the packer of @info takes; @width
 * pixels. NULL for a format without one. */
static gpointer
black_row (const GstVideoInfo *info, guint width)
{
  const GstVideoFormat unpacked = info->finfo->unpack_format;
  const gboolean limited
      = info->colorimetry.range == GST_VIDEO_COLOR_RANGE_16_235;
  const guint8 dark = limited ? 16 : 0;
  const guint8 chroma = GST_VIDEO_INFO_IS_RGB (info) ? dark : 128;
  guint8 *bytes = NULL;
  guint16 *words;

  switch (unpacked) {
  case GST_VIDEO_FORMAT_ARGB:
  case GST_VIDEO_FORMAT_AYUV:
    bytes = g_malloc ((gsize)width * 4);
    for (guint x = 0; x < width; x++)
      memcpy (bytes + (gsize)x * 4,
              (const guint8[]){ 255, dark, chroma, chroma }, 4);
    return bytes;
  case GST_VIDEO_FORMAT_ARGB64:
  case GST_VIDEO_FORMAT_AYUV64:
    words = g_new (guint16, (gsize)width * 4);
    for (guint x = 0; x < width; x++)
      memcpy (words + (gsize)x * 4,
              (const guint16[]){ 0xffff, dark << 8, chroma << 8, chroma << 8 },
              8);
    return words;
  default:
    return NULL;
  }
}

void
gst_vkc_fill_black (guint8 *data, const GstVideoInfo *info)
{
  const guint width = GST_VIDEO_INFO_WIDTH (info);
  const guint height = GST_VIDEO_INFO_FIELD_HEIGHT (info);
  gpointer planes[GST_VIDEO_MAX_PLANES] = { NULL };
  gint strides[GST_VIDEO_MAX_PLANES] = { 0 };
  g_autofree gpointer row = black_row (info, width);

  if (row == NULL) {
    memset (data, 0, GST_VIDEO_INFO_SIZE (info));
    return;
  }
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    planes[i] = data + GST_VIDEO_INFO_PLANE_OFFSET (info, i);
    strides[i] = GST_VIDEO_INFO_PLANE_STRIDE (info, i);
  }
  for (guint y = 0; y < height; y++)
    info->finfo->pack_func (info->finfo, GST_VIDEO_PACK_FLAG_NONE, row, 0,
                            planes, strides, GST_VIDEO_CHROMA_SITE_UNKNOWN, y,
                            width);
}
