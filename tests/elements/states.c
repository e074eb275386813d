/* vkcompute: what is kept from frame to frame. */
#include <glib/gstdio.h>

#include "tests/elements/compute_support.h"
#include "tests/elements/sums.h"
#include "tests/support/support.h"

#define WIDTH  20
#define HEIGHT 12

#define GROUP  "layout (local_size_x = 8, local_size_y = 8) in;\n"
#define AT     "  ivec2 at = ivec2 (gl_GlobalInvocationID.xy);\n"
#define IN_ONE "layout (binding = 0, rgba8) readonly uniform image2D source;\n"
#define OUT_ONE                                                                \
  "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"

/* Counts the frames and sums their first texel's red. */
#define COUNTER                                                                \
  GROUP IN_ONE OUT_ONE "layout (binding = 2, std430) buffer Counts {\n"        \
                       "  uint frames, red; } counts;\n"                       \
                       "void main () {\n" AT                                   \
                       "  vec4 c = imageLoad (source, at);\n"                  \
                       "  if (at == ivec2 (0)) {\n"                            \
                       "    counts.frames += 1;\n"                             \
                       "    counts.red += uint (c.r * 255.0 + 0.5);\n"         \
                       "  }\n"                                                 \
                       "  imageStore (target, at, c);\n"                       \
                       "}\n"

static void
assert_counts (GstElement *element, guint32 frames, guint32 red)
{
  GBytes *bytes = NULL;
  const guint32 *counts;
  gsize size;

  g_signal_emit_by_name (element, "read-buffer", "counts", &bytes);
  fail_unless (bytes != NULL);
  counts = g_bytes_get_data (bytes, &size);
  assert_equals_int (size, 8);
  assert_equals_int (counts[0], frames);
  assert_equals_int (counts[1], red);
  g_bytes_unref (bytes);
}

GST_START_TEST (buffers_are_kept_and_can_be_read)
{
  GstElement *element = compute_element_new ();
  GstBus *bus = compute_add_bus (element);
  GBytes *bytes = NULL;
  GstVideoInfo info;
  GstHarness *harness;
  guint red = 0;

  g_object_set (element, "shader", COUNTER, NULL);
  harness = compute_start (element, "RGBA", WIDTH, HEIGHT, &info);
  for (guint i = 0; i < 5; i++) {
    GstBuffer *frame = compute_make_frame (&info, i);
    guint8 first;

    gst_buffer_extract (frame, 0, &first, 1);
    red += first;
    gst_buffer_unref (frame);
    compute_check (harness, &info, i, 0, compute_expect_same);
    assert_counts (harness->element, i + 1, red);
  }
  g_signal_emit_by_name (harness->element, "read-buffer", "other", &bytes);
  fail_unless (bytes == NULL);
  compute_assert_warning (bus, "has no buffer `other`");
  compute_drop_bus (harness->element, bus);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* The next message of `vkcompute-buffers` is of frame @i, all of which are white,
 * in a stream where no other kind of message may come before it. */
static void
assert_posted (GstBus *bus, guint i, GstClockTime timeout)
{
  GstMessage *message = gst_bus_timed_pop_filtered (
      bus, timeout, GST_MESSAGE_ELEMENT | GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
  GstBuffer *buffer = NULL;
  guint32 counts[2];
  guint64 frame;

  fail_unless (message != NULL);
  fail_unless (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ELEMENT,
               "%s in place of frame %u", GST_MESSAGE_TYPE_NAME (message), i);
  fail_unless (gst_structure_get (gst_message_get_structure (message), "frame",
                                  G_TYPE_UINT64, &frame, "counts",
                                  GST_TYPE_BUFFER, &buffer, NULL));
  assert_equals_int (gst_buffer_extract (buffer, 0, counts, 8), 8);
  assert_equals_int (frame, i);
  assert_equals_int (counts[0], i + 1);
  assert_equals_int (counts[1], 255 * (i + 1));
  gst_buffer_unref (buffer);
  gst_message_unref (message);
}

static const struct
{
  const gchar *behind;
  guint submits; /* 0: it depends */
} ways_out[] = {
  { "identity", 10 },
  { "vkcolorconvert ! video/x-raw,format=NV12", 10 },
  { "queue ! vkcolorconvert ! video/x-raw,format=NV12", 0 },
  { "identity drop-probability=1 ! vkcolorconvert ! video/x-raw,format=NV12",
    0 },
};

/* Each frame's message has what that frame left, comes before EOS, and costs no
 * submission. Here nothing is submitted for being overdue.
 *
 * Mutation seen to fail this: no vkc_job_take_along(). */
GST_START_TEST (buffers_are_posted_frame_by_frame)
{
  g_autofree gchar *path = compute_write_shader (COUNTER);
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=10 pattern=white ! video/x-raw,format=RGBA,"
      "width=16,height=16 ! vkcompute name=a location=%s buffer-messages=true "
      "! %s ! fakesink async=false",
      path, ways_out[__i__].behind);
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i < 10; i++)
    assert_posted (bus, i, 20 * GST_SECOND);
  message = gst_bus_timed_pop_filtered (
      bus, 20 * GST_SECOND, GST_MESSAGE_ELEMENT | GST_MESSAGE_EOS);
  fail_unless (message != NULL
               && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS);
  gst_message_unref (message);
  test_assert_stats_agree (pipeline, "a");
  if (ways_out[__i__].submits > 0)
    assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "submits"),
                          ways_out[__i__].submits);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "flush-map"), 0);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "flush-limit"),
                        0);
  gst_object_unref (bus);
  test_pipeline_free (pipeline);
  g_unlink (path);
}
GST_END_TEST;

