/* The wrapper of the function table, which other tests rely on. */
#include "tests/support/support.h"

static VkResult
make_semaphore (struct vkc_device *device, VkSemaphore *semaphore)
{
  const VkSemaphoreTypeCreateInfo type = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
    .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
  };
  const VkSemaphoreCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
    .pNext = &type,
  };

  return device->vk.CreateSemaphore (device->handle, &info, NULL, semaphore);
}

static VkResult
submit_nothing (struct vkc_device *device)
{
  const VkSubmitInfo2 info = {
    .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
  };

  return device->vk.QueueSubmit2 (device->queue, 1, &info, VK_NULL_HANDLE);
}

GST_START_TEST (calls_and_live_objects_are_counted)
{
  struct vkc_device *device = test_device_new ();
  const gint64 before = test_wrap_live ("Semaphore");
  VkSemaphore semaphore;

  test_wrap_reset ();
  assert_equals_int (make_semaphore (device, &semaphore), VK_SUCCESS);
  assert_equals_uint64 (test_wrap_count ("vkCreateSemaphore"), 1);
  assert_equals_uint64 (test_wrap_count_completion ("vkCreateSemaphore"), 0);
  assert_equals_int64 (test_wrap_live ("Semaphore"), before + 1);
  device->vk.DestroySemaphore (device->handle, semaphore, NULL);
  assert_equals_int64 (test_wrap_live ("Semaphore"), before);
  vkc_device_unref (device);
}
GST_END_TEST;

GST_START_TEST (nothing_outlives_a_device)
{
  vkc_device_unref (test_device_new ());
  test_assert_all_gone ();
}
GST_END_TEST;

GST_START_TEST (the_nth_call_fails_and_no_other)
{
  struct vkc_device *device = test_device_new ();
  VkSemaphore semaphore[2];

  test_wrap_fail ("vkCreateSemaphore", 2, VK_ERROR_OUT_OF_HOST_MEMORY, false);
  assert_equals_int (make_semaphore (device, &semaphore[0]), VK_SUCCESS);
  assert_equals_int (make_semaphore (device, &semaphore[1]),
                     VK_ERROR_OUT_OF_HOST_MEMORY);
  assert_equals_int (make_semaphore (device, &semaphore[1]), VK_SUCCESS);
  for (int i = 0; i < 2; i++)
    device->vk.DestroySemaphore (device->handle, semaphore[i], NULL);
  vkc_device_unref (device);
}
GST_END_TEST;

GST_START_TEST (a_lost_device_stays_lost)
{
  struct vkc_device *device = test_device_new ();
  struct test_counts counts = test_wrap_counts (device->handle);
  const guint64 submits = counts.submits, fails = counts.submit_fails;

  test_wrap_fail ("vkQueueSubmit2", 1, VK_ERROR_DEVICE_LOST, true);
  assert_equals_int (submit_nothing (device), VK_ERROR_DEVICE_LOST);
  assert_equals_int (submit_nothing (device), VK_ERROR_DEVICE_LOST);
  assert_equals_uint64 (test_wrap_count_real ("vkQueueSubmit2"), 1);
  counts = test_wrap_counts (device->handle);
  assert_equals_uint64 (counts.submits, submits);
  assert_equals_uint64 (counts.submit_fails, fails + 2);
  test_wrap_reset ();
  assert_equals_int (submit_nothing (device), VK_SUCCESS);
  vkc_device_unref (device);
}
GST_END_TEST;

GST_START_TEST (a_closed_gate_holds_the_queue_back)
{
  struct vkc_device *device = test_device_new ();
  VkSemaphore semaphore;
  const guint64 one = 1;

  assert_equals_int (make_semaphore (device, &semaphore), VK_SUCCESS);
  const VkSemaphoreSubmitInfo signal = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
    .semaphore = semaphore,
    .value = 1,
    .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
  };
  const VkSubmitInfo2 info = {
    .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
    .signalSemaphoreInfoCount = 1,
    .pSignalSemaphoreInfos = &signal,
  };
  const VkSemaphoreWaitInfo wait = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
    .semaphoreCount = 1,
    .pSemaphores = &semaphore,
    .pValues = &one,
  };

  test_wrap_close_gate (device);
  assert_equals_int (
      device->vk.QueueSubmit2 (device->queue, 1, &info, VK_NULL_HANDLE),
      VK_SUCCESS);
  assert_equals_int (
      device->vk.WaitSemaphores (device->handle, &wait, GST_MSECOND),
      VK_TIMEOUT);
  test_wrap_open_gate ();
  assert_equals_int (
      device->vk.WaitSemaphores (device->handle, &wait, GST_SECOND),
      VK_SUCCESS);
  device->vk.DestroySemaphore (device->handle, semaphore, NULL);
  vkc_device_unref (device);
}
GST_END_TEST;

static Suite *
wrap_suite (void)
{
  Suite *suite = suite_create ("wrap");
  TCase *tests = tcase_create ("wrapper");

  suite_add_tcase (suite, tests);
  tcase_add_test (tests, calls_and_live_objects_are_counted);
  tcase_add_test (tests, nothing_outlives_a_device);
  tcase_add_test (tests, the_nth_call_fails_and_no_other);
  tcase_add_test (tests, a_lost_device_stays_lost);
  tcase_add_test (tests, a_closed_gate_holds_the_queue_back);
  return suite;
}

GST_CHECK_MAIN (wrap);
