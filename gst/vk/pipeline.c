/* Makes compute pipelines and shares equal ones. */
#include "gst/vk/pipeline-private.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <string.h>

#include "gst/vk/pipeline-store.h"
#include "gst/vk/recorder-private.h"
#include "gst/vk/result.h"
#include "gst/vk/sync.h"

/* Live pipelines by what they are made of; NULL is one that is being made.
 * Holds no reference: a pipeline leaves when its last one goes. */
struct vkc_pipeline_cache
{
  struct vkc_mutex lock;
  struct vkc_cond made; /* or not: one that was being made */
  GHashTable *by_key;
  struct vkc_pipeline_store *store;
};

struct vkc_pipeline_cache *
vkc_pipeline_cache_new (struct vkc_device *device)
{
  struct vkc_pipeline_cache *cache = g_new0 (struct vkc_pipeline_cache, 1);

  vkc_mutex_init (&cache->lock);
  vkc_cond_init (&cache->made);
  cache->by_key = g_hash_table_new (g_str_hash, g_str_equal);
  cache->store = vkc_pipeline_store_new (device);
  return cache;
}

void
vkc_pipeline_cache_free (struct vkc_pipeline_cache *cache)
{
  if (!cache)
    return;
  vkc_pipeline_store_free (cache->store);
  g_hash_table_unref (cache->by_key);
  vkc_cond_clear (&cache->made);
  vkc_mutex_clear (&cache->lock);
  g_free (cache);
}

static bool
has_sampler (const struct vkc_binding_info *info)
{
  return info->type == VK_DESCRIPTOR_TYPE_SAMPLER
         || info->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

static char *
make_key (const struct vkc_kernel *kernel,
          const struct vkc_specialization *specialization)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  const char *entry = kernel->entry_point ? kernel->entry_point : "main";

  g_checksum_update (sum, (const guchar *) entry, strlen (entry) + 1);
  g_checksum_update (sum, (const guchar *) kernel->code, kernel->code_size);
  for (uint32_t i = 0; i < kernel->n_bindings; i++) {
    const struct vkc_binding_info *info = &kernel->bindings[i];
    const guchar access[] = { info->reads, info->writes };

    /* The pipeline's copy of them orders its jobs. */
    g_checksum_update (sum, access, sizeof access);
    if (has_sampler (info)) {
      g_checksum_update (sum, (const guchar *) &info->filter,
                         sizeof info->filter);
      g_checksum_update (sum, (const guchar *) &info->wrap, sizeof info->wrap);
    }
  }
  if (specialization) {
    const gsize size = specialization->n * sizeof (uint32_t);

    g_checksum_update (sum, (const guchar *) specialization->ids, size);
    g_checksum_update (sum, (const guchar *) specialization->values, size);
  }
  return g_strdup (g_checksum_get_string (sum));
}

static void
copy_kernel (struct vkc_kernel *copy, const struct vkc_kernel *kernel)
{
  *copy = *kernel;
  copy->name = g_strdup (kernel->name);
  copy->entry_point = NULL;
  copy->code = NULL;
  copy->code_size = 0;
  for (uint32_t i = 0; i < copy->n_bindings; i++)
    copy->bindings[i].name = g_strdup (kernel->bindings[i].name);
}

static bool
create_sampler (struct vkc_pipeline *pipeline, uint32_t index, GError **error)
{
  const struct vkc_binding_info *info = &pipeline->kernel.bindings[index];
  const VkSamplerCreateInfo sampler = {
    .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
    .magFilter = info->filter,
    .minFilter = info->filter,
    .addressModeU = info->wrap,
    .addressModeV = info->wrap,
    .addressModeW = info->wrap,
  };

  return vkc_check (pipeline->device->vk.CreateSampler (
                        pipeline->device->handle, &sampler, NULL,
                        &pipeline->samplers[index]),
                    "vkCreateSampler", error);
}

static bool
create_samplers (struct vkc_pipeline *pipeline, GError **error)
{
  for (uint32_t i = 0; i < pipeline->kernel.n_bindings; i++)
    if (has_sampler (&pipeline->kernel.bindings[i])
        && !create_sampler (pipeline, i, error))
      return false;
  return true;
}

