/* Frames in another pixel format, by the colour kernel. */
#include "conversion.h"

#include "colorcaps.h"
#include "colorkernel.h"
#include "framecopy.h"
#include "gst/base/gstvkccaps.h"

struct conversion
{
  struct colorkernel *kernel;
  GstVideoInfo from, to;
  struct scratch_pool *sources, *targets;
};

GstCaps *
conversion_caps (GstCaps *caps, GstVideoFormat format)
{
  GstCaps *other = gst_caps_copy (caps);
  GstStructure *structure = gst_caps_get_structure (other, 0);

  gst_structure_set (structure, "format", G_TYPE_STRING,
                     gst_video_format_to_string (format), NULL);
  gst_structure_remove_fields (structure, "colorimetry", "chroma-site",
                               "drm-format", GST_VKC_CAPS_AS_IMAGES, NULL);
  color_fixate (structure, gst_caps_get_structure (caps, 0), NULL);
  return other;
}

static struct scratch_pool *
new_pool (struct vkc_device *device, const GstVideoInfo *info)
{
  struct vkc_image_params params;

  return gst_vkc_image_params_from_info (&params, info,
                                         gst_vkc_storage_for (info))
             ? scratch_pool_new (device, &params)
             : NULL;
}

static gboolean
init (struct conversion *conversion, struct vkc_device *device, GstCaps *from,
      GstCaps *to, GError **error)
{
  const struct color_settings settings = { .tone_map = false };

  if (gst_video_info_from_caps (&conversion->from, from)
      && gst_video_info_from_caps (&conversion->to, to)) {
    conversion->sources = new_pool (device, &conversion->from);
    conversion->targets = new_pool (device, &conversion->to);
  }
  if (conversion->sources == NULL || conversion->targets == NULL) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "these frames cannot be converted");
    return FALSE;
  }
  return colorkernel_set_info (conversion->kernel, device, from,
                               &conversion->from, to, &conversion->to,
                               &settings, error);
}

struct conversion *
conversion_new (struct vkc_device *device, GstCaps *from, GstCaps *to,
                GError **error)
{
  struct conversion *conversion = g_new0 (struct conversion, 1);

  conversion->kernel = colorkernel_new ();
  if (init (conversion, device, from, to, error))
    return conversion;
  conversion_free (conversion);
  return NULL;
}

void
conversion_free (struct conversion *conversion)
{
  if (conversion == NULL)
    return;
  colorkernel_free (conversion->kernel);
  scratch_pool_unref (conversion->sources);
  scratch_pool_unref (conversion->targets);
  g_free (conversion);
}

struct scratch *
conversion_new_source (struct conversion *conversion, GstVkcFrame *frame,
                       GError **error)
{
  return frame_new_scratch (frame, &conversion->from, conversion->sources,
                            error);
}

struct scratch *
conversion_new_target (struct conversion *conversion, GstVkcFrame *frame,
                       GError **error)
{
  return frame_new_scratch (frame, &conversion->to, conversion->targets,
                            error);
}

gboolean
conversion_plan (struct conversion *conversion, const GstVkcFrame *from,
                 const GstVkcFrame *to, struct vkc_job *job, GError **error)
{
  return colorkernel_plan (conversion->kernel, from, to, job, error);
}
