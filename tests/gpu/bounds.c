/* What the recorder keeps is bounded: releases, steps, the length of a batch.
 */
#include "tests/gpu/adder.h"

static struct adder adder;

static int may_release;

static void
release_late (void *unused)
{
  while (!g_atomic_int_get (&may_release))
    g_usleep (1000);
}

/* At once, not when the completion thread comes to it, which another pin's
 * release holds up here.
 * Mutation seen to fail this: steps that go when their image does. */
GST_START_TEST (steps_of_a_discarded_frame_go_with_it)
{
  struct vkc_image *source, *step, *target, *earlier;
  struct vkc_job *job;

  adder_init (&adder);
  source = adder_filled (&adder, 0);
  earlier = adder_image (&adder);
  job = adder_job (&adder, NULL, source, earlier, 1);
  vkc_job_pin (job, &may_release, release_late);
  fail_unless (vkc_recorder_append (adder.device->recorder, job, NULL));
  fail_unless (adder_flush (&adder, earlier, NULL));
  fail_unless (adder_holds (earlier, 1));

  step = adder_image (&adder);
  target = adder_image (&adder);
  job = adder_job (&adder, NULL, source, step, 1);
  vkc_job_set_intermediate (job);
  fail_unless (vkc_recorder_append (adder.device->recorder, job, NULL));
  fail_unless (adder_plan (&adder, step, target, 1, NULL));
  vkc_image_unref (step);
  assert_equals_uint64 (adder_counters (&adder).pending, 2);
  vkc_image_unref (target);
  assert_equals_uint64 (adder_counters (&adder).pending, 0);
  assert_equals_uint64 (adder_counters (&adder).discarded, 1);
  g_atomic_int_set (&may_release, 1);
  vkc_image_unref (earlier);
  vkc_image_unref (source);
  adder_clear (&adder);
}
GST_END_TEST;

static gpointer
open_gate_when_waited_for (gpointer unused)
{
  while (adder_counters (&adder).waits_release == 0)
    g_usleep (1000);
  test_wrap_open_gate ();
  return unused;
}

static const char *const release_settings[] = {
  "VKC_MAX_RELEASES=4", "VKC_MAX_RELEASE_BYTES=3840", /* four, of ADDER_WORDS */
};

/* A chain of four in one submission, of which only the end is kept. */
static struct vkc_image *
run_chain (struct vkc_image *source)
{
  struct vkc_image *frames[4], *from = source;

  for (int i = 0; i < 4; i++) {
    frames[i] = adder_image (&adder);
    fail_unless (adder_plan (&adder, from, frames[i], 1, NULL));
    from = frames[i];
  }
  fail_unless (adder_flush (&adder, frames[3], NULL));
  for (int i = 0; i < 3; i++)
    vkc_image_unref (frames[i]);
  return frames[3];
}

/* Three images of each chain are in flight for nobody; with two chains that is
 * more than four.
 * Mutation seen to fail this: no vkc_release_bound() (no wait, the test's
 * thread never ends). */
GST_START_TEST (what_nobody_holds_is_bounded_in_flight)
{
  g_auto (GStrv) setting = g_strsplit (release_settings[__i__], "=", 2);
  struct vkc_image *source, *results[3];
  GThread *opener;

  g_setenv (setting[0], setting[1], TRUE);
  adder_init (&adder);
  source = adder_filled (&adder, 0);
  test_wrap_close_gate (adder.device);
  for (int i = 0; i < 2; i++)
    results[i] = run_chain (source);
  assert_equals_uint64 (adder_counters (&adder).waits_release, 0);
  opener = g_thread_new ("opener", open_gate_when_waited_for, NULL);
  results[2] = run_chain (source);
  g_thread_join (opener);
  assert_equals_uint64 (adder_counters (&adder).waits_release, 1);
  for (int i = 0; i < 3; i++) {
    fail_unless (adder_holds (results[i], 4));
    vkc_image_unref (results[i]);
  }
  vkc_image_unref (source);
  adder_clear (&adder);
}
GST_END_TEST;

/* A pin's release that blocks holds up the completion thread, and with it other
 * pins, but not the frames' storage, nor for long those who plan.
 * Mutation seen to fail this: no run_images() in vkc_release_bound(). */