static bool
create_set_layout (struct vkc_pipeline *pipeline, uint32_t set, GError **error)
{
  const struct vkc_kernel *kernel = &pipeline->kernel;
  VkDescriptorSetLayoutBinding bindings[VKC_MAX_BINDINGS];
  VkSampler samplers[VKC_MAX_BINDINGS][VKC_MAX_SAMPLERS];
  VkDescriptorSetLayoutCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
    .pBindings = bindings,
  };

  for (uint32_t i = 0; i < kernel->n_bindings; i++) {
    if (kernel->bindings[i].set != set)
      continue;
    for (uint32_t k = 0; k < VKC_MAX_SAMPLERS; k++)
      samplers[i][k] = pipeline->samplers[i];
    bindings[info.bindingCount++] = (VkDescriptorSetLayoutBinding){
      .binding = kernel->bindings[i].binding,
      .descriptorType = kernel->bindings[i].type,
      .descriptorCount = kernel->bindings[i].count,
      .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
      .pImmutableSamplers = pipeline->samplers[i] ? samplers[i] : NULL,
    };
  }
  return vkc_check (pipeline->device->vk.CreateDescriptorSetLayout (
                        pipeline->device->handle, &info, NULL,
                        &pipeline->set_layouts[set]),
                    "vkCreateDescriptorSetLayout", error);
}

/* Sets that lie below a used one must be there, if only empty. */
static bool
create_set_layouts (struct vkc_pipeline *pipeline, GError **error)
{
  const struct vkc_kernel *kernel = &pipeline->kernel;

  pipeline->n_sets = 1;
  for (uint32_t i = 0; i < kernel->n_bindings; i++) {
    g_assert (kernel->bindings[i].set < VKC_MAX_SETS);
    pipeline->n_sets = MAX (pipeline->n_sets, kernel->bindings[i].set + 1);
  }
  for (uint32_t i = 0; i < pipeline->n_sets; i++)
    if (!create_set_layout (pipeline, i, error))
      return false;
  return true;
}

static bool
create_layouts (struct vkc_pipeline *pipeline, GError **error)
{
  const VkPushConstantRange range = {
    .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
    .size = pipeline->kernel.n_addresses
                ? VKC_ADDRESSED_CONSTANTS
                : pipeline->kernel.push_constants_size,
  };
  VkPipelineLayoutCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
    .pSetLayouts = pipeline->set_layouts,
    .pushConstantRangeCount = range.size ? 1 : 0,
    .pPushConstantRanges = &range,
  };

  if (!create_samplers (pipeline, error)
      || !create_set_layouts (pipeline, error))
    return false;
  info.setLayoutCount = pipeline->n_sets;
  return vkc_check (
      pipeline->device->vk.CreatePipelineLayout (
          pipeline->device->handle, &info, NULL, &pipeline->layout),
      "vkCreatePipelineLayout", error);
}

/* A driver takes a hundred MiB to compile, and frees them again: they are for
 * the frames that come now, and not for malloc() to keep. */
static void
give_back_memory (void)
{
#ifdef __GLIBC__
  malloc_trim (0);
#endif
}

/* Words, one after the other. */
static VkSpecializationMapEntry *
map_entries (const struct vkc_specialization *specialization, uint32_t n)
{
  VkSpecializationMapEntry *entries = g_new (VkSpecializationMapEntry, n);

  for (uint32_t i = 0; i < n; i++)
    entries[i] = (VkSpecializationMapEntry){
      .constantID = specialization->ids[i],
      .offset = i * sizeof (uint32_t),
      .size = sizeof (uint32_t),
    };
  return entries;
}

static bool
create_handle (struct vkc_pipeline *pipeline, const struct vkc_kernel *kernel,
               const struct vkc_specialization *specialization, GError **error)
{
  struct vkc_device *device = pipeline->device;
  const uint32_t n = specialization ? specialization->n : 0;
  g_autofree VkSpecializationMapEntry *entries
      = map_entries (specialization, n);
  const VkSpecializationInfo values = {
    .mapEntryCount = n,
    .pMapEntries = entries,
    .dataSize = n * sizeof (uint32_t),
    .pData = specialization ? specialization->values : NULL,
  };
  const VkShaderModuleCreateInfo module_info = {
    .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
    .codeSize = kernel->code_size,
    .pCode = kernel->code,
  };
  VkComputePipelineCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
    .stage = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
      .pName = kernel->entry_point ? kernel->entry_point : "main",
      .pSpecializationInfo = &values,
    },
    .layout = pipeline->layout,
  };
  VkResult result;

  if (!vkc_check (device->vk.CreateShaderModule (device->handle, &module_info,
                                                 NULL, &info.stage.module),
                  "vkCreateShaderModule", error))
    return false;
  if (device->recorder)
    vkc_recorder_begin_compiling (device->recorder);
  result = device->vk.CreateComputePipelines (
      device->handle, vkc_pipeline_store_handle (device->pipelines->store), 1,
      &info, NULL, &pipeline->handle);
  if (device->recorder)
    vkc_recorder_end_compiling (device->recorder);
  device->vk.DestroyShaderModule (device->handle, info.stage.module, NULL);
  give_back_memory ();
  return vkc_check (result, "vkCreateComputePipelines", error);
}

