/* Scratch images that jobs share. */
#include "ext/vkcompute/scratch.h"

#include "tests/gpu/adder.h"

static struct adder adder;

/* Plans source -> scratch -> target, with @hold and @count as pins of the job
 * that reads the scratch, before and behind it. */
static void
plan_by_scratch (struct scratch_pool *pool, struct vkc_image *source,
                 struct vkc_image *target, GDestroyNotify hold,
                 GDestroyNotify count)
{
  struct scratch *scratch = scratch_new (pool, NULL);
  struct vkc_job *step, *job;

  fail_unless (scratch != NULL);
  step = adder_job (&adder, NULL, source, scratch_image (scratch), 1);
  vkc_job_set_intermediate (step);
  fail_unless (vkc_recorder_append (adder.device->recorder, step, NULL));
  job = adder_job (&adder, NULL, scratch_image (scratch), target, 1);
  vkc_job_pin (job, NULL, hold);
  scratch_pin (scratch, job);
  vkc_job_pin (job, NULL, count);
  fail_unless (vkc_recorder_append (adder.device->recorder, job, NULL));
  scratch_planned (scratch);
}

static int is_armed, n_over; /* atomic */

static void
wait_for_an_allocation (gpointer data)
{
  while (!g_atomic_int_get (&is_armed)
         || test_wrap_count ("vkAllocateMemory") == 0)
    g_usleep (1000);
}

static void
count_over (gpointer data)
{
  g_atomic_int_inc (&n_over);
}

/* Memory that is short is waited for, until all pins are back: those of the
 * very pool, too. That wait has a bound, which here is longer than the test's.
 * Mutation seen to fail this: the allocation under the pool's lock. */
GST_START_TEST (allocation_waits_for_pins_of_its_own_pool)
{
  struct scratch *there, *made;
  struct vkc_image *source, *target;
  struct scratch_pool *pool;

  g_setenv ("VKC_TIMEOUT_MS", "600000", TRUE);
  adder_start (&adder);
  source = adder_filled (&adder, 0);
  target = adder_image (&adder);
  pool = scratch_pool_new (adder.device, vkc_image_params (source));
  plan_by_scratch (pool, source, target, wait_for_an_allocation, count_over);
  fail_unless (adder_flush (&adder, target, NULL));
  /* Submitted, so its place is free again; another one has to be made. */
  there = scratch_new (pool, NULL);
  fail_unless (there != NULL);
  test_wrap_reset ();
  test_wrap_fail ("vkAllocateMemory", 1, VK_ERROR_OUT_OF_DEVICE_MEMORY, false);
  g_atomic_int_set (&is_armed, 1);
  made = scratch_new (pool, NULL);
  fail_unless (made != NULL);
  assert_equals_int (g_atomic_int_get (&n_over), 1);
  fail_unless (adder_holds (target, 2));
  scratch_planned (there);
  scratch_planned (made);
  scratch_pool_unref (pool);
  vkc_image_unref (source);
  vkc_image_unref (target);
  adder_clear (&adder);
}
GST_END_TEST;

static Suite *
scratch_suite (void)
{
  Suite *suite = suite_create ("scratch");
  TCase *tests = tcase_create ("scratch");

  suite_add_tcase (suite, tests);
  tcase_add_test (tests, allocation_waits_for_pins_of_its_own_pool);
  return suite;
}

GST_CHECK_MAIN (scratch);
