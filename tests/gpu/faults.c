/* What fails leaves the recorder usable, tells its owner once, and ends. */
#include "tests/gpu/adder.h"

#include "gst/vk/result.h"

static struct adder adder;

/* Whether a frame makes it. @error: of planning or flushing. */
static bool
try_frame (GError **error)
{
  struct vkc_image *source = adder_filled (&adder, 0);
  struct vkc_image *target = adder_image (&adder);
  const bool ok = adder_plan (&adder, source, target, 5, error)
                  && adder_flush (&adder, target, error);
  const bool holds = adder_holds (target, 5);

  fail_unless (ok == holds);
  vkc_image_unref (source);
  vkc_image_unref (target);
  return ok;
}

/* Calls that a submission makes, each of which may run out of memory. */
static const char *const memory_calls[] = {
  "vkQueueSubmit2",     "vkBeginCommandBuffer",     "vkEndCommandBuffer",
  "vkResetCommandPool", "vkAllocateDescriptorSets",
};

/* Mutation seen to fail this: no retry in flush.c. */
GST_START_TEST (out_of_memory_once_is_survived)
{
  const char *call = memory_calls[__i__];
  uint64_t submits;

  adder_start (&adder);
  submits = adder_counters (&adder).submits;
  test_wrap_fail (call, 1, VK_ERROR_OUT_OF_DEVICE_MEMORY, false);
  fail_unless (try_frame (NULL), "%s", call);
  fail_unless (try_frame (NULL), "%s", call);
  assert_equals_uint64 (adder_counters (&adder).submits - submits, 2);
  assert_equals_int (adder.errors, 0);
  adder_clear (&adder);
}
GST_END_TEST;

GST_START_TEST (out_of_memory_for_ever_is_one_error_and_no_hang)
{
  const char *call = memory_calls[__i__];
  g_autoptr (GError) error = NULL;
  uint64_t submits;

  adder_start (&adder);
  submits = adder_counters (&adder).submits;
  test_wrap_fail_from (call, 1, VK_ERROR_OUT_OF_HOST_MEMORY);
  fail_if (try_frame (&error), "%s", call);
  fail_unless (g_error_matches (error, VKC_ERROR, VKC_ERROR_OUT_OF_MEMORY));
  fail_unless (strstr (error->message, call) != NULL, "%s", error->message);
  fail_unless (strstr (error->message, "adder") != NULL, "%s", error->message);
  fail_if (try_frame (NULL), "%s", call);
  assert_equals_int (adder.errors, 1);
  assert_equals_uint64 (adder_counters (&adder).submits - submits, 0);
  /* And once there is memory again, frames flow. */
  test_wrap_reset ();
  fail_unless (try_frame (NULL), "%s", call);
  adder_clear (&adder);
}
GST_END_TEST;

/* Mutation seen to fail this: publishing before vkQueueSubmit2 returns. */
GST_START_TEST (failed_submit_leaves_layouts_unchanged)
{
  struct vkc_image *source, *target;
  VkImageLayout before;

  adder_start (&adder);
  source = adder_filled (&adder, 0);
  target = adder_image (&adder);
  before = vkc_image_layout (source, 0);
  test_wrap_fail_from ("vkQueueSubmit2", 1, VK_ERROR_OUT_OF_HOST_MEMORY);
  fail_unless (adder_plan (&adder, source, target, 5, NULL));
  fail_if (adder_flush (&adder, target, NULL));
  assert_equals_int (vkc_image_layout (source, 0), before);
  assert_equals_int (vkc_image_layout (target, 0), VK_IMAGE_LAYOUT_UNDEFINED);
  test_wrap_reset ();
  /* The layer judges the barriers of this one against the real layouts. */
  fail_unless (adder_plan (&adder, source, target, 6, NULL));
  fail_unless (adder_flush (&adder, target, NULL));
  fail_unless (adder_holds (target, 6));
  vkc_image_unref (source);
  vkc_image_unref (target);
  adder_clear (&adder);
}
GST_END_TEST;

/* The second of three dispatches cannot be recorded: barriers of the first are,
 * and go nowhere. */
