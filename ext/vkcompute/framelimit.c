/* Limits of devices. */
#include "framelimit.h"

gboolean
frame_limit_check (const struct vkc_device *device, const GstVideoInfo *info,
                   enum vkc_storage storage, GError **error)
{
  const guint width = GST_VIDEO_INFO_WIDTH (info);
  const guint height = GST_VIDEO_INFO_HEIGHT (info);
  const guint largest = device->limits.maxImageDimension2D;
  const guint most = device->limits.maxStorageBufferRange;

  if (storage == VKC_STORAGE_IMAGE && MAX (width, height) > largest)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "Frames of %ux%u are too large: images of %s have at most %u "
                 "pixels a side",
                 width, height, device->name, largest);
  else if (storage == VKC_STORAGE_BUFFER && GST_VIDEO_INFO_SIZE (info) > most)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "Frames of %ux%u are too large: buffers of %s have at most %u "
                 "bytes",
                 width, height, device->name, most);
  else
    return TRUE;
  return FALSE;
}

gboolean
frame_limit_check_groups (const struct vkc_device *device,
                          const guint32 groups[2], GError **error)
{
  const guint32 *most = device->limits.maxComputeWorkGroupCount;

  if (groups[0] <= most[0] && groups[1] <= most[1])
    return TRUE;
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
               "Frames are too large: %u x %u workgroups, %s runs at most %u x "
               "%u",
               groups[0], groups[1], device->name, most[0], most[1]);
  return FALSE;
}
