/* The debug category of this layer. */
#include "gstvkclog.h"

GST_DEBUG_CATEGORY (gst_vkc_debug);
GST_DEBUG_CATEGORY (gst_vkc_recorder_debug);

void
gst_vkc_log_init (void)
{
  static gsize done;

  if (g_once_init_enter (&done)) {
    GST_DEBUG_CATEGORY_INIT (gst_vkc_debug, "vkc", 0,
                             "Vulkan compute on video frames");
    GST_DEBUG_CATEGORY_INIT (gst_vkc_recorder_debug, "vkcrecorder", 0,
                             "what submissions were made");
    g_once_init_leave (&done, 1);
  }
}
