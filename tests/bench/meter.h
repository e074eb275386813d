/* What frames cost: of this process, between two of them.
 *
 * Threads: any; meters are for the main thread but for meter_count(). */
#pragma once

#include <gst/gst.h>

struct meter;

/* Measures from the @start-th frame to the @end-th. Every @step frames
 * (0: never) it notes memory and, if @objects, live objects of Vulkan: make it
 * before the first device, then. @gpu_time is the tracer's, so one meter has
 * it. */
struct meter *meter_new (guint start, guint end, guint step, gboolean objects,
                         gboolean gpu_time);
void meter_free (struct meter *meter);

/* @pipeline may have one of our elements, whose recorder counts. It is kept. */
void meter_watch (struct meter *meter, GstElement *pipeline);

/* A frame came out. */
void meter_count (struct meter *meter);

/* When all is over: one line of JSON. Times in ms of "frames" frames; memory in
 * KiB; counts of "all" frames; until the "first" one, and CPU time until then. */
void meter_print (struct meter *meter);