static void
flush (GstHarness *harness)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (harness, gst_event_new_flush_start ());
  gst_harness_push_event (harness, gst_event_new_flush_stop (TRUE));
  gst_harness_push_event (harness, gst_event_new_segment (&segment));
}

/* So are those of frames that a flush threw away, before it is over. */
GST_START_TEST (buffers_are_posted_before_a_flush_is_over)
{
  GstElement *element = compute_element_new ();
  GstBus *bus = compute_add_bus (element);
  GstVideoInfo info;
  GstHarness *harness;
  GstBuffer *frame;

  g_object_set (element, "shader", COUNTER, "buffer-messages", TRUE, NULL);
  harness = compute_start (element, "RGBA", WIDTH, HEIGHT, &info);
  for (guint i = 0; i < 3; i++) {
    frame = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (&info), NULL);
    gst_buffer_memset (frame, 0, 255, -1);
    fail_unless_equals_int (gst_harness_push (harness, frame), GST_FLOW_OK);
  }
  flush (harness);
  for (guint i = 0; i < 3; i++)
    assert_posted (bus, i, 0);
  compute_drop_bus (harness->element, bus);
  gst_harness_teardown (harness);
}
GST_END_TEST;

static GstBusSyncReply
flush_at_first (GstBus *bus, GstMessage *message, gpointer data)
{
  guint64 frame = 1;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ELEMENT)
    gst_structure_get_uint64 (gst_message_get_structure (message), "frame",
                              &frame);
  if (frame == 0)
    flush (data);
  return GST_BUS_PASS;
}

/* On the thread that posts, where waiting for the others would never end. */
GST_START_TEST (listener_may_flush)
{
  GstElement *element = compute_element_new ();
  GstBus *bus = compute_add_bus (element);
  GstVideoInfo info;
  GstHarness *harness;

  g_object_set (element, "shader", COUNTER, "buffer-messages", TRUE, NULL);
  harness = compute_start (element, "RGBA", WIDTH, HEIGHT, &info);
  gst_bus_set_sync_handler (bus, flush_at_first, harness, NULL);
  for (guint i = 0; i < 2; i++) {
    GstBuffer *frame
        = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (&info), NULL);

    gst_buffer_memset (frame, 0, 255, -1);
    /* The first may still be on its way out when the flush comes. */
    gst_harness_push (harness, frame);
    assert_posted (bus, i, 20 * GST_SECOND);
  }
  gst_bus_set_sync_handler (bus, NULL, NULL, NULL);
  compute_drop_bus (harness->element, bus);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* A table of 256 words that each channel is looked up in. */
