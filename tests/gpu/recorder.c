/* The recorder: what a submission costs, holds and publishes. */
#include "tests/gpu/adder.h"

static struct adder adder;

/* Mutation seen to fail this: waiting in vkc_recorder_flush() as well as in
 * vkc_image_map() (200 waits). */
GST_START_TEST (one_warm_dispatch_is_one_submission_and_at_most_one_wait)
{
  struct vkc_recorder_counters before, after;

  adder_init (&adder);
  adder_run (&adder, 8);
  test_wrap_reset ();
  before = adder_counters (&adder);
  adder_run (&adder, 100);
  after = adder_counters (&adder);
  assert_equals_uint64 (after.submits - before.submits, 100);
  fail_unless (after.waits - before.waits <= 100);
  assert_equals_uint64 (after.flush[VKC_FLUSH_TAIL], 108);
  assert_equals_uint64 (after.flush[VKC_FLUSH_MAP], 0);
  assert_equals_uint64 (test_wrap_count ("vkCreateCommandPool"), 0);
  assert_equals_uint64 (test_wrap_count ("vkAllocateCommandBuffers"), 0);
  assert_equals_uint64 (test_wrap_count ("vkCreateDescriptorPool"), 0);
  assert_equals_uint64 (test_wrap_count ("vkCreateComputePipelines"), 0);
  adder_clear (&adder);
}
GST_END_TEST;

/* Also: one kernel several times in a batch, each with its own bindings.
 * Mutations seen to fail this: no barrier between dispatches (pixels, and the
 * layer); one descriptor set a kernel (pixels). */
GST_START_TEST (chain_is_one_submission)
{
  struct vkc_image *frames[5];

  adder_init (&adder);
  frames[0] = adder_filled (&adder, 0);
  for (int i = 1; i < 5; i++) {
    frames[i] = adder_image (&adder);
    fail_unless (adder_plan (&adder, frames[i - 1], frames[i], i, NULL));
  }
  assert_equals_uint64 (adder_counters (&adder).submits, 0);
  assert_equals_uint64 (adder_counters (&adder).pending, 4);
  fail_unless (adder_flush (&adder, frames[4], NULL));
  fail_unless (adder_holds (frames[4], 1 + 2 + 3 + 4));
  assert_equals_uint64 (adder_counters (&adder).submits, 1);
  assert_equals_uint64 (adder_counters (&adder).dispatches, 4);
  fail_unless (adder_counters (&adder).waits <= 1);
  for (int i = 0; i < 5; i++)
    vkc_image_unref (frames[i]);
  adder_clear (&adder);
}
GST_END_TEST;

GST_START_TEST (branches_share_their_prefix_and_run_it_once)
{
  struct vkc_image *source, *shared, *left, *right;

  adder_init (&adder);
  source = adder_filled (&adder, 7);
  shared = adder_image (&adder);
  left = adder_image (&adder);
  right = adder_image (&adder);
  fail_unless (adder_plan (&adder, source, shared, 10, NULL));
  fail_unless (adder_plan (&adder, shared, left, 1, NULL));
  fail_unless (adder_plan (&adder, shared, right, 2, NULL));
  fail_unless (adder_flush (&adder, left, NULL));
  fail_unless (adder_flush (&adder, right, NULL));
  fail_unless (adder_holds (left, 18));
  fail_unless (adder_holds (right, 19));
  assert_equals_uint64 (adder_counters (&adder).submits, 2);
  assert_equals_uint64 (adder_counters (&adder).dispatches, 3);
  vkc_image_unref (source);
  vkc_image_unref (shared);
  vkc_image_unref (left);
  vkc_image_unref (right);
  adder_clear (&adder);
}
GST_END_TEST;

