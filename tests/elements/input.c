/* Input buffers of every make become the same frame. */
#include "gst/base/gstvkcfilter.h"
#include "gst/base/gstvkcmemory.h"
#include "tests/elements/adder.h"
#include "tests/elements/frames.h"
#include "tests/support/support.h"

static const GstVideoFormat formats[]
    = { GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_RGBA,
        GST_VIDEO_FORMAT_GRAY8 };

static const struct
{
  guint width, height;
} sizes[] = { { 1, 1 },   { 2, 1 },   { 1, 2 },    { 3, 3 },
              { 66, 50 }, { 33, 17 }, { 321, 241 } };

/* Pushes @buffer and asserts that the pattern comes out, plus one. */
static void
assert_right (GstHarness *harness, GstBuffer *buffer, const GstVideoInfo *info,
              guint seed)
{
  GstBuffer *out = gst_harness_push_and_pull (harness, buffer);

  fail_unless (out != NULL);
  test_frame_assert (out, info, seed, 1);
  gst_buffer_unref (out);
}

/* Loop: formats. */
GST_START_TEST (every_size_and_format_is_right)
{
  GstVkcContext *context = gst_vkc_context_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    GstVideoInfo info
        = test_info (formats[__i__], sizes[i].width, sizes[i].height);
    GstHarness *harness = test_adder_harness (&info, context, FALSE);

    for (guint k = 0; k < 3; k++)
      assert_right (harness, test_frame_new (&info, k), &info, k);
    gst_harness_teardown (harness);
  }
  gst_object_unref (context);
}
GST_END_TEST;

/* The default size of a buffer in the caps' layout, whatever is stored. */
GST_START_TEST (output_has_the_default_layout)
{
  GstVideoInfo info = test_info (formats[__i__], 321, 241);
  GstHarness *harness = test_adder_harness (&info, NULL, FALSE);
  GstBuffer *out
      = gst_harness_push_and_pull (harness, test_frame_new (&info, 0));
  GstVideoMeta *meta = gst_buffer_get_video_meta (out);

  assert_equals_uint64 (gst_buffer_get_size (out), info.size);
  fail_unless (meta != NULL);
  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES (&info); p++) {
    assert_equals_int (meta->stride[p], info.stride[p]);
    assert_equals_uint64 (meta->offset[p], info.offset[p]);
  }
  gst_buffer_unref (out);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* Copies a frame into a buffer of another layout. */
static GstBuffer *
relaid (const GstVideoInfo *info, guint seed, GstVideoInfo *layout)
{
  GstBuffer *source = test_frame_new (info, seed);
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, layout->size, NULL);
  GstVideoFrame from, to;

  gst_buffer_memset (buffer, 0, 0xff, layout->size);
  gst_buffer_add_video_meta_full (
      buffer, 0, GST_VIDEO_INFO_FORMAT (info), GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_N_PLANES (info),
      layout->offset, layout->stride);
  fail_unless (
      gst_video_frame_map (&from, (GstVideoInfo *)info, source, GST_MAP_READ));
  fail_unless (
      gst_video_frame_map (&to, (GstVideoInfo *)info, buffer, GST_MAP_WRITE));
  fail_unless (gst_video_frame_copy (&to, &from));
  gst_video_frame_unmap (&to);
  gst_video_frame_unmap (&from);
  gst_buffer_unref (source);
  return buffer;
}

GST_START_TEST (strides_and_offsets_of_the_meta_are_used)
{
  static const guint paddings[] = { 4, 64, 5, 1 };
  GstVkcContext *context = gst_vkc_context_new (NULL);

  for (guint k = 0; k < G_N_ELEMENTS (paddings); k++) {
    GstVideoInfo info = test_info (formats[__i__], 66, 50);
    GstVideoInfo layout = info;
    GstHarness *harness = test_adder_harness (&info, context, FALSE);
    gsize end = 7 + k;

    for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES (&info); p++) {
      layout.offset[p] = end;
      layout.stride[p] += paddings[k];
      end += (gsize)layout.stride[p] * 50 + 13;
    }
    layout.size = end;
    assert_right (harness, relaid (&info, k, &layout), &info, k);
    gst_harness_teardown (harness);
  }
  gst_object_unref (context);
}
GST_END_TEST;

