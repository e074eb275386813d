/* vkcompute: users' shaders on frames. */
#include "tests/elements/compute_cases.h"
#include "tests/elements/compute_support.h"
#include "tests/support/holdings.h"
#include "tests/support/support.h"

/* The same picture in rows that are @padding bytes longer, @shift bytes into
 * the memory. */
static GstBuffer *
move_frame (GstBuffer *buffer, const GstVideoInfo *info, gsize shift,
            guint padding)
{
  const guint n = GST_VIDEO_INFO_N_PLANES (info);
  gsize offsets[GST_VIDEO_MAX_PLANES], size = shift;
  gint strides[GST_VIDEO_MAX_PLANES];
  GstBuffer *moved;
  GstMapInfo from, to;

  for (guint i = 0; i < n; i++) {
    offsets[i] = size;
    strides[i] = GST_VIDEO_INFO_PLANE_STRIDE (info, i) + padding;
    size += (gsize)strides[i] * GST_VIDEO_INFO_COMP_HEIGHT (info, i);
  }
  moved = gst_buffer_new_allocate (NULL, size, NULL);
  gst_buffer_map (buffer, &from, GST_MAP_READ);
  gst_buffer_map (moved, &to, GST_MAP_WRITE);
  memset (to.data, 0xaa, to.size);
  for (guint i = 0; i < n; i++)
    for (gint y = 0; y < GST_VIDEO_INFO_COMP_HEIGHT (info, i); y++)
      memcpy (to.data + offsets[i] + (gsize)y * strides[i],
              from.data + GST_VIDEO_INFO_PLANE_OFFSET (info, i)
                  + (gsize)y * GST_VIDEO_INFO_PLANE_STRIDE (info, i),
              GST_VIDEO_INFO_PLANE_STRIDE (info, i));
  gst_buffer_unmap (buffer, &from);
  gst_buffer_unmap (moved, &to);
  gst_buffer_add_video_meta_full (moved, 0, GST_VIDEO_INFO_FORMAT (info),
                                  info->width, info->height, n, offsets,
                                  strides);
  return moved;
}

static GstHarness *
start_harness (const gchar *shader, const gchar *format, gint width,
               gint height, GstVideoInfo *info)
{
  GstElement *element = compute_element_new ();

  g_object_set (element, "location", shader, NULL);
  return compute_start (element, format, width, height, info);
}

/* Where frames lie in their memory: bytes before them, and more in a row. */
static const struct
{
  gsize shift;
  guint padding;
} layouts[] = { { 0, 0 }, { 16, 32 }, { 5, 4 }, { 0, 3 } };

static void
check_frame (const struct compute_case *test, GstHarness *harness,
             const GstVideoInfo *in, const GstVideoInfo *out, guint layout)
{
  GstBuffer *frame = compute_make_frame (in, 7 + layout);
  struct picture source, expected;

  picture_from_buffer (&source, in, frame);
  picture_init (&expected, out);
  test->expect (&source, &expected);
  if (layout > 0) {
    GstBuffer *moved = move_frame (frame, in, layouts[layout].shift,
                                   layouts[layout].padding);

    gst_buffer_unref (frame);
    frame = moved;
  }
  fail_unless_equals_int (gst_harness_push (harness, frame), GST_FLOW_OK);
  compute_assert_frame (test->shader, gst_harness_pull (harness), out,
                        &expected, test->tolerance);
  picture_clear (&source);
  picture_clear (&expected);
}

static void
check_case (const struct compute_case *test, gint width, gint height)
{
  g_autofree gchar *shader = compute_shader_path (test->shader);
  GstVideoInfo in, out;
  GstHarness *harness
      = start_harness (shader, test->in_format, width, height, &in);

  gst_video_info_set_format (
      &out, gst_video_format_from_string (test->out_format), width, height);
  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++)
    check_frame (test, harness, &in, &out, i);
  gst_harness_teardown (harness);
}

#define N_GROUPS 5

/* Some of the cases: each process opens a device. */
GST_START_TEST (outputs_match_the_cpu_in_any_layout)
{
  for (guint i = __i__; i < n_compute_cases; i += N_GROUPS) {
    check_case (&compute_cases[i], 35, 19);
    check_case (&compute_cases[i], 1, 1);
  }
}
GST_END_TEST;

