/* Texels as numbers of another kind. */
#include "recode.h"

#include "framecopy.h"
#include "gst/base/gstvkccaps.h"
#include "imageformat.h"
#include "shaders/embedded.h"

#define MAX_PLANES 4
#define GROUP      8

struct recode
{
  GstVideoInfo info;
  VkFormat format; /* of the codes of all planes; UNDEFINED if they differ */
  struct vkc_pipeline *pipeline;
  struct scratch_pool *codes;
};

static struct vkc_pipeline *
make_pipeline (struct vkc_device *device, guint n_planes, GError **error)
{
  const struct vkc_kernel kernel = {
    .name = "recode",
    .code = embedded_recode->words,
    .code_size = embedded_recode->size,
    .n_bindings = 2,
    .bindings = { { .name = "source",
                    .binding = 0,
                    .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                    .count = MAX_PLANES,
                    .reads = true },
                  { .name = "target",
                    .binding = 1,
                    .type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                    .count = MAX_PLANES,
                    .writes = true } },
  };
  static const uint32_t id = 0;

  return vkc_pipeline_get (
      device, &kernel,
      &(struct vkc_specialization){ .n = 1, .ids = &id, .values = &n_planes },
      error);
}

/* The planes as numbers between 0 and 1, which the device must read and write.
 */
static gboolean
init_codes (struct recode *recode, struct vkc_device *device,
            struct vkc_image_params *params, GError **error)
{
  if (!gst_vkc_image_params_from_info (params, &recode->info,
                                       VKC_STORAGE_IMAGE))
    return FALSE;
  recode->format = image_format_of_plane (recode->info.finfo, 0);
  for (guint i = 0; i < params->n_planes; i++) {
    const VkFormat format = image_format_of_plane (recode->info.finfo, i);

    if (!vkc_device_can_store (device, format)
        || !vkc_device_can_sample (device, format, VK_FILTER_NEAREST)) {
      g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                   "%s cannot make floats of %s frames", device->name,
                   GST_VIDEO_INFO_NAME (&recode->info));
      return FALSE;
    }
    params->planes[i].format = format;
    if (format != recode->format)
      recode->format = VK_FORMAT_UNDEFINED;
  }
  return TRUE;
}

struct recode *
recode_new (struct vkc_device *device, const GstVideoInfo *info, GError **error)
{
  struct recode *recode = g_new0 (struct recode, 1);
  struct vkc_image_params params;

  recode->info = *info;
  if (init_codes (recode, device, &params, error)) {
    recode->codes = scratch_pool_new (device, &params);
    recode->pipeline = make_pipeline (device, params.n_planes, error);
  }
  if (recode->pipeline != NULL)
    return recode;
  recode_free (recode);
  return NULL;
}

void
recode_free (struct recode *recode)
{
  if (recode == NULL)
    return;
  scratch_pool_unref (recode->codes);
  vkc_pipeline_unref (recode->pipeline);
  g_free (recode);
}

gboolean
recode_is_floats (const struct vkc_image_params *params)
{
  if (params->storage == VKC_STORAGE_BUFFER)
    return FALSE;
  for (guint i = 0; i < params->n_planes; i++)
    if (image_format_is_float (params->planes[i].format))
      return TRUE;
  return FALSE;
}

struct scratch *
recode_new_codes (const struct recode *recode, GstVkcFrame *frame,
                  GError **error)
{
  return frame_new_scratch (frame, &recode->info, recode->codes, error);
}

gboolean
recode_takes_any (const struct recode *recode)
{
  return recode->format != VK_FORMAT_UNDEFINED;
}

/* Frames with codes of several formats come from the pool, and have them. */
static VkFormat
view_of (const struct recode *recode, const struct vkc_image *image)
{
  return recode_is_floats (vkc_image_params (image)) ? VK_FORMAT_UNDEFINED
                                                     : recode->format;
}

static guint
groups_of (gint pixels)
{
  return (pixels + GROUP - 1) / GROUP;
}

gboolean
recode_fill (const struct recode *recode, struct vkc_job *job,
             const GstVkcFrame *from, const GstVkcFrame *to, GError **error)
{
  const guint n = GST_VIDEO_INFO_N_PLANES (&recode->info);

  vkc_job_set_pipeline (job, recode->pipeline);
  vkc_job_set_groups (job, groups_of (GST_VIDEO_INFO_WIDTH (&recode->info)),
                      groups_of (GST_VIDEO_INFO_HEIGHT (&recode->info)), 1);
  return vkc_job_bind_view (job, 0, from->image, 0, n,
                            view_of (recode, from->image), error)
         && vkc_job_bind_view (job, 1, to->image, 0, n,
                               view_of (recode, to->image), error);
}
