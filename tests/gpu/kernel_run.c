/* One run of the colour kernel on a device. */
#include "tests/gpu/kernel_run.h"

#include <gst/check/gstcheck.h>
#include <string.h>

#include "ext/vkcompute/colorcaps.h"
#include "gst/base/gstvkccaps.h"
#include "gst/vk/recorder.h"
#include "shaders/embedded.h"

void
run_describe (struct side *side, GstVideoFormat format, int width, int height,
              enum color_matrix matrix, enum color_primaries primaries,
              enum color_transfer transfer, struct color_site site)
{
  const GstVideoFormatInfo *info = gst_video_format_get_info (format);
  const bool rgb = GST_VIDEO_FORMAT_INFO_IS_RGB (info);

  gst_video_info_set_format (&side->info, format, width, height);
  fail_unless (color_format_from_gst (&side->color.format, format));
  side->color.description = (struct color_description){
    .matrix = rgb ? COLOR_MATRIX_RGB : matrix,
    .range = rgb ? COLOR_RANGE_FULL : COLOR_RANGE_LIMITED,
    .primaries = primaries,
    .transfer = transfer,
    .site = site,
  };
}

/* Lays the planes out, with @pad bytes behind each row and @offset before the
 * first plane, and fills the CPU's copy with @fill. */
void
run_allocate (struct side *side, unsigned pad, unsigned offset, uint8_t fill)
{
  const enum vkc_storage storage = gst_vkc_storage_for (&side->info);
  size_t size = offset;

  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (&side->info); i++) {
    side->info.stride[i]
        = (gint)GST_ROUND_UP_4 (gst_vkc_plane_row_bytes (&side->info, i) + pad);
    side->info.offset[i] = size;
    size += (size_t)side->info.stride[i] * gst_vkc_plane_rows (&side->info, i);
  }
  side->info.size = size;
  fail_unless (
      gst_vkc_image_params_from_info (&side->params, &side->info, storage));
  side->bytes = g_malloc (side->params.size);
  memset (side->bytes, fill, side->params.size);
  side->frame = (struct model_frame){
    .format = &side->color.format,
    .width = GST_VIDEO_INFO_WIDTH (&side->info),
    .height = GST_VIDEO_INFO_HEIGHT (&side->info),
  };
  for (guint i = 0; i < side->params.n_planes; i++) {
    side->frame.plane[i] = side->bytes + side->info.offset[i];
    side->frame.stride[i] = side->info.stride[i];
  }
}

void
run_free_side (struct side *side)
{
  g_free (side->bytes);
  vkc_image_unref (side->image);
}

/* Any codes, also those that no camera makes. */
void
run_fill_randomly (const struct model_frame *frame, uint32_t seed)
{
  for (int k = 0; k < (frame->format->has_alpha ? 4 : 3); k++) {
    for (int y = 0; y < model_rows (frame, k); y++) {
      for (int x = 0; x < model_columns (frame, k); x++) {
        seed = seed * 1664525 + 1013904223;
        model_set (frame, k, x, y,
                   (seed >> 12)
                       & ((1u << frame->format->component[k].bits) - 1));
      }
    }
  }
}

void
run_to_image (struct vkc_device *device, struct side *side)
{
  g_autoptr (GError) error = NULL;
  void *pixels;

  side->image = vkc_image_new (device, &side->params, &error);
  fail_unless (side->image != NULL, "%s", error ? error->message : "");
  pixels = vkc_image_map (side->image, VKC_MAP_WRITE, &error);
  fail_unless (pixels != NULL);
  memcpy (pixels, side->bytes, side->params.size);
  vkc_image_unmap (side->image, VKC_MAP_WRITE);
}

/* For ID_ALIGNED. */
static uint32_t
alignment (const struct side *side)
{
  gsize bits = 0;

  for (guint i = 0; i < side->params.n_planes; i++)
    bits |= side->info.offset[i] | (gsize)side->info.stride[i];
  return bits % 16 == 0 ? 16 : bits % 4 == 0 ? 4 : 1;
}

/* As elements choose. Blocks of 4 are a GPU's. */
static bool
is_addressed (const struct run *run, const struct color_plan *plan,
              const struct vkc_device *device)
{
  return device->has_addresses && plan->affine && run->block != 4
         && run->source.params.storage == VKC_STORAGE_BUFFER
         && run->target.params.storage == VKC_STORAGE_BUFFER;
}

static unsigned
code_index (const struct run *run, bool addressed,
            const struct color_plan *plan)
{
  if (addressed)
    return embedded_addressed_index (run->block, plan->along_rows,
                                     plan->dithered);
  return embedded_colorconvert_index (
      run->source.params.storage == VKC_STORAGE_IMAGE,
      run->target.params.storage == VKC_STORAGE_IMAGE ? EMBEDDED_TARGET_IMAGE
                                                      : EMBEDDED_TARGET_BUFFER,
      run->block, plan->along_rows, plan->dithered);
}