GST_START_TEST (number_and_time_of_the_frame_reach_the_shader)
{
  g_autofree gchar *shader = compute_shader_path ("test/counter.comp");
  GstVideoInfo info;
  GstHarness *harness = start_harness (shader, "RGBA", 24, 10, &info);

  for (guint i = 0; i < 4; i++) {
    const guint8 expected[] = { i, 2 * i, 24, 10 };
    GstBuffer *frame = compute_make_frame (&info, i);
    guint8 pixel[4];

    GST_BUFFER_PTS (frame) = i * GST_SECOND / 5;
    fail_unless_equals_int (gst_harness_push (harness, frame), GST_FLOW_OK);
    frame = gst_harness_pull (harness);
    gst_buffer_extract (frame, 4 * (24 * 9 + 23), pixel, 4);
    fail_unless (memcmp (pixel, expected, 4) == 0, "%u %u %u %u", pixel[0],
                 pixel[1], pixel[2], pixel[3]);
    gst_buffer_unref (frame);
  }
  gst_harness_teardown (harness);
}
GST_END_TEST;

GST_START_TEST (same_shader_twice_is_one_kernel_and_one_submission_a_frame)
{
  g_autofree gchar *shader = compute_shader_path ("invert.comp");
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=40 pattern=smpte ! "
      "video/x-raw,format=RGBA,width=66,height=50 ! "
      "vkcompute name=a location=%s ! queue ! vkcompute location=%s ! "
      "fakesink",
      shader, shader);

  test_pipeline_run (pipeline, 30);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "submits"), 40);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "flush-limit"),
                        0);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "dispatches"),
                        80);
  assert_equals_uint64 (test_wrap_count ("vkCreateComputePipelines"), 1);
  test_assert_stats_agree (pipeline, "a");
  test_pipeline_free (pipeline);
}
GST_END_TEST;

/* What @line makes of one RGBA frame. */
static GstBuffer *
run_line (const gchar *line, gint width, gint height)
{
  GstHarness *harness = gst_harness_new_parse (line);
  g_autofree gchar *caps
      = g_strdup_printf ("video/x-raw,format=RGBA,width=%d,height=%d,"
                         "framerate=10/1",
                         width, height);
  GstVideoInfo info;
  GstBuffer *frame;

  gst_harness_set_src_caps_str (harness, caps);
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGBA, width, height);
  fail_unless_equals_int (
      gst_harness_push (harness, compute_make_frame (&info, 3)), GST_FLOW_OK);
  frame = gst_harness_pull (harness);
  gst_harness_teardown (harness);
  return frame;
}

/* The shader wants images; in the buffer kind the frames come and go through
 * copies, which must not cost a submission. */
GST_START_TEST (chain_with_colour_elements_is_one_submission_a_frame)
{
  g_autofree gchar *shader = compute_shader_path ("sobel.comp");
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=50 ! video/x-raw,format=P010_10LE,width=66,"
      "height=50,colorimetry=bt2100-pq ! vkcolorconvert ! vktonemap ! "
      "video/x-raw,format=RGBA ! vkcompute name=a location=%s ! identity ! "
      "vkcolorconvert ! video/x-raw,format=NV12 ! fakesink",
      shader);

  test_pipeline_run (pipeline, 50);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "submits"), 50);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "flush-limit"),
                        0);
  fail_unless (test_stat (pipeline, "a", "recorder", "waits") <= 50);
  test_assert_stats_agree (pipeline, "a");
  test_pipeline_free (pipeline);
}
GST_END_TEST;

/* One submission at a time: how many there were at once, and so how many
 * command buffers there are, would be the scheduler's doing. */
