/* The recorder's side of the tracer. */
#pragma once

#include "gst/vk/recorder-private.h"
#include "gst/vk/trace.h"

/* Under the recorder's lock: @slot's submission is over. */
void vkc_trace_slot_over (struct vkc_recorder *recorder,
                          const struct vkc_slot *slot, uint64_t gpu_ns);

/* Without it: tells the tracer, and frees @submissions' elements. */
void vkc_trace_deliver (GPtrArray *submissions);
