/* vkcolorconvert and vktonemap: frames of two fields. */
#include "tests/elements/frames.h"
#include "tests/elements/shape_support.h"
#include "tests/support/support.h"

#define WIDTH  32
#define HEIGHT 16
#define CAPS                                                                   \
  "video/x-raw,format=NV12,colorimetry=%s,width=32,height=%d,framerate=25/1,"  \
  "chroma-site=mpeg2,interlace-mode=%s"

static GstHarness *
start (gint height, const gchar *mode, const gchar *peer)
{
  g_autofree gchar *caps = g_strdup_printf (CAPS, "bt709", height, mode);

  return test_shape_start ("vkcolorconvert", caps, peer);
}

/* Rows: what converts frames whose chroma is mixed across rows. */
static const struct
{
  const gchar *line, *colorimetry, *peer;
} lines[] = {
  { "vkcolorconvert", "bt709", "video/x-raw,format=RGBA" },
  { "vktonemap peak-detection=off", "bt2100-hlg", "video/x-raw,format=RGBA" },
  { "vktonemap peak-detection=off", "bt2100-pq",
    "video/x-raw,format=NV12,colorimetry=bt709" },
};

static GstHarness *
start_line (guint row, gint height, const gchar *mode)
{
  g_autofree gchar *caps
      = g_strdup_printf (CAPS, lines[row].colorimetry, height, mode);

  return test_shape_start (lines[row].line, caps, lines[row].peer);
}

/* The rows of a field of an NV12 frame, as a frame. */
static GstBuffer *
field_of (GstBuffer *buffer, GstVideoInfo *info, gint parity)
{
  GstVideoInfo half = test_info (GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT / 2);
  GstBuffer *field = gst_buffer_new_allocate (NULL, half.size, NULL);
  GstVideoFrame from, to;

  fail_unless (gst_video_frame_map (&from, info, buffer, GST_MAP_READ)
               && gst_video_frame_map (&to, &half, field, GST_MAP_WRITE));
  for (gint p = 0; p < 2; p++)
    for (gint y = 0; y < HEIGHT / 2 >> p; y++)
      memcpy ((guint8 *)GST_VIDEO_FRAME_PLANE_DATA (&to, p)
                  + y * GST_VIDEO_FRAME_PLANE_STRIDE (&to, p),
              (guint8 *)GST_VIDEO_FRAME_PLANE_DATA (&from, p)
                  + (2 * y + parity) * GST_VIDEO_FRAME_PLANE_STRIDE (&from, p),
              WIDTH);
  gst_video_frame_unmap (&from);
  gst_video_frame_unmap (&to);
  return field;
}

/* Row @step times y + @first of @frame is row y of @field, in all samples. */
static void
assert_field (const struct plane frame[4], gint step, gint first,
              const struct plane field[4])
{
  for (gint c = 0; c < 4; c++)
    for (gint y = 0; y < field[c].height; y++)
      for (gint x = 0; x < field[c].width; x++) {
        const gdouble a = frame[c].at[(y * step + first) * frame[c].width + x];
        const gdouble b = field[c].at[y * field[c].width + x];

        if (a != b)
          fail ("component %d (%d, %d): %g, not %g", c, x, y, a, b);
      }
}

/* An interlaced frame is its two fields, each converted by itself. Mutation
 * seen to fail this: converting it as a frame. */
