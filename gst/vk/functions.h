/* The table of Vulkan entry points that a device is driven through. There is
 * no other way to Vulkan in this project, so that a test which replaces entries
 * sees, counts and fails every call. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <vulkan/vulkan.h>

#include "gst/vk/api.h"

#define VKC_INSTANCE_FUNCTIONS(X)                                             \
  X (DestroyInstance)                                                         \
  X (EnumeratePhysicalDevices)                                                \
  X (GetPhysicalDeviceProperties2)                                            \
  X (GetPhysicalDeviceFeatures2)                                              \
  X (GetPhysicalDeviceMemoryProperties)                                       \
  X (GetPhysicalDeviceQueueFamilyProperties)                                  \
  X (GetPhysicalDeviceFormatProperties2)                                      \
  X (GetPhysicalDeviceImageFormatProperties2)                                 \
  X (GetPhysicalDeviceExternalSemaphoreProperties)                            \
  X (EnumerateDeviceExtensionProperties)                                      \
  X (CreateDevice)

#define VKC_DEVICE_FUNCTIONS(X)                                               \
  X (DestroyDevice)                                                           \
  X (GetDeviceQueue)                                                          \
  X (QueueSubmit2)                                                            \
  X (CreateSemaphore)                                                         \
  X (DestroySemaphore)                                                        \
  X (GetSemaphoreCounterValue)                                                \
  X (WaitSemaphores)                                                          \
  X (SignalSemaphore)                                                         \
  X (CreateCommandPool)                                                       \
  X (DestroyCommandPool)                                                      \
  X (ResetCommandPool)                                                        \
  X (AllocateCommandBuffers)                                                  \
  X (BeginCommandBuffer)                                                      \
  X (EndCommandBuffer)                                                        \
  X (CmdPipelineBarrier2)                                                     \
  X (CmdBindPipeline)                                                         \
  X (CmdBindDescriptorSets)                                                   \
  X (CmdPushConstants)                                                        \
  X (CmdDispatch)                                                             \
  X (CmdCopyBuffer)                                                           \
  X (CmdCopyBufferToImage)                                                    \
  X (CmdCopyImageToBuffer)                                                    \
  X (CreateDescriptorPool)                                                    \
  X (DestroyDescriptorPool)                                                   \
  X (ResetDescriptorPool)                                                     \
  X (AllocateDescriptorSets)                                                  \
  X (UpdateDescriptorSets)                                                    \
  X (CreateDescriptorSetLayout)                                               \
  X (DestroyDescriptorSetLayout)                                              \
  X (CreatePipelineLayout)                                                    \
  X (DestroyPipelineLayout)                                                   \
  X (CreatePipelineCache)                                                     \
  X (DestroyPipelineCache)                                                    \
  X (GetPipelineCacheData)                                                    \
  X (CreateShaderModule)                                                      \
  X (DestroyShaderModule)                                                     \
  X (CreateComputePipelines)                                                  \
  X (DestroyPipeline)                                                         \
  X (CreateBuffer)                                                            \
  X (DestroyBuffer)                                                           \
  X (GetBufferMemoryRequirements)                                             \
  X (BindBufferMemory)                                                        \
  X (GetBufferDeviceAddress)                                                  \
  X (CreateImage)                                                             \
  X (DestroyImage)                                                            \
  X (GetImageMemoryRequirements)                                              \
  X (GetImageSubresourceLayout)                                               \
  X (BindImageMemory)                                                         \
  X (CreateSampler)                                                           \
  X (DestroySampler)                                                          \
  X (CreateImageView)                                                         \
  X (DestroyImageView)                                                        \
  X (AllocateMemory)                                                          \
  X (FreeMemory)                                                              \
  X (MapMemory)                                                               \
  X (CreateQueryPool)                                                         \
  X (DestroyQueryPool)                                                        \
  X (GetQueryPoolResults)                                                     \
  X (CmdResetQueryPool)                                                       \
  X (CmdWriteTimestamp2)

/* NULL where the instance or device lacks the extension. */
#define VKC_OPTIONAL_INSTANCE_FUNCTIONS(X)                                    \
  X (CreateDebugUtilsMessengerEXT)                                            \
  X (DestroyDebugUtilsMessengerEXT)

#define VKC_OPTIONAL_DEVICE_FUNCTIONS(X)                                      \
  X (GetMemoryHostPointerPropertiesEXT)                                       \
  X (GetMemoryFdPropertiesKHR)                                                \
  X (GetMemoryFdKHR)                                                          \
  X (ImportSemaphoreFdKHR)                                                    \
  X (GetSemaphoreFdKHR)                                                       \
  X (CmdBeginDebugUtilsLabelEXT)                                              \
  X (CmdEndDebugUtilsLabelEXT)

struct vkc_functions
{
  PFN_vkGetDeviceProcAddr GetDeviceProcAddr;
#define VKC_DECLARE(name) PFN_vk##name name;
  VKC_INSTANCE_FUNCTIONS (VKC_DECLARE)
  VKC_OPTIONAL_INSTANCE_FUNCTIONS (VKC_DECLARE)
  VKC_DEVICE_FUNCTIONS (VKC_DECLARE)
  VKC_OPTIONAL_DEVICE_FUNCTIONS (VKC_DECLARE)
#undef VKC_DECLARE
};

/* Fill the rows of the table that belong to @instance or @device. On failure
 * @error names the entry point that is missing. */
bool vkc_functions_load_instance (struct vkc_functions *vk,
                                  VkInstance instance, GError **error);
bool vkc_functions_load_device (struct vkc_functions *vk, VkDevice device,
                                GError **error);

/* The seam for tests: every table whose device rows are filled from now on goes
 * through @wrapper, which may replace entries (instance rows too). NULL takes
 * it back. */
typedef void (*vkc_functions_wrapper) (struct vkc_functions *vk);
VKC_API void vkc_functions_set_wrapper (vkc_functions_wrapper wrapper);
