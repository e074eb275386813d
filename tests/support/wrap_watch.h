/* What the wrapper learns by looking at single calls after they ran: which
 * device each queue belongs to, what each command buffer holds, and what the
 * queue accepted. Has a lock of its own. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <vulkan/vulkan.h>

void watch_init (void);
void watch_reset (void);

void watch_device_made (VkDevice device);
void watch_device_gone (VkDevice device);
void watch_queue (VkQueue queue, VkDevice device);

/* The device of @queue. */
VkDevice watch_device_of (VkQueue queue);

/* All devices that have a queue, each once; g_list_free() it. */
GList *watch_devices (void);

void watch_wait (VkDevice device, bool by_completion_thread);
void watch_allocate (const VkCommandBufferAllocateInfo *info,
                     const VkCommandBuffer *handles);
void watch_reset_pool (VkCommandPool pool);
void watch_begin (VkCommandBuffer handle);
void watch_end (VkCommandBuffer handle);
void watch_dispatch (VkCommandBuffer handle);
void watch_copy (VkCommandBuffer handle);
void watch_barrier (VkCommandBuffer handle, const VkDependencyInfo *info);
void watch_submit (VkQueue queue, uint32_t n, const VkSubmitInfo2 *infos,
                   VkResult result);
