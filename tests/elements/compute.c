/* vkcompute: users' shaders on frames. */
#include <glib/gstdio.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>
#include <math.h>

#include "gst/base/gstvkccontext.h"
#include "tests/elements/compute_cases.h"
#include "tests/support/support.h"

/* All harnesses of a test run on one device, which stays open: opening one
 * takes long. */
static void
share_device (GstElement *element)
{
  static GstVkcContext *context;
  GstContext *wrapped;

  if (context == NULL) {
    context = gst_vkc_context_new (NULL);
    fail_unless (gst_vkc_context_open_device (context, NULL, NULL) != NULL);
  }
  wrapped = gst_vkc_context_wrap (context);
  gst_element_set_context (element, wrapped);
  gst_context_unref (wrapped);
}

/* A frame of noise that depends on @seed. */
static GstBuffer *
make_frame (const GstVideoInfo *info, guint32 seed)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, info->size, NULL);
  GRand *dice = g_rand_new_with_seed (seed);
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = g_rand_int (dice) >> 8;
  gst_buffer_unmap (buffer, &map);
  g_rand_free (dice);
  return buffer;
}

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
    size += (gsize) strides[i] * GST_VIDEO_INFO_COMP_HEIGHT (info, i);
  }
  moved = gst_buffer_new_allocate (NULL, size, NULL);
  gst_buffer_map (buffer, &from, GST_MAP_READ);
  gst_buffer_map (moved, &to, GST_MAP_WRITE);
  memset (to.data, 0xaa, to.size);
  for (guint i = 0; i < n; i++)
    for (gint y = 0; y < GST_VIDEO_INFO_COMP_HEIGHT (info, i); y++)
      memcpy (to.data + offsets[i] + (gsize) y * strides[i],
              from.data + GST_VIDEO_INFO_PLANE_OFFSET (info, i)
                  + (gsize) y * GST_VIDEO_INFO_PLANE_STRIDE (info, i),
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
  GstElement *element = gst_element_factory_make ("vkcompute", NULL);
  g_autofree gchar *caps = g_strdup_printf (
      "video/x-raw,format=%s,width=%d,height=%d,framerate=10/1", format, width,
      height);
  GstHarness *harness;

  share_device (element);
  g_object_set (element, "location", shader, NULL);
  harness = gst_harness_new_with_element (element, "sink", "src");
  gst_object_unref (element);
  gst_harness_set_src_caps_str (harness, caps);
  gst_video_info_set_format (info, gst_video_format_from_string (format),
                             width, height);
  return harness;
}

/* Takes @buffer. Compares the samples, not the padding. */
static void
assert_frame (const gchar *shader, GstBuffer *buffer, const GstVideoInfo *info,
              const struct picture *expected, guint tolerance)
{
  GstVideoFrame frame;

  fail_unless (buffer != NULL);
  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_READ));
  for (guint i = 0; i < expected->n_planes; i++)
    for (guint y = 0; y < expected->rows[i]; y++) {
      const guint8 *have = (const guint8 *) frame.data[i]
                           + (gsize) y * frame.info.stride[i];
      const guint8 *want
          = expected->data[i] + (gsize) y * expected->row_bytes[i];

      for (guint x = 0; x < expected->row_bytes[i]; x++)
        if (ABS (have[x] - want[x]) > (gint) tolerance)
          fail ("%s: plane %u, row %u, byte %u: %u, not %u", shader, i, y, x,
                have[x], want[x]);
    }
  gst_video_frame_unmap (&frame);
  gst_buffer_unref (buffer);
}

static gchar *
shader_path (const gchar *name)
{
  const gchar *folder = g_str_has_prefix (name, "test/")
                            ? g_getenv ("VKC_TEST_DATA")
                            : g_getenv ("VKC_SOURCE_ROOT");

  if (g_str_has_prefix (name, "test/"))
    return g_build_filename (folder, "shaders", name + 5, NULL);
  return g_build_filename (folder, "docs", "examples", "shaders", name, NULL);
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
  GstBuffer *frame = make_frame (in, 7 + layout);
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
  assert_frame (test->shader, gst_harness_pull (harness), out, &expected,
                test->tolerance);
  picture_clear (&source);
  picture_clear (&expected);
}

