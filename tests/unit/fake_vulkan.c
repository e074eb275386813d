/* A Vulkan device made of nothing but pthreads. */
#include "tests/unit/fake_vulkan.h"

#include <stdlib.h>
#include <string.h>

#include "gst/vk/pipeline-private.h"
#include "gst/vk/recorder-private.h"
#include "tests/unit/fake_queue.h"

/* A pool holds its sets, in the order of allocation. */
struct fake_pool
{
  unsigned n;
  struct fake_set sets[64];
};

static VKAPI_ATTR VkResult VKAPI_CALL
allocate_sets (VkDevice device, const VkDescriptorSetAllocateInfo *info,
               VkDescriptorSet *set)
{
  struct fake_pool *pool = POINTER (fake_pool, info->descriptorPool);

  if (pool->n == G_N_ELEMENTS (pool->sets))
    return VK_ERROR_OUT_OF_POOL_MEMORY;
  *set = HANDLE (VkDescriptorSet, &pool->sets[pool->n++]);
  return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL
reset_sets (VkDevice device, VkDescriptorPool pool,
            VkDescriptorPoolResetFlags flags)
{
  POINTER (fake_pool, pool)->n = 0;
  return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL
update_sets (VkDevice device, uint32_t n, const VkWriteDescriptorSet *writes,
             uint32_t n_copies, const VkCopyDescriptorSet *copies)
{
  for (uint32_t i = 0; i < n; i++)
    POINTER (fake_set, writes[i].dstSet)->buffers[writes[i].dstBinding]
        = POINTER (fake_buffer, writes[i].pBufferInfo->buffer);
}

static VKAPI_ATTR void VKAPI_CALL
buffer_needs (VkDevice device, VkBuffer buffer, VkMemoryRequirements *needs)
{
  *needs = (VkMemoryRequirements){ FAKE_WORDS * 4, 4, 1 };
}

static VKAPI_ATTR VkResult VKAPI_CALL
allocate_memory (VkDevice device, const VkMemoryAllocateInfo *info,
                 const VkAllocationCallbacks *callbacks, VkDeviceMemory *memory)
{
  *memory = HANDLE (VkDeviceMemory, calloc (1, info->allocationSize));
  return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL
bind_memory (VkDevice device, VkBuffer buffer, VkDeviceMemory memory,
             VkDeviceSize offset)
{
  POINTER (fake_buffer, buffer)->words = (uint32_t *) (uintptr_t) memory;
  return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL
map_memory (VkDevice device, VkDeviceMemory memory, VkDeviceSize offset,
            VkDeviceSize size, VkMemoryMapFlags flags, void **data)
{
  *data = (void *) (uintptr_t) memory;
  return VK_SUCCESS;
}

/* Objects that are only counted as being there are 8 bytes. */
#define OBJECT(Name, name, size)                                              \
  static VKAPI_ATTR VkResult VKAPI_CALL create_##name (                       \
      VkDevice device, const Vk##Name##CreateInfo *info,                      \
      const VkAllocationCallbacks *callbacks, Vk##Name *made)                 \
  {                                                                           \
    *made = HANDLE (Vk##Name, calloc (1, size));                              \
    return VK_SUCCESS;                                                        \
  }                                                                           \
  static VKAPI_ATTR void VKAPI_CALL destroy_##name (                          \
      VkDevice device, Vk##Name gone, const VkAllocationCallbacks *callbacks) \
  {                                                                           \
    free ((void *) (uintptr_t) gone);                                         \
  }
OBJECT (Semaphore, semaphore, sizeof (struct fake_semaphore))
OBJECT (CommandPool, command_pool, sizeof (struct fake_commands))
OBJECT (DescriptorPool, descriptor_pool, sizeof (struct fake_pool))
OBJECT (DescriptorSetLayout, set_layout, 8)
OBJECT (PipelineLayout, pipeline_layout, 8)
OBJECT (ShaderModule, module, 8)
OBJECT (Buffer, buffer, sizeof (struct fake_buffer))
#undef OBJECT

char fake_cache_given[64];
size_t fake_cache_given_size;

static VKAPI_ATTR VkResult VKAPI_CALL
create_cache (VkDevice device, const VkPipelineCacheCreateInfo *info,
              const VkAllocationCallbacks *callbacks, VkPipelineCache *made)
{
  g_assert (info->initialDataSize <= sizeof fake_cache_given);
  fake_cache_given_size = info->initialDataSize;
  if (info->pInitialData)
    memcpy (fake_cache_given, info->pInitialData, info->initialDataSize);
  *made = HANDLE (VkPipelineCache, calloc (1, 8));
  return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL
destroy_cache (VkDevice device, VkPipelineCache gone,
               const VkAllocationCallbacks *callbacks)
{
  free ((void *) (uintptr_t) gone);
}

static VKAPI_ATTR VkResult VKAPI_CALL
cache_data (VkDevice device, VkPipelineCache cache, size_t *size, void *data)
{
  const VkPipelineCacheHeaderVersionOne header = {
    .headerSize = sizeof header,
    .headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE,
  };

  *size = FAKE_CACHE_SIZE;
  if (data) {
    memcpy (data, &header, sizeof header);
    memset ((char *) data + sizeof header, 'x', FAKE_CACHE_SIZE - sizeof header);
  }
  return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_pipeline (VkDevice device, VkPipelineCache cache, uint32_t n,
                 const VkComputePipelineCreateInfo *infos,
                 const VkAllocationCallbacks *callbacks, VkPipeline *made)
{
  *made = HANDLE (VkPipeline, calloc (1, 8));
  return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL
destroy_pipeline (VkDevice device, VkPipeline gone,
                  const VkAllocationCallbacks *callbacks)
{
  free ((void *) (uintptr_t) gone);
}

static VKAPI_ATTR void VKAPI_CALL
ignore_sampler (VkDevice device, VkSampler none,
                const VkAllocationCallbacks *callbacks)
{
}

static VKAPI_ATTR void VKAPI_CALL
ignore_view (VkDevice device, VkImageView none,
             const VkAllocationCallbacks *callbacks)
{
}

static VKAPI_ATTR void VKAPI_CALL
ignore_image (VkDevice device, VkImage none,
              const VkAllocationCallbacks *callbacks)
{
}

static VKAPI_ATTR void VKAPI_CALL
ignore_queries (VkDevice device, VkQueryPool none,
                const VkAllocationCallbacks *callbacks)
{
}

static VKAPI_ATTR void VKAPI_CALL
free_memory (VkDevice device, VkDeviceMemory memory,
             const VkAllocationCallbacks *callbacks)
{
  free ((void *) (uintptr_t) memory);
}

static VKAPI_ATTR void VKAPI_CALL
destroy_device (VkDevice device, const VkAllocationCallbacks *callbacks)
{
  fake_queue_stop ();
}

static const struct vkc_functions functions = {
  .DestroyDevice = destroy_device,
  .CreateSemaphore = create_semaphore,
  .DestroySemaphore = destroy_semaphore,
  .CreateCommandPool = create_command_pool,
  .DestroyCommandPool = destroy_command_pool,
  .CreateDescriptorPool = create_descriptor_pool,
  .DestroyDescriptorPool = destroy_descriptor_pool,
  .ResetDescriptorPool = reset_sets,
  .AllocateDescriptorSets = allocate_sets,
  .UpdateDescriptorSets = update_sets,
  .CreateDescriptorSetLayout = create_set_layout,
  .DestroyDescriptorSetLayout = destroy_set_layout,
  .CreatePipelineLayout = create_pipeline_layout,
  .DestroyPipelineLayout = destroy_pipeline_layout,
  .CreatePipelineCache = create_cache,
  .DestroyPipelineCache = destroy_cache,
  .GetPipelineCacheData = cache_data,
  .CreateShaderModule = create_module,
  .DestroyShaderModule = destroy_module,
  .CreateComputePipelines = create_pipeline,
  .DestroyPipeline = destroy_pipeline,
  .CreateBuffer = create_buffer,
  .DestroyBuffer = destroy_buffer,
  .GetBufferMemoryRequirements = buffer_needs,
  .BindBufferMemory = bind_memory,
  .DestroyImage = ignore_image,
  .DestroyImageView = ignore_view,
  .DestroySampler = ignore_sampler,
  .DestroyQueryPool = ignore_queries,
  .AllocateMemory = allocate_memory,
  .FreeMemory = free_memory,
  .MapMemory = map_memory,
};

struct vkc_device *
fake_device_new (void)
{
  static int something;
  struct vkc_device *device = g_new0 (struct vkc_device, 1);

  device->ref_count = 1;
  device->vk = functions;
  fake_queue_fill (&device->vk);
  device->handle = (VkDevice) &something;
  device->name = g_strdup ("fake");
  device->limits.maxStorageBufferRange = UINT32_MAX;
  device->memory.memoryTypeCount = 1;
  device->memory.memoryTypes[0].propertyFlags
      = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
        | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT
        | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
        | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  device->has_direct_memory = true;
  fake_queue_start ();
  device->pipelines = vkc_pipeline_cache_new (device);
  device->recorder = vkc_recorder_new (device, NULL);
  return device;
}

static struct vkc_pipeline *
get_pipeline (struct vkc_device *device,
              const struct vkc_specialization *specialization)
{
  static const uint32_t code[1];
  const struct vkc_kernel kernel = {
    .name = "add",
    .code = code,
    .code_size = sizeof code,
    .n_bindings = 2,
    .bindings = { { "source", 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, true,
                    false },
                  { "target", 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, false,
                    true } },
    .push_constants_size = 4,
  };

  return vkc_pipeline_get (device, &kernel, specialization, NULL);
}

struct vkc_pipeline *
fake_pipeline_new (struct vkc_device *device)
{
  return get_pipeline (device, NULL);
}

struct vkc_pipeline *
fake_pipeline_variant (struct vkc_device *device, uint32_t number)
{
  static const uint32_t id = 0;
  const struct vkc_specialization specialization
      = { .n = 1, .ids = &id, .values = &number };

  return get_pipeline (device, &specialization);
}
