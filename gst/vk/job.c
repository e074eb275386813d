/* Plans: what a dispatch or a copy will need. */
#include "gst/vk/job-private.h"

#include <string.h>

#include "gst/vk/fence.h"
#include "gst/vk/owner-private.h"
#include "gst/vk/result.h"
#include "gst/vk/sharedpins.h"

struct vkc_job *
vkc_job_new (struct vkc_owner *owner)
{
  struct vkc_job *job = vkc_owner_job_born (owner);
  GArray *pins = job ? job->pins
                     : g_array_new (FALSE, FALSE, sizeof (struct vkc_pin));

  if (!job)
    job = g_new (struct vkc_job, 1);
  *job = (struct vkc_job){ .ref_count = 1,
                           .owner = vkc_owner_ref (owner),
                           .groups = { 1, 1, 1 },
                           .pins = pins };
  job->link.data = job;
  return job;
}

void
vkc_job_free_blank (struct vkc_job *job)
{
  g_array_unref (job->pins);
  g_free (job);
}

struct vkc_job *
vkc_job_new_step (const struct vkc_job *job)
{
  struct vkc_job *step = vkc_job_new (job->owner);

  vkc_job_set_intermediate (step);
  vkc_shared_pins_copy (job, step);
  return step;
}

struct vkc_job *
vkc_job_new_state (struct vkc_job *job)
{
  struct vkc_job *state = vkc_job_new (job->owner);

  vkc_job_set_state (state);
  vkc_shared_pins_copy (job, state);
  state->waits = g_steal_pointer (&job->waits);
  state->waits_device = g_steal_pointer (&job->waits_device);
  return state;
}

void
vkc_job_come_after (struct vkc_job *job, struct vkc_job *before)
{
  if (!job->before)
    job->before
        = g_ptr_array_new_with_free_func ((GDestroyNotify) vkc_job_unref);
  g_ptr_array_add (job->before, vkc_job_ref (before));
}

void
vkc_job_take_along (struct vkc_job *job, struct vkc_job *state)
{
  g_assert (state->is_state);
  vkc_job_come_after (job, state);
}

struct vkc_job *
vkc_job_ref (struct vkc_job *job)
{
  g_atomic_int_inc (&job->ref_count);
  return job;
}

void
vkc_job_let_go_of_images (struct vkc_job *job)
{
  for (uint32_t i = 0; i < job->n_images; i++)
    if (job->images[i].held) {
      job->images[i].held = false;
      vkc_image_unref (job->images[i].image);
    }
}

void
vkc_job_let_go (struct vkc_job *job)
{
  if (job->has_let_go)
    return;
  job->has_let_go = true;
  vkc_fence_drop_waits (job);
  /* Images first: one may be an import of memory that a pin keeps. */
  vkc_job_let_go_of_images (job);
  for (guint i = 0; i < job->pins->len; i++) {
    const struct vkc_pin *pin = &g_array_index (job->pins, struct vkc_pin, i);

    pin->release (pin->object);
  }
  vkc_owner_job_gone (job->owner);
}

void
vkc_job_unref (struct vkc_job *job)
{
  struct vkc_owner *owner;

  if (!job || !g_atomic_int_dec_and_test (&job->ref_count))
    return;
  vkc_job_let_go (job);
  for (uint32_t i = 0; i < job->n_images; i++)
    vkc_job_unref (job->images[i].producer);
  if (job->before)
    g_ptr_array_unref (job->before);
  if (job->copies)
    g_array_unref (job->copies);
  vkc_pipeline_unref (job->pipeline);
  vkc_formula_unref (job->formula);
  vkc_fusions_unref (job->fusions);
  owner = job->owner;
  g_array_set_size (job->pins, 0);
  vkc_owner_keep_job (owner, job);
  vkc_owner_unref (owner);
}

void
vkc_job_set_pipeline (struct vkc_job *job, struct vkc_pipeline *pipeline)
{
  g_assert (!job->pipeline && !job->copies);
  job->pipeline = vkc_pipeline_ref (pipeline);
}

