/* Jobs that add a number to every word. */
#include "tests/gpu/adder.h"

#include <string.h>

static const uint32_t buffer_code[] = {
#include "add_buffer.inc"
};
static const uint32_t image_code[] = {
#include "add_image.inc"
};
static const uint32_t sum_buffer_code[] = {
#include "sum_buffer.inc"
};
static const uint32_t sum_image_code[] = {
#include "sum_image.inc"
};

bool
adder_is_image (void)
{
  return g_strcmp0 (g_getenv ("VKC_MEMORY"), "image") == 0;
}

static const struct vkc_kernel *
kernel (void)
{
  static const struct vkc_kernel in_buffers = {
    .name = "add_buffer",
    .code = buffer_code,
    .code_size = sizeof buffer_code,
    .n_bindings = 2,
    .bindings = { { "source", 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, true,
                    false },
                  { "target", 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, false,
                    true } },
    .push_constants_size = 12,
  };
  static const struct vkc_kernel in_images = {
    .name = "add_image",
    .code = image_code,
    .code_size = sizeof image_code,
    .n_bindings = 2,
    .bindings = { { "source", 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, true,
                    false },
                  { "target", 1, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, false,
                    true } },
    .push_constants_size = 12,
  };

  return adder_is_image () ? &in_images : &in_buffers;
}

static const struct vkc_kernel *
sum_kernel (void)
{
  static const struct vkc_kernel in_buffers = {
    .name = "sum_buffer",
    .code = sum_buffer_code,
    .code_size = sizeof sum_buffer_code,
    .n_bindings = 3,
    .bindings = { { "first", 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, true,
                    false },
                  { "second", 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, true,
                    false },
                  { "target", 2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, false,
                    true } },
    .push_constants_size = 12,
  };
  static const struct vkc_kernel in_images = {
    .name = "sum_image",
    .code = sum_image_code,
    .code_size = sizeof sum_image_code,
    .n_bindings = 3,
    .bindings = { { "first", 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, true,
                    false },
                  { "second", 1, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, true,
                    false },
                  { "target", 2, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, false,
                    true } },
    .push_constants_size = 12,
  };

  return adder_is_image () ? &in_images : &in_buffers;
}

static void
count_error (const GError *error, void *data)
{
  struct adder *adder = data;

  if (adder->message == NULL)
    adder->message = g_strdup (error->message);
  /* Behind it: tests wait for the count on another thread. */
  g_atomic_int_inc (&adder->errors);
}

struct vkc_owner *
adder_owner (struct adder *adder, const char *name)
{
  return vkc_owner_new (name, count_error, adder, NULL);
}

void
adder_init (struct adder *adder)
{
  g_autoptr (GError) error = NULL;

  *adder = (struct adder){ .device = test_device_new () };
  adder->pipeline = vkc_pipeline_get (adder->device, kernel (), NULL, &error);
  fail_unless (adder->pipeline != NULL, "%s", error ? error->message : "");
  adder->owner = adder_owner (adder, "adder");
}

void
adder_clear_after_fault (struct adder *adder)
{
  /* Until the completion thread has let go: then this is the last reference,
   * and dropping it waits for the end of the device. */
  vkc_recorder_drain_owner (adder->device->recorder, adder->owner, false,
                            NULL);
  vkc_pipeline_unref (adder->pipeline);
  vkc_owner_unref (adder->owner);
  vkc_device_unref (adder->device);
  g_free (adder->message);
  test_assert_all_gone ();
}

void
adder_clear (struct adder *adder)
{
  test_assert_counts_agree (adder->device);
  adder_clear_after_fault (adder);
}

struct vkc_image *
adder_image (struct adder *adder)
{
  const struct vkc_image_params params = {
    .storage = adder_is_image () ? VKC_STORAGE_IMAGE : VKC_STORAGE_BUFFER,
    .n_planes = 1,
    .planes = { { .format = VK_FORMAT_R32_UINT,
                  .width = ADDER_WIDTH,
                  .height = ADDER_HEIGHT,
                  .stride = ADDER_WIDTH * 4 } },
    .size = ADDER_WORDS * 4,
  };
  g_autoptr (GError) error = NULL;
  struct vkc_image *image = vkc_image_new (adder->device, &params, &error);

  fail_unless (image != NULL, "%s", error ? error->message : "");
  return image;
}

