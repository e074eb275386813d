/* vkcolorconvert: frames that are turned, cropped and framed, and what they
 * cost and carry. */
#include "tests/elements/frames.h"
#include "tests/elements/shape_support.h"
#include "tests/support/support.h"

static const gchar *const turns[] = {
  "vkcolorconvert video-direction=horiz ! vkcolorconvert video-direction=horiz",
  "vkcolorconvert video-direction=vert ! vkcolorconvert video-direction=vert",
  "vkcolorconvert video-direction=180 ! vkcolorconvert video-direction=180",
  "vkcolorconvert video-direction=90r ! vkcolorconvert video-direction=90l",
  "vkcolorconvert video-direction=ul-lr ! vkcolorconvert video-direction=ul-lr",
  "vkcolorconvert video-direction=ur-ll ! vkcolorconvert video-direction=ur-ll",
  "vkcolorconvert video-direction=90r ! vkcolorconvert video-direction=90r ! "
  "vkcolorconvert video-direction=90r ! vkcolorconvert video-direction=90r",
  "vkcolorconvert video-direction=horiz ! "
  "vkcolorconvert video-direction=vert ! vkcolorconvert video-direction=180",
};

/* All of it in one submission a frame. */
GST_START_TEST (turns_that_cancel_out_are_the_identity)
{
  static const gchar *const formats[] = { "NV12", "RGBA", "I420", "NV12" };

  for (guint f = __i__ % 2; f < G_N_ELEMENTS (formats); f += 2) {
    g_autofree gchar *caps = g_strdup_printf (
        "video/x-raw,format=%s,width=%d,height=%d,framerate=25/1", formats[f],
        f > 1 ? 33 : 40, f > 1 ? 17 : 22);
    GstHarness *h = test_shape_start (turns[__i__], caps, NULL);
    GstVideoInfo in = test_pad_info (h->srcpad);

    for (guint i = 0; i < 3; i++) {
      GstBuffer *buffer = test_pass (h, test_frame_new (&in, i));

      test_frame_assert (buffer, &in, i, 0);
      gst_buffer_unref (buffer);
    }
    fail_unless_equals_uint64 (test_chain_stat (h, "submits"), 3);
    fail_unless_equals_uint64 (test_chain_stat (h, "flush-limit"), 0);
    gst_harness_teardown (h);
  }
}
GST_END_TEST;

/* Rows: a direction, and where the pixel (0, 0) of 8x4 goes. */
static const struct
{
  const gchar *direction;
  gint width, height, x, y;
} corners[] = {
  { "identity", 8, 4, 0, 0 }, { "90r", 4, 8, 3, 0 },   { "180", 8, 4, 7, 3 },
  { "90l", 4, 8, 0, 7 },      { "horiz", 8, 4, 7, 0 }, { "vert", 8, 4, 0, 3 },
  { "ul-lr", 4, 8, 0, 0 },    { "ur-ll", 4, 8, 3, 7 },
};

GST_START_TEST (directions_turn_the_way_they_say)
{
  g_autofree gchar *line = g_strdup_printf ("vkcolorconvert video-direction=%s",
                                            corners[__i__].direction);
  GstHarness *h = test_shape_start (
      line, "video/x-raw,format=RGBA,width=8,height=4,framerate=25/1", NULL);
  GstVideoInfo in = test_pad_info (h->srcpad), out;
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, in.size, NULL);
  struct plane to[4] = { { 0 } };

  gst_buffer_memset (buffer, 0, 0, in.size);
  gst_buffer_memset (buffer, 0, 255, 4);
  buffer = test_pass (h, buffer);
  out = test_pad_info (h->sinkpad);
  fail_unless (out.width == corners[__i__].width
               && out.height == corners[__i__].height);
  test_read_planes (buffer, &out, to);
  for (gint i = 0; i < 32; i++)
    fail_unless_equals_int (
        to[0].at[i],
        i == corners[__i__].y * out.width + corners[__i__].x ? 255 : 0);
  test_free_planes (to);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* Conversion, scaling, turn and borders. */
GST_START_TEST (a_frame_is_one_submission)
{
  GstHarness *h = test_shape_start (
      "vkcolorconvert video-direction=90r",
      "video/x-raw,format=NV12,width=64,height=48,framerate=25/1",
      "video/x-raw,format=RGBA,width=100,height=50,pixel-aspect-ratio=1/1");
  GstVideoInfo in = test_pad_info (h->srcpad);

  for (guint i = 0; i < 5; i++)
    gst_buffer_unref (test_pass (h, test_frame_new (&in, i)));
  fail_unless_equals_uint64 (test_chain_stat (h, "submits"), 5);
  fail_unless_equals_uint64 (test_chain_stat (h, "dispatches"), 20);
  fail_unless_equals_uint64 (test_chain_stat (h, "flush-limit"), 0);
  fail_unless_equals_uint64 (test_chain_stat (h, "splits"), 0);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* Who asks for no shape pays for none. */
GST_START_TEST (same_shape_is_one_dispatch)
{
  GstHarness *h = test_shape_start (
      "vkcolorconvert scaling-method=lanczos linear-light=true "
      "border-color=4294967295",
      "video/x-raw,format=NV12,width=64,height=48,framerate=25/1",
      "video/x-raw,format=RGBA");
  GstVideoInfo in = test_pad_info (h->srcpad);

  for (guint i = 0; i < 3; i++)
    gst_buffer_unref (test_pass (h, test_frame_new (&in, i)));
  fail_unless_equals_uint64 (test_chain_stat (h, "dispatches"), 3);
  fail_unless_equals_uint64 (test_chain_stat (h, "submits"), 3);
  gst_harness_teardown (h);
}
GST_END_TEST;

static Suite *
shapes_suite (void)
{
  Suite *suite = suite_create ("shapes");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 240);
  tcase_add_loop_test (cases, turns_that_cancel_out_are_the_identity, 0,
                       G_N_ELEMENTS (turns));
  tcase_add_loop_test (cases, directions_turn_the_way_they_say, 0,
                       G_N_ELEMENTS (corners));
  tcase_add_test (cases, a_frame_is_one_submission);
  tcase_add_test (cases, same_shape_is_one_dispatch);
  return suite;
}

GST_CHECK_MAIN (shapes);