GST_START_TEST (fields_are_converted_by_themselves)
{
  GstHarness *h = start_line (__i__, HEIGHT, "interleaved");
  GstHarness *half = start_line (__i__, HEIGHT / 2, "progressive");
  GstVideoInfo in = test_pad_info (h->srcpad), out, half_out;
  GstBuffer *frame = test_frame_new (&in, 3), *whole;
  struct plane got[4] = { { 0 } }, want[4] = { { 0 } };

  whole = test_pass (h, gst_buffer_ref (frame));
  out = test_pad_info (h->sinkpad);
  test_read_planes (whole, &out, got);
  for (gint parity = 0; parity < 2; parity++) {
    GstBuffer *field = test_pass (half, field_of (frame, &in, parity));

    half_out = test_pad_info (half->sinkpad);
    test_read_planes (field, &half_out, want);
    assert_field (got, 2, parity, want);
    test_free_planes (want);
    gst_buffer_unref (field);
  }
  fail_unless_equals_uint64 (test_chain_stat (h, "submits"), 1);
  fail_unless_equals_uint64 (test_chain_stat (h, "dispatches"), 2);
  test_free_planes (got);
  gst_buffer_unref (whole);
  gst_buffer_unref (frame);
  gst_harness_teardown (half);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* Top field of one colour, bottom field of another; or so the halves of the
 * frame. */
static GstBuffer *
two_colours (GstVideoInfo *info, const guint8 codes[2][3], gboolean woven)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, info->size, NULL);
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  for (gint c = 0; c < 3; c++)
    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, c); y++)
      for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (&frame, c); x++)
        ((guint8 *)GST_VIDEO_FRAME_COMP_DATA (
            &frame, c))[y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, c)
                        + x * GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, c)]
            = codes[woven ? y % 2
                          : 2 * y / GST_VIDEO_FRAME_COMP_HEIGHT (&frame, c)][c];
  gst_video_frame_unmap (&frame);
  return buffer;
}

/* Rows: what becomes of the frame. */
static const struct
{
  const gchar *line, *peer;
  const gchar *colorimetry; /* NULL: bt709 */
} shapes[] = {
  { "vkcolorconvert", "video/x-raw,format=RGBA" },
  { "vkcolorconvert", "video/x-raw,format=NV12,width=20,height=12" },
  { "vkcolorconvert", "video/x-raw,format=RGBA,width=40,height=24" },
  { "vkcolorconvert video-direction=vert", "video/x-raw,format=I420" },
  { "vkcolorconvert linear-light=true",
    "video/x-raw,format=RGBA,width=16,height=32" },
  { "vktonemap peak-detection=off", "video/x-raw,format=RGBA", "bt2100-hlg" },
  { "vktonemap peak-detection=on", "video/x-raw,format=RGBA", "bt2100-pq" },
};

static const guint8 red_and_blue[2][3] = { { 63, 102, 240 }, { 32, 240, 118 } };

/* Every row has its field's colour, and no other. */
GST_START_TEST (fields_keep_their_colours)
{
  const gchar *colorimetry = shapes[__i__].colorimetry;
  g_autofree gchar *caps = g_strdup_printf (
      CAPS, colorimetry != NULL ? colorimetry : "bt709", HEIGHT, "interleaved");
  GstHarness *h
      = test_shape_start (shapes[__i__].line, caps, shapes[__i__].peer);
  GstVideoInfo in = test_pad_info (h->srcpad), out;
  GstBuffer *buffer = test_pass (h, two_colours (&in, red_and_blue, TRUE));
  struct plane got[4] = { { 0 } };

  out = test_pad_info (h->sinkpad);
  fail_unless_equals_int (GST_VIDEO_INFO_INTERLACE_MODE (&out),
                          GST_VIDEO_INTERLACE_MODE_INTERLEAVED);
  test_read_planes (buffer, &out, got);
  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (&out); c++)
    for (gint i = 0; i < got[c].width * got[c].height; i++)
      if (got[c].at[i] != got[c].at[i / got[c].width % 2 * got[c].width])
        fail ("component %u, sample %d: %g", c, i, got[c].at[i]);
  fail_unless (got[0].at[0] != got[0].at[got[0].width]);
  fail_unless_equals_uint64 (test_chain_stat (h, "submits"), 1);
  test_free_planes (got);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* In a mixed stream the buffers say what they are; a whole frame is what it is
 * in a progressive one. */
