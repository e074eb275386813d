/* Pipelines that threads want, or let go of, while a driver compiles. */
#include <gst/check/gstcheck.h>

#include "gst/vk/pipeline.h"
#include "gst/vk/sync.h"
#include "tests/unit/fake_vulkan.h"

#define FOREVER (g_get_monotonic_time () + 60 * G_USEC_PER_SEC)

/* A driver that compiles for as long as the test likes. */
static struct vkc_mutex lock;
static struct vkc_cond changed;
static bool is_held;
static int n_begun;
static VkResult answer;
static PFN_vkCreateComputePipelines compile;

static VKAPI_ATTR VkResult VKAPI_CALL
compile_slowly (VkDevice device, VkPipelineCache cache, uint32_t n,
                const VkComputePipelineCreateInfo *infos,
                const VkAllocationCallbacks *callbacks, VkPipeline *made)
{
  VkResult result;

  vkc_mutex_lock (&lock);
  n_begun++;
  vkc_cond_broadcast (&changed);
  while (is_held)
    vkc_cond_wait_until (&changed, &lock, FOREVER);
  result = answer;
  vkc_mutex_unlock (&lock);
  return result == VK_SUCCESS
             ? compile (device, cache, n, infos, callbacks, made)
             : result;
}

static struct vkc_device *
device_new (void)
{
  struct vkc_device *device = fake_device_new ();

  vkc_mutex_init (&lock);
  vkc_cond_init (&changed);
  n_begun = 0;
  answer = VK_SUCCESS;
  compile = device->vk.CreateComputePipelines;
  device->vk.CreateComputePipelines = compile_slowly;
  return device;
}

static void
set_held (bool held)
{
  vkc_mutex_lock (&lock);
  is_held = held;
  vkc_cond_broadcast (&changed);
  vkc_mutex_unlock (&lock);
}

static void
wait_until_begun (int n)
{
  vkc_mutex_lock (&lock);
  while (n_begun < n)
    vkc_cond_wait_until (&changed, &lock, FOREVER);
  vkc_mutex_unlock (&lock);
}

static void *
get_first (void *device)
{
  return fake_pipeline_variant (device, 1);
}

static struct vkc_pipeline *
join (pthread_t thread)
{
  void *pipeline;

  pthread_join (thread, &pipeline);
  return pipeline;
}

/* The completion thread lets go of jobs, and so of pipelines: what they pin is
 * all that an upstream pool may have.
 * Mutation seen to fail this: the cache's lock held while the driver
 * compiles. */
GST_START_TEST (nobody_waits_for_another_pipeline_to_be_compiled)
{
  struct vkc_device *device = device_new ();
  struct vkc_pipeline *other = fake_pipeline_variant (device, 2), *third;
  pthread_t thread;

  set_held (true);
  pthread_create (&thread, NULL, get_first, device);
  wait_until_begun (2);
  third = fake_pipeline_variant (device, 2);
  fail_unless (third == other);
  vkc_pipeline_unref (third);
  vkc_pipeline_unref (other);
  set_held (false);
  vkc_pipeline_unref (join (thread));
  vkc_device_unref (device);
}
GST_END_TEST;

GST_START_TEST (pipeline_that_many_want_is_compiled_once)
{
  struct vkc_device *device = device_new ();
  struct vkc_pipeline *made[4];
  pthread_t threads[G_N_ELEMENTS (made)];

  set_held (true);
  for (guint i = 0; i < G_N_ELEMENTS (made); i++)
    pthread_create (&threads[i], NULL, get_first, device);
  wait_until_begun (1);
  set_held (false);
  for (guint i = 0; i < G_N_ELEMENTS (made); i++) {
    made[i] = join (threads[i]);
    fail_unless (made[i] != NULL && made[i] == made[0]);
  }
  assert_equals_int (n_begun, 1);
  for (guint i = 0; i < G_N_ELEMENTS (made); i++)
    vkc_pipeline_unref (made[i]);
  vkc_device_unref (device);
}
GST_END_TEST;

/* Mutation seen to fail this: nobody is woken after a failure. */
GST_START_TEST (pipeline_that_failed_is_tried_again)
{
  struct vkc_device *device = device_new ();
  struct vkc_pipeline *made;
  pthread_t threads[2];

  answer = VK_ERROR_OUT_OF_HOST_MEMORY;
  set_held (true);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    pthread_create (&threads[i], NULL, get_first, device);
  wait_until_begun (1);
  set_held (false);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    fail_unless (join (threads[i]) == NULL);
  assert_equals_int (n_begun, 2);
  answer = VK_SUCCESS;
  made = get_first (device);
  fail_unless (made != NULL);
  vkc_pipeline_unref (made);
  vkc_device_unref (device);
}
GST_END_TEST;

static Suite *
pipelines_suite (void)
{
  Suite *suite = suite_create ("pipelines");
  TCase *tests = tcase_create ("pipelines");

  suite_add_tcase (suite, tests);
  tcase_add_test (tests, nobody_waits_for_another_pipeline_to_be_compiled);
  tcase_add_test (tests, pipeline_that_many_want_is_compiled_once);
  tcase_add_test (tests, pipeline_that_failed_is_tried_again);
  return suite;
}

GST_CHECK_MAIN (pipelines);
