/* Timestamps around jobs. */
#include "gst/vk/timing.h"

#include "gst/vk/fuse.h"
#include "gst/vk/trace.h"

/* Jobs of a batch that are timed one by one; the last query of a longer one is
 * its end. */
#define MAX_TIMED 32

bool
vkc_timing_is_on (const struct vkc_recorder *recorder)
{
  return recorder->device->timestamp_bits > 0
         && (recorder->settings.max_batch_ms > 0 || vkc_trace_is_on ());
}

static bool
create_queries (struct vkc_device *device, struct vkc_slot *slot)
{
  const VkQueryPoolCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
    .queryType = VK_QUERY_TYPE_TIMESTAMP,
    .queryCount = MAX_TIMED + 1,
  };

  return slot->queries
         || device->vk.CreateQueryPool (device->handle, &info, NULL,
                                        &slot->queries)
                == VK_SUCCESS;
}

static void
read_clock (struct vkc_device *device, struct vkc_slot *slot)
{
  device->vk.CmdWriteTimestamp2 (slot->commands,
                                 VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                 slot->queries, slot->n_times++);
}

void
vkc_timing_begin (struct vkc_recorder *recorder, struct vkc_slot *slot)
{
  struct vkc_device *device = recorder->device;

  slot->n_times = 0;
  if (!vkc_timing_is_on (recorder) || !create_queries (device, slot))
    return;
  device->vk.CmdResetQueryPool (slot->commands, slot->queries, 0,
                                MAX_TIMED + 1);
  read_clock (device, slot);
}

void
vkc_timing_job_recorded (struct vkc_recorder *recorder, struct vkc_slot *slot)
{
  if (slot->n_times > 0 && slot->n_times <= MAX_TIMED)
    read_clock (recorder->device, slot);
}

static uint64_t
product (const uint32_t groups[3])
{
  return MAX ((uint64_t) groups[0] * groups[1] * groups[2], 1);
}

static uint64_t
groups_of (const struct vkc_job *job)
{
  return product (job->fused ? job->fused->groups : job->groups);
}

/* A quarter of what is new: a frame that was interrupted does not count for
 * long. */
static void
average (struct vkc_pipeline *pipeline, double ns_per_group)
{
  if (pipeline->ns_per_group == 0)
    pipeline->ns_per_group = ns_per_group;
  else
    pipeline->ns_per_group += (ns_per_group - pipeline->ns_per_group) / 4;
}

uint64_t
vkc_timing_take (struct vkc_recorder *recorder, struct vkc_slot *slot)
{
  struct vkc_device *device = recorder->device;
  const uint32_t n = slot->n_times;
  const uint64_t mask = device->timestamp_bits >= 64
                            ? UINT64_MAX
                            : (UINT64_C (1) << device->timestamp_bits) - 1;
  const double period = device->limits.timestampPeriod;
  uint64_t times[MAX_TIMED + 1];

  slot->n_times = 0;
  if (n < 2 || recorder->lost
      || device->vk.GetQueryPoolResults (
             device->handle, slot->queries, 0, n, n * sizeof times[0], times,
             sizeof times[0], VK_QUERY_RESULT_64_BIT)
             != VK_SUCCESS)
    return 0;
  for (uint32_t i = 0; i + 1 < n; i++) {
    const struct vkc_job *job = g_ptr_array_index (slot->jobs, i);
    struct vkc_pipeline *pipeline = vkc_job_kernel (job);

    if (pipeline)
      average (pipeline, (double) ((times[i + 1] - times[i]) & mask) * period
                             / (double) groups_of (job));
  }
  return (uint64_t) ((double) ((times[n - 1] - times[0]) & mask) * period);
}

static double
time_of (const struct vkc_pipeline *pipeline, const uint32_t groups[3])
{
  return pipeline->ns_per_group * (double) product (groups);
}

/* Of a job that has only run together with those before it: the time of all. */
static double
fused_time (struct vkc_fusions *fusions)
{
  double longest = 0;

  for (uint32_t i = 0; fusions && i < fusions->n; i++) {
    struct vkc_fusion *fusion = &fusions->all[i];
    const struct vkc_pipeline *pipeline
        = g_atomic_pointer_get (&fusion->pipeline);

    if (pipeline)
      longest = MAX (longest, time_of (pipeline, fusion->groups));
  }
  return longest;
}

uint64_t
vkc_timing_predict (const struct vkc_job *job)
{
  double time;

  if (!job->pipeline)
    return 0;
  time = time_of (job->pipeline, job->groups);
  return (uint64_t) (time > 0 ? time : fused_time (job->fusions));
}