GST_START_TEST (slow_release_of_a_pin_keeps_no_images)
{
  struct vkc_image *source, *target;
  struct vkc_job *job;
  int64_t live;

  g_setenv ("VKC_MAX_RELEASES", "4", TRUE);
  g_setenv ("VKC_MAX_PENDING_MS", "50", TRUE);
  adder_init (&adder);
  source = adder_filled (&adder, 0);
  target = adder_image (&adder);
  job = adder_job (&adder, NULL, source, target, 1);
  vkc_job_pin (job, &may_release, release_late);
  fail_unless (vkc_recorder_append (adder.device->recorder, job, NULL));
  fail_unless (adder_flush (&adder, target, NULL));
  fail_unless (adder_holds (target, 1));
  vkc_image_unref (target);
  live = test_wrap_live ("Memory");
  for (int i = 0; i < 60; i++) {
    target = adder_image (&adder);
    fail_unless (adder_plan (&adder, source, target, i, NULL));
    fail_unless (adder_flush (&adder, target, NULL));
    fail_unless (adder_holds (target, i));
    vkc_image_unref (target);
  }
  fail_unless (test_wrap_live ("Memory") < live + 30, "%d, then %d", (int)live,
               (int)test_wrap_live ("Memory"));
  g_atomic_int_set (&may_release, 1);
  vkc_image_unref (source);
  adder_clear (&adder);
}
GST_END_TEST;

static void
learn_times (uint64_t ms)
{
  test_wrap_set_clock (ms * 1000000);
  adder_run (&adder, 1);
  fail_unless (vkc_recorder_drain_owner (adder.device->recorder, adder.owner,
                                         false, NULL));
}

static void
run_chain_of_five (void)
{
  struct vkc_image *frames[6];

  frames[0] = adder_filled (&adder, 0);
  for (int i = 1; i < 6; i++) {
    frames[i] = adder_image (&adder);
    fail_unless (adder_plan (&adder, frames[i - 1], frames[i], 1, NULL));
  }
  fail_unless (adder_flush (&adder, frames[5], NULL));
  fail_unless (adder_holds (frames[5], 5));
  for (int i = 0; i < 6; i++)
    vkc_image_unref (frames[i]);
}

/* Two jobs of 40 ms fit into 100 ms, a third does not; one of 150 ms runs
 * alone.
 * Mutation seen to fail this: no vkc_batch_split(). */
GST_START_TEST (batch_that_would_run_too_long_is_split)
{
  struct vkc_recorder_counters before, after;

  g_setenv ("VKC_MAX_BATCH_MS", "100", TRUE);
  g_setenv ("VKC_MAX_PENDING", "8", TRUE);
  adder_init (&adder);
  for (int i = 0; i < 2; i++) {
    /* By the second time the average is 67.5 ms: two are too many. */
    learn_times (i == 0 ? 40 : 150);
    before = adder_counters (&adder);
    run_chain_of_five ();
    after = adder_counters (&adder);
    assert_equals_uint64 (after.submits - before.submits, i == 0 ? 3 : 5);
    assert_equals_uint64 (after.splits - before.splits, i == 0 ? 2 : 4);
    assert_equals_uint64 (after.dispatches - before.dispatches, 5);
    assert_equals_uint64 (after.buffers - before.buffers, 1);
    assert_equals_uint64 (
        after.flush[VKC_FLUSH_TAIL] - before.flush[VKC_FLUSH_TAIL], 1);
  }
  adder_clear (&adder);
}
GST_END_TEST;

/* A CPU has no watchdog. */
GST_START_TEST (software_device_never_splits)
{
  g_setenv ("VKC_MAX_PENDING", "8", TRUE);
  adder_init (&adder);
  if (!adder.device->is_cpu)
    test_skip ("%s is hardware", adder.device->name);
  learn_times (10000);
  run_chain_of_five ();
  assert_equals_uint64 (adder_counters (&adder).splits, 0);
  assert_equals_uint64 (adder_counters (&adder).submits, 2);
  assert_equals_uint64 (test_wrap_count ("vkCreateQueryPool"), 0);
  adder_clear (&adder);
}
GST_END_TEST;

static Suite *
bounds_suite (void)
{
  Suite *suite = suite_create ("bounds");
  TCase *tests = tcase_create ("bounds");

  suite_add_tcase (suite, tests);
  tcase_add_test (tests, steps_of_a_discarded_frame_go_with_it);
  tcase_add_loop_test (tests, what_nobody_holds_is_bounded_in_flight, 0,
                       G_N_ELEMENTS (release_settings));
  tcase_add_test (tests, slow_release_of_a_pin_keeps_no_images);
  tcase_add_test (tests, batch_that_would_run_too_long_is_split);
  tcase_add_test (tests, software_device_never_splits);
  return suite;
}

GST_CHECK_MAIN (bounds);
