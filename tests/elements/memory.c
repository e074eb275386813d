/* Frames that are still to be made, in the hands of ordinary elements. */
#include "gst/base/gstvkccaps.h"
#include "gst/base/gstvkcfilter.h"
#include "gst/base/gstvkcmemory.h"
#include "gst/vk/device.h"
#include "tests/elements/adder.h"
#include "tests/elements/frames.h"
#include "tests/support/support.h"

static GstHarness *harness;
static GstVideoInfo info;

static void
setup (void)
{
  g_setenv ("VKC_MAX_PENDING", "16", TRUE);
  info = test_info (GST_VIDEO_FORMAT_NV12, 66, 50);
  harness = test_adder_harness (&info, NULL, TRUE);
}

static void
teardown (void)
{
  gst_harness_teardown (harness);
}

/* A frame with @seed on its way through the element. */
static GstBuffer *
pending_frame (guint seed)
{
  GstBuffer *buffer
      = gst_harness_push_and_pull (harness, test_frame_new (&info, seed));

  fail_unless (buffer != NULL);
  fail_unless (test_frame_is_pending (buffer));
  return buffer;
}

static guint64
submits (void)
{
  return test_harness_stat (harness, "recorder", "submits");
}

/* The bytes of @buffer from @from are those of @whole, which is not pending,
 * from @at. */
static void
assert_same_bytes (GstBuffer *buffer, gsize from, GstBuffer *whole, gsize at,
                   gsize size)
{
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READ));
  fail_unless (map.size >= from + size);
  fail_unless (gst_buffer_memcmp (whole, at, map.data + from, size) == 0);
  gst_buffer_unmap (buffer, &map);
}

GST_START_TEST (map_of_a_pending_frame_makes_it)
{
  GstBuffer *buffer = pending_frame (1);

  assert_equals_uint64 (submits (), 0);
  test_frame_assert (buffer, &info, 1, 1);
  test_frame_assert (buffer, &info, 1, 1);
  assert_equals_uint64 (submits (), 1);
  assert_equals_uint64 (test_harness_stat (harness, "element", "flush-map"), 1);
  gst_buffer_unref (buffer);
}
GST_END_TEST;

/* Whoever maps is no peer of ours: from then on the element is a tail. */
GST_START_TEST (mapped_owner_acts_as_tail)
{
  GstBuffer *buffer = pending_frame (1);

  test_frame_assert (buffer, &info, 1, 1);
  gst_buffer_unref (buffer);
  for (guint i = 2; i < 6; i++) {
    buffer = gst_harness_push_and_pull (harness, test_frame_new (&info, i));
    fail_if (test_frame_is_pending (buffer));
    test_frame_assert (buffer, &info, i, 1);
    gst_buffer_unref (buffer);
  }
  assert_equals_uint64 (test_harness_stat (harness, "element", "flush-map"), 1);
  assert_equals_uint64 (test_harness_stat (harness, "element", "flush-tail"),
                        4);
}
GST_END_TEST;

GST_START_TEST (copy_of_a_region_of_a_pending_frame_is_right)
{
  GstBuffer *buffer = pending_frame (2);
  GstBuffer *region
      = gst_buffer_copy_region (buffer, GST_BUFFER_COPY_MEMORY, 101, 1000);

  assert_equals_uint64 (submits (), 0);
  assert_equals_uint64 (gst_buffer_get_size (region), 1000);
  assert_same_bytes (region, 0, buffer, 101, 1000);
  gst_buffer_unref (region);
  test_frame_assert (buffer, &info, 2, 1);
  gst_buffer_unref (buffer);
}
GST_END_TEST;

/* The part outlives the frame that it is of. */
GST_START_TEST (region_outlives_its_frame)
{
  GstBuffer *buffer = pending_frame (2);
  GstBuffer *region
      = gst_buffer_copy_region (buffer, GST_BUFFER_COPY_MEMORY, 0, 66);
  GstMapInfo map;

  gst_buffer_unref (buffer);
  fail_unless (gst_buffer_map (region, &map, GST_MAP_READ));
  for (guint x = 0; x < 66; x++)
    assert_equals_int (map.data[x], (guint8)(test_pattern (2, 0, x, 0) + 1));
  gst_buffer_unmap (region, &map);
  gst_buffer_unref (region);
}
GST_END_TEST;

GST_START_TEST (resized_pending_frame_is_right)
{
  GstBuffer *whole = pending_frame (3);
  GstBuffer *buffer = gst_buffer_copy (whole);

  gst_buffer_resize (buffer, 68, 500);
  assert_equals_uint64 (gst_buffer_get_size (buffer), 500);
  assert_same_bytes (buffer, 0, whole, 68, 500);
  gst_buffer_unref (buffer);
  gst_buffer_unref (whole);
}
GST_END_TEST;

