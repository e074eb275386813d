/* What elements warn of, and that they do not repeat themselves. */
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include "tests/elements/shape_support.h"
#include "tests/support/support.h"

#define HDR                                                                    \
  "video/x-raw,format=P010_10LE,width=16,height=16,framerate=25/1,"            \
  "colorimetry=bt2100-pq"
#define DOLBY   ",dovi-profile=(int)5"
#define PLUS    ",hdr-format=(string)hdr10+"
#define NV12    "video/x-raw,format=NV12"
#define ANOTHER "video/x-raw,format=RGBA"
#define SAME    "video/x-raw,format=I420_10LE"

static void
pass_two (GstHarness *h)
{
  for (guint i = 0; i < 2; i++) {
    GstVideoInfo info = test_pad_info (h->srcpad);

    gst_buffer_unref (
        test_pass (h, gst_buffer_new_allocate (NULL, info.size, NULL)));
  }
}

GST_START_TEST (what_cannot_be_used_is_named_once)
{
  static const struct
  {
    const gchar *line, *caps, *peer, *word;
    guint n;
  } rows[] = {
    /* Colours that are decoded wrongly concern who decodes them. */
    { "vkcolorconvert", HDR DOLBY, ANOTHER, "Dolby Vision", 1 },
    { "vkcolorconvert", HDR DOLBY, NV12 ",colorimetry=bt709", "Dolby Vision",
      1 },
    { "vkcolorconvert", HDR DOLBY, SAME, "", 0 },
    { "vkcolorconvert", HDR PLUS, ANOTHER, "", 0 },
    { "vkcolorconvert", HDR, ANOTHER, "", 0 },
    { "vktonemap", HDR DOLBY, NV12, "Dolby Vision", 1 },
    { "vktonemap", HDR PLUS, NV12, "HDR10+", 1 },
    { "vktonemap", HDR, NV12, "", 0 },
    /* No display is like that. */
    { "vktonemap contrast=1", HDR, NV12, "a quarter is used", 1 },
    { "vktonemap target-black=10 target-peak=5", HDR, NV12, "a quarter is used",
      1 },
    { "vktonemap target-black=10", HDR, NV12, "", 0 },
    { "vktonemap contrast=1", "video/x-raw,format=NV12,width=16,height=16",
      NV12, "", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    GstHarness *h = gst_harness_new_parse (rows[i].line);
    g_autoptr (GstBus) bus = gst_bus_new ();
    guint n;

    gst_element_set_bus (h->element, bus);
    gst_harness_set_sink_caps_str (h, rows[i].peer);
    gst_harness_set_src_caps_str (h, rows[i].caps);
    pass_two (h);
    n = test_take_warnings (bus, rows[i].word);
    fail_unless (n == rows[i].n, "row %u: %u warnings", i, n);
    gst_element_set_bus (h->element, NULL);
    gst_harness_teardown (h);
  }
}
GST_END_TEST;

/* A slider that is moved there twice is told twice, not for every step. */
GST_START_TEST (new_mistakes_are_told_again)
{
  static const gdouble contrasts[] = { 1, 2, 3, 1000, 1 };
  static const guint told[] = { 1, 0, 0, 0, 1 };
  GstHarness *h = gst_harness_new ("vktonemap");
  g_autoptr (GstBus) bus = gst_bus_new ();

  gst_element_set_bus (h->element, bus);
  gst_harness_set_sink_caps_str (h, NV12);
  gst_harness_set_src_caps_str (h, HDR);
  for (guint i = 0; i < G_N_ELEMENTS (contrasts); i++) {
    g_object_set (h->element, "contrast", contrasts[i], NULL);
    pass_two (h);
    assert_equals_int (test_take_warnings (bus, "a quarter is used"), told[i]);
  }
  gst_element_set_bus (h->element, NULL);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* The interface has it for applications that turn frames by other means. */
GST_START_TEST (custom_is_no_direction)
{
  GstElement *element = gst_element_factory_make ("vkcolorconvert", NULL);
  GstVideoOrientationMethod direction;

  g_object_set (element, "video-direction", GST_VIDEO_ORIENTATION_90R, NULL);
  ASSERT_WARNING (g_object_set (element, "video-direction",
                                GST_VIDEO_ORIENTATION_CUSTOM, NULL));
  g_object_get (element, "video-direction", &direction, NULL);
  assert_equals_int (direction, GST_VIDEO_ORIENTATION_90R);
  gst_object_unref (element);
}
GST_END_TEST;

static Suite *
warnings_suite (void)
{
  Suite *suite = suite_create ("warnings");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 120);
  tcase_add_test (cases, what_cannot_be_used_is_named_once);
  tcase_add_test (cases, new_mistakes_are_told_again);
  tcase_add_test (cases, custom_is_no_direction);
  return suite;
}

GST_CHECK_MAIN (warnings);