GST_START_TEST (starts_and_stops_leave_nothing)
{
  g_setenv ("VKC_MAX_IN_FLIGHT", "1", TRUE);
  g_autofree gchar *shader = compute_shader_path ("planes.comp");
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=3 ! video/x-raw,format=I420,width=34,"
      "height=18 ! vkcompute location=%s ! fakesink",
      shader);
  struct test_holdings before = { 0 };

  for (guint i = 0; i < 6; i++) {
    test_pipeline_run (pipeline, 30);
    gst_element_set_state (pipeline, GST_STATE_READY);
    if (i == 1)
      before = test_holdings ();
  }
  test_assert_back_to (&before);
  test_pipeline_free (pipeline);
  g_unsetenv ("VKC_MAX_IN_FLIGHT");
  assert_equals_int64 (test_wrap_live (NULL), 0);
}
GST_END_TEST;

/* Returns when all that the frame needed was given back. */
static void
push_and_finish (GstHarness *harness, GstBuffer *frame)
{
  GstQuery *drain = gst_query_new_drain ();
  GstMapInfo map;

  fail_unless_equals_int (gst_harness_push (harness, frame), GST_FLOW_OK);
  frame = gst_harness_pull (harness);
  fail_unless (gst_buffer_map (frame, &map, GST_MAP_READ));
  gst_buffer_unmap (frame, &map);
  gst_buffer_unref (frame);
  fail_unless (gst_pad_peer_query (harness->srcpad, drain));
  gst_query_unref (drain);
}

