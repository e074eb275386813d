/* vkcolorconvert: frames of two fields. */
#include "tests/elements/frames.h"
#include "tests/elements/shape_support.h"
#include "tests/support/support.h"

#define WIDTH  32
#define HEIGHT 16
#define CAPS                                                                   \
  "video/x-raw,format=%s,width=32,height=%d,framerate=25/1,"                   \
  "colorimetry=bt709,chroma-site=mpeg2,interlace-mode=%s"

static GstHarness *
start (const gchar *format, gint height, const gchar *mode, const gchar *peer)
{
  g_autofree gchar *caps = g_strdup_printf (CAPS, format, height, mode);

  return test_shape_start ("vkcolorconvert", caps, peer);
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

/* Row @y of @got is row @want_y of @want, in all samples. */
static void
assert_row (const struct plane got[4], gint y, const struct plane want[4],
            gint want_y)
{
  for (gint c = 0; c < 4; c++)
    for (gint x = 0; x < got[c].width; x++)
      if (got[c].at[y * got[c].width + x]
          != want[c].at[want_y * want[c].width + x])
        fail ("component %d (%d, %d): %g, not %g", c, x, y,
              got[c].at[y * got[c].width + x],
              want[c].at[want_y * want[c].width + x]);
}

/* An interlaced frame is its two fields, each converted by itself. Mutation
 * seen to fail this: converting it as a frame. */
GST_START_TEST (fields_are_converted_by_themselves)
{
  GstHarness *h
      = start ("NV12", HEIGHT, "interleaved", "video/x-raw,format=RGBA");
  GstHarness *half
      = start ("NV12", HEIGHT / 2, "progressive", "video/x-raw,format=RGBA");
  GstVideoInfo in = test_pad_info (h->srcpad), out, half_out;
  GstBuffer *frame = test_frame_new (&in, 3), *whole;
  struct plane got[4], want[4];

  whole = test_pass (h, gst_buffer_ref (frame));
  out = test_pad_info (h->sinkpad);
  test_read_planes (whole, &out, got);
  for (gint parity = 0; parity < 2; parity++) {
    GstBuffer *field = test_pass (half, field_of (frame, &in, parity));

    half_out = test_pad_info (half->sinkpad);
    test_read_planes (field, &half_out, want);
    for (gint y = 0; y < HEIGHT / 2; y++)
      assert_row (got, 2 * y + parity, want, y);
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

/* Top field of one colour, bottom field of another. */
static GstBuffer *
two_colours (GstVideoInfo *info)
{
  static const guint8 codes[2][3] = { { 63, 102, 240 }, { 32, 240, 118 } };
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, info->size, NULL);
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  for (gint c = 0; c < 3; c++)
    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, c); y++)
      for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (&frame, c); x++)
        ((guint8 *)GST_VIDEO_FRAME_COMP_DATA (
            &frame, c))[y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, c)
                        + x * GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, c)]
            = codes[y % 2][c];
  gst_video_frame_unmap (&frame);
  return buffer;
}

/* Rows: what becomes of the frame. */
static const struct
{
  const gchar *line, *peer;
} shapes[] = {
  { "vkcolorconvert", "video/x-raw,format=RGBA" },
  { "vkcolorconvert", "video/x-raw,format=NV12,width=20,height=12" },
  { "vkcolorconvert", "video/x-raw,format=RGBA,width=40,height=24" },
  { "vkcolorconvert video-direction=vert", "video/x-raw,format=I420" },
  { "vkcolorconvert linear-light=true",
    "video/x-raw,format=RGBA,width=16,height=32" },
};

/* Every row has its field's colour, and no other. */
GST_START_TEST (fields_keep_their_colours)
{
  g_autofree gchar *caps
      = g_strdup_printf (CAPS, "NV12", HEIGHT, "interleaved");
  GstHarness *h
      = test_shape_start (shapes[__i__].line, caps, shapes[__i__].peer);
  GstVideoInfo in = test_pad_info (h->srcpad), out;
  GstBuffer *buffer = test_pass (h, two_colours (&in));
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

/* In a mixed stream the buffers say what they are. */
GST_START_TEST (mixed_streams_are_what_their_buffers_say)
{
  GstHarness *h = start ("NV12", HEIGHT, "mixed", "video/x-raw,format=RGBA");
  GstVideoInfo in = test_pad_info (h->srcpad);
  GstBuffer *buffer;

  gst_buffer_unref (test_pass (h, test_frame_new (&in, 1)));
  fail_unless_equals_uint64 (test_chain_stat (h, "dispatches"), 1);
  buffer = test_frame_new (&in, 2);
  GST_BUFFER_FLAG_SET (buffer, GST_VIDEO_BUFFER_FLAG_INTERLACED);
  buffer = test_pass (h, buffer);
  fail_unless (
      GST_BUFFER_FLAG_IS_SET (buffer, GST_VIDEO_BUFFER_FLAG_INTERLACED));
  gst_buffer_unref (buffer);
  fail_unless_equals_uint64 (test_chain_stat (h, "dispatches"), 3);
  fail_unless_equals_uint64 (test_chain_stat (h, "submits"), 2);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* Where no row gets anything of another, fields do not matter. */
GST_START_TEST (repacking_needs_no_fields)
{
  GstHarness *h
      = start ("NV12", HEIGHT, "interleaved", "video/x-raw,format=I420");
  GstVideoInfo in = test_pad_info (h->srcpad);

  gst_buffer_unref (test_pass (h, test_frame_new (&in, 1)));
  fail_unless_equals_uint64 (test_chain_stat (h, "dispatches"), 1);
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
  g_autofree gchar *caps = g_strdup_printf (CAPS, "NV12", HEIGHT, "fields");

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
  tcase_add_test (cases, fields_are_converted_by_themselves);
  tcase_add_loop_test (cases, fields_keep_their_colours, 0,
                       G_N_ELEMENTS (shapes));
  tcase_add_test (cases, mixed_streams_are_what_their_buffers_say);
  tcase_add_test (cases, repacking_needs_no_fields);
  tcase_add_loop_test (cases, fields_one_behind_the_other_are_refused, 0, 2);
  return suite;
}

GST_CHECK_MAIN (interlace);
