/* Which jobs of a batch are fused: those whose frames nobody else would see. */
#include "gst/vk/fuse.h"

#include <string.h>


/* What keeps a frame, as far as the batch knows. */
struct holder
{
  const struct vkc_image *image;
  const struct vkc_pin *pin;
  unsigned n;
};

static void
count_pins (const GArray *pins, struct holder *holder)
{
  for (guint i = 0; i < pins->len; i++) {
    const struct vkc_pin *pin = &g_array_index (pins, struct vkc_pin, i);

    if (pin->image != holder->image)
      continue;
    holder->pin = pin;
    holder->n++;
  }
}

/* Whether the batch's own pins are all that keeps the frame in @image: no tee,
 * no probe, no sink's last sample, no application has it. Shared pins are not
 * looked for: a job that shares its own does so with another reader. */
static bool
is_unseen (const struct vkc_batch *batch, const struct vkc_image *image)
{
  struct holder holder = { .image = image };

  for (guint i = 0; i < batch->jobs->len; i++) {
    const struct vkc_job *job = g_ptr_array_index (batch->jobs, i);

    count_pins (job->pins, &holder);
  }
  return holder.pin
         && holder.pin->is_sole (holder.pin->object, image, holder.n);
}

/* Both place the frame alike: a crop or other strides in between are seen in
 * the words. */
static bool
reads_what_is_written (const struct vkc_job *job, const struct vkc_job *before)
{
  const struct vkc_fusions *fusions = job->fusions;

  for (guint i = 0; i < G_N_ELEMENTS (fusions->same); i++)
    if (memcmp (job->push_constants + 4 * fusions->same[i].read,
                before->push_constants + 4 * fusions->same[i].written,
                4 * (size_t) fusions->same[i].n)
        != 0)
      return false;
  return true;
}

/* Only @before writes the image, and only the job behind reads it. */
static bool
is_between_two (const struct vkc_image *image, const struct vkc_job *before)
{
  return image->producer == before && image->planned == 2 && !image->readers
         && !image->dmabuf;
}

/* The job that could be done together with @job, or NULL. */
static struct vkc_job *
job_before (const struct vkc_batch *batch, const struct vkc_job *job)
{
  const struct vkc_fusions *fusions = job->fusions;

  for (uint32_t i = 0; fusions && i < job->n_images; i++) {
    const struct vkc_job_image *use = &job->images[i];
    struct vkc_job *before = use->producer;

    if (!before || use->writes || before->formula != fusions->before
        || before->fusions != fusions->before_fusions)
      continue;
    if (before->state == VKC_JOB_PENDING && before->batch == batch->serial
        && is_between_two (use->image, before)
        && reads_what_is_written (job, before) && is_unseen (batch, use->image))
      return before;
  }
  return NULL;
}

static bool
names (const struct vkc_job *job, const struct vkc_image *image)
{
  for (uint32_t i = 0; i < job->n_images; i++)
    if (job->images[i].image == image)
      return true;
  return false;
}

static bool
changes_for (const struct vkc_job *job, struct vkc_job *const chain[],
             uint32_t first)
{
  for (uint32_t i = 0; i < job->n_images; i++)
    for (uint32_t k = 1; job->images[i].writes && k <= first; k++)
      if (names (chain[k], job->images[i].image))
        return true;
  return false;
}

/* The jobs before the last one are moved to its place: nothing that they read
 * may have changed by then. */
static bool
can_be_late (const struct vkc_batch *batch, struct vkc_job *const chain[],
             uint32_t first, guint place)
{
  for (guint i = place + 1; i-- > 0;) {
    const struct vkc_job *job = g_ptr_array_index (batch->jobs, i);
    bool is_part = false;

    if (job == chain[first])
      return true;
    for (uint32_t k = 1; k < first && !is_part; k++)
      is_part = job == chain[k];
    if (!is_part && changes_for (job, chain, first))
      return false;
  }
  return false;
}