GST_START_TEST (running_stream_makes_no_new_objects)
{
  g_autofree gchar *shader = compute_shader_path (
      __i__ == 0 ? "invert.comp" : "test/xor_words.comp");
  GstVideoInfo info;
  GstHarness *harness;
  GstBuffer *frame;
  gint64 live;

  test_wrap_install ();
  harness = start_harness (shader, "RGBA", 40, 30, &info);
  /* Always the same memory: importing another one makes a buffer of it. */
  frame = compute_make_frame (&info, 1);
  for (guint i = 0; i < 30; i++)
    push_and_finish (harness, gst_buffer_ref (frame));
  live = test_wrap_live (NULL);
  test_wrap_reset ();
  for (guint i = 0; i < 200; i++)
    push_and_finish (harness, gst_buffer_ref (frame));
  assert_equals_int64 (test_wrap_live (NULL), live);
  assert_equals_uint64 (test_wrap_count ("vkCreateImage"), 0);
  assert_equals_uint64 (test_wrap_count ("vkCreateBuffer"), 0);
  assert_equals_uint64 (test_wrap_count ("vkCreateComputePipelines"), 0);
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* The input's offsets move inside our own memory. */
GST_START_TEST (crop_between_two_shaders_equals_crop_before_them)
{
  g_autofree gchar *shader
      = compute_shader_path (__i__ == 0 ? "invert.comp" : "flip.comp");
  /* Upside down, the top is at the bottom. */
  const gchar *edge = __i__ == 0 ? "top" : "bottom";
  g_autofree gchar *before
      = g_strdup_printf ("videocrop left=17 top=3 right=2 ! "
                         "vkcompute location=%s ! vkcompute location=%s",
                         shader, shader);
  g_autofree gchar *between
      = g_strdup_printf ("vkcompute location=%s ! "
                         "videocrop left=17 %s=3 right=2 ! "
                         "vkcompute location=%s",
                         shader, edge, shader);
  GstBuffer *expected = run_line (before, 70, 46);
  GstBuffer *found = run_line (between, 70, 46);
  GstMapInfo map;

  fail_unless (gst_buffer_map (expected, &map, GST_MAP_READ));
  assert_equals_int (map.size, 4 * 51 * 43);
  assert_equals_int (gst_buffer_memcmp (found, 0, map.data, map.size), 0);
  gst_buffer_unmap (expected, &map);
  gst_buffer_unref (expected);
  gst_buffer_unref (found);
}
GST_END_TEST;

static const struct
{
  const gchar *shader;
  const gchar *sink, *src;
} offers[] = {
  { "invert.comp", "{ RGBA, RGBx }", "{ RGBA, RGBx }" },
  { "test/invert_rgb10.comp", "RGB10A2_LE", "RGB10A2_LE" },
  { "test/luma.comp", "{ RGBA, RGBx }", "GRAY8" },
  { "test/formatless.comp",
    "{ NV12, NV21, NV16, NV61, NV24, P010_10LE, P012_LE, P016_LE }",
    "{ NV12, NV21, NV16, NV61, NV24, P010_10LE, P012_LE, P016_LE }" },
};

GST_START_TEST (caps_are_what_the_shader_declares)
{
  g_autofree gchar *shader = compute_shader_path (offers[__i__].shader);
  GstElement *element = gst_element_factory_make ("vkcompute", NULL);
  const gchar *const names[] = { "sink", "src" };
  const gchar *const formats[] = { offers[__i__].sink, offers[__i__].src };

  g_object_set (element, "location", shader, NULL);
  fail_unless (gst_element_set_state (element, GST_STATE_PAUSED)
               != GST_STATE_CHANGE_FAILURE);
  for (guint i = 0; i < 2; i++) {
    GstPad *pad = gst_element_get_static_pad (element, names[i]);
    g_autofree gchar *text
        = g_strdup_printf ("video/x-raw,format=%s", formats[i]);
    GstCaps *expected = gst_caps_from_string (text);
    GstCaps *all = gst_pad_query_caps (pad, NULL);
    /* Plain memory comes first. */
    GstCaps *found = gst_caps_copy_nth (all, 0);

    gst_structure_remove_fields (gst_caps_get_structure (found, 0), "width",
                                 "height", "framerate", NULL);
    fail_unless (gst_caps_is_equal (found, expected), "%s: %s", names[i],
                 gst_caps_to_string (found));
    gst_caps_unref (expected);
    gst_caps_unref (found);
    gst_caps_unref (all);
    gst_object_unref (pad);
  }
  gst_element_set_state (element, GST_STATE_NULL);
  gst_object_unref (element);
}
GST_END_TEST;

/* It has one side only, and no frames of before. Mutation seen to fail this, by
 * SIGSEGV: the empty side compared with that of before. */
GST_START_TEST (shader_in_place_goes_on_with_other_caps)
{
  g_autofree gchar *shader = compute_shader_path ("test/in_place.comp");
  GstVideoInfo info;
  GstHarness *harness = compute_start_location (shader, &info);

  for (guint i = 0; i < 3; i++) {
    compute_run (harness, &info, i);
    gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGBA, 16 + i, 8 + i);
    info.fps_n = 10;
    gst_harness_set_src_caps (harness, gst_video_info_to_caps (&info));
  }
  compute_run (harness, &info, 3);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* What nobody wants costs nothing, steps included. */
GST_START_TEST (dropped_frames_leave_nothing_pending)
{
  g_autofree gchar *shader = compute_shader_path ("test/in_place.comp");
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=30 ! video/x-raw,format=RGBA,width=32,"
      "height=32,framerate=30/1 ! vkcompute name=a location=%s ! queue ! "
      "videorate drop-only=true ! video/x-raw,framerate=3/1 ! vkcompute "
      "location=%s ! fakesink",
      shader, shader);

  test_pipeline_run (pipeline, 30);
  test_assert_stats_agree (pipeline, "a");
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "pending"), 0);
  fail_unless (test_stat (pipeline, "a", "recorder", "dispatches") < 40);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

static Suite *
compute_suite (void)
{
  Suite *suite = suite_create ("compute");
  TCase *cases = tcase_create ("shaders");

  suite_add_tcase (suite, cases);
  tcase_add_loop_test (cases, outputs_match_the_cpu_in_any_layout, 0, N_GROUPS);
  tcase_add_test (cases, number_and_time_of_the_frame_reach_the_shader);
  tcase_add_test (cases,
                  same_shader_twice_is_one_kernel_and_one_submission_a_frame);
  tcase_add_test (cases, starts_and_stops_leave_nothing);
  tcase_add_test (cases, chain_with_colour_elements_is_one_submission_a_frame);
  tcase_add_loop_test (cases, running_stream_makes_no_new_objects, 0, 2);
  tcase_add_loop_test (cases, crop_between_two_shaders_equals_crop_before_them,
                       0, 2);
  tcase_add_loop_test (cases, caps_are_what_the_shader_declares, 0,
                       G_N_ELEMENTS (offers));
  tcase_add_test (cases, shader_in_place_goes_on_with_other_caps);
  tcase_add_test (cases, dropped_frames_leave_nothing_pending);
  return suite;
}

GST_CHECK_MAIN (compute);
