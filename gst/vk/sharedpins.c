/* Pins that several jobs of one frame keep. */
#include "gst/vk/sharedpins.h"

static void
release (void *data)
{
  struct vkc_shared_pins *shared = data;

  if (!g_atomic_int_dec_and_test (&shared->ref_count))
    return;
  for (guint i = 0; i < shared->pins->len; i++) {
    const struct vkc_pin *pin
        = &g_array_index (shared->pins, struct vkc_pin, i);

    pin->release (pin->object);
  }
  g_array_unref (shared->pins);
  g_free (shared);
}

void
vkc_job_share_pins (struct vkc_job *job)
{
  struct vkc_shared_pins *shared = g_new0 (struct vkc_shared_pins, 1);

  g_assert (!job->shared);
  shared->ref_count = 1;
  shared->pins = job->pins;
  job->pins = g_array_new (FALSE, FALSE, sizeof (struct vkc_pin));
  job->shared = shared;
  vkc_job_pin (job, shared, release);
}

void
vkc_shared_pins_copy (const struct vkc_job *from, struct vkc_job *to)
{
  if (!from->shared)
    return;
  g_atomic_int_inc (&from->shared->ref_count);
  to->shared = from->shared;
  vkc_job_pin (to, to->shared, release);
}