GST_START_TEST (what_was_submitted_is_not_submitted_again)
{
  struct vkc_image *source, *target;

  adder_init (&adder);
  source = adder_filled (&adder, 0);
  target = adder_image (&adder);
  fail_unless (adder_plan (&adder, source, target, 3, NULL));
  for (int i = 0; i < 3; i++)
    fail_unless (adder_flush (&adder, target, NULL));
  fail_unless (adder_holds (target, 3));
  fail_unless (adder_holds (target, 3));
  assert_equals_uint64 (adder_counters (&adder).submits, 1);
  vkc_image_unref (source);
  vkc_image_unref (target);
  adder_clear (&adder);
}
GST_END_TEST;

/* The net under a frame that nobody flushed. */
GST_START_TEST (map_of_a_pending_frame_flushes_it)
{
  struct vkc_image *source, *target;

  adder_init (&adder);
  source = adder_filled (&adder, 1);
  target = adder_image (&adder);
  fail_unless (adder_plan (&adder, source, target, 1, NULL));
  fail_unless (vkc_image_is_pending (target));
  fail_if (vkc_owner_was_mapped (adder.owner));
  fail_unless (adder_holds (target, 2));
  fail_if (vkc_image_is_pending (target));
  assert_equals_uint64 (adder_counters (&adder).flush[VKC_FLUSH_MAP], 1);
  fail_unless (vkc_owner_was_mapped (adder.owner));
  vkc_image_unref (source);
  vkc_image_unref (target);
  adder_clear (&adder);
}
GST_END_TEST;

/* Mutation seen to fail this: vkc_image_unmap() that leaves device_valid. */
GST_START_TEST (frame_that_the_cpu_edits_is_uploaded_again)
{
  struct vkc_image *source, *middle, *target;
  uint32_t *words;

  adder_init (&adder);
  source = adder_filled (&adder, 0);
  middle = adder_image (&adder);
  target = adder_image (&adder);
  fail_unless (adder_plan (&adder, source, middle, 1, NULL));
  words = vkc_image_map (middle, VKC_MAP_READ | VKC_MAP_WRITE, NULL);
  for (uint32_t i = 0; i < ADDER_WORDS; i++)
    words[i] += 100;
  vkc_image_unmap (middle, VKC_MAP_READ | VKC_MAP_WRITE);
  fail_unless (adder_plan (&adder, middle, target, 1, NULL));
  fail_unless (adder_holds (target, 102));
  vkc_image_unref (source);
  vkc_image_unref (middle);
  vkc_image_unref (target);
  adder_clear (&adder);
}
GST_END_TEST;

GST_START_TEST (discarded_frame_costs_no_work)
{
  struct vkc_image *source, *target;

  adder_init (&adder);
  source = adder_filled (&adder, 0);
  target = adder_image (&adder);
  fail_unless (adder_plan (&adder, source, target, 3, NULL));
  vkc_image_unref (target);
  while (adder_counters (&adder).pending > 0
         || g_atomic_int_get (&adder.released) == 0)
    g_usleep (1000);
  assert_equals_uint64 (adder_counters (&adder).submits, 0);
  assert_equals_uint64 (adder_counters (&adder).discarded, 1);
  assert_equals_uint64 (vkc_owner_counters (adder.owner).discarded, 1);
  vkc_image_unref (source);
  adder_clear (&adder);
}
GST_END_TEST;

/* Mutation seen to fail this: dropping a slot's pins when it is submitted. */
GST_START_TEST (pins_stay_while_the_gpu_may_use_them)
{
  struct vkc_image *source, *target;

  adder_init (&adder);
  source = adder_filled (&adder, 0);
  target = adder_image (&adder);
  test_wrap_close_gate (adder.device);
  fail_unless (adder_plan (&adder, source, target, 3, NULL));
  fail_unless (adder_flush (&adder, target, NULL));
  fail_if (vkc_image_is_idle (source));
  g_usleep (50000);
  assert_equals_int (g_atomic_int_get (&adder.released), 0);
  test_wrap_open_gate ();
  fail_unless (vkc_recorder_drain_owner (adder.device->recorder, adder.owner,
                                         false, NULL));
  assert_equals_int (g_atomic_int_get (&adder.released), 1);
  fail_unless (vkc_image_is_idle (source));
  vkc_image_unref (source);
  vkc_image_unref (target);
  adder_clear (&adder);
}
GST_END_TEST;

