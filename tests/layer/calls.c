/* A small Vulkan program, a stranger to this project: makes the calls that its
 * arguments name, in their order, and prints what each returned.
 *
 * usage: calls CALL...; see the table at the end. Exit: 0, or 1 when there is
 * no device to call. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

static VkInstance instance;
static VkPhysicalDevice physical;
static VkDevice device;
static VkQueue queue;
static VkSemaphore timeline;
static uint64_t signalled;

static VkResult
make_instance (void)
{
  const VkApplicationInfo application = {
    .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
    .apiVersion = VK_API_VERSION_1_3,
  };
  const VkInstanceCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
    .pApplicationInfo = &application,
  };

  return vkCreateInstance (&info, NULL, &instance);
}

static VkResult
make_timeline (VkSemaphore *semaphore)
{
  const VkSemaphoreTypeCreateInfo type = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
    .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
  };
  const VkSemaphoreCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
    .pNext = &type,
  };

  return vkCreateSemaphore (device, &info, NULL, semaphore);
}

static VkResult
make_device (void)
{
  static const char *const extensions[]
      = { VK_KHR_SYNCHRONIZATION_2_EXTENSION_NAME };
  VkPhysicalDeviceVulkan13Features v13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .synchronization2 = VK_TRUE,
  };
  VkPhysicalDeviceVulkan12Features v12 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .pNext = &v13,
    .timelineSemaphore = VK_TRUE,
  };
  const float priority = 1.f;
  const VkDeviceQueueCreateInfo queues = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
    .queueCount = 1,
    .pQueuePriorities = &priority,
  };
  const VkDeviceCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
    .pNext = &v12,
    .queueCreateInfoCount = 1,
    .pQueueCreateInfos = &queues,
    .enabledExtensionCount = 1,
    .ppEnabledExtensionNames = extensions,
  };
  const VkResult result = vkCreateDevice (physical, &info, NULL, &device);

  if (result == VK_SUCCESS) {
    vkGetDeviceQueue (device, 0, 0, &queue);
    signalled = 0;
  }
  return result;
}

static void
destroy_device (void)
{
  if (!device)
    return;
  vkDeviceWaitIdle (device);
  vkDestroySemaphore (device, timeline, NULL);
  vkDestroyDevice (device, NULL);
  timeline = VK_NULL_HANDLE;
  device = VK_NULL_HANDLE;
}

static VkResult
new_device (void)
{
  VkResult result;

  destroy_device ();
  result = make_device ();
  return result == VK_SUCCESS ? make_timeline (&timeline) : result;
}

static VkResult
submit (const char *name)
{
  PFN_vkQueueSubmit2 function
      = (PFN_vkQueueSubmit2) vkGetDeviceProcAddr (device, name);
  const VkSemaphoreSubmitInfo signal = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
    .semaphore = timeline,
    .value = signalled + 1,
  };
  const VkSubmitInfo2 info = {
    .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
    .signalSemaphoreInfoCount = 1,
    .pSignalSemaphoreInfos = &signal,
  };
  const VkResult result = function (queue, 1, &info, VK_NULL_HANDLE);

  signalled += result == VK_SUCCESS;
  return result;
}

static VkResult
submit_core (void)
{
  return submit ("vkQueueSubmit2");
}

static VkResult
submit_alias (void)
{
  return submit ("vkQueueSubmit2KHR");
}

static VkResult
wait (void)
{
  const VkSemaphoreWaitInfo info = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
    .semaphoreCount = 1,
    .pSemaphores = &timeline,
    .pValues = &signalled,
  };

  return vkWaitSemaphores (device, &info, 1000000000);
}

/* Prints how far the timeline got, before the result. */
static VkResult
value (void)
{
  uint64_t now = 0;
  VkResult result;

  result = vkGetSemaphoreCounterValue (device, timeline, &now);
  printf ("value %llu\n", (unsigned long long) now);
  return result;
}

static VkResult
semaphore (void)
{
  VkSemaphore made = VK_NULL_HANDLE;
  const VkResult result = make_timeline (&made);

  vkDestroySemaphore (device, made, NULL);
  return result;
}

static VkResult
memory (void)
{
  const VkMemoryAllocateInfo info = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
    .allocationSize = 4096,
  };
  VkDeviceMemory made = VK_NULL_HANDLE;
  const VkResult result = vkAllocateMemory (device, &info, NULL, &made);

  vkFreeMemory (device, made, NULL);
  return result;
}

/* Prints how many of two handles are null, before the result. */
static VkResult
commands (void)
{
  const VkCommandPoolCreateInfo pool_info = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
  };
  VkCommandBufferAllocateInfo info = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
    .commandBufferCount = 2,
  };
  VkCommandBuffer made[2] = { (void *) -1, (void *) -1 };
  VkResult result;

  vkCreateCommandPool (device, &pool_info, NULL, &info.commandPool);
  result = vkAllocateCommandBuffers (device, &info, made);
  printf ("null %d\n", !made[0] + !made[1]);
  vkDestroyCommandPool (device, info.commandPool, NULL);
  return result;
}

/* Functions that are not there stay so: the layer invents none. */
static VkResult
absent (void)
{
  return vkGetDeviceProcAddr (device, "vkNoSuchFunction")
                 || vkGetDeviceProcAddr (device, "vkCmdDrawMeshTasksNV")
             ? VK_INCOMPLETE
             : VK_SUCCESS;
}

static VkResult
idle (void)
{
  return vkDeviceWaitIdle (device);
}

static const struct
{
  const char *name;
  VkResult (*call) (void);
} calls[] = {
  { "submit", submit_core }, { "submitKHR", submit_alias },
  { "wait", wait },          { "value", value },
  { "semaphore", semaphore }, { "memory", memory },
  { "commands", commands },  { "absent", absent },
  { "idle", idle },          { "device", new_device },
};

int
main (int n, char **arguments)
{
  uint32_t one = 1;
  VkResult result = make_instance ();

  if (result == VK_SUCCESS) {
    result = vkEnumeratePhysicalDevices (instance, &one, &physical);
    if (result >= 0 && one == 1)
      result = new_device ();
  }
  if (result != VK_SUCCESS) {
    printf ("no device %d\n", result);
    return 1;
  }
  for (int i = 1; i < n; i++)
    for (size_t j = 0; j < sizeof calls / sizeof *calls; j++)
      if (strcmp (arguments[i], calls[j].name) == 0)
        printf ("%s %d\n", arguments[i], calls[j].call ());
  destroy_device ();
  vkDestroyInstance (instance, NULL);
  return 0;
}
