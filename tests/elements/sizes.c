/* vkcolorconvert: the largest frames, and larger ones. */
#include "gst/base/gstvkcfilter.h"
#include "tests/elements/frames.h"
#include "tests/elements/shape_support.h"
#include "tests/support/support.h"

/* The longest sides that every device has, repacked and turned. */
GST_START_TEST (long_sides_are_right)
{
  static const struct
  {
    gint width, height;
  } sizes[] = { { 16384, 2 }, { 2, 16384 }, { 16383, 3 } };
  static const gchar *const lines[]
      = { "vkcolorconvert", "vkcolorconvert video-direction=90r ! "
                            "video/x-raw,format=I420 ! identity ! "
                            "vkcolorconvert video-direction=90l" };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autofree gchar *caps = g_strdup_printf (
        "video/x-raw,format=NV12,width=%d,height=%d,framerate=25/1,"
        "colorimetry=bt709",
        sizes[i].width, sizes[i].height);
    GstHarness *h
        = test_shape_start (lines[__i__], caps, "video/x-raw,format=I420");
    GstVideoInfo in = test_pad_info (h->srcpad);
    GstVideoInfo out = test_pad_info (h->sinkpad);
    GstBuffer *frame = test_frame_new (&in, i);
    GstBuffer *got = test_pass (h, gst_buffer_ref (frame));
    struct plane a[4] = { { 0 } }, b[4] = { { 0 } };

    test_read_planes (frame, &in, a);
    test_read_planes (got, &out, b);
    for (gint c = 0; c < 3; c++) {
      fail_unless (a[c].width == b[c].width && a[c].height == b[c].height);
      fail_unless (
          memcmp (a[c].at, b[c].at, sizeof *a[c].at * a[c].width * a[c].height)
              == 0,
          "%s: component %d", caps, c);
    }
    test_free_planes (a);
    test_free_planes (b);
    gst_buffer_unref (frame);
    gst_buffer_unref (got);
    gst_harness_teardown (h);
  }
}
GST_END_TEST;

/* Whether the element's device has buffers of @bytes. */
static gboolean
has_buffers_of (GstHarness *h, guint64 bytes)
{
  const struct vkc_device *device
      = gst_vkc_filter_get_device (GST_VKC_FILTER (h->element));

  return g_strcmp0 (g_getenv ("VKC_MEMORY"), "image") != 0
         && bytes <= device->limits.maxStorageBufferRange;
}

/* More rows than a device has workgroups for, and more pixels than its images
 * and buffers hold (software ones: 128 MiB): an error that says so, and no
 * frame. */
GST_START_TEST (what_is_too_large_is_refused)
{
  static const struct
  {
    const gchar *from, *to;
    guint64 bytes; /* of buffers that are enough, 0: none are */
  } rows[] = {
    { "format=RGBA,width=2,height=2", "format=RGBA,width=2,height=2000000", 0 },
    { "format=RGBA,width=100000000,height=1", "format=NV12,width=2,height=1",
      400000000 },
    { "format=RGBA,width=100000000,height=1", "format=ARGB64", 800000000 },
    { "format=I420,width=64,height=64", "format=I420,width=40000,height=40000",
      0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree gchar *from
        = g_strdup_printf ("video/x-raw,framerate=25/1,%s", rows[i].from);
    g_autofree gchar *to = g_strdup_printf ("video/x-raw,%s", rows[i].to);
    GstHarness *h = gst_harness_new ("vkcolorconvert");
    g_autoptr (GstBus) bus = gst_bus_new ();
    g_autoptr (GstMessage) message = NULL;
    g_autoptr (GError) error = NULL;

    gst_element_set_bus (h->element, bus);
    gst_harness_set_sink_caps_str (h, to);
    gst_harness_set_src_caps_str (h, from);
    message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
    if (rows[i].bytes > 0 && has_buffers_of (h, rows[i].bytes)) {
      fail_unless (message == NULL, "%s", from);
    } else {
      fail_unless (message != NULL, "%s", from);
      gst_message_parse_error (message, &error, NULL);
      fail_unless (strstr (error->message, "too large") != NULL
                       || strstr (error->message, "cannot be given") != NULL,
                   "%s: %s", from, error->message);
    }
    gst_element_set_bus (h->element, NULL);
    gst_harness_teardown (h);
  }
}
GST_END_TEST;

static Suite *
sizes_suite (void)
{
  Suite *suite = suite_create ("sizes");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 240);
  tcase_add_loop_test (cases, long_sides_are_right, 0, 2);
  tcase_add_test (cases, what_is_too_large_is_refused);
  return suite;
}

GST_CHECK_MAIN (sizes);
