/* What the recorder tells a tracer of each submission, once it is over.
 *
 * Threads: any; the tracer is called on completion threads, without locks. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "gst/vk/owner.h"

struct vkc_trace_submission
{
  uint64_t recorder; /* its id */
  uint64_t value;    /* on its timeline */
  char *owners; /* of the jobs, in their order: "vktonemap0+sharpen0"; of those
                   that one dispatch does with : between them */
  uint32_t jobs, dispatches;
  enum vkc_flush_reason reason;
  bool waited;     /* a thread was blocked until it was over */
  uint64_t gpu_ns; /* by the device's clock; 0 if unknown */
  int64_t planned_at, submitted_at, over_at; /* monotonic us; of the first job */
};

typedef void (*vkc_tracer) (const struct vkc_trace_submission *submission);

/* From now on; NULL ends it. One tracer a process. */
VKC_API void vkc_trace_set (vkc_tracer tracer);
bool vkc_trace_is_on (void);
