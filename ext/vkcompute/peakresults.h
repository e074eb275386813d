/* What peak detection tells the CPU: 32 bytes a job, in memory that both see.
 * They are looked at when the job is over, on the completion thread, so nobody
 * waits for them and no copy is recorded. Any thread. */
#pragma once

#include "gst/vk/job.h"
#include "shaders/include/peak_ids.h"

G_BEGIN_DECLS

struct peakresults;

struct peakresults *peakresults_new (struct vkc_device *device);

/* Accepts NULL. Jobs that are not over keep what they need. */
void peakresults_unref (struct peakresults *self);

/* A buffer for @job to write its struct peak_result to; the job keeps it.
 * NULL: @error is set. */
struct vkc_image *peakresults_pin (struct peakresults *self,
                                   struct vkc_job *job, GError **error);

/* Of the latest frame among the jobs that are over. FALSE: there is none. */
gboolean peakresults_get (struct peakresults *self, struct peak_result *latest);

G_END_DECLS