static void
pipeline_free (struct vkc_pipeline *pipeline)
{
  struct vkc_device *device = pipeline->device;

  device->vk.DestroyPipeline (device->handle, pipeline->handle, NULL);
  device->vk.DestroyPipelineLayout (device->handle, pipeline->layout, NULL);
  for (uint32_t i = 0; i < pipeline->n_sets; i++)
    device->vk.DestroyDescriptorSetLayout (device->handle,
                                           pipeline->set_layouts[i], NULL);
  for (uint32_t i = 0; i < pipeline->kernel.n_bindings; i++) {
    device->vk.DestroySampler (device->handle, pipeline->samplers[i], NULL);
    g_free ((char *) pipeline->kernel.bindings[i].name);
  }
  g_free ((char *) pipeline->kernel.name);
  g_free (pipeline->key);
  g_free (pipeline);
  vkc_device_unref (device);
}

static struct vkc_pipeline *
pipeline_new (struct vkc_device *device, const struct vkc_kernel *kernel,
              const struct vkc_specialization *specialization, GError **error)
{
  struct vkc_pipeline *pipeline = g_new0 (struct vkc_pipeline, 1);

  pipeline->device = vkc_device_ref (device);
  pipeline->ref_count = 1;
  copy_kernel (&pipeline->kernel, kernel);
  if (create_layouts (pipeline, error)
      && create_handle (pipeline, kernel, specialization, error))
    return pipeline;

  g_prefix_error (error, "kernel %s: ", kernel->name);
  pipeline_free (pipeline);
  return NULL;
}

/* Under the lock: a reference to the pipeline of @key. NULL: it is the caller's
 * to be made; who wants it as well waits for that, and does not compile. */
static struct vkc_pipeline *
find_or_claim (struct vkc_pipeline_cache *cache, char *key)
{
  void *found;

  while (g_hash_table_lookup_extended (cache->by_key, key, NULL, &found)) {
    if (found)
      return vkc_pipeline_ref (found);
    vkc_cond_wait_until (&cache->made, &cache->lock, INT64_MAX);
  }
  g_hash_table_insert (cache->by_key, key, NULL);
  return NULL;
}

struct vkc_pipeline *
vkc_pipeline_get (struct vkc_device *device, const struct vkc_kernel *kernel,
                  const struct vkc_specialization *specialization,
                  GError **error)
{
  struct vkc_pipeline_cache *cache = device->pipelines;
  g_autofree char *key = make_key (kernel, specialization);
  struct vkc_pipeline *pipeline;

  g_assert (kernel->push_constants_size <= VKC_MAX_PUSH_CONSTANTS);
  g_assert (kernel->n_addresses
            <= (device->has_addresses ? VKC_MAX_ADDRESSES : 0));

  vkc_mutex_lock (&cache->lock);
  pipeline = find_or_claim (cache, key);
  vkc_mutex_unlock (&cache->lock);
  if (pipeline)
    return pipeline;

  /* May take seconds: not under the lock, which whoever lets go of a pipeline
   * takes. */
  pipeline = pipeline_new (device, kernel, specialization, error);
  vkc_mutex_lock (&cache->lock);
  g_hash_table_remove (cache->by_key, key);
  if (pipeline) {
    pipeline->key = g_steal_pointer (&key);
    g_hash_table_insert (cache->by_key, pipeline->key, pipeline);
  }
  vkc_cond_broadcast (&cache->made);
  vkc_mutex_unlock (&cache->lock);
  return pipeline;
}

struct vkc_pipeline *
vkc_pipeline_ref (struct vkc_pipeline *pipeline)
{
  g_atomic_int_inc (&pipeline->ref_count);
  return pipeline;
}

void
vkc_pipeline_unref (struct vkc_pipeline *pipeline)
{
  struct vkc_pipeline_cache *cache;
  bool last;

  if (!pipeline)
    return;
  /* Under the lock, so that nobody finds it between the count and the end. */
  cache = pipeline->device->pipelines;
  vkc_mutex_lock (&cache->lock);
  last = g_atomic_int_dec_and_test (&pipeline->ref_count);
  if (last)
    g_hash_table_remove (cache->by_key, pipeline->key);
  vkc_mutex_unlock (&cache->lock);
  if (last)
    pipeline_free (pipeline);
}