static gpointer
map_in_thread (gpointer image)
{
  return GINT_TO_POINTER (adder_holds (image, 3));
}

/* The lock is free while a thread waits for the GPU. */
GST_START_TEST (second_thread_plans_while_the_first_waits)
{
  struct vkc_image *source, *target, *other;
  GThread *thread;

  adder_init (&adder);
  source = adder_filled (&adder, 0);
  target = adder_image (&adder);
  other = adder_image (&adder);
  test_wrap_close_gate (adder.device);
  fail_unless (adder_plan (&adder, source, target, 3, NULL));
  fail_unless (adder_flush (&adder, target, NULL));
  thread = g_thread_new ("map", map_in_thread, target);
  while (adder_counters (&adder).waits == 0)
    g_usleep (1000);
  fail_unless (adder_plan (&adder, source, other, 4, NULL));
  fail_unless (adder_flush (&adder, other, NULL));
  test_wrap_open_gate ();
  fail_unless (GPOINTER_TO_INT (g_thread_join (thread)));
  fail_unless (adder_holds (other, 4));
  vkc_image_unref (source);
  vkc_image_unref (target);
  vkc_image_unref (other);
  adder_clear (&adder);
}
GST_END_TEST;

/* More submissions than slots: the fifth waits for the first. */
GST_START_TEST (no_command_buffer_is_begun_while_it_is_in_flight)
{
  struct vkc_image *source, *targets[12];

  adder_init (&adder);
  source = adder_filled (&adder, 0);
  for (int i = 0; i < 12; i++) {
    targets[i] = adder_image (&adder);
    fail_unless (adder_plan (&adder, source, targets[i], i, NULL));
    fail_unless (adder_flush (&adder, targets[i], NULL));
    fail_unless (adder_counters (&adder).in_flight <= 4);
  }
  for (int i = 0; i < 12; i++) {
    fail_unless (adder_holds (targets[i], i));
    vkc_image_unref (targets[i]);
  }
  fail_unless (adder_counters (&adder).waits <= 12);
  assert_equals_uint64 (adder_counters (&adder).submits, 12);
  vkc_image_unref (source);
  adder_clear (&adder);
}
GST_END_TEST;