static void
check_case (const struct compute_case *test, gint width, gint height)
{
  g_autofree gchar *shader = shader_path (test->shader);
  GstVideoInfo in, out;
  GstHarness *harness
      = start_harness (shader, test->in_format, width, height, &in);

  gst_video_info_set_format (&out,
                             gst_video_format_from_string (test->out_format),
                             width, height);
  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++)
    check_frame (test, harness, &in, &out, i);
  gst_harness_teardown (harness);
}

GST_START_TEST (outputs_match_the_cpu_in_any_layout)
{
  for (guint i = 0; i < n_compute_cases; i++) {
    check_case (&compute_cases[i], 35, 19);
    check_case (&compute_cases[i], 1, 1);
  }
}
GST_END_TEST;

GST_START_TEST (number_and_time_of_the_frame_reach_the_shader)
{
  g_autofree gchar *shader = shader_path ("test/counter.comp");
  GstVideoInfo info;
  GstHarness *harness = start_harness (shader, "RGBA", 24, 10, &info);

  for (guint i = 0; i < 4; i++) {
    const guint8 expected[] = { i, 2 * i, 24, 10 };
    GstBuffer *frame = make_frame (&info, i);
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
  g_autofree gchar *shader = shader_path ("invert.comp");
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
  fail_unless_equals_int (gst_harness_push (harness, make_frame (&info, 3)),
                          GST_FLOW_OK);
  frame = gst_harness_pull (harness);
  gst_harness_teardown (harness);
  return frame;
}

/* The shader wants images; in the buffer kind the frames come and go through
 * copies, which must not cost a submission. */
GST_START_TEST (chain_with_colour_elements_is_one_submission_a_frame)
{
  g_autofree gchar *shader = shader_path ("sobel.comp");
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
  g_autofree gchar *shader
      = shader_path (__i__ == 0 ? "invert.comp" : "test/xor_words.comp");
  GstVideoInfo info;
  GstHarness *harness;
  gint64 live;

  test_wrap_install ();
  harness = start_harness (shader, "RGBA", 40, 30, &info);
  for (guint i = 0; i < 30; i++)
    push_and_finish (harness, make_frame (&info, i));
  live = test_wrap_live (NULL);
  test_wrap_reset ();
  for (guint i = 0; i < 200; i++)
    push_and_finish (harness, make_frame (&info, i));
  assert_equals_int64 (test_wrap_live (NULL), live);
  assert_equals_uint64 (test_wrap_count ("vkCreateImage"), 0);
  assert_equals_uint64 (test_wrap_count ("vkCreateBuffer"), 0);
  assert_equals_uint64 (test_wrap_count ("vkCreateComputePipelines"), 0);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* The input's offsets move inside our own memory. */
GST_START_TEST (crop_between_two_shaders_equals_crop_before_them)
{
  g_autofree gchar *shader = shader_path (__i__ == 0 ? "invert.comp"
                                                     : "flip.comp");
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

/* Mutation seen to fail this: not reconfiguring after a new location. */
GST_START_TEST (new_location_counts_from_the_next_frame)
{
  g_autofree gchar *invert = shader_path ("invert.comp");
  g_autofree gchar *flip = shader_path ("flip.comp");
  const struct compute_case *cases[] = { compute_case_find ("invert.comp"),
                                         compute_case_find ("flip.comp") };
  GstVideoInfo info;
  GstHarness *harness = start_harness (invert, "RGBA", 20, 12, &info);

  for (guint i = 0; i < 4; i++) {
    GstBuffer *frame = make_frame (&info, i);
    struct picture source, expected;

    picture_from_buffer (&source, &info, frame);
    picture_init (&expected, &info);
    cases[i % 2]->expect (&source, &expected);
    g_object_set (harness->element, "location", i % 2 ? flip : invert, NULL);
    fail_unless_equals_int (gst_harness_push (harness, frame), GST_FLOW_OK);
    assert_frame (invert, gst_harness_pull (harness), &info, &expected, 0);
    picture_clear (&source);
    picture_clear (&expected);
  }
  gst_harness_teardown (harness);
}
GST_END_TEST;

static gchar *
write_shader (const gchar *text)
{
  gchar *path = NULL;
  gint fd = g_file_open_tmp ("vkcompute-XXXXXX.comp", &path, NULL);

  fail_unless (fd >= 0 && g_file_set_contents (path, text, -1, NULL));
  g_close (fd, NULL);
  return path;
}

#define HEAD "#version 450\nlayout (local_size_x = 8) in;\n"

static const struct
{
  const gchar *text;
  const gchar *words;
} refused[] = {
  { "nonsense", "does not compile" },
  { HEAD "void main () {}\n", "has no output" },
  { HEAD "layout (binding = 0, rgba8) readonly uniform image2D only;\n"
         "shared vec4 s;\n"
         "void main () { s = imageLoad (only, ivec2 (0)); }\n",
    "has no output" },
  { HEAD "layout (binding = 0, rgba8) writeonly uniform image2D one;\n"
         "layout (binding = 1, rgba8) writeonly uniform image2D two;\n"
         "void main () { imageStore (one, ivec2 (0), vec4 (0));\n"
         "imageStore (two, ivec2 (0), vec4 (0)); }\n",
    "`two` (a rgba8 storage image): it would be a second output beside `one`" },
  { HEAD "layout (binding = 0) uniform sampler2D tex;\n"
         "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"
         "void main () { imageStore (target, ivec2 (0), "
         "textureLod (tex, vec2 (0), 0)); }\n",
    "`tex` is declared as a texture with its sampler" },
  { HEAD "layout (binding = 1, rgba8) writeonly uniform image3D deep;\n"
         "void main () { imageStore (deep, ivec3 (0), vec4 (0)); }\n",
    "`deep` (a rgba8 storage image): a frame is a plain 2D image" },
  { HEAD "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"
         "layout (push_constant) uniform P { float mystery; } p;\n"
         "void main () { imageStore (target, ivec2 (0), vec4 (p.mystery)); }\n",
    "push constant `mystery`" },
  { "#version 450\nlayout (local_size_x = 1024, local_size_y = 1024) in;\n"
    "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"
    "void main () { imageStore (target, ivec2 (0), vec4 (0)); }\n",
    "workgroups of 1024x1024x1 are 1048576 invocations" },
  { HEAD "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"
         "shared float big[100000];\n"
         "void main () { big[gl_LocalInvocationIndex] = 1;\n"
         "imageStore (target, ivec2 (0), vec4 (big[3])); }\n",
    "share 400000 bytes" },
  { HEAD "layout (binding = 1, rgba32f) writeonly uniform image2D target;\n"
         "void main () { imageStore (target, ivec2 (0), vec4 (0)); }\n",
    "`target` (a rgba32f storage image): no frame has planes" },
};

GST_START_TEST (refusals_name_what_the_shader_declares)
{
  g_autofree gchar *shader = write_shader (refused[__i__].text);
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=2 ! video/x-raw,width=32,height=16 ! "
      "vkcompute location=%s ! fakesink",
      shader);
  GError *error = test_pipeline_run_to_error (pipeline, 20);

  fail_unless (error != NULL);
  fail_unless (strstr (error->message, refused[__i__].words) != NULL, "%s",
               error->message);
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR,
                                GST_RESOURCE_ERROR_SETTINGS));
  g_error_free (error);
  test_pipeline_free (pipeline);
  g_unlink (shader);
}
GST_END_TEST;