#define TABLE                                                                  \
  GROUP IN_ONE OUT_ONE                                                         \
      "layout (binding = 2, std430) readonly buffer Table { uint words[]; }\n" \
      "  table;\n"                                                             \
      "void main () {\n" AT                                                    \
      "  uvec4 c = uvec4 (imageLoad (source, at) * 255.0 + 0.5);\n"            \
      "  imageStore (target, at, vec4 (table.words[c.r], table.words[c.g],\n"  \
      "    table.words[c.b], table.words[c.a]) / 255.0);\n"                    \
      "}\n"

static void
expect_table (const struct picture *in, struct picture *out)
{
  for (gsize i = 0; i < (gsize)in->row_bytes[0] * in->rows[0]; i++)
    out->data[0][i] = in->data[0][i] * 7 + 3;
}

GST_START_TEST (buffers_start_with_a_file)
{
  g_autofree gchar *path = NULL;
  g_autofree gchar *name = NULL;
  GstElement *element = compute_element_new ();
  GstStructure *given;
  GstVideoInfo info;
  GstHarness *harness;
  guint32 words[256];

  for (guint i = 0; i < 256; i++)
    words[i] = (i * 7 + 3) % 256;
  path = test_temporary_file (".bin", words, sizeof words);
  name = g_strconcat ("file:", path, NULL);
  given = gst_structure_new ("b", "table", G_TYPE_STRING, name, NULL);
  g_object_set (element, "shader", TABLE, "buffers", given, NULL);
  gst_structure_free (given);
  harness = compute_start (element, "RGBA", WIDTH, HEIGHT, &info);
  for (guint i = 0; i < 2; i++)
    compute_check (harness, &info, i, 0, expect_table);
  gst_harness_teardown (harness);
  g_unlink (path);
}
GST_END_TEST;

static const struct
{
  const gchar *shader, *buffers, *words;
} bad_buffers[] = {
  { TABLE, "b", "binding `table` (a storage buffer) ends with an open array" },
  { TABLE, "b,table=(string)big", "buffer `table` is a number of bytes or" },
  { TABLE, "b,table=0", "buffer `table` is a number of bytes or" },
  { TABLE, "b,table=(string)file:/no/such.bin", "/no/such.bin" },
  { COUNTER, "b,counts=4",
    "binding `counts` (a storage buffer): buffer `counts` has 4 bytes, the "
    "shader declares 8" },
};

GST_START_TEST (buffers_that_cannot_be_are_refused)
{
  g_autofree gchar *path = compute_write_shader (bad_buffers[__i__].shader);
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=1 ! vkcompute location=%s buffers=%s ! "
      "fakesink",
      path, bad_buffers[__i__].buffers);
  GError *error = test_pipeline_run_to_error (pipeline, 20);

  fail_unless (error != NULL
                   && strstr (error->message, bad_buffers[__i__].words) != NULL,
               "%s", error != NULL ? error->message : "no error");
  g_error_free (error);
  test_pipeline_free (pipeline);
  g_unlink (path);
}
GST_END_TEST;

/* The input two frames ago, and the output before with this input added. */
#define LOOK_BACK                                                              \
  GROUP IN_ONE OUT_ONE                                                         \
      "layout (binding = 2, rgba8) readonly uniform image2D history2;\n"       \
      "layout (binding = 3, rgba8) readonly uniform image2D previous;\n"       \
      "void main () {\n" AT                                                    \
      "  vec4 now = imageLoad (source, at), two = imageLoad (history2, at);\n" \
      "  vec4 sum = imageLoad (previous, at) / 2.0 + now / 2.0;\n"             \
      "  imageStore (target, at, vec4 (sum.rg, two.ba));\n"                    \
      "}\n"

/* What comes out for the frames with these seeds. */
struct look_back
{
  guint8 before[2][WIDTH * HEIGHT * 4];
  guint8 previous[WIDTH * HEIGHT * 4];
};