/* Exactly up to the last visible sample: nothing behind it is read. */
GST_START_TEST (buffer_may_end_with_the_last_sample)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_GRAY8, 33, 17);
  GstHarness *harness = test_adder_harness (&info, NULL, FALSE);
  GstBuffer *buffer = test_frame_new (&info, 4);

  gst_buffer_set_size (buffer, 16 * 36 + 33);
  gst_buffer_add_video_meta (buffer, 0, GST_VIDEO_FORMAT_GRAY8, 33, 17);
  assert_right (harness, buffer, &info, 4);
  gst_harness_teardown (harness);
}
GST_END_TEST;

GST_START_TEST (bottom_up_pictures_are_right)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_RGBA, 33, 17);
  GstVideoInfo layout = info;
  GstHarness *harness = test_adder_harness (&info, NULL, FALSE);

  layout.offset[0] = 16 * info.stride[0];
  layout.stride[0] = -info.stride[0];
  assert_right (harness, relaid (&info, 5, &layout), &info, 5);
  gst_harness_teardown (harness);
}
GST_END_TEST;

GST_START_TEST (frame_in_several_memories_is_right)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_I420, 66, 50);
  const gsize two[] = { info.offset[1], 0 };
  const gsize by_plane[] = { info.offset[1], info.offset[2], 0 };
  const gsize across[] = { 100, info.offset[1] + 30, 0 };
  const gsize four[] = { 33, info.offset[1] - 2, info.offset[2] + 1, 0 };
  GstHarness *harness = test_adder_harness (&info, NULL, FALSE);

  assert_right (harness, test_frame_cut (test_frame_new (&info, 1), by_plane), &info, 1);
  assert_right (harness, test_frame_cut (test_frame_new (&info, 2), across), &info, 2);
  assert_right (harness, test_frame_cut (test_frame_new (&info, 3), two), &info, 3);
  assert_right (harness, test_frame_cut (test_frame_new (&info, 4), four), &info, 4);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* videocrop and the like move the meta's offsets inside our memory. */
static GstBuffer *
cropped (GstBuffer *buffer, const GstVideoInfo *whole, const GstVideoInfo *part,
         guint left, guint top)
{
  GstBuffer *result = gst_buffer_make_writable (buffer);
  GstVideoMeta *meta = gst_buffer_get_video_meta (result);
  const GstVideoFormatInfo *format = whole->finfo;

  meta->width = GST_VIDEO_INFO_WIDTH (part);
  meta->height = GST_VIDEO_INFO_HEIGHT (part);
  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES (whole); p++)
    meta->offset[p]
        += (top >> GST_VIDEO_FORMAT_INFO_H_SUB (format, p)) * meta->stride[p]
           + (left >> GST_VIDEO_FORMAT_INFO_W_SUB (format, p))
                 * GST_VIDEO_FORMAT_INFO_PSTRIDE (format, p);
  return result;
}

GST_START_TEST (crop_of_our_memory_is_bound_in_place)
{
  GstVideoInfo whole = test_info (formats[__i__], 66, 50);
  GstVideoInfo part = test_info (formats[__i__], 49, 47);
  GstVkcContext *context = gst_vkc_context_new (NULL);
  struct vkc_device *device = gst_vkc_context_open_device (context, NULL, NULL);
  const gboolean copied
      = g_strcmp0 (g_getenv ("VKC_MEMORY"), "image") == 0
        || !device->has_direct_memory;
  GstHarness *one = test_adder_harness (&whole, context, TRUE);
  GstHarness *two = test_adder_harness (&part, context, FALSE);

  for (guint i = 0; i < 6; i++) {
    GstBuffer *buffer
        = gst_harness_push_and_pull (one, test_frame_new (&whole, i));
    guint64 submits = test_harness_stat (one, "recorder", "submits");
    guint64 uploads = test_harness_stat (one, "recorder", "uploads");
    guint64 imports = test_harness_stat (one, "recorder", "imports");

    fail_unless (test_frame_is_pending (buffer));
    buffer = cropped (buffer, &whole, &part, 17, 3);
    buffer = gst_harness_push_and_pull (two, buffer);
    test_frame_assert_part (buffer, &part, i, 2, 17, 3);
    gst_buffer_unref (buffer);
    /* A copy on the device is counted when it is recorded, so that of the
     * system memory that the frame came in is seen now. */
    assert_equals_uint64 (test_harness_stat (one, "recorder", "uploads"),
                          uploads + copied);
    assert_equals_uint64 (test_harness_stat (one, "recorder", "imports"),
                          imports);
    assert_equals_uint64 (test_harness_stat (one, "recorder", "submits"),
                          submits + 1);
  }
  gst_harness_teardown (one);
  gst_harness_teardown (two);
  gst_vkc_context_close_device (context, device);
  gst_object_unref (context);
}
GST_END_TEST;