GST_START_TEST (appended_pending_frames_are_right)
{
  GstBuffer *one = pending_frame (4), *two = pending_frame (5), *both;
  const gsize size = gst_buffer_get_size (one);

  both = gst_buffer_append (gst_buffer_copy (one), gst_buffer_ref (two));
  assert_equals_uint64 (gst_buffer_get_size (both), 2 * size);
  assert_same_bytes (both, 0, one, 0, size);
  assert_same_bytes (both, size, two, 0, size);
  test_frame_assert (one, &info, 4, 1);
  test_frame_assert (two, &info, 5, 1);
  gst_buffer_unref (both);
  gst_buffer_unref (one);
  gst_buffer_unref (two);
}
GST_END_TEST;

GST_START_TEST (writable_copy_of_a_pending_frame_leaves_it_alone)
{
  GstBuffer *buffer = pending_frame (6);
  GstBuffer *copy = gst_buffer_make_writable (gst_buffer_ref (buffer));
  GstMapInfo map;

  fail_unless (copy != buffer);
  fail_unless (gst_buffer_map (copy, &map, GST_MAP_WRITE));
  memset (map.data, 77, 66);
  gst_buffer_unmap (copy, &map);
  test_frame_assert (buffer, &info, 6, 1);
  fail_unless (gst_buffer_map (copy, &map, GST_MAP_READ));
  assert_equals_int (map.data[65], 77);
  assert_equals_int (map.data[info.stride[0]],
                     (guint8)(test_pattern (6, 0, 0, 1) + 1));
  gst_buffer_unmap (copy, &map);
  gst_buffer_unref (copy);
  gst_buffer_unref (buffer);
}
GST_END_TEST;

/* The element's work and the CPU's edit are both there, also for our next
 * element. */
GST_START_TEST (edit_of_a_pending_frame_is_seen)
{
  GstBuffer *buffer = pending_frame (7), *next;
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (guint x = 0; x < 66; x++)
    map.data[x] = 100 + x;
  gst_buffer_unmap (buffer, &map);
  next = gst_harness_push_and_pull (harness, buffer);
  fail_unless (gst_buffer_map (next, &map, GST_MAP_READ));
  for (guint x = 0; x < 66; x++)
    assert_equals_int (map.data[x], 101 + x);
  assert_equals_int (map.data[info.stride[0]],
                     (guint8)(test_pattern (7, 0, 0, 1) + 2));
  gst_buffer_unmap (next, &map);
  gst_buffer_unref (next);
}
GST_END_TEST;

GST_START_TEST (deep_copy_of_a_pending_frame_is_right)
{
  GstBuffer *buffer = pending_frame (8);
  GstBuffer *copy = gst_buffer_copy_deep (buffer);

  gst_buffer_unref (buffer);
  test_frame_assert (copy, &info, 8, 1);
  gst_buffer_unref (copy);
}
GST_END_TEST;

/* Its memory must not go round again while a copy names it. */
GST_START_TEST (shallow_copy_outlives_its_frame)
{
  GstBuffer *buffer = pending_frame (9);
  GstBuffer *copy = gst_buffer_copy (buffer);

  gst_buffer_unref (buffer);
  for (guint i = 20; i < 30; i++) {
    buffer = gst_harness_push_and_pull (harness, test_frame_new (&info, i));
    test_frame_assert (buffer, &info, i, 1);
    gst_buffer_unref (buffer);
  }
  test_frame_assert (copy, &info, 9, 1);
  gst_buffer_unref (copy);
}
GST_END_TEST;

GST_START_TEST (dropped_pending_frames_cost_no_work)
{
  for (guint i = 0; i < 10; i++) {
    gst_buffer_unref (pending_frame (i));
    assert_equals_uint64 (submits (), 0);
  }
  assert_equals_uint64 (test_harness_stat (harness, "recorder", "discarded"),
                        10);
  assert_equals_uint64 (test_harness_stat (harness, "recorder", "pending"), 0);
  assert_equals_uint64 (test_harness_stat (harness, "recorder", "dispatches"),
                        0);
}
GST_END_TEST;

/* Drops a frame of which a copy exists: that costs the pool its buffer, but not
 * the allocator its storage. */
static void
drop_with_copy (GstBuffer *buffer)
{
  GstBuffer *copy = gst_buffer_copy (buffer);

  gst_buffer_unref (buffer);
  gst_buffer_unref (copy);
}

/* Once there are as many frames as are held at once, none is made. */
GST_START_TEST (storage_is_recycled)
{
  GstQuery *query = gst_query_new_drain ();
  int64_t live = 0;

  for (guint i = 0; i < 60; i++) {
    drop_with_copy (gst_harness_push_and_pull (harness, pending_frame (i)));
    /* What they pinned comes back on another thread. */
    gst_pad_peer_query (harness->srcpad, query);
    if (i == 20)
      live = test_wrap_live ("Buffer") + test_wrap_live ("Image");
  }
  gst_query_unref (query);
  assert_equals_int64 (test_wrap_live ("Buffer") + test_wrap_live ("Image"),
                       live);
}
GST_END_TEST;

