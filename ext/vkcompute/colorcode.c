/* From a plan to a pipeline. */
#include "colorcode.h"

#include <string.h>

#include "colorcopy.h"
#include "kernelframe.h"
#include "shaders/embedded.h"
#include "shaders/include/peak_ids.h"

/* Whether @block pixels are whole words in every plane, of samples in bytes. */
static gboolean
is_whole_words (const struct color_format *format, gint block)
{
  for (guint c = 0; c < 3; c++) {
    const gint sub = c > 0 ? format->hsub : 0;

    if ((block >> sub) * format->component[c].step % 4 != 0)
      return FALSE;
  }
  return TRUE;
}

/* Modules with GAIN_TABLE: what most frames do not need. */
gboolean
colorcode_has_tables (const struct colorcode *self)
{
  return self->gain_table || self->plan.cube != NULL
         || self->plan.view != COLOR_VIEW_NORMAL;
}

/* Whether 24 pixels a block are worth it, which are many to keep: where samples
 * of three a word become bytes and nothing else happens, on a CPU. */
static gboolean
unpacks_to_bytes (const struct colorcode *self, const struct vkc_device *device)
{
  const struct color_format *target = &self->out.color.format;

  return device->is_cpu && self->plan.affine && !colorcode_has_tables (self)
         && self->in.color.format.packing == PACKING_THREE
         && target->packing == PACKING_BYTES && target->component[0].bits == 8
         && is_whole_words (target, 24);
}

/* Blocks of 8 pixels on a CPU, half of that on a GPU. In buffers as many as are
 * whole words of the target, and of a source with three samples a word. */
static guint
choose_block (const struct colorcode *self, const struct vkc_device *device)
{
  const struct color_format *source = &self->in.color.format;
  const struct color_format *target = &self->out.color.format;
  const gboolean in_words = self->out.storage == VKC_STORAGE_BUFFER
                            && !color_format_needs_bits (target);

  if (in_words && unpacks_to_bytes (self, device))
    return 24;
  if (in_words
      && (target->packing == PACKING_THREE
          || (source->packing == PACKING_THREE && is_whole_words (target, 12))))
    return 12;
  if (in_words && !is_whole_words (target, 8))
    return 16;
  return device->is_cpu || color_format_needs_bits (target)
                 || !is_whole_words (target, 4)
             ? 8
             : 4;
}

static enum embedded_target
target_form (const struct colorcode *self)
{
  if (self->out.storage == VKC_STORAGE_IMAGE)
    return EMBEDDED_TARGET_IMAGE;
  return color_format_needs_bits (&self->out.color.format)
             ? EMBEDDED_TARGET_BITS
             : EMBEDDED_TARGET_BUFFER;
}

/* Codes to codes, from one buffer to words of another. */
static gboolean
moves_codes (const struct colorcode *self)
{
  return self->plan.affine && self->in.storage == VKC_STORAGE_BUFFER
         && target_form (self) == EMBEDDED_TARGET_BUFFER;
}

/* Where arithmetic is free, lanes that wait for each other are not worth it. */
void
colorcode_set_size (struct colorcode *self, const struct vkc_device *device)
{
  struct color_lanes lanes = { .cpu = device->is_cpu };

  self->block = choose_block (self, device);
  lanes.block = self->block;
  if (device->is_cpu && target_form (self) == EMBEDDED_TARGET_BUFFER)
    lanes.shuffled = device->shuffle_lanes;
  color_plan_set_size (&self->plan, GST_VIDEO_INFO_WIDTH (&self->out.info),
                       GST_VIDEO_INFO_HEIGHT (&self->out.info), &lanes,
                       self->groups);
}

/* On a GPU the kernel takes no time for them. */
void
colorcode_leave_copies (struct colorcode *self, const struct vkc_device *device)
{
  const gboolean possible = device->is_cpu && moves_codes (self)
                            && colorside_is_whole (&self->in)
                            && colorside_is_whole (&self->out);

  self->copied = possible ? color_copy_find (&self->in, &self->out) : 0;
}

static void
describe_bindings (const struct colorcode *self, struct vkc_kernel *kernel)
{
  struct vkc_binding_info *next = kernel->bindings;

  kernel_frame_describe (next++, "source", BINDING_SOURCE, self->in.storage,
                         FALSE);
  kernel_frame_describe (next, "target", BINDING_TARGET, self->out.storage,
                         TRUE);
  next++->reads = self->out.keeps_rest;
  if (self->plan.dithered)
    kernel_frame_describe (next++, "dither", BINDING_DITHER, VKC_STORAGE_BUFFER,
                           FALSE);
  if (colorcode_has_tables (self)) {
    kernel_frame_describe (next++, "gain", BINDING_GAIN, VKC_STORAGE_BUFFER,
                           FALSE);
    kernel_frame_describe (next++, "lut", BINDING_LUT, VKC_STORAGE_BUFFER,
                           FALSE);
  }
  kernel->n_bindings = next - kernel->bindings;
}

/* Whether the kernel gets at both frames by their addresses. Where light is
 * computed, there is more than memory to wait for, and llvmpipe takes a third
 * longer that way. */
static gboolean
is_addressed (const struct colorcode *self, const struct vkc_device *device)
{
  return device->has_addresses && moves_codes (self)
         && !colorcode_has_tables (self);
}

static guint
module_index (const struct colorcode *self, gboolean addressed)
{
  if (addressed)
    return embedded_addressed_index (self->block, self->plan.along_rows,
                                     self->plan.dithered);
  return embedded_colorconvert_index (
      self->in.storage == VKC_STORAGE_IMAGE, target_form (self), self->block,
      self->plan.along_rows, self->plan.dithered);
}

struct vkc_pipeline *
colorcode_compile (const struct colorcode *self, struct vkc_device *device,
                   guint alignment, GError **error)
{
  const gboolean addressed = is_addressed (self, device);
  const guint index = module_index (self, addressed);
  const struct embedded_code *code = colorcode_has_tables (self)
                                         ? &embedded_gaintable[index]
                                         : &embedded_colorconvert[index];
  struct vkc_kernel kernel = {
    .name = "colorconvert",
    .code = code->words,
    .code_size = code->size,
    .push_constants_size = sizeof (struct kernel_params),
    .n_addresses = addressed ? 2 : 0,
  };
  uint32_t ids[ID_COUNT], values[ID_COUNT];
  const struct vkc_specialization specialization
      = { .n = ID_COUNT, .ids = ids, .values = values };

  describe_bindings (self, &kernel);
  for (guint i = 0; i < ID_COUNT; i++)
    ids[i] = i;
  memcpy (values, self->plan.constants, sizeof values);
  values[ID_ALIGNED] = alignment;
  values[ID_SOURCE_ROW_STEP] = MAX (self->in.row_step, 1);
  values[ID_TARGET_ROW_STEP] = MAX (self->out.row_step, 1);
  values[ID_LEFT_OUT] = self->copied;
  values[ID_GAIN_TABLE] = self->gain_table;
  return vkc_pipeline_get (device, &kernel, &specialization, error);
}