struct vkc_image *
adder_filled (struct adder *adder, uint32_t first)
{
  struct vkc_image *image = adder_image (adder);
  uint32_t *words = vkc_image_map (image, VKC_MAP_WRITE, NULL);

  for (uint32_t i = 0; i < ADDER_WORDS; i++)
    words[i] = i + first;
  vkc_image_unmap (image, VKC_MAP_WRITE);
  return image;
}

bool
adder_holds (struct vkc_image *image, uint32_t first)
{
  g_autoptr (GError) error = NULL;
  const uint32_t *words = vkc_image_map (image, VKC_MAP_READ, &error);
  bool holds = words && !error;

  for (uint32_t i = 0; holds && i < ADDER_WORDS; i++)
    holds = words[i] == i + first;
  if (words)
    vkc_image_unmap (image, VKC_MAP_READ);
  return holds;
}

static void
count_release (void *data)
{
  g_atomic_int_inc ((int *) data);
}

/* A job of @pipeline, with everything but its bindings. */
static struct vkc_job *
unbound_job (struct adder *adder, struct vkc_owner *owner,
             struct vkc_pipeline *pipeline, uint32_t increment)
{
  const uint32_t params[] = { ADDER_WIDTH, ADDER_HEIGHT, increment };
  struct vkc_job *job = vkc_job_new (owner ? owner : adder->owner);

  vkc_job_set_pipeline (job, pipeline);
  fail_unless (
      vkc_job_set_push_constants (job, params, sizeof params, NULL));
  if (adder_is_image ())
    vkc_job_set_groups (job, (ADDER_WIDTH + 7) / 8, (ADDER_HEIGHT + 7) / 8, 1);
  else
    vkc_job_set_groups (job, (ADDER_WORDS + 63) / 64, 1, 1);
  vkc_job_pin (job, &adder->released, count_release);
  return job;
}

struct vkc_job *
adder_job (struct adder *adder, struct vkc_owner *owner,
           struct vkc_image *source, struct vkc_image *target,
           uint32_t increment)
{
  struct vkc_job *job
      = unbound_job (adder, owner, adder->pipeline, increment);

  fail_unless (vkc_job_bind (job, 0, source, 0, 1, NULL));
  fail_unless (vkc_job_bind (job, 1, target, 0, 1, NULL));
  return job;
}

bool
adder_plan_sum (struct adder *adder, struct vkc_image *first,
                struct vkc_image *second, struct vkc_image *target)
{
  struct vkc_pipeline *pipeline
      = vkc_pipeline_get (adder->device, sum_kernel (), NULL, NULL);
  struct vkc_job *job = unbound_job (adder, NULL, pipeline, 0);

  vkc_pipeline_unref (pipeline);
  fail_unless (vkc_job_bind (job, 0, first, 0, 1, NULL));
  fail_unless (vkc_job_bind (job, 1, second, 0, 1, NULL));
  fail_unless (vkc_job_bind (job, 2, target, 0, 1, NULL));
  return vkc_recorder_append (adder->device->recorder, job, NULL);
}

bool
adder_plan (struct adder *adder, struct vkc_image *source,
            struct vkc_image *target, uint32_t increment, GError **error)
{
  return vkc_recorder_append (
      adder->device->recorder,
      adder_job (adder, NULL, source, target, increment), error);
}

bool
adder_flush (struct adder *adder, struct vkc_image *image, GError **error)
{
  return vkc_recorder_flush (adder->device->recorder, image, VKC_FLUSH_TAIL,
                             true, adder->owner, NULL, error);
}

struct vkc_recorder_counters
adder_counters (const struct adder *adder)
{
  return vkc_recorder_counters (adder->device->recorder);
}

void
adder_run (struct adder *adder, unsigned n)
{
  for (unsigned i = 0; i < n; i++) {
    struct vkc_image *source = adder_filled (adder, i);
    struct vkc_image *target = adder_image (adder);

    fail_unless (adder_plan (adder, source, target, 5, NULL));
    fail_unless (adder_flush (adder, target, NULL));
    fail_unless (adder_holds (target, i + 5));
    vkc_image_unref (source);
    vkc_image_unref (target);
  }
}

void
adder_start (struct adder *adder)
{
  g_log_set_always_fatal (G_LOG_FATAL_MASK);
  adder_init (adder);
  adder_run (adder, 2);
  fail_unless (vkc_recorder_drain_owner (adder->device->recorder, adder->owner,
                                         false, NULL));
}
