/* Further jobs. */
#include "jobstep.h"

#include "gst/vk/recorder.h"

gboolean
job_step_append (struct vkc_device *device, struct vkc_job *step,
                 gboolean is_filled, GError **error)
{
  if (is_filled)
    return vkc_recorder_append (device->recorder, step, error);
  vkc_job_unref (step);
  return FALSE;
}
