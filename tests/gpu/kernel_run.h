/* One run of the colour kernel on a device: frames that the CPU fills, the
 * kernel, and the result back on the CPU. Failures fail the test. */
#pragma once

#include <gst/video/video.h>

#include "gst/vk/device.h"
#include "gst/vk/image.h"
#include "gst/vk/owner.h"
#include "tests/gpu/kernel_model.h"

/* One side of a run: a frame in the layout of @info, with @pad more bytes in
 * each row, @offset bytes into its buffer. */
struct side
{
  struct color_side color;
  GstVideoInfo info;
  struct vkc_image_params params;
  struct vkc_image *image;
  struct model_frame frame; /* the CPU's copy */
  uint8_t *bytes;
};

struct run
{
  struct side source, target;
  struct color_settings settings;
  struct color_light light;
  unsigned block;
  unsigned pad;    /* bytes behind every row, both sides */
  unsigned offset; /* bytes before the source's planes; buffers only */
};

/* The description of a side; RGB formats are of full range, the others of
 * limited. */
void run_describe (struct side *side, GstVideoFormat format, int width,
                   int height, enum color_matrix matrix,
                   enum color_primaries primaries, enum color_transfer transfer,
                   struct color_site site);

/* Lays the planes out, with @pad bytes behind each row and @offset before the
 * first plane, and fills the CPU's copy with @fill. */
void run_allocate (struct side *side, unsigned pad, unsigned offset,
                   uint8_t fill);
void run_free_side (struct side *side);

/* Any codes, also those that no camera makes. */
void run_fill_randomly (const struct model_frame *frame, uint32_t seed);

/* Makes the device's frame out of the CPU's copy. */
void run_to_image (struct vkc_device *device, struct side *side);

/* Runs the kernel; the target's CPU copy becomes the device's. */
void run_dispatch (struct run *run, struct vkc_device *device,
                   struct vkc_owner *owner, struct color_plan *plan);