GST_START_TEST (resting_layouts_are_tracked)
{
  struct vkc_image *source, *target;

  adder_init (&adder);
  source = adder_filled (&adder, 0);
  target = adder_image (&adder);
  assert_equals_int (vkc_image_layout (target, 0), VK_IMAGE_LAYOUT_UNDEFINED);
  fail_unless (adder_plan (&adder, source, target, 3, NULL));
  assert_equals_int (vkc_image_layout (target, 0), VK_IMAGE_LAYOUT_UNDEFINED);
  fail_unless (vkc_recorder_flush (adder.device->recorder, target,
                                   VKC_FLUSH_TAIL, false, NULL, NULL, NULL));
  if (adder_is_image ()) {
    assert_equals_int (vkc_image_layout (source, 0),
                       VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    assert_equals_int (vkc_image_layout (target, 0), VK_IMAGE_LAYOUT_GENERAL);
  }
  fail_unless (adder_holds (target, 3));
  vkc_image_unref (source);
  vkc_image_unref (target);
  adder_clear (&adder);
}
GST_END_TEST;

struct last_reference
{
  struct vkc_device *device;
  int others_gone;
};

static void
drop_when_last (void *data)
{
  struct last_reference *last = data;

  while (!g_atomic_int_get (&last->others_gone))
    g_usleep (1000);
  vkc_device_unref (last->device);
}

/* A job's pin may be what keeps the device alive: then the completion thread
 * drops the last reference, and must neither join itself nor leak. */
GST_START_TEST (last_reference_may_go_on_the_completion_thread)
{
  struct last_reference last = { 0 };
  struct vkc_image *source, *target;
  struct vkc_job *job;

  adder_init (&adder);
  source = adder_filled (&adder, 0);
  target = adder_image (&adder);
  last.device = vkc_device_ref (adder.device);
  job = adder_job (&adder, NULL, source, target, 1);
  vkc_job_pin (job, &last, drop_when_last);
  fail_unless (vkc_recorder_append (adder.device->recorder, job, NULL));
  fail_unless (adder_flush (&adder, target, NULL));
  vkc_image_unref (source);
  vkc_image_unref (target);
  vkc_pipeline_unref (adder.pipeline);
  vkc_owner_unref (adder.owner);
  vkc_device_unref (adder.device);
  g_atomic_int_set (&last.others_gone, 1);
  while (test_wrap_live (NULL) > 0)
    g_usleep (1000);
}
GST_END_TEST;

/* Images that have to be brought into their layout, and such that are in it. */
GST_START_TEST (change_of_layout_costs_no_submission)
{
  struct vkc_recorder_counters before, fresh, settled;
  struct vkc_image *source, *target;

  adder_init (&adder);
  adder_run (&adder, 8);
  before = adder_counters (&adder);
  adder_run (&adder, 10);
  fresh = adder_counters (&adder);
  source = adder_filled (&adder, 0);
  target = adder_image (&adder);
  for (uint32_t i = 0; i < 10; i++) {
    fail_unless (adder_plan (&adder, source, target, i, NULL));
    fail_unless (adder_flush (&adder, target, NULL));
    fail_unless (adder_holds (target, i));
  }
  settled = adder_counters (&adder);
  assert_equals_uint64 (fresh.submits - before.submits, 10);
  assert_equals_uint64 (settled.submits - fresh.submits, 10);
  fail_unless (fresh.waits - before.waits <= 10);
  fail_unless (settled.waits - fresh.waits <= 10);
  vkc_image_unref (source);
  vkc_image_unref (target);
  adder_clear (&adder);
}
GST_END_TEST;

static void
assert_refused (bool ok, GError *error, const char *word, const char *why)
{
  fail_if (ok);
  fail_unless (strstr (error->message, word) != NULL
                   && strstr (error->message, why) != NULL,
               "%s", error->message);
  fail_if (strstr (error->message, "batch") != NULL);
  g_error_free (error);
}

/* Each says which binding, and what the kernel declares; nothing was planned,
 * so nothing has to be undone. */
GST_START_TEST (refusals_name_the_binding)
{
  struct vkc_image *source, *target;
  struct vkc_job *job;
  GError *error = NULL;
  bool ok;

  adder_init (&adder);
  source = adder_filled (&adder, 0);
  target = adder_image (&adder);
#define REFUSED(call, word, why)                                               \
  error = NULL;                                                                \
  ok = call;                                                                   \
  assert_refused (ok, error, word, why)
  job = vkc_job_new (adder.owner);
  vkc_job_set_pipeline (job, adder.pipeline);
  REFUSED (vkc_job_bind (job, 7, source, 0, 1, &error), "`7`",
           "no such binding");
  REFUSED (vkc_job_set_push_constants (job, &ok, 1, &error), "add_",
           "12 bytes");
  fail_unless (vkc_job_bind (job, 0, source, 0, 1, NULL));
  REFUSED (vkc_job_bind (job, 0, target, 0, 1, &error), "`source`", "twice");
  if (adder_is_image ()) {
    REFUSED (vkc_job_bind (job, 1, source, 0, 1, &error), "`target`",
             "`source`");
    REFUSED (vkc_job_bind (job, 1, target, 0, 2, &error), "`target`", "planes");
  }
  REFUSED (vkc_recorder_append (adder.device->recorder, job, &error),
           "`target`", "nothing is bound");
#undef REFUSED
  assert_equals_uint64 (adder_counters (&adder).pending, 0);
  assert_equals_uint64 (adder_counters (&adder).submits, 0);
  vkc_image_unref (source);
  vkc_image_unref (target);
  adder_clear (&adder);
}
GST_END_TEST;

GST_START_TEST (batch_setting_of_one_runs_every_job_alone)
{
  struct vkc_image *frames[4];

  g_setenv ("VKC_BATCH", "1", TRUE);
  adder_init (&adder);
  frames[0] = adder_filled (&adder, 0);
  for (int i = 1; i < 4; i++) {
    frames[i] = adder_image (&adder);
    fail_unless (adder_plan (&adder, frames[i - 1], frames[i], 1, NULL));
    assert_equals_uint64 (adder_counters (&adder).submits, i);
  }
  fail_unless (adder_holds (frames[3], 3));
  for (int i = 0; i < 4; i++)
    vkc_image_unref (frames[i]);
  adder_clear (&adder);
}
GST_END_TEST;

static const char *const bad_settings[] = { "0", "-1", "x", "" };

GST_START_TEST (bad_batch_setting_gives_the_default)
{
  struct vkc_image *frames[4];

  g_log_set_always_fatal (G_LOG_FATAL_MASK);
  g_setenv ("VKC_BATCH", bad_settings[__i__], TRUE);
  g_test_expect_message (NULL, G_LOG_LEVEL_WARNING, "*VKC_BATCH*");
  adder_init (&adder);
  g_test_assert_expected_messages ();
  frames[0] = adder_filled (&adder, 0);
  for (int i = 1; i < 4; i++) {
    frames[i] = adder_image (&adder);
    fail_unless (adder_plan (&adder, frames[i - 1], frames[i], 1, NULL));
  }
  fail_unless (adder_flush (&adder, frames[3], NULL));
  fail_unless (adder_holds (frames[3], 3));
  assert_equals_uint64 (adder_counters (&adder).submits, 1);
  for (int i = 0; i < 4; i++)
    vkc_image_unref (frames[i]);
  adder_clear (&adder);
}
GST_END_TEST;

static Suite *
recorder_suite (void)
{
  Suite *suite = suite_create ("recorder");
  TCase *tests = tcase_create ("recorder");

  suite_add_tcase (suite, tests);
  tcase_add_test (tests,
                  one_warm_dispatch_is_one_submission_and_at_most_one_wait);
  tcase_add_test (tests, change_of_layout_costs_no_submission);
  tcase_add_test (tests, refusals_name_the_binding);
  tcase_add_test (tests, chain_is_one_submission);
  tcase_add_test (tests, branches_share_their_prefix_and_run_it_once);
  tcase_add_test (tests, what_was_submitted_is_not_submitted_again);
  tcase_add_test (tests, map_of_a_pending_frame_flushes_it);
  tcase_add_test (tests, frame_that_the_cpu_edits_is_uploaded_again);
  tcase_add_test (tests, discarded_frame_costs_no_work);
  tcase_add_test (tests, pins_stay_while_the_gpu_may_use_them);
  tcase_add_test (tests, second_thread_plans_while_the_first_waits);
  tcase_add_test (tests, no_command_buffer_is_begun_while_it_is_in_flight);
  tcase_add_test (tests, resting_layouts_are_tracked);
  tcase_add_test (tests, last_reference_may_go_on_the_completion_thread);
  tcase_add_test (tests, batch_setting_of_one_runs_every_job_alone);
  tcase_add_loop_test (tests, bad_batch_setting_gives_the_default, 0,
                       G_N_ELEMENTS (bad_settings));
  return suite;
}

GST_CHECK_MAIN (recorder);
