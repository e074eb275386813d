/* What has been pending for too long: the completion thread submits it, and
 * nobody waits there. */
#include "tests/gpu/adder.h"

static struct adder adder;

static const char *const calls[] = { "vkQueueSubmit2", "vkBeginCommandBuffer" };

/* Where nothing is in flight no memory will come back: the owner is told. */
GST_START_TEST (lack_of_memory_is_told_at_once)
{
  const char *call = calls[__i__];
  struct vkc_image *source, *target;

  g_setenv ("VKC_MAX_PENDING_MS", "50", TRUE);
  adder_start (&adder);
  source = adder_filled (&adder, 0);
  target = adder_image (&adder);
  test_wrap_reset ();
  test_wrap_fail_from (call, 1, VK_ERROR_OUT_OF_HOST_MEMORY);
  fail_unless (adder_plan (&adder, source, target, 1, NULL));
  while (g_atomic_int_get (&adder.errors) == 0)
    g_usleep (1000);
  /* An attempt, and the one that a lack of memory deserves. */
  assert_equals_uint64 (test_wrap_count (call), 2);
  assert_equals_uint64 (adder_counters (&adder).pending, 0);
  vkc_image_unref (source);
  vkc_image_unref (target);
  adder_clear (&adder);
}
GST_END_TEST;

/* While something is in flight, memory may come back: the frame stays pending
 * until then, and nobody tries before. */
GST_START_TEST (lack_of_memory_is_waited_out)
{
  struct vkc_image *source, *running, *waiting;

  g_setenv ("VKC_MAX_PENDING_MS", "50", TRUE);
  adder_start (&adder);
  source = adder_filled (&adder, 0);
  running = adder_image (&adder);
  waiting = adder_image (&adder);
  test_wrap_close_gate (adder.device);
  fail_unless (adder_plan (&adder, source, running, 1, NULL));
  fail_unless (adder_flush (&adder, running, NULL));
  test_wrap_reset ();
  test_wrap_fail_from ("vkQueueSubmit2", 1, VK_ERROR_OUT_OF_HOST_MEMORY);
  fail_unless (adder_plan (&adder, source, waiting, 2, NULL));
  while (test_wrap_count ("vkQueueSubmit2") == 0)
    g_usleep (1000);
  g_usleep (100000); /* for who might try again */
  assert_equals_uint64 (test_wrap_count ("vkQueueSubmit2"), 1);
  assert_equals_int (g_atomic_int_get (&adder.errors), 0);
  test_wrap_reset ();
  test_wrap_open_gate ();
  while (vkc_image_is_pending (waiting))
    g_usleep (1000);
  fail_unless (adder_holds (waiting, 2));
  assert_equals_int (adder.errors, 0);
  vkc_image_unref (source);
  vkc_image_unref (running);
  vkc_image_unref (waiting);
  adder_clear (&adder);
}
GST_END_TEST;

static Suite *
overdue_suite (void)
{
  Suite *suite = suite_create ("overdue");
  TCase *tests = tcase_create ("overdue");

  suite_add_tcase (suite, tests);
  tcase_add_loop_test (tests, lack_of_memory_is_told_at_once, 0,
                       G_N_ELEMENTS (calls));
  tcase_add_test (tests, lack_of_memory_is_waited_out);
  return suite;
}

GST_CHECK_MAIN (overdue);