bool
vkc_job_set_push_constants (struct vkc_job *job, const void *data, size_t size,
                            GError **error)
{
  const struct vkc_kernel *kernel = &job->pipeline->kernel;

  if (size != kernel->push_constants_size) {
    g_set_error (error, VKC_ERROR, VKC_ERROR_REFUSED,
                 "%s declares %u bytes of push constants, got %zu",
                 kernel->name, kernel->push_constants_size, size);
    return false;
  }
  memcpy (job->push_constants, data, size);
  job->has_push_constants = true;
  return true;
}

void
vkc_job_set_groups (struct vkc_job *job, uint32_t x, uint32_t y, uint32_t z)
{
  job->groups[0] = x;
  job->groups[1] = y;
  job->groups[2] = z;
}

static bool
is_expressible (const struct vkc_copy_side *side, uint32_t texel_size)
{
  return side->offset % texel_size == 0 && side->stride % texel_size == 0;
}

static void
set_copies (struct vkc_job *job, uint32_t n, const struct vkc_copy *copies)
{
  job->copies = g_array_new (FALSE, FALSE, sizeof (struct vkc_copy));
  g_array_append_vals (job->copies, copies, n);
}

bool
vkc_job_set_copy (struct vkc_job *job, struct vkc_image *source,
                  struct vkc_image *target, uint32_t n,
                  const struct vkc_copy *copies, GError **error)
{
  const bool from_image = source->params.storage == VKC_STORAGE_IMAGE;
  const bool to_image = target->params.storage == VKC_STORAGE_IMAGE;

  g_assert (!job->pipeline && !job->copies && source != target);
  for (uint32_t i = 0; i < n; i++)
    if ((from_image && !is_expressible (&copies[i].to, copies[i].texel_size))
        || (to_image
            && !is_expressible (&copies[i].from, copies[i].texel_size))
        || (from_image && to_image)) {
      g_set_error (error, VKC_ERROR, VKC_ERROR_REFUSED,
                   "plane %u cannot be copied: its offset or stride is no "
                   "multiple of a texel",
                   i);
      return false;
    }
  set_copies (job, n, copies);
  job->images[0] = (struct vkc_job_image){ .image = vkc_image_ref (source),
                                           .reads = true,
                                           .held = true };
  job->images[1] = (struct vkc_job_image){ .image = target, .writes = true };
  job->n_images = 2;
  return true;
}

void
vkc_job_add_copies (struct vkc_job *job, struct vkc_image *source,
                    struct vkc_image *target, uint32_t n,
                    const struct vkc_copy *copies)
{
  g_assert (job->pipeline && !job->copies && source != target);
  g_assert (job->images[0].image == source && job->images[1].image == target);
  set_copies (job, n, copies);
}

void
vkc_job_set_intermediate (struct vkc_job *job)
{
  job->is_intermediate = true;
}

void
vkc_job_set_state (struct vkc_job *job)
{
  job->is_state = true;
}

const char *
vkc_job_kernel_name (const struct vkc_job *job)
{
  return job->pipeline ? job->pipeline->kernel.name : "copy";
}

bool
vkc_job_is_frame (const struct vkc_job *job)
{
  return !job->is_intermediate && !job->is_state;
}

void
vkc_job_pin (struct vkc_job *job, void *object, GDestroyNotify release)
{
  vkc_job_pin_frame (job, object, release, NULL, NULL);
}

void
vkc_job_pin_frame (struct vkc_job *job, void *object, GDestroyNotify release,
                   const struct vkc_image *image, vkc_is_sole is_sole)
{
  const struct vkc_pin pin = {
    .object = object,
    .release = release,
    .image = image,
    .is_sole = is_sole,
  };

  g_array_append_val (job->pins, pin);
}

void
vkc_job_unhold_outputs (struct vkc_job *job)
{
  if (job->is_lasting)
    return;
  for (uint32_t i = 0; i < job->n_images; i++)
    if (job->images[i].writes && job->images[i].held) {
      job->images[i].held = false;
      vkc_image_unref (job->images[i].image);
    }
}

bool
vkc_job_hold_outputs (struct vkc_job *job)
{
  for (uint32_t i = 0; i < job->n_images; i++) {
    struct vkc_job_image *use = &job->images[i];

    if (!use->writes || use->held)
      continue;
    use->held = vkc_image_try_ref (use->image);
    if (!use->held) {
      vkc_job_unhold_outputs (job);
      return false;
    }
  }
  return true;
}