GST_START_TEST (missing_shader_is_an_error)
{
  GstElement *pipeline
      = test_pipeline_new ("videotestsrc ! vkcompute name=v ! fakesink");
  GError *error = test_pipeline_run_to_error (pipeline, 20);

  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR,
                                GST_RESOURCE_ERROR_SETTINGS));
  g_error_free (error);
  test_pipeline_free (pipeline);

  pipeline = test_pipeline_new (
      "videotestsrc ! vkcompute location=/no/such.comp ! fakesink");
  error = test_pipeline_run_to_error (pipeline, 20);
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR,
                                GST_RESOURCE_ERROR_NOT_FOUND));
  g_error_free (error);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

/* The error is posted; frames go on through what ran before. */
GST_START_TEST (broken_new_location_is_an_error)
{
  g_autofree gchar *invert = shader_path ("invert.comp");
  g_autofree gchar *broken = write_shader ("nonsense");
  GstVideoInfo info;
  GstHarness *harness = start_harness (invert, "RGBA", 20, 12, &info);
  GstBus *bus = gst_bus_new ();
  GstMessage *message;
  GError *error;

  gst_element_set_bus (harness->element, bus);
  fail_unless_equals_int (gst_harness_push (harness, make_frame (&info, 1)),
                          GST_FLOW_OK);
  g_object_set (harness->element, "location", broken, NULL);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, "does not compile") != NULL);
  g_error_free (error);
  gst_message_unref (message);
  fail_unless_equals_int (gst_harness_push (harness, make_frame (&info, 2)),
                          GST_FLOW_OK);
  gst_element_set_bus (harness->element, NULL);
  gst_object_unref (bus);
  gst_harness_teardown (harness);
  g_unlink (broken);
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
  g_autofree gchar *shader = shader_path (offers[__i__].shader);
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
    GstCaps *found = gst_pad_query_caps (pad, NULL);

    for (guint k = 0; k < gst_caps_get_size (found); k++)
      gst_structure_remove_fields (gst_caps_get_structure (found, k), "width",
                                   "height", "framerate", NULL);
    fail_unless (gst_caps_is_equal (found, expected), "%s: %s", names[i],
                 gst_caps_to_string (found));
    gst_caps_unref (expected);
    gst_caps_unref (found);
    gst_object_unref (pad);
  }
  gst_element_set_state (element, GST_STATE_NULL);
  gst_object_unref (element);
}
GST_END_TEST;

