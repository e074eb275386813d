/* What a shader needs against what the device has. */
#include "devicecheck.h"

#define FEATURE(name) offsetof (struct vkc_features, name)
#define ALWAYS        G_MAXSIZE

/* SPIR-V capabilities by the feature that allows them; others are unknown here
 * and refused. Which operations of a subgroup a device has is not looked at. */
/* clang-format off */
static const struct
{
  guint32 capability;
  const gchar *name;
  gsize feature; /* offset of a VkBool32 */
} known[] = {
  { 0, "Matrix", ALWAYS },
  { 1, "Shader", ALWAYS },
  { 25, "ImageGatherExtended", ALWAYS },
  { 43, "Sampled1D", ALWAYS },
  { 44, "Image1D", ALWAYS },
  { 50, "ImageQuery", ALWAYS },
  { 61, "GroupNonUniform", ALWAYS },
  { 62, "GroupNonUniformVote", ALWAYS },
  { 63, "GroupNonUniformArithmetic", ALWAYS },
  { 64, "GroupNonUniformBallot", ALWAYS },
  { 65, "GroupNonUniformShuffle", ALWAYS },
  { 66, "GroupNonUniformShuffleRelative", ALWAYS },
  { 67, "GroupNonUniformClustered", ALWAYS },
  { 68, "GroupNonUniformQuad", ALWAYS },
  { 9, "Float16", FEATURE (v12.shaderFloat16) },
  { 10, "Float64", FEATURE (core.features.shaderFloat64) },
  { 11, "Int64", FEATURE (core.features.shaderInt64) },
  { 22, "Int16", FEATURE (core.features.shaderInt16) },
  { 28, "UniformBufferArrayDynamicIndexing", FEATURE (core.features.shaderUniformBufferArrayDynamicIndexing) },
  { 29, "SampledImageArrayDynamicIndexing", FEATURE (core.features.shaderSampledImageArrayDynamicIndexing) },
  { 30, "StorageBufferArrayDynamicIndexing", FEATURE (core.features.shaderStorageBufferArrayDynamicIndexing) },
  { 31, "StorageImageArrayDynamicIndexing", FEATURE (core.features.shaderStorageImageArrayDynamicIndexing) },
  { 39, "Int8", FEATURE (v12.shaderInt8) },
  { 49, "StorageImageExtendedFormats", FEATURE (core.features.shaderStorageImageExtendedFormats) },
  { 55, "StorageImageReadWithoutFormat", FEATURE (core.features.shaderStorageImageReadWithoutFormat) },
  { 56, "StorageImageWriteWithoutFormat", FEATURE (core.features.shaderStorageImageWriteWithoutFormat) },
  { 4433, "StorageBuffer16BitAccess", FEATURE (v11.storageBuffer16BitAccess) },
  { 4434, "UniformAndStorageBuffer16BitAccess", FEATURE (v11.uniformAndStorageBuffer16BitAccess) },
  { 4448, "StorageBuffer8BitAccess", FEATURE (v12.storageBuffer8BitAccess) },
  { 4449, "UniformAndStorageBuffer8BitAccess", FEATURE (v12.uniformAndStorageBuffer8BitAccess) },
  { 5345, "VulkanMemoryModel", FEATURE (v12.vulkanMemoryModel) },
  { 5346, "VulkanMemoryModelDeviceScope", FEATURE (v12.vulkanMemoryModelDeviceScope) },
};
/* clang-format on */

static gboolean
check_capability (const struct reflection *reflection, guint32 capability,
                  const struct vkc_device *device, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (known); i++) {
    if (known[i].capability != capability)
      continue;
    if (known[i].feature == ALWAYS
        || G_STRUCT_MEMBER (VkBool32, &device->features, known[i].feature))
      return TRUE;
    return reflection_refuse (
        reflection, error, "the shader needs the capability %s, which %s lacks",
        known[i].name, device->name);
  }
  return reflection_refuse (
      reflection, error,
      "the shader needs the SPIR-V capability %u, which is not "
      "used here",
      capability);
}

gboolean
device_check_capabilities (const struct reflection *reflection,
                           const struct vkc_device *device, GError **error)
{
  for (guint i = 0; i < reflection->n_capabilities; i++)
    if (!check_capability (reflection, reflection->capabilities[i], device,
                           error))
      return FALSE;
  return TRUE;
}

static gboolean
check_count (const struct reflection *reflection, VkDescriptorType type,
             VkDescriptorType also, guint most, const struct vkc_device *device,
             GError **error)
{
  guint n = 0;

  for (guint i = 0; i < reflection->n_bindings; i++)
    if (reflection->bindings[i].type == type
        || reflection->bindings[i].type == also)
      n += reflection->bindings[i].count;
  return n <= most
         || reflection_refuse (reflection, error,
                               "%u bindings are %s; %s allows %u", n,
                               reflected_kind_name (type), device->name, most);
}

static gboolean
check_counts (const struct reflection *reflection,
              const struct vkc_device *device, GError **error)
{
  const VkPhysicalDeviceLimits *limits = &device->limits;
  const VkDescriptorType both = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  const struct
  {
    VkDescriptorType type, also;
    guint most;
  } rows[] = {
    { VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
      limits->maxPerStageDescriptorStorageImages },
    { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
      limits->maxPerStageDescriptorStorageBuffers },
    { VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
      limits->maxPerStageDescriptorUniformBuffers },
    { VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, both,
      limits->maxPerStageDescriptorSampledImages },
    { VK_DESCRIPTOR_TYPE_SAMPLER, both, limits->maxPerStageDescriptorSamplers },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (!check_count (reflection, rows[i].type, rows[i].also, rows[i].most,
                      device, error))
      return FALSE;
  return TRUE;
}

gboolean
device_check_bindings (const struct reflection *reflection,
                       const struct vkc_device *device, GError **error)
{
  for (guint i = 0; i < reflection->n_bindings; i++) {
    const struct reflected_binding *binding = &reflection->bindings[i];

    if (binding->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
        && binding->block.size > device->limits.maxUniformBufferRange)
      return reflection_refuse (
          reflection, error, "binding `%s` (%s) has %u bytes; %s allows %u",
          binding->name, reflected_kind_name (binding->type),
          binding->block.size, device->name,
          device->limits.maxUniformBufferRange);
  }
  return check_counts (reflection, device, error);
}

gboolean
device_check_workgroup (const struct reflection *reflection,
                        const guint size[3], const struct vkc_device *device,
                        GError **error)
{
  const VkPhysicalDeviceLimits *limits = &device->limits;
  const guint64 all = (guint64)size[0] * size[1] * size[2];

  for (guint i = 0; i < 3; i++)
    if (size[i] == 0 || size[i] > limits->maxComputeWorkGroupSize[i])
      return reflection_refuse (reflection, error,
                                "workgroups of %ux%ux%u; %s allows %u along %c",
                                size[0], size[1], size[2], device->name,
                                limits->maxComputeWorkGroupSize[i], 'x' + i);
  if (all > limits->maxComputeWorkGroupInvocations)
    return reflection_refuse (reflection, error,
                              "workgroups of %ux%ux%u are %" G_GUINT64_FORMAT
                              " invocations; %s allows %u",
                              size[0], size[1], size[2], all, device->name,
                              limits->maxComputeWorkGroupInvocations);
  if (reflection->shared_memory > limits->maxComputeSharedMemorySize)
    return reflection_refuse (reflection, error,
                              "workgroups share %" G_GUINT64_FORMAT
                              " bytes; %s allows %u",
                              reflection->shared_memory, device->name,
                              limits->maxComputeSharedMemorySize);
  return TRUE;
}