static void
look_back (struct look_back *model, GstBuffer *frame, guint8 *out)
{
  GstMapInfo map;

  gst_buffer_map (frame, &map, GST_MAP_READ);
  for (gsize i = 0; i < map.size; i++)
    out[i] = i % 4 < 2 ? (model->previous[i] + map.data[i]) / 2.0 + 0.5
                       : model->before[1][i];
  memcpy (model->previous, out, map.size);
  memcpy (model->before[1], model->before[0], map.size);
  memcpy (model->before[0], map.data, map.size);
  gst_buffer_unmap (frame, &map);
}

/* Rounding may go either way at each frame. */
static void
assert_near (GstBuffer *found, const guint8 *expected)
{
  GstMapInfo map;

  gst_buffer_map (found, &map, GST_MAP_READ);
  for (gsize i = 0; i < map.size; i++)
    fail_unless (ABS (map.data[i] - expected[i]) <= 1, "byte %u: %u, not %u",
                 (guint)i, map.data[i], expected[i]);
  gst_buffer_unmap (found, &map);
}

/* @n frames of noise in @info's format, which is @rate frames a second. */
static void
check_look_back (GstHarness *harness, struct look_back *model,
                 GstVideoInfo *info, gint rate, guint n)
{
  GstCaps *caps;

  info->fps_n = rate;
  caps = gst_video_info_to_caps (info);
  gst_harness_set_src_caps (harness, caps);
  for (guint i = 0; i < n; i++) {
    GstBuffer *frame = compute_make_frame (info, i);
    guint8 expected[WIDTH * HEIGHT * 4];

    look_back (model, frame, expected);
    fail_unless_equals_int (gst_harness_push (harness, frame), GST_FLOW_OK);
    frame = gst_harness_pull (harness);
    assert_near (frame, expected);
    gst_buffer_unref (frame);
  }
}