/* Also: an end of the world that the CPU must not see as its own. */
GST_START_TEST (frame_of_another_device_is_copied)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_NV12, 66, 50);
  GstHarness *one = test_adder_harness (&info, NULL, TRUE);
  GstHarness *two = test_adder_harness (&info, NULL, FALSE);
  GstBuffer *buffer
      = gst_harness_push_and_pull (one, test_frame_new (&info, 1));

  fail_unless (test_harness_stat (one, "recorder", "id")
               != test_harness_stat (two, "recorder", "id"));
  buffer = gst_harness_push_and_pull (two, buffer);
  test_frame_assert (buffer, &info, 1, 2);
  assert_equals_uint64 (test_harness_stat (two, "recorder", "uploads"), 1);
  gst_buffer_unref (buffer);
  gst_harness_teardown (one);
  gst_harness_teardown (two);
}
GST_END_TEST;

static void
assert_dropped_with_a_warning (GstHarness *harness, GstBuffer *buffer)
{
  GstBus *bus = gst_bus_new ();
  GstMessage *message;

  gst_element_set_bus (harness->element, bus);
  assert_equals_int (gst_harness_push (harness, buffer), GST_FLOW_OK);
  fail_unless (gst_harness_try_pull (harness) == NULL);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  fail_unless (message != NULL);
  gst_message_unref (message);
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR) == NULL);
  gst_element_set_bus (harness->element, NULL);
  gst_object_unref (bus);
}

GST_START_TEST (truncated_frame_is_dropped_with_a_warning)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_I420, 66, 50);
  GstHarness *harness = test_adder_harness (&info, NULL, FALSE);
  static const guint sizes_left[] = { 0, 1, 68, 3400, 4000 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes_left); i++) {
    GstBuffer *buffer = test_frame_new (&info, i);

    gst_buffer_set_size (buffer, sizes_left[i]);
    assert_dropped_with_a_warning (harness, buffer);
    assert_right (harness, test_frame_new (&info, i), &info, i);
  }
  assert_equals_uint64 (test_harness_stat (harness, "element", "refused"),
                        G_N_ELEMENTS (sizes_left));
  gst_harness_teardown (harness);
}
GST_END_TEST;

GST_START_TEST (meta_that_points_behind_the_end_is_refused)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_I420, 66, 50);
  GstHarness *harness = test_adder_harness (&info, NULL, FALSE);
  GstVideoMeta *meta;

  for (guint i = 0; i < 5; i++) {
    GstBuffer *buffer = test_frame_new (&info, i);

    meta = gst_buffer_add_video_meta_full (buffer, 0, GST_VIDEO_FORMAT_I420, 66,
                                           50, 3, info.offset, info.stride);
    if (i == 0)
      meta->offset[2] = G_MAXSIZE - 3;
    else if (i == 1)
      meta->stride[0] = G_MAXINT;
    else if (i == 2)
      meta->stride[1] = G_MININT;
    else if (i == 3)
      meta->offset[1] = info.size - 10;
    else
      meta->width = 60;
    assert_dropped_with_a_warning (harness, buffer);
    assert_right (harness, test_frame_new (&info, i), &info, i);
  }
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* Memories that are seen once are copied, where an import costs more than that:
 * on all but software devices. */
GST_START_TEST (pages_outside_pools_are_imported_where_that_is_cheap)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_RGBA, 321, 241);
  GstHarness *harness = test_adder_harness (&info, NULL, FALSE);
  const gboolean image = g_strcmp0 (g_getenv ("VKC_MEMORY"), "image") == 0;
  struct vkc_device *device
      = gst_vkc_filter_get_device (GST_VKC_FILTER (harness->element));
  const gboolean imports
      = !image && device->is_cpu && device->can_import_host_pages;

  for (guint i = 0; i < 5; i++)
    assert_right (harness, test_frame_new (&info, i), &info, i);
  assert_equals_uint64 (test_harness_stat (harness, "recorder", "imports"),
                        imports ? 5 : 0);
  assert_equals_uint64 (test_harness_stat (harness, "recorder", "uploads"),
                        imports ? 0 : 5);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* A pool's memories come again and again: their pages are the device's, from
 * any offset into one. */