static struct vkc_pipeline *
make_pipeline (const struct run *run, struct vkc_device *device,
               struct color_plan *plan)
{
  const bool source_image = run->source.params.storage == VKC_STORAGE_IMAGE;
  const bool target_image = run->target.params.storage == VKC_STORAGE_IMAGE;
  const bool addressed = is_addressed (run, plan, device);
  const struct embedded_code *code
      = &embedded_colorconvert[code_index (run, addressed, plan)];
  const struct vkc_kernel kernel = {
    .name = "colorconvert",
    .code = code->words,
    .code_size = code->size,
    .n_bindings = plan->dithered ? 3 : 2,
    .bindings = { { "source", BINDING_SOURCE,
                    source_image ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE
                                 : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                    source_image ? MAX_PLANES : 1, true, false },
                  { "target", BINDING_TARGET,
                    target_image ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
                                 : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                    target_image ? MAX_PLANES : 1, false, true },
                  { "dither", BINDING_DITHER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                    1, true, false } },
    .push_constants_size = sizeof (struct kernel_params),
    .n_addresses = addressed ? 2 : 0,
  };
  uint32_t ids[ID_COUNT];
  const struct vkc_specialization specialization
      = { .n = ID_COUNT, .ids = ids, .values = plan->constants };
  g_autoptr (GError) error = NULL;
  struct vkc_pipeline *pipeline;

  for (int i = 0; i < ID_COUNT; i++)
    ids[i] = (uint32_t)i;
  plan->constants[ID_ALIGNED]
      = MIN (alignment (&run->source), alignment (&run->target));
  pipeline = vkc_pipeline_get (device, &kernel, &specialization, &error);
  fail_unless (pipeline != NULL, "%s", error ? error->message : "");
  return pipeline;
}

static void
place (const struct side *side, uint32_t planes[MAX_PLANES][2])
{
  for (guint i = 0; i < side->params.n_planes; i++) {
    if (side->params.storage == VKC_STORAGE_IMAGE)
      continue;
    planes[i][0] = (uint32_t)side->info.offset[i];
    planes[i][1] = (uint32_t)side->info.stride[i];
  }
}

static struct vkc_image *
make_dither (struct vkc_device *device)
{
  const size_t size = sizeof color_dither_table;
  const struct vkc_image_params params = {
    .storage = VKC_STORAGE_BUFFER,
    .n_planes = 1,
    .planes = { { .width = size, .height = 1, .stride = size } },
    .size = size,
  };
  struct vkc_image *image = vkc_image_new (device, &params, NULL);
  void *bytes = vkc_image_map (image, VKC_MAP_WRITE, NULL);

  memcpy (bytes, color_dither_table, size);
  vkc_image_unmap (image, VKC_MAP_WRITE);
  return image;
}

/* Runs the kernel; the target's CPU copy becomes the device's. */
void
run_dispatch (struct run *run, struct vkc_device *device,
              struct vkc_owner *owner, struct color_plan *plan)
{
  struct side *source = &run->source, *target = &run->target;
  struct kernel_params params
      = { .width = (uint32_t)source->frame.width,
          .height = (uint32_t)source->frame.height,
          .source_last = (uint32_t)(source->params.size + 3) / 4 - 1 };
  struct vkc_pipeline *pipeline;
  struct vkc_image *dither = plan->dithered ? make_dither (device) : NULL;
  struct vkc_job *job;
  const bool words = target->params.storage == VKC_STORAGE_BUFFER;
  /* Blocks of 4 are what GPUs make; any device can make them their way. */
  const bool cpu = device->is_cpu && run->block == 8;
  const struct color_lanes lanes
      = { .block = run->block,
          .cpu = cpu,
          .shuffled = cpu && words ? device->shuffle_lanes : 0 };
  uint32_t groups[2];
  g_autoptr (GError) error = NULL;
  const void *pixels;

  color_plan_set_size (plan, params.width, params.height, &lanes, groups);
  color_plan_fill_params (plan, &params);
  pipeline = make_pipeline (run, device, plan);
  place (source, params.source);
  place (target, params.target);
  job = vkc_job_new (owner);
  vkc_job_set_pipeline (job, pipeline);
  vkc_job_set_groups (job, groups[0], groups[1], 1);
  fail_unless (vkc_job_set_push_constants (job, &params, sizeof params, &error)
                   && vkc_job_bind (job, BINDING_SOURCE, source->image, 0,
                                    source->params.n_planes, &error)
                   && vkc_job_bind (job, BINDING_TARGET, target->image, 0,
                                    target->params.n_planes, &error)
                   && (dither == NULL
                       || vkc_job_bind (job, BINDING_DITHER, dither, 0, 1,
                                        &error))
                   && vkc_recorder_append (device->recorder, job, &error),
               "%s", error ? error->message : "");
  pixels = vkc_image_map (target->image, VKC_MAP_READ, &error);
  fail_unless (pixels != NULL && error == NULL, "%s",
               error ? error->message : "");
  memcpy (target->bytes, pixels, target->params.size);
  vkc_image_unmap (target->image, VKC_MAP_READ);
  vkc_pipeline_unref (pipeline);
  vkc_image_unref (dither);
}
