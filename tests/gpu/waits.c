/* Waits that fail: what ran out of time may still run, what is lost is over. */
#include "tests/gpu/adder.h"

#include "gst/vk/result.h"

static struct adder adder;

/* Submits a frame that does not run before the gate opens. */
static struct vkc_image *
submit_gated (void)
{
  struct vkc_image *source = adder_filled (&adder, 0);
  struct vkc_image *target = adder_image (&adder);

  test_wrap_close_gate (adder.device);
  fail_unless (adder_plan (&adder, source, target, 1, NULL));
  fail_unless (adder_flush (&adder, target, NULL));
  vkc_image_unref (source);
  return target;
}

static void
assert_map_fails (struct vkc_image *image, int code)
{
  g_autoptr (GError) error = NULL;

  fail_unless (vkc_image_map (image, VKC_MAP_READ, &error) != NULL);
  fail_unless (g_error_matches (error, VKC_ERROR, code), "%s",
               error ? error->message : "no error");
  fail_unless (strstr (error->message, "adder") != NULL, "%s", error->message);
  vkc_image_unmap (image, VKC_MAP_READ);
}

static const struct
{
  VkResult result; /* 0: the time that it really takes */
  int code;
} failures[] = {
  { VK_SUCCESS, VKC_ERROR_TIMEOUT },
  { VK_TIMEOUT, VKC_ERROR_TIMEOUT },
  { VK_ERROR_OUT_OF_HOST_MEMORY, VKC_ERROR_OUT_OF_MEMORY },
  { VK_ERROR_OUT_OF_DEVICE_MEMORY, VKC_ERROR_OUT_OF_MEMORY },
};

/* The work may still run: its slot keeps what it holds, the next wait goes on.
 * Mutation seen to fail this: retiring the slot after VK_TIMEOUT. */
GST_START_TEST (failed_wait_keeps_the_slot_in_flight)
{
  struct vkc_image *target;
  const int released = 2;

  /* Long enough for a sanitizer's build to compile and warm up. */
  g_setenv ("VKC_TIMEOUT_MS", "2000", TRUE);
  adder_start (&adder);
  target = submit_gated ();
  if (failures[__i__].result)
    test_wrap_fail_from ("vkWaitSemaphores", 1, failures[__i__].result);
  assert_map_fails (target, failures[__i__].code);
  assert_equals_int (g_atomic_int_get (&adder.released), released);
  assert_equals_uint64 (adder_counters (&adder).in_flight, 1);
  assert_equals_int (adder.errors, 1);
  test_wrap_reset ();
  test_wrap_open_gate ();
  fail_unless (adder_holds (target, 1));
  assert_equals_int (adder.errors, 1);
  vkc_image_unref (target);
  adder_clear (&adder);
}
GST_END_TEST;

/* Nothing that the device may still use is destroyed, nobody waits for it for
 * ever, and once it is through after all, it is cleared away.
 * Mutation seen to fail this: a completion thread that ends with a hung device
 * as it does with a lost one. */
GST_START_TEST (hung_device_is_left_alone_until_it_is_through)
{
  struct vkc_image *source, *target;
  int64_t live;

  g_setenv ("VKC_TIMEOUT_MS", "500", TRUE);
  adder_start (&adder);
  target = submit_gated ();
  assert_map_fails (target, VKC_ERROR_TIMEOUT);
  fail_if (vkc_recorder_is_lost (adder.device->recorder));
  fail_unless (vkc_image_map (target, VKC_MAP_READ, NULL) != NULL);
  vkc_image_unmap (target, VKC_MAP_READ);
  fail_unless (vkc_recorder_is_lost (adder.device->recorder));
  fail_unless (adder_counters (&adder).quarantined > 0);
  source = adder_filled (&adder, 0);
  fail_if (adder_plan (&adder, source, target, 1, NULL));
  vkc_image_unref (source);
  assert_equals_int (adder.errors, 1);

  live = test_wrap_live (NULL);
  vkc_image_unref (target);
  vkc_pipeline_unref (adder.pipeline);
  vkc_owner_unref (adder.owner);
  vkc_device_unref (adder.device);
  g_usleep (100000); /* for who might destroy something now */
  assert_equals_int64 (test_wrap_live (NULL), live);
  test_wrap_open_gate ();
  test_assert_all_gone ();
  g_free (adder.message);
}
GST_END_TEST;

/* A thread that should wait may be stuck in the driver instead.
 * Mutation seen to fail this: no give_up_if_stuck(). */
GST_START_TEST (work_that_nobody_waits_for_is_given_up_as_well)
{
  struct vkc_image *target;

  g_setenv ("VKC_TIMEOUT_MS", "500", TRUE);
  adder_start (&adder);
  target = submit_gated ();
  while (g_atomic_int_get (&adder.errors) == 0)
    g_usleep (1000);
  fail_unless (vkc_recorder_is_lost (adder.device->recorder));
  fail_unless (strstr (adder.message, "adder") != NULL, "%s", adder.message);
  assert_equals_int (adder.errors, 1);
  test_wrap_open_gate ();
  vkc_image_unref (target);
  adder_clear_after_fault (&adder);
}
GST_END_TEST;

/* A call that fails at once is not made over and over: as often as one that
 * sleeps. */
