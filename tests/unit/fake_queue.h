/* The queue of the fake device: commands that run on a thread of its own, and
 * the semaphores that they signal. */
#pragma once

#include "gst/vk/functions.h"

/* What handles stand for. */
struct fake_buffer
{
  uint32_t *words; /* the memory that is bound */
};

struct fake_set
{
  struct fake_buffer *buffers[2];
};

struct fake_dispatch
{
  struct fake_buffer *source, *target;
  uint32_t increment;
};

struct fake_commands
{
  struct fake_set *set;
  uint32_t increment;
  unsigned n;
  struct fake_dispatch dispatches[64];
};

struct fake_semaphore
{
  uint64_t value;
};

/* Between the two. */
#define HANDLE(Type, pointer) ((Type)(uintptr_t)(pointer))
#define POINTER(type, handle) ((struct type *)(uintptr_t)(handle))

/* Its part of the device's functions. */
void fake_queue_fill (struct vkc_functions *functions);

/* One at a time. */
void fake_queue_start (void);
void fake_queue_stop (void);
