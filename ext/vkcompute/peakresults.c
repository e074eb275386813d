/* Buffers that go from job to job, and the latest of what was in them. */
#include "peakresults.h"

#include "databuffer.h"

struct peakresults
{
  gint ref_count;
  struct vkc_device *device; /* borrowed: buffers keep it */

  GMutex lock;
  GPtrArray *idle; /* struct slot */
  struct peak_result latest;
};

struct slot
{
  struct peakresults *owner; /* a reference while a job has it */
  struct vkc_image *image;
  struct peak_result *seen; /* its memory */
};

static void
slot_free (struct slot *slot)
{
  vkc_image_unref (slot->image);
  g_free (slot);
}

struct peakresults *
peakresults_new (struct vkc_device *device)
{
  struct peakresults *self = g_new0 (struct peakresults, 1);

  self->ref_count = 1;
  self->device = device;
  self->idle = g_ptr_array_new_with_free_func ((GDestroyNotify)slot_free);
  g_mutex_init (&self->lock);
  return self;
}

void
peakresults_unref (struct peakresults *self)
{
  if (self == NULL || !g_atomic_int_dec_and_test (&self->ref_count))
    return;
  g_ptr_array_unref (self->idle);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static struct slot *
slot_new (struct vkc_device *device, GError **error)
{
  struct vkc_image_params params;
  struct slot *slot = g_new0 (struct slot, 1);

  data_buffer_params (&params, sizeof (struct peak_result));
  params.for_host = true;
  slot->image = vkc_image_new (device, &params, error);
  if (slot->image != NULL)
    slot->seen = vkc_image_map (slot->image, VKC_MAP_WRITE, error);
  if (slot->seen == NULL) {
    slot_free (slot);
    return NULL;
  }
  vkc_image_unmap (slot->image, VKC_MAP_WRITE);
  return slot;
}

/* The job is over, or never ran: then there is no frame. */
static void
take (gpointer data)
{
  struct slot *slot = data;
  struct peakresults *self = slot->owner;
  const struct peak_result result = *slot->seen;

  g_mutex_lock (&self->lock);
  if (result.frames != 0 && (gint32)(result.frames - self->latest.frames) > 0)
    self->latest = result;
  g_ptr_array_add (self->idle, slot);
  g_mutex_unlock (&self->lock);
  peakresults_unref (self);
}

struct vkc_image *
peakresults_pin (struct peakresults *self, struct vkc_job *job, GError **error)
{
  struct slot *slot = NULL;

  g_mutex_lock (&self->lock);
  if (self->idle->len > 0)
    slot = g_ptr_array_steal_index_fast (self->idle, self->idle->len - 1);
  g_mutex_unlock (&self->lock);
  if (slot == NULL)
    slot = slot_new (self->device, error);
  if (slot == NULL)
    return NULL;
  slot->seen->frames = 0;
  slot->owner = self;
  g_atomic_int_inc (&self->ref_count);
  vkc_job_pin (job, slot, take);
  return slot->image;
}

gboolean
peakresults_get (struct peakresults *self, struct peak_result *latest)
{
  g_mutex_lock (&self->lock);
  *latest = self->latest;
  g_mutex_unlock (&self->lock);
  return latest->frames > 0;
}