GST_START_TEST (mixed_streams_are_what_their_buffers_say)
{
  GstHarness *h = start_line (__i__, HEIGHT, "mixed");
  GstHarness *progressive = start_line (__i__, HEIGHT, "progressive");
  GstVideoInfo in = test_pad_info (h->srcpad), out = test_pad_info (h->sinkpad);
  GstBuffer *frame = test_frame_new (&in, 1), *want, *got;

  want = test_pass (progressive, gst_buffer_copy (frame));
  got = test_pass (h, gst_buffer_copy (frame));
  test_assert_same_planes (got, want, &out, "progressive");
  fail_unless_equals_uint64 (test_chain_stat (h, "dispatches"), 1);
  gst_buffer_unref (got);
  GST_BUFFER_FLAG_SET (frame, GST_VIDEO_BUFFER_FLAG_INTERLACED);
  got = test_pass (h, frame);
  fail_unless (GST_BUFFER_FLAG_IS_SET (got, GST_VIDEO_BUFFER_FLAG_INTERLACED));
  gst_buffer_unref (got);
  fail_unless_equals_uint64 (test_chain_stat (h, "dispatches"), 3);
  fail_unless_equals_uint64 (test_chain_stat (h, "submits"), 2);
  gst_buffer_unref (want);
  gst_harness_teardown (progressive);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* Which pixels are measured does not depend on how fields lie: luma of both,
 * with their own chroma. Mutation seen to fail this: every second row. */
GST_START_TEST (both_fields_are_measured)
{
  static const gchar *const modes[] = { "interleaved", "progressive" };
  static const guint8 dim_and_bright[2][3]
      = { { 60, 128, 128 }, { 140, 118, 150 } };
  struct plane got[2][4] = { { { 0 } } };

  for (guint i = 0; i < 2; i++) {
    g_autofree gchar *caps
        = g_strdup_printf (CAPS, "bt2100-pq", HEIGHT, modes[i]);
    GstHarness *h = test_shape_start ("vktonemap peak-detection=on", caps,
                                      "video/x-raw,format=RGBA");
    GstVideoInfo in = test_pad_info (h->srcpad);
    GstVideoInfo out = test_pad_info (h->sinkpad);
    GstBuffer *frame = test_pass (h, two_colours (&in, dim_and_bright, i == 0));

    test_read_planes (frame, &out, got[i]);
    gst_buffer_unref (frame);
    gst_harness_teardown (h);
  }
  for (gint c = 0; c < 3; c++)
    for (gint y = 0; y < HEIGHT; y += HEIGHT - 1)
      fail_if (memcmp (got[0][c].at + y * WIDTH, got[1][c].at + y * WIDTH,
                       WIDTH * sizeof *got[0][c].at));
  test_free_planes (got[0]);
  test_free_planes (got[1]);
}
GST_END_TEST;

/* The two fields of @buffer become those of the first. */
static void
repeat_rows (GstBuffer *buffer, GstVideoInfo *info)
{
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  for (gint p = 0; p < 2; p++)
    for (gint y = 1; y < HEIGHT >> p; y += 2) {
      guint8 *row = (guint8 *)GST_VIDEO_FRAME_PLANE_DATA (&frame, p)
                    + y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, p);

      memcpy (row, row - GST_VIDEO_FRAME_PLANE_STRIDE (&frame, p), WIDTH);
    }
  gst_video_frame_unmap (&frame);
}

/* The peak is the frame's, is measured once, and before either field is mapped.
 * Mutation seen to fail this: the top field planned before the measurement. */