/* What nobody wants costs nothing, steps included. */
GST_START_TEST (dropped_frames_leave_nothing_pending)
{
  g_autofree gchar *shader = shader_path ("test/in_place.comp");
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
  tcase_add_test (cases, outputs_match_the_cpu_in_any_layout);
  tcase_add_test (cases, number_and_time_of_the_frame_reach_the_shader);
  tcase_add_test (cases,
                  same_shader_twice_is_one_kernel_and_one_submission_a_frame);
  tcase_add_test (cases, chain_with_colour_elements_is_one_submission_a_frame);
  tcase_add_loop_test (cases, running_stream_makes_no_new_objects, 0, 2);
  tcase_add_loop_test (cases, crop_between_two_shaders_equals_crop_before_them,
                       0, 2);
  tcase_add_test (cases, new_location_counts_from_the_next_frame);
  tcase_add_loop_test (cases, refusals_name_what_the_shader_declares, 0,
                       G_N_ELEMENTS (refused));
  tcase_add_test (cases, missing_shader_is_an_error);
  tcase_add_test (cases, broken_new_location_is_an_error);
  tcase_add_loop_test (cases, caps_are_what_the_shader_declares, 0,
                       G_N_ELEMENTS (offers));
  tcase_add_test (cases, dropped_frames_leave_nothing_pending);
  return suite;
}

GST_CHECK_MAIN (compute);
