/* Stands between a device and Vulkan: counts every call, by thread and by
 * device, fails the ones that a test names, and keeps the barriers.
 *
 * Call test_wrap_install() before the first device is opened. One driver at a
 * time in a process. Threads: any. Entry points are named in full:
 * "vkQueueSubmit2"; a name that gst/vk/functions.h lacks fails the test. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

struct vkc_device;

void test_wrap_install (void);

/* Forgets scripts, calls counted and barriers; live objects and the counts of
 * devices stay. */
void test_wrap_reset (void);

/* The @nth call from now on (1 is the next) of @name returns @result. With
 * @also_call the real function runs first. VK_ERROR_DEVICE_LOST stays: once
 * given, every call that may report it does, and the real device is idle;
 * until a new device is made. */
void test_wrap_fail (const char *name, unsigned nth, VkResult result,
                     bool also_call);

/* The same for the @nth and all later calls, which do not reach Vulkan. */
void test_wrap_fail_from (const char *name, unsigned nth, VkResult result);

/* Forgets scripts only. */
void test_wrap_stop_failing (void);

/* Calls of @name since install or reset, failed ones included. */
uint64_t test_wrap_count (const char *name);

/* Of these, the ones on the completion thread. */
uint64_t test_wrap_count_completion (const char *name);

/* Calls of @name that reached the queue or the driver: neither scripted away
 * nor lost. */
uint64_t test_wrap_count_real (const char *name);

/* Objects that exist now: of one kind ("Buffer", "Semaphore", "Memory", ...),
 * or of all with NULL. */
int64_t test_wrap_live (const char *kind);

/* How often a command buffer was begun that was still recording: never. */
uint64_t test_wrap_begins_on_recording (void);

/* What the queue of one device accepted, as seen from outside. */
struct test_counts
{
  uint64_t submits, submit_fails;
  uint64_t dispatches, copies;
  uint64_t barrier_calls;   /* vkCmdPipelineBarrier2 */
  uint64_t image_barriers, buffer_barriers, memory_barriers;
  uint64_t waits, watches; /* vkWaitSemaphores; watches: completion thread */
};
struct test_counts test_wrap_counts (VkDevice device);

/* One barrier as it was recorded. @submit: which accepted submission of its
 * device carried it, from 1; 0: none has. */
struct test_barrier
{
  VkCommandBuffer commands;
  uint64_t submit;
  VkImage image;   /* or */
  VkBuffer buffer; /* or neither: a global barrier */
  VkImageLayout old_layout, new_layout;
  uint32_t src_family, dst_family;
  VkPipelineStageFlags2 src_stages, dst_stages;
  VkAccessFlags2 src_access, dst_access;
};

/* A copy, in the order of recording; g_free() it. */
struct test_barrier *test_wrap_barriers (unsigned *n);

/* From now on a device's clock goes on by @ticks from one timestamp of a
 * submission to the next, as far as it is read; 0: as it really does. */
void test_wrap_set_clock (uint64_t ticks);

/* The next semaphore that is exported gives @sync_file in place of its own,
 * which is closed; the code under test closes @sync_file. */
void test_wrap_give_sync_file (int sync_file);

/* From now on what @device's queue accepts does not run, until the gate opens:
 * it waits for a semaphore of the wrapper's. Not together with a lost device,
 * and open it before the device is destroyed. */
void test_wrap_close_gate (struct vkc_device *device);
void test_wrap_open_gate (void);