static void
mark (struct vkc_batch *batch, struct vkc_job *const chain[], uint32_t first,
      const struct vkc_fusion *fusion)
{
  chain[0]->fused = fusion;
  for (uint32_t k = 1; k <= first; k++) {
    chain[k]->fused_into = chain[0];
    chain[k - 1]->fused_before = chain[k];
  }
  batch->counted.fused += first;
}

/* As many as possible of those before the job at @place. */
static void
fuse (struct vkc_batch *batch, guint place)
{
  struct vkc_job *chain[VKC_MAX_FUSED] = { NULL };
  struct vkc_fusions *fusions;
  uint32_t n = 0;

  chain[0] = g_ptr_array_index (batch->jobs, place);
  fusions = chain[0]->fusions;
  while (n < fusions->n
         && (chain[n + 1] = job_before (batch, chain[n])) != NULL)
    n++;
  for (; n > 0; n--) {
    struct vkc_fusion *fusion = &fusions->all[n - 1];

    if (!fusion->formula || !can_be_late (batch, chain, n, place))
      continue;
    if (g_atomic_pointer_get (&fusion->pipeline)) {
      mark (batch, chain, n, fusion);
      return;
    }
    g_atomic_int_compare_and_exchange (&fusion->wanted, 0, 1);
  }
}

void
vkc_fuse_batch (struct vkc_recorder *recorder)
{
  struct vkc_batch *batch = &recorder->batch;

  for (guint i = batch->jobs->len; i-- > 0;) {
    const struct vkc_job *job = g_ptr_array_index (batch->jobs, i);

    if (job->fusions && !job->fused_into)
      fuse (batch, i);
  }
}

struct vkc_pipeline *
vkc_job_kernel (const struct vkc_job *job)
{
  if (job->fused_into)
    return NULL;
  return job->fused ? job->fused->pipeline : job->pipeline;
}

static const struct vkc_job *
back (const struct vkc_job *job, uint8_t n)
{
  while (n-- > 0)
    job = job->fused_before;
  return job;
}

static const struct vkc_job_binding *
find_binding (const struct vkc_job *job, uint32_t number)
{
  const struct vkc_kernel *kernel = &job->pipeline->kernel;

  /* Kernels that can be fused have set 0 only. */
  for (uint32_t i = 0; i < kernel->n_bindings; i++)
    if (VKC_BINDING (kernel->bindings[i].set, kernel->bindings[i].binding)
        == number)
      return &job->bindings[i];
  g_assert_not_reached ();
}

static void
add_image (struct vkc_job *whole, const struct vkc_job *from,
           const struct vkc_image *image)
{
  const struct vkc_job_image *use = from->images;
  struct vkc_job_image *own = whole->images;

  while (use->image != image)
    use++;
  while (own < whole->images + whole->n_images && own->image != image)
    own++;
  if (own == whole->images + whole->n_images) {
    whole->n_images++;
    *own = (struct vkc_job_image){ .image = use->image };
  }
  own->reads |= use->reads;
  own->writes |= use->writes;
  own->sampled |= use->sampled;
  own->uniform |= use->uniform;
}

void
vkc_fuse_fill (const struct vkc_job *job, struct vkc_job *whole)
{
  const struct vkc_fusion *fusion = job->fused;
  const struct vkc_kernel *kernel = &fusion->pipeline->kernel;

  *whole = (struct vkc_job){ .pipeline = fusion->pipeline };
  memcpy (whole->groups, fusion->groups, sizeof whole->groups);
  for (uint32_t i = 0; i < VKC_FUSION_WORDS; i++)
    memcpy (whole->push_constants + 4 * i,
            back (job, fusion->word_from[i])->push_constants + 4 * i, 4);
  for (uint32_t i = 0; i < kernel->n_bindings; i++) {
    const uint32_t number = kernel->bindings[i].binding;
    const struct vkc_job *from = back (job, fusion->binding_from[number]);

    whole->bindings[i] = *find_binding (from, number);
    add_image (whole, from, whole->bindings[i].image);
  }
}