GST_START_TEST (fields_have_their_frame_s_curve)
{
  g_autofree gchar *caps
      = g_strdup_printf (CAPS, "bt2100-pq", HEIGHT, "interleaved");
  GstHarness *h = test_shape_start ("vktonemap peak-detection=on", caps,
                                    "video/x-raw,format=RGBA");
  GstVideoInfo in = test_pad_info (h->srcpad), out = test_pad_info (h->sinkpad);
  GstBuffer *frame = test_frame_new (&in, 3);
  struct plane got[4] = { { 0 } };

  repeat_rows (frame, &in);
  frame = test_pass (h, frame);
  test_read_planes (frame, &out, got);
  for (gint c = 0; c < 3; c++)
    for (gint y = 0; y < HEIGHT; y += 2)
      fail_if (memcmp (got[c].at + y * WIDTH, got[c].at + (y + 1) * WIDTH,
                       WIDTH * sizeof *got[c].at));
  fail_unless_equals_uint64 (test_chain_stat (h, "dispatches"), 3);
  fail_unless_equals_uint64 (test_chain_stat (h, "submits"), 1);
  test_free_planes (got);
  gst_buffer_unref (frame);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* Where no row gets anything of another, fields do not matter. */
GST_START_TEST (repacking_needs_no_fields)
{
  GstHarness *h = start (HEIGHT, "interleaved", "video/x-raw,format=I420");
  GstVideoInfo in = test_pad_info (h->srcpad);

  gst_buffer_unref (test_pass (h, test_frame_new (&in, 1)));
  fail_unless_equals_uint64 (test_chain_stat (h, "dispatches"), 1);
  gst_harness_teardown (h);
}
GST_END_TEST;

#define ALONE "video/x-raw(format:Interlaced)"

/* Buffers of a field each become what they become in a frame. */
static const struct
{
  const gchar *line, *peer; /* the peer's caps without their name */
} alone[] = {
  { "vkcolorconvert", ",format=RGBA" },
  { "vkcolorconvert", ",format=NV12,width=20,height=12" },
  { "vkcolorconvert", ",format=RGBA,width=40,height=24" },
  { "vkcolorconvert video-direction=vert", ",format=I420" },
  { "vkcolorconvert linear-light=true", ",format=RGBA,width=16,height=32" },
  { "vkcolorconvert",
    ",format=NV12,width=32,height=64,pixel-aspect-ratio=1/1" },
};

static GstHarness *
start_fields (const gchar *line, gint height, const gchar *peer)
{
  g_autofree gchar *interleaved
      = g_strdup_printf (CAPS, "bt709", height, "alternate");
  g_autofree gchar *caps
      = g_strconcat (ALONE, interleaved + strlen ("video/x-raw"), NULL);
  g_autofree gchar *wanted = g_strconcat (ALONE, peer, NULL);

  return test_shape_start (line, caps, wanted);
}

static GstBuffer *
mark (GstBuffer *field, gint parity)
{
  GST_BUFFER_FLAG_SET (field, parity == 0 ? GST_VIDEO_BUFFER_FLAG_TOP_FIELD
                                          : GST_VIDEO_BUFFER_FLAG_BOTTOM_FIELD);
  return field;
}

/* Mutations seen to fail this: the frame's converter for fields, the top's for
 * both. */
GST_START_TEST (fields_alone_are_those_of_frames)
{
  g_autofree gchar *caps
      = g_strdup_printf (CAPS, "bt709", HEIGHT, "interleaved");
  g_autofree gchar *peer = g_strconcat ("video/x-raw", alone[__i__].peer, NULL);
  GstHarness *h = test_shape_start (alone[__i__].line, caps, peer);
  GstHarness *lone
      = start_fields (alone[__i__].line, HEIGHT, alone[__i__].peer);
  GstVideoInfo in = test_pad_info (h->srcpad), out = test_pad_info (h->sinkpad);
  GstVideoInfo field_out = test_pad_info (lone->sinkpad);
  GstBuffer *frame = test_frame_new (&in, 3), *whole;
  struct plane want[4] = { { 0 } }, got[4] = { { 0 } };

  fail_unless (field_out.height == out.height && field_out.par_n == out.par_n);
  whole = test_pass (h, gst_buffer_ref (frame));
  test_read_planes (whole, &out, want);
  for (gint parity = 0; parity < 2; parity++) {
    GstBuffer *field
        = test_pass (lone, mark (field_of (frame, &in, parity), parity));

    fail_unless (parity == 0 ? GST_VIDEO_BUFFER_IS_TOP_FIELD (field)
                             : GST_VIDEO_BUFFER_IS_BOTTOM_FIELD (field));
    test_read_planes (field, &field_out, got);
    fail_unless_equals_int (got[0].height, out.height / 2);
    assert_field (want, 2, parity, got);
    test_free_planes (got);
    gst_buffer_unref (field);
  }
  fail_unless_equals_uint64 (test_chain_stat (lone, "submits"), 2);
  test_free_planes (want);
  gst_buffer_unref (whole);
  gst_buffer_unref (frame);
  gst_harness_teardown (lone);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* A field of an odd frame has the row that the frame lacks. */
GST_START_TEST (fields_of_odd_frames_are_whole)
{
  static const gchar *const elements[] = { "vkcolorconvert", "vktonemap" };
  GstHarness *lone = start_fields (elements[__i__], HEIGHT - 1, ",format=RGBA");
  GstHarness *h = start (HEIGHT / 2, "progressive", "video/x-raw,format=RGBA");
  GstVideoInfo in = test_pad_info (h->srcpad), out = test_pad_info (h->sinkpad);
  GstVideoInfo lone_out = test_pad_info (lone->sinkpad);
  GstBuffer *frame = test_frame_new (&in, 5), *field;
  struct plane want[4] = { { 0 } }, got[4] = { { 0 } };

  field = test_pass (lone, mark (gst_buffer_copy (frame), 1));
  frame = test_pass (h, frame);
  test_read_planes (frame, &out, want);
  test_read_planes (field, &lone_out, got);
  fail_unless_equals_int (got[0].height, HEIGHT / 2);
  assert_field (want, 1, 0, got);
  test_free_planes (want);
  test_free_planes (got);
  gst_buffer_unref (frame);
  gst_buffer_unref (field);
  gst_harness_teardown (lone);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* In passthrough as well, and a click is where it is in the frame. */
GST_START_TEST (clicks_on_fields_are_on_frames)
{
  GstHarness *h
      = start_fields ("vkcolorconvert", HEIGHT, ",format=NV12,height=32");
  GstVideoInfo in = test_pad_info (h->srcpad);
  GstVideoInfo field = test_info (GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT / 2);
  gdouble x = -1, y = -1;
  GstEvent *event;

  fail_unless_equals_int (in.size, field.size);
  gst_buffer_unref (test_pass (h, test_frame_new (&field, 1)));
  gst_harness_push_upstream_event (
      h, gst_navigation_event_new_mouse_move (3, 20.5,
                                              GST_NAVIGATION_MODIFIER_NONE));
  while ((event = gst_harness_try_pull_upstream_event (h)) != NULL) {
    if (GST_EVENT_TYPE (event) == GST_EVENT_NAVIGATION)
      fail_unless (gst_navigation_event_get_coordinates (event, &x, &y));
    gst_event_unref (event);
  }
  fail_unless (ABS (y - 10) < 1e-6, "(%g, %g)", x, y);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* Buffers of two pictures: an error that says so, and no frame. */
GST_START_TEST (fields_one_behind_the_other_are_refused)
{
  static const gchar *const elements[] = { "vkcolorconvert", "vktonemap" };
  GstHarness *h = gst_harness_new (elements[__i__]);
  g_autoptr (GstBus) bus = gst_bus_new ();
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *caps = g_strdup_printf (CAPS, "bt709", HEIGHT, "fields");

  gst_element_set_bus (h->element, bus);
  gst_harness_set_sink_caps_str (h, "video/x-raw,format=RGBA");
  gst_harness_set_src_caps_str (h, caps);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, "interlace-mode=fields") != NULL, "%s",
               error->message);
  gst_element_set_bus (h->element, NULL);
  gst_harness_teardown (h);
}
GST_END_TEST;

static Suite *
interlace_suite (void)
{
  Suite *suite = suite_create ("interlace");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 120);
  tcase_add_loop_test (cases, fields_are_converted_by_themselves, 0,
                       G_N_ELEMENTS (lines));
  tcase_add_loop_test (cases, fields_keep_their_colours, 0,
                       G_N_ELEMENTS (shapes));
  tcase_add_loop_test (cases, mixed_streams_are_what_their_buffers_say, 0,
                       G_N_ELEMENTS (lines));
  tcase_add_test (cases, both_fields_are_measured);
  tcase_add_test (cases, fields_have_their_frame_s_curve);
  tcase_add_test (cases, repacking_needs_no_fields);
  tcase_add_loop_test (cases, fields_alone_are_those_of_frames, 0,
                       G_N_ELEMENTS (alone));
  tcase_add_loop_test (cases, fields_of_odd_frames_are_whole, 0, 2);
  tcase_add_test (cases, clicks_on_fields_are_on_frames);
  tcase_add_loop_test (cases, fields_one_behind_the_other_are_refused, 0, 2);
  return suite;
}

GST_CHECK_MAIN (interlace);