GST_START_TEST (failing_watch_does_not_spin)
{
  const int64_t start = g_get_monotonic_time ();
  struct vkc_image *target;
  uint64_t watches;

  adder_start (&adder);
  target = submit_gated ();
  test_wrap_fail_from ("vkWaitSemaphores", 1, VK_ERROR_OUT_OF_HOST_MEMORY);
  g_usleep (200000);
  watches = test_wrap_count ("vkWaitSemaphores");
  fail_unless (watches > 0);
  fail_unless ((int64_t)watches
                   <= (g_get_monotonic_time () - start) / 10000 + 10,
               "%" G_GUINT64_FORMAT " calls", watches);
  assert_equals_int (adder.errors, 0);
  test_wrap_reset ();
  test_wrap_open_gate ();
  fail_unless (adder_holds (target, 1));
  vkc_image_unref (target);
  adder_clear (&adder);
}
GST_END_TEST;

GST_START_TEST (device_lost_at_wait_is_one_error)
{
  struct vkc_image *target;

  adder_start (&adder);
  target = submit_gated ();
  test_wrap_open_gate ();
  test_wrap_fail ("vkWaitSemaphores", 1, VK_ERROR_DEVICE_LOST, false);
  /* Whoever waits first, this thread or the completion thread. */
  while (!vkc_recorder_is_lost (adder.device->recorder)
         && adder_counters (&adder).in_flight > 0)
    adder_holds (target, 1);
  for (int i = 0; i < 2; i++)
    adder_holds (target, 1);
  assert_equals_int (adder.errors,
                     vkc_recorder_is_lost (adder.device->recorder));
  vkc_image_unref (target);
  adder_clear_after_fault (&adder);
}
GST_END_TEST;

/* The loss is learnt of where nobody waits: it is not forgotten, and the next
 * call of whoever works there says so, once. */
GST_START_TEST (loss_of_an_idle_device_is_told_at_the_next_call)
{
  struct vkc_image *source, *target;
  g_autoptr (GError) error = NULL;
  uint64_t submits;

  adder_start (&adder);
  source = adder_filled (&adder, 0);
  target = adder_image (&adder);
  test_wrap_fail ("vkGetSemaphoreCounterValue", 1, VK_ERROR_DEVICE_LOST, false);
  /* Asks for the state of something that was never submitted. */
  vkc_recorder_wait (adder.device->recorder, 1000, NULL);
  submits = test_wrap_count_real ("vkQueueSubmit2");
  if (adder_plan (&adder, source, target, 1, &error))
    fail_if (adder_flush (&adder, target, &error));
  fail_unless (g_error_matches (error, VKC_ERROR, VKC_ERROR_DEVICE_LOST));
  fail_if (adder_plan (&adder, source, target, 1, NULL));
  fail_unless (adder.errors <= 1);
  assert_equals_uint64 (test_wrap_count_real ("vkQueueSubmit2"), submits);
  vkc_image_unref (source);
  vkc_image_unref (target);
  adder_clear_after_fault (&adder);
}
GST_END_TEST;

static gpointer
wait_in_thread (gpointer data)
{
  const uint64_t value = *(const uint64_t *)data;

  return GINT_TO_POINTER (
      vkc_recorder_wait (adder.device->recorder, value, NULL));
}

/* However many threads wait, one of them does so in Vulkan: drivers are slow
 * where several do. The others learn from it, and go on themselves if they need
 * more. Mutations seen to fail this: each makes its own call; nobody
 * wakes the others (they run out of time). */
GST_START_TEST (threads_wait_in_turn)
{
  struct vkc_image *source, *targets[2];
  GThread *threads[5];
  uint64_t values[G_N_ELEMENTS (threads)], waits;

  g_setenv ("VKC_TIMEOUT_MS", "600000", TRUE);
  adder_start (&adder);
  source = adder_filled (&adder, 0);
  test_wrap_close_gate (adder.device);
  for (int i = 0; i < 2; i++) {
    targets[i] = adder_image (&adder);
    fail_unless (adder_plan (&adder, source, targets[i], 1 + i, NULL));
    fail_unless (adder_flush (&adder, targets[i], NULL));
  }
  waits = adder_counters (&adder).waits;
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++) {
    values[i] = adder_counters (&adder).submits - (i < 2 ? 1 : 0);
    threads[i] = g_thread_new ("wait", wait_in_thread, &values[i]);
    /* The first one is there before the others, or the completion thread. */
    while (i == 0 && adder_counters (&adder).waits == waits)
      g_usleep (1000);
  }
  g_usleep (100000); /* for calls that should not be made */
  assert_equals_uint64 (adder_counters (&adder).waits, waits + 1);
  test_wrap_open_gate ();
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    fail_unless (GPOINTER_TO_INT (g_thread_join (threads[i])));
  fail_unless (adder_counters (&adder).waits <= waits + 2);
  for (int i = 0; i < 2; i++) {
    fail_unless (adder_holds (targets[i], 1 + i));
    vkc_image_unref (targets[i]);
  }
  vkc_image_unref (source);
  test_assert_counts_agree (adder.device);
  adder_clear (&adder);
}
GST_END_TEST;

static Suite *
waits_suite (void)
{
  Suite *suite = suite_create ("waits");
  TCase *tests = tcase_create ("waits");

  suite_add_tcase (suite, tests);
  tcase_add_loop_test (tests, failed_wait_keeps_the_slot_in_flight, 0,
                       G_N_ELEMENTS (failures));
  tcase_add_test (tests, hung_device_is_left_alone_until_it_is_through);
  tcase_add_test (tests, work_that_nobody_waits_for_is_given_up_as_well);
  tcase_add_test (tests, failing_watch_does_not_spin);
  tcase_add_test (tests, device_lost_at_wait_is_one_error);
  tcase_add_test (tests, loss_of_an_idle_device_is_told_at_the_next_call);
  tcase_add_test (tests, threads_wait_in_turn);
  return suite;
}

GST_CHECK_MAIN (waits);