GST_START_TEST (failure_while_recording_leaves_no_trace)
{
  struct vkc_image *frames[4];
  VkImageLayout before;
  uint64_t submits;

  adder_start (&adder);
  frames[0] = adder_filled (&adder, 0);
  for (int i = 1; i < 4; i++) {
    frames[i] = adder_image (&adder);
    fail_unless (adder_plan (&adder, frames[i - 1], frames[i], 1, NULL));
  }
  before = vkc_image_layout (frames[0], 0);
  submits = adder_counters (&adder).submits;
  test_wrap_fail_from ("vkAllocateDescriptorSets", 2,
                       VK_ERROR_OUT_OF_HOST_MEMORY);
  fail_if (adder_flush (&adder, frames[3], NULL));
  assert_equals_uint64 (adder_counters (&adder).submits, submits);
  assert_equals_int (vkc_image_layout (frames[0], 0), before);
  for (int i = 1; i < 4; i++)
    assert_equals_int (vkc_image_layout (frames[i], 0),
                       VK_IMAGE_LAYOUT_UNDEFINED);
  assert_equals_int (adder.errors, 1);
  test_wrap_reset ();
  fail_unless (try_frame (NULL));
  for (int i = 0; i < 4; i++)
    vkc_image_unref (frames[i]);
  adder_clear (&adder);
}
GST_END_TEST;

/* That is no lack of memory: the chain of pools grows. */
GST_START_TEST (full_descriptor_pool_is_followed_by_another)
{
  uint64_t pools;

  adder_start (&adder);
  pools = test_wrap_live ("DescriptorPool");
  test_wrap_fail ("vkAllocateDescriptorSets", 1, VK_ERROR_OUT_OF_POOL_MEMORY,
                  false);
  test_wrap_fail ("vkAllocateDescriptorSets", 3, VK_ERROR_FRAGMENTED_POOL,
                  false);
  for (int i = 0; i < 3; i++)
    fail_unless (try_frame (NULL));
  fail_unless (test_wrap_live ("DescriptorPool") > (int64_t)pools);
  assert_equals_int (adder.errors, 0);
  adder_clear (&adder);
}
GST_END_TEST;

/* A frame in a batch that failed is memory all the same: whoever maps it gets
 * a pointer and an error. */
GST_START_TEST (failed_frame_can_be_mapped)
{
  struct vkc_image *source, *target;
  g_autoptr (GError) error = NULL;

  adder_start (&adder);
  source = adder_filled (&adder, 0);
  target = adder_image (&adder);
  test_wrap_fail_from ("vkQueueSubmit2", 1, VK_ERROR_OUT_OF_HOST_MEMORY);
  fail_unless (adder_plan (&adder, source, target, 5, NULL));
  fail_unless (vkc_image_map (target, VKC_MAP_READ, &error) != NULL);
  fail_unless (error != NULL);
  vkc_image_unmap (target, VKC_MAP_READ);
  assert_equals_int (adder.errors, 1);
  vkc_image_unref (source);
  vkc_image_unref (target);
  adder_clear (&adder);
}
GST_END_TEST;

GST_START_TEST (device_lost_at_submit_is_one_error_an_owner)
{
  struct vkc_owner *other;
  struct vkc_image *frames[3];
  uint64_t real;

  adder_start (&adder);
  other = adder_owner (&adder, "second");
  frames[0] = adder_filled (&adder, 0);
  frames[1] = adder_image (&adder);
  frames[2] = adder_image (&adder);
  test_wrap_fail ("vkQueueSubmit2", 1, VK_ERROR_DEVICE_LOST, false);
  fail_unless (adder_plan (&adder, frames[0], frames[1], 1, NULL));
  fail_unless (vkc_recorder_append (
      adder.device->recorder,
      adder_job (&adder, other, frames[1], frames[2], 1), NULL));
  real = test_wrap_count_real ("vkQueueSubmit2");
  fail_if (adder_flush (&adder, frames[2], NULL));
  fail_unless (vkc_recorder_is_lost (adder.device->recorder));
  for (int i = 0; i < 3; i++) {
    fail_if (adder_plan (&adder, frames[0], frames[1], 1, NULL));
    fail_if (adder_holds (frames[2], 2));
  }
  assert_equals_int (adder.errors, 2);
  assert_equals_uint64 (test_wrap_count_real ("vkQueueSubmit2"), real);
  for (int i = 0; i < 3; i++)
    vkc_image_unref (frames[i]);
  vkc_owner_unref (other);
  adder_clear_after_fault (&adder);
}
GST_END_TEST;

/* One of a frame's two sources is lost. The other is as if nobody had asked
 * for it: it goes with its last reference.
 * Mutation seen to fail this: jobs that were collected keep what they hold. */
