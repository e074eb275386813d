/* Kernels and the pipelines made of them. A pipeline is made once per device
 * and set of specialization constants, however many elements ask. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "gst/vk/device.h"

#define VKC_MAX_BINDINGS 16
#define VKC_MAX_SAMPLERS 4 /* in an array of a kernel */
#define VKC_MAX_SETS 4 /* all that Vulkan guarantees */

/* What a kernel declares for one descriptor. */
struct vkc_binding_info
{
  const char *name; /* for messages; may be NULL */
  uint32_t binding;
  /* STORAGE_BUFFER, UNIFORM_BUFFER, STORAGE_IMAGE, SAMPLED_IMAGE,
   * COMBINED_IMAGE_SAMPLER, SAMPLER */
  VkDescriptorType type;
  uint32_t count; /* array size, 1 for a single descriptor */
  bool reads, writes;
  uint32_t set; /* below VKC_MAX_SETS */

  /* Of samplers, which the pipeline owns: nothing is bound for them. */
  VkFilter filter;
  VkSamplerAddressMode wrap;
};

/* A compute shader, as reflected or as built in. Plain data, owned by whoever
 * declares it; vkc_pipeline_get() keeps a copy of what it needs. */
struct vkc_kernel
{
  const char *name;
  const char *entry_point; /* NULL: "main" */
  const uint32_t *code;
  size_t code_size; /* bytes */
  uint32_t n_bindings;
  struct vkc_binding_info bindings[VKC_MAX_BINDINGS];
  uint32_t push_constants_size; /* bytes */

  /* The first bindings are storage buffers whose addresses it wants, too, as
   * push constants from byte VKC_MAX_PUSH_CONSTANTS on: at the most
   * VKC_MAX_ADDRESSES, on devices that have them. */
  uint32_t n_addresses;
};

/* Values for specialization constants: @n pairs, 32 bits each. */
struct vkc_specialization
{
  uint32_t n;
  const uint32_t *ids;
  const uint32_t *values;
};

/* Holds its device. */
struct vkc_pipeline
{
  struct vkc_device *device;
  struct vkc_kernel kernel; /* a copy, without the code */
  uint32_t n_sets;
  VkDescriptorSetLayout set_layouts[VKC_MAX_SETS];
  VkSampler samplers[VKC_MAX_BINDINGS]; /* by index; most are none */
  VkPipelineLayout layout;
  VkPipeline handle;
  char *key;
  int has_run; /* atomic: a submission with it is over */
  double ns_per_group; /* moving average, under the recorder's lock; 0 at first */
  int ref_count;
};

/* @specialization may be NULL. Slow the first time (the driver compiles).
 * Errors: FAILED, OUT_OF_MEMORY. */
VKC_API struct vkc_pipeline *
vkc_pipeline_get (struct vkc_device *device, const struct vkc_kernel *kernel,
                  const struct vkc_specialization *specialization,
                  GError **error);
VKC_API struct vkc_pipeline *vkc_pipeline_ref (struct vkc_pipeline *pipeline);

/* Accepts NULL. Never blocks. */
VKC_API void vkc_pipeline_unref (struct vkc_pipeline *pipeline);