GST_START_TEST (pages_of_a_pool_are_imported)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_RGBA, 321, 241);
  GstHarness *harness = test_adder_harness (&info, NULL, FALSE);
  GstCaps *caps = gst_video_info_to_caps (&info);
  GstBufferPool *pool = gst_video_buffer_pool_new ();
  GstStructure *config = gst_buffer_pool_get_config (pool);
  const gboolean image = g_strcmp0 (g_getenv ("VKC_MEMORY"), "image") == 0;
  GstBuffer *buffer, *source;

  gst_buffer_pool_config_set_params (config, caps, info.size, 3, 3);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  for (guint i = 0; i < 30; i++) {
    GstMapInfo map;

    assert_equals_int (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL),
                       GST_FLOW_OK);
    source = test_frame_new (&info, i);
    fail_unless (gst_buffer_map (source, &map, GST_MAP_READ));
    gst_buffer_fill (buffer, 0, map.data, map.size);
    gst_buffer_unmap (source, &map);
    gst_buffer_unref (source);
    assert_right (harness, buffer, &info, i);
  }
  if (image || test_harness_stat (harness, "recorder", "imports") == 0) {
    assert_equals_uint64 (test_harness_stat (harness, "recorder", "uploads"),
                          30);
  } else {
    fail_unless (test_harness_stat (harness, "recorder", "imports") <= 3);
    assert_equals_uint64 (test_harness_stat (harness, "recorder", "uploads"),
                          0);
  }
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  gst_caps_unref (caps);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* Of caps that are no frame's, and of none. */
GST_START_TEST (odd_allocation_queries_are_refused)
{
  static const gchar *const caps[]
      = { NULL, "ANY", "EMPTY", "video/x-raw", "audio/x-raw",
          "video/x-raw,format=I420,width=[1,9],height=2",
          "video/x-raw,format=I420,width=2147483647,height=2147483647",
          "video/x-raw(memory:DMABuf)" };
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_I420, 66, 50);
  GstHarness *harness = test_adder_harness (&info, NULL, FALSE);

  for (guint i = 0; i < 2 * G_N_ELEMENTS (caps); i++) {
    const gchar *text = caps[i / 2];
    g_autoptr (GstCaps) of = text ? gst_caps_from_string (text) : NULL;
    GstQuery *query = gst_query_new_allocation (of, i % 2);

    fail_if (gst_pad_peer_query (harness->srcpad, query), "%s", text);
    gst_query_unref (query);
  }
  assert_right (harness, test_frame_new (&info, 1), &info, 1);
  gst_harness_teardown (harness);
}
GST_END_TEST;

static Suite *
input_suite (void)
{
  Suite *suite = suite_create ("input");
  TCase *tests = tcase_create ("input");
  const int n = G_N_ELEMENTS (formats);

  test_adder_register ();
  suite_add_tcase (suite, tests);
  tcase_add_loop_test (tests, every_size_and_format_is_right, 0, n);
  tcase_add_loop_test (tests, output_has_the_default_layout, 0, n);
  tcase_add_loop_test (tests, strides_and_offsets_of_the_meta_are_used, 0, n);
  tcase_add_test (tests, buffer_may_end_with_the_last_sample);
  tcase_add_test (tests, bottom_up_pictures_are_right);
  tcase_add_test (tests, frame_in_several_memories_is_right);
  tcase_add_loop_test (tests, crop_of_our_memory_is_bound_in_place, 0, n);
  tcase_add_test (tests, frame_of_another_device_is_copied);
  tcase_add_test (tests, truncated_frame_is_dropped_with_a_warning);
  tcase_add_test (tests, meta_that_points_behind_the_end_is_refused);
  tcase_add_test (tests, odd_allocation_queries_are_refused);
  tcase_add_test (tests, pages_of_a_pool_are_imported);
  tcase_add_test (tests, pages_outside_pools_are_imported_where_that_is_cheap);
  return suite;
}

GST_CHECK_MAIN (input);