GST_START_TEST (loss_of_one_source_leaves_the_other_alone)
{
  struct vkc_image *source, *innocent, *lost, *target;
  uint64_t dispatches;

  adder_start (&adder);
  source = adder_filled (&adder, 0);
  innocent = adder_image (&adder);
  lost = adder_image (&adder);
  target = adder_image (&adder);
  fail_unless (adder_plan (&adder, source, innocent, 1, NULL));
  fail_unless (adder_plan (&adder, source, lost, 1, NULL));
  fail_unless (adder_plan_sum (&adder, innocent, lost, target));

  test_wrap_fail_from ("vkQueueSubmit2", 1, VK_ERROR_OUT_OF_HOST_MEMORY);
  fail_if (adder_flush (&adder, lost, NULL));
  test_wrap_reset ();
  fail_if (adder_flush (&adder, target, NULL));
  fail_unless (vkc_image_is_pending (innocent));
  dispatches = adder_counters (&adder).dispatches;
  vkc_image_unref (target);
  vkc_image_unref (lost);
  vkc_image_unref (innocent);
  /* The failed job had a reference until its pins were back. */
  fail_unless (vkc_recorder_drain_owner (adder.device->recorder, adder.owner,
                                         false, NULL));
  assert_equals_uint64 (adder_counters (&adder).dispatches, dispatches);
  vkc_image_unref (source);
  adder_clear (&adder);
}
GST_END_TEST;

/* Two owners in flight, each with its own failure to be told of. */
GST_START_TEST (drain_does_not_consume_another_owners_error)
{
  struct vkc_owner *other;
  struct vkc_image *source, *target;
  GError *error;

  adder_start (&adder);
  other = adder_owner (&adder, "second");
  source = adder_filled (&adder, 0);
  target = adder_image (&adder);
  test_wrap_fail_from ("vkQueueSubmit2", 1, VK_ERROR_OUT_OF_HOST_MEMORY);
  fail_unless (adder_plan (&adder, source, target, 1, NULL));
  fail_if (adder_flush (&adder, target, NULL));
  test_wrap_reset ();
  fail_unless (
      vkc_recorder_drain_owner (adder.device->recorder, other, false, NULL));
  error = vkc_owner_error (adder.owner);
  fail_unless (error != NULL);
  g_clear_error (&error);
  fail_unless (vkc_owner_error (other) == NULL);
  vkc_owner_unref (other);
  vkc_image_unref (source);
  vkc_image_unref (target);
  adder_clear (&adder);
}
GST_END_TEST;

/* Creating anything may fail at each of its calls: nothing is left behind. */
static const char *const creating_calls[] = {
  "vkCreateBuffer",     "vkCreateImage",     "vkAllocateMemory",
  "vkBindBufferMemory", "vkBindImageMemory", "vkMapMemory",
};

GST_START_TEST (failed_allocation_leaves_nothing_behind)
{
  struct vkc_image_params params;
  struct vkc_image *image;
  int64_t live;

  adder_start (&adder);
  image = adder_image (&adder);
  params = *vkc_image_params (image);
  live = test_wrap_live (NULL);
  test_wrap_fail_from (creating_calls[__i__], 1, VK_ERROR_OUT_OF_DEVICE_MEMORY);
  vkc_image_unref (vkc_image_new (adder.device, &params, NULL));
  assert_equals_int64 (test_wrap_live (NULL), live);
  /* What the CPU maps is made later. */
  if (!vkc_image_reserve_host (image, NULL))
    assert_equals_int64 (test_wrap_live (NULL), live);
  test_wrap_reset ();
  vkc_image_unref (image);
  adder_clear (&adder);
}
GST_END_TEST;

GST_START_TEST (allocation_is_tried_again_after_a_drain)
{
  struct vkc_image *image;

  adder_start (&adder);
  test_wrap_fail ("vkAllocateMemory", 1, VK_ERROR_OUT_OF_DEVICE_MEMORY, false);
  image = adder_image (&adder);
  fail_unless (image != NULL);
  vkc_image_unref (image);
  adder_clear (&adder);
}
GST_END_TEST;

static Suite *
faults_suite (void)
{
  Suite *suite = suite_create ("faults");
  TCase *tests = tcase_create ("faults");

  suite_add_tcase (suite, tests);
  tcase_add_loop_test (tests, out_of_memory_once_is_survived, 0,
                       G_N_ELEMENTS (memory_calls));
  tcase_add_loop_test (tests, out_of_memory_for_ever_is_one_error_and_no_hang,
                       0, G_N_ELEMENTS (memory_calls));
  tcase_add_test (tests, failed_submit_leaves_layouts_unchanged);
  tcase_add_test (tests, failure_while_recording_leaves_no_trace);
  tcase_add_test (tests, full_descriptor_pool_is_followed_by_another);
  tcase_add_test (tests, failed_frame_can_be_mapped);
  tcase_add_test (tests, device_lost_at_submit_is_one_error_an_owner);
  tcase_add_test (tests, loss_of_one_source_leaves_the_other_alone);
  tcase_add_test (tests, drain_does_not_consume_another_owners_error);
  tcase_add_loop_test (tests, failed_allocation_leaves_nothing_behind, 0,
                       G_N_ELEMENTS (creating_calls));
  tcase_add_test (tests, allocation_is_tried_again_after_a_drain);
  return suite;
}

GST_CHECK_MAIN (faults);