static GstMemory *late;
static PFN_vkDestroyBuffer destroy_buffer;

/* While one frame's storage is dropped, another frame is freed. */
static VKAPI_ATTR void VKAPI_CALL
free_late (VkDevice device, VkBuffer buffer,
           const VkAllocationCallbacks *callbacks)
{
  GstMemory *memory = g_steal_pointer (&late);

  if (memory != NULL)
    gst_memory_unref (memory);
  destroy_buffer (device, buffer, callbacks);
}

static GstMemory *
new_frame (GstVkcAllocator *allocator, const GstVideoInfo *of)
{
  GstMemory *memory = gst_vkc_allocator_alloc_frame (
      allocator, of, gst_vkc_storage_for (of), NULL);

  fail_unless (memory != NULL);
  return memory;
}

/* Frames of the caps before come back at any time: on the completion thread,
 * between two looks at what is stored. Mutation seen to fail this: storage of
 * another kind is dropped first, and then anything idle is taken. */
GST_START_TEST (late_frames_of_old_caps_are_not_taken_for_new_ones)
{
  struct vkc_device *device
      = gst_vkc_filter_get_device (GST_VKC_FILTER (harness->element));
  GstVkcAllocator *allocator = gst_vkc_allocator_new (device);
  const GstVideoInfo old = test_info (GST_VIDEO_FORMAT_NV12, 45, 50);
  const struct vkc_image_params *params;
  GstMemory *memory = new_frame (allocator, &old);

  late = new_frame (allocator, &old);
  gst_memory_unref (memory);
  destroy_buffer = device->vk.DestroyBuffer;
  device->vk.DestroyBuffer = free_late;
  memory = new_frame (allocator, &info);
  device->vk.DestroyBuffer = destroy_buffer;
  fail_unless (late == NULL);
  params = vkc_image_params (((GstVkcMemory *)memory)->image);
  assert_equals_int (params->planes[0].width, info.width);
  fail_unless (params->size >= info.size);
  gst_memory_unref (memory);
  gst_object_unref (allocator);
}
GST_END_TEST;

static guint8
byte_at (GstBuffer *buffer, gsize offset)
{
  guint8 byte = 0;

  assert_equals_int (gst_buffer_extract (buffer, offset, &byte, 1), 1);
  return byte;
}

GST_START_TEST (failed_frame_is_black_and_its_error_is_posted_once)
{
  GstBus *bus = gst_bus_new ();
  GstBuffer *buffer = pending_frame (10);
  GstMessage *message;

  gst_element_set_bus (harness->element, bus);
  test_wrap_fail_from ("vkQueueSubmit2", 1, VK_ERROR_OUT_OF_DEVICE_MEMORY);
  assert_equals_int (byte_at (buffer, 0), 16);
  assert_equals_int (byte_at (buffer, info.offset[1] + 3), 128);
  gst_buffer_unref (buffer);
  assert_equals_int (gst_harness_push (harness, test_frame_new (&info, 11)),
                     GST_FLOW_ERROR);
  assert_equals_int (gst_harness_push (harness, test_frame_new (&info, 12)),
                     GST_FLOW_ERROR);

  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  fail_unless (GST_MESSAGE_SRC (message) == GST_OBJECT (harness->element));
  gst_message_unref (message);
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR) == NULL);
  gst_element_set_bus (harness->element, NULL);
  gst_object_unref (bus);
}
GST_END_TEST;

static Suite *
memory_suite (void)
{
  Suite *suite = suite_create ("memory");
  TCase *tests = tcase_create ("memory");

  test_adder_register ();
  suite_add_tcase (suite, tests);
  tcase_add_checked_fixture (tests, setup, teardown);
  tcase_add_test (tests, map_of_a_pending_frame_makes_it);
  tcase_add_test (tests, mapped_owner_acts_as_tail);
  tcase_add_test (tests, copy_of_a_region_of_a_pending_frame_is_right);
  tcase_add_test (tests, region_outlives_its_frame);
  tcase_add_test (tests, resized_pending_frame_is_right);
  tcase_add_test (tests, appended_pending_frames_are_right);
  tcase_add_test (tests, writable_copy_of_a_pending_frame_leaves_it_alone);
  tcase_add_test (tests, edit_of_a_pending_frame_is_seen);
  tcase_add_test (tests, deep_copy_of_a_pending_frame_is_right);
  tcase_add_test (tests, shallow_copy_outlives_its_frame);
  tcase_add_test (tests, dropped_pending_frames_cost_no_work);
  tcase_add_test (tests, storage_is_recycled);
  tcase_add_test (tests, late_frames_of_old_caps_are_not_taken_for_new_ones);
  tcase_add_test (tests, failed_frame_is_black_and_its_error_is_posted_once);
  return suite;
}

GST_CHECK_MAIN (memory);
