/* The plugin: our elements by name. No Vulkan call here: a registry scan must
 * not wake a driver. */
#define GST_USE_UNSTABLE_API /* GstTracer's */
#include <gst/gst.h>

#include "gstvkccolorconvert.h"
#include "gstvkccompute.h"
#include "gstvkctonemap.h"
#include "gstvkctracer.h"

static gboolean
plugin_init (GstPlugin *plugin)
{
  gboolean ok = TRUE;

  ok &= GST_ELEMENT_REGISTER (vkcolorconvert, plugin);
  ok &= GST_ELEMENT_REGISTER (vkcompute, plugin);
  ok &= GST_ELEMENT_REGISTER (vktonemap, plugin);
  ok &= gst_tracer_register (plugin, "vkc", GST_TYPE_VKC_TRACER);
  return ok;
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, vkcompute,
                   "Vulkan compute on video frames", plugin_init,
                   PACKAGE_VERSION, "LGPL", PACKAGE_NAME, PACKAGE_ORIGIN)