GST_START_TEST (history_and_previous_frame_are_seen)
{
  g_autofree struct look_back *model = g_new0 (struct look_back, 1);
  GstElement *element = compute_element_new ();
  GstVideoInfo info;
  GstHarness *harness;

  g_object_set (element, "shader", LOOK_BACK, NULL);
  harness = compute_start (element, "RGBA", WIDTH, HEIGHT, &info);
  check_look_back (harness, model, &info, 10, 6);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* Pictures of another size are no earlier ones; those of another rate are. */
GST_START_TEST (history_starts_anew_with_other_frames)
{
  g_autofree struct look_back *model = g_new0 (struct look_back, 1);
  GstElement *element = compute_element_new ();
  GstVideoInfo info;
  GstHarness *harness;

  g_object_set (element, "shader", LOOK_BACK, NULL);
  harness = compute_start (element, "RGBA", WIDTH, HEIGHT, &info);
  check_look_back (harness, model, &info, 10, 3);
  check_look_back (harness, model, &info, 20, 4);
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGBA, WIDTH / 2, HEIGHT);
  memset (model, 0, sizeof *model);
  check_look_back (harness, model, &info, 20, 4);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* Bytes know nothing of frames. */
GST_START_TEST (buffers_go_on_with_other_frames)
{
  static const gchar *const caps[]
      = { "RGBA,width=20,height=12,framerate=10/1",
          "RGBA,width=34,height=8,framerate=10/1",
          "RGBA,width=34,height=8,framerate=20/1",
          "NV12,width=16,height=16,framerate=20/1" };
  GstElement *element = compute_element_new ();
  GstVideoInfo info;
  GstHarness *harness;
  const guint32 *counts;
  GBytes *bytes = NULL;

  g_object_set (element, "shader", COUNTER, NULL);
  harness = compute_start (element, "RGBA", WIDTH, HEIGHT, &info);
  for (guint i = 0; i < G_N_ELEMENTS (caps); i++) {
    g_autofree gchar *text = g_strconcat ("video/x-raw,format=", caps[i], NULL);
    GstCaps *next = gst_caps_from_string (text);

    gst_video_info_from_caps (&info, next);
    gst_harness_set_src_caps (harness, next);
    compute_run (harness, &info, i);
    compute_run (harness, &info, i + 1);
  }
  g_signal_emit_by_name (harness->element, "read-buffer", "counts", &bytes);
  counts = g_bytes_get_data (bytes, NULL);
  assert_equals_int (counts[0], 2 * G_N_ELEMENTS (caps));
  g_bytes_unref (bytes);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* Of 60 frames of noise through @shader, those that arrive behind @rest. */
static GHashTable *
run_frames (const gchar *shader, const gchar *rest)
{
  g_autofree gchar *invert = compute_shader_path ("invert.comp");
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=60 pattern=ball ! video/x-raw,format=RGBA,"
      "width=40,height=24,framerate=30/1 ! vkcompute name=a location=%s ! %s ! "
      "vkcompute location=%s ! fakesink name=sink",
      shader, rest, invert);
  GHashTable *sums = test_sums_of_frames (pipeline, "sink");

  test_pipeline_run (pipeline, 60);
  test_pipeline_free (pipeline);
  return sums;
}

static const gchar *const stateful[] = { LOOK_BACK, COUNTER };

/* Mutation seen to fail this: no vkc_image_set_persistent(). */
GST_START_TEST (same_frames_come_out_with_and_without_drops)
{
  g_autofree gchar *path = compute_write_shader (stateful[__i__]);
  g_autofree gchar *invert = compute_shader_path ("invert.comp");
  g_autofree gchar *beside = g_strdup_printf (
      "tee name=t ! queue leaky=2 max-size-buffers=1 ! vkcompute location=%s "
      "! fakesink t. ! queue",
      invert);
  g_autoptr (GHashTable) all = run_frames (path, "identity");
  g_autoptr (GHashTable) some
      = run_frames (path, "queue ! identity drop-probability=0.7");
  g_autoptr (GHashTable) branch = run_frames (path, beside);

  assert_equals_int (g_hash_table_size (all), 60);
  fail_unless (g_hash_table_size (some) < 45);
  test_sums_assert_among (some, all);
  test_sums_assert_among (branch, all);
  g_unlink (path);
}
GST_END_TEST;

/* The state runs for the frames that were dropped, the rest does not. */
GST_START_TEST (state_is_updated_for_dropped_frames)
{
  g_autofree gchar *path = compute_write_shader (COUNTER);
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=40 ! video/x-raw,format=RGBA,width=32,"
      "height=32,framerate=30/1 ! vkcompute name=a location=%s ! queue ! "
      "videorate drop-only=true ! video/x-raw,framerate=3/1 ! "
      "vkcompute location=%s ! fakesink",
      path, path);
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), "a");
  GBytes *bytes = NULL;
  guint32 frames;

  test_pipeline_run (pipeline, 30);
  g_signal_emit_by_name (element, "read-buffer", "counts", &bytes);
  fail_unless (bytes != NULL);
  memcpy (&frames, g_bytes_get_data (bytes, NULL), sizeof frames);
  assert_equals_int (frames, 40);
  g_bytes_unref (bytes);
  fail_unless (test_stat (pipeline, "a", "recorder", "discarded") > 20);
  gst_object_unref (element);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

static Suite *
states_suite (void)
{
  Suite *suite = suite_create ("states");
  TCase *cases = tcase_create ("all");

  suite_add_tcase (suite, cases);
  tcase_add_test (cases, buffers_are_kept_and_can_be_read);
  tcase_add_loop_test (cases, buffers_are_posted_frame_by_frame, 0,
                       G_N_ELEMENTS (ways_out));
  tcase_add_test (cases, buffers_are_posted_before_a_flush_is_over);
  tcase_add_test (cases, listener_may_flush);
  tcase_add_test (cases, buffers_start_with_a_file);
  tcase_add_loop_test (cases, buffers_that_cannot_be_are_refused, 0,
                       G_N_ELEMENTS (bad_buffers));
  tcase_add_test (cases, history_and_previous_frame_are_seen);
  tcase_add_test (cases, history_starts_anew_with_other_frames);
  tcase_add_test (cases, buffers_go_on_with_other_frames);
  tcase_add_loop_test (cases, same_frames_come_out_with_and_without_drops, 0,
                       G_N_ELEMENTS (stateful));
  tcase_add_test (cases, state_is_updated_for_dropped_frames);
  return suite;
}

GST_CHECK_MAIN (states);
