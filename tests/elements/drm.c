/* Negotiation of dmabufs by DRM's names, which GStreamer has since 1.24. */
#include "gst/base/gstvkccaps.h"
#include "gst/base/gstvkcdrm.h"
#include "gst/base/gstvkcfilter.h"
#include "gst/vk/device.h"
#include "tests/elements/adder.h"
#include "tests/elements/dmabuf_frames.h"
#include "tests/support/support.h"

#define WIDTH 256
#define HEIGHT 48
/* Intel's Y tiling. */
#define TILED_NAME "0x0100000000000002"

#define NEEDS_DRM()                                                           \
  if (!gst_vkc_drm_is_known ())                                               \
  test_skip ("GStreamer before 1.24 has no DMA_DRM")

/* The value of @field in all structures of @caps, between spaces. */
static gchar *
all_of (const GstCaps *caps, const gchar *field)
{
  GString *all = g_string_new (" ");

  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    const GValue *value
        = gst_structure_get_value (gst_caps_get_structure (caps, i), field);

    if (value != NULL && G_VALUE_HOLDS_STRING (value))
      g_string_append_printf (all, "%s ", g_value_get_string (value));
    for (guint k = 0; value != NULL && GST_VALUE_HOLDS_LIST (value)
                      && k < gst_value_list_get_size (value);
         k++)
      g_string_append_printf (
          all, "%s ",
          g_value_get_string (gst_value_list_get_value (value, k)));
  }
  return g_string_free (all, FALSE);
}

/* Elements see formats of GStreamer, once each; a structure of which nothing is
 * known goes, it does not become one of any format. */
GST_START_TEST (elements_see_formats)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (
      "video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format={NV12,NV12:"
      TILED_NAME ",ZZZZ,AB24};"
      "video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format=ZZZZ;"
      "video/x-raw(memory:DMABuf),format=DMA_DRM;"
      "video/x-raw,format=I420");
  g_autoptr (GstCaps) hidden = gst_vkc_drm_hide (caps);
  g_autofree gchar *formats = all_of (hidden, "format");
  g_autofree gchar *names = all_of (hidden, "drm-format");

  assert_equals_int (gst_caps_get_size (hidden), 3);
  assert_equals_string (formats, " NV12 RGBA I420 ");
  assert_equals_string (names, " ");
  fail_unless (gst_vkc_caps_is_dmabuf (hidden));
}
GST_END_TEST;

/* As long as there is no device, any modifier may be right: links are made in
 * NULL. */
GST_START_TEST (strict_filters_link_before_there_is_a_device)
{
  static const gchar *const filters[] = {
    "video/x-raw(memory:DMABuf)",
    "video/x-raw(memory:DMABuf),format=NV12",
    "video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format=NV12",
    "video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format=NV12:" TILED_NAME,
  };
  static const gchar *const elements[]
      = { "vkcolorconvert", "vktonemap", "vkcompute" };

  for (guint i = 0; i < (gst_vkc_drm_is_known () ? 4 : 2); i++) {
    for (guint k = 0; k < G_N_ELEMENTS (elements); k++) {
      GstElement *pipeline = test_pipeline_new ("appsrc ! %s ! %s ! fakesink",
                                                filters[i], elements[k]);

      gst_object_unref (pipeline);
    }
  }
}
GST_END_TEST;

static GstHarness *
new_harness (const gchar *element)
{
  test_wrap_install ();
  return gst_harness_new (element);
}

static gchar *
offered (GstHarness *harness)
{
  GstPad *pad = gst_element_get_static_pad (harness->element, "sink");
  g_autoptr (GstCaps) caps = gst_pad_query_caps (pad, NULL);

  gst_object_unref (pad);
  return all_of (caps, "drm-format");
}

/* What the device can import, by its own word: software tiles nothing. */
GST_START_TEST (modifiers_are_the_devices)
{
  static const gchar *const elements[] = { "vkcolorconvert", "vktonemap" };

  NEEDS_DRM ();
  for (guint i = 0; i < G_N_ELEMENTS (elements); i++) {
    GstHarness *harness = new_harness (elements[i]);
    g_autofree gchar *names = NULL;

    gst_harness_play (harness);
    names = offered (harness);
    fail_unless (strstr (names, " NV12 ") && strstr (names, " P010 ")
                     && strstr (names, " AR24 "),
                 "%s", names);
    fail_if (strchr (names, ':'), "%s", names);
    gst_harness_teardown (harness);
  }
}
GST_END_TEST;

static GstCaps *
drm_caps (const gchar *name)
{
  return gst_caps_new_full (
      gst_structure_new ("video/x-raw", "format", G_TYPE_STRING, "DMA_DRM",
                         "drm-format", G_TYPE_STRING, name, "width",
                         G_TYPE_INT, WIDTH, "height", G_TYPE_INT, HEIGHT,
                         "framerate", GST_TYPE_FRACTION, 25, 1, NULL),
      NULL);
}

static void
set_drm_caps (GstHarness *harness, const gchar *name)
{
  GstCaps *caps = drm_caps (name);

  gst_caps_set_features_simple (
      caps, gst_caps_features_new (GST_VKC_FEATURE_DMABUF, NULL));
  gst_harness_set_src_caps (harness, caps);
}

static void
assert_right (GstHarness *harness, const GstVideoInfo *info, guint seed)
{
  GstBuffer *out = gst_harness_push_and_pull (
      harness, test_dmabuf_frame_new (info, seed, test_dmabuf_size (info)));

  fail_unless (out != NULL);
  test_frame_assert (out, info, seed, 1);
  gst_buffer_unref (out);
}

GST_START_TEST (drm_frames_are_read_in_place)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);

  NEEDS_DRM ();
  GstHarness *harness = test_adder_harness (&info, NULL, FALSE);

  set_drm_caps (harness, "NV12");
  assert_right (harness, &info, 4);
  assert_equals_uint64 (test_harness_stat (harness, "recorder", "imports"), 1);
  assert_equals_uint64 (test_harness_stat (harness, "recorder", "uploads"), 0);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* Producers differ in what a frame's GstVideoMeta calls the format. Mutation seen
 * to fail this: the caps' own format alone. */
GST_START_TEST (meta_may_say_dma_drm_too)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  GstBuffer *frame, *out;

  NEEDS_DRM ();
  GstHarness *harness = test_adder_harness (&info, NULL, FALSE);

  set_drm_caps (harness, "NV12");
  frame = test_dmabuf_frame_new (&info, 4, test_dmabuf_size (&info));
  gst_buffer_get_video_meta (frame)->format
      = gst_video_format_from_string ("DMA_DRM");
  out = gst_harness_push_and_pull (harness, frame);
  fail_unless (out != NULL);
  test_frame_assert (out, &info, 4, 1);
  gst_buffer_unref (out);
  gst_harness_teardown (harness);
}
GST_END_TEST;

static const struct
{
  const gchar *element, *drm_format;
  GstVideoFormat format;
} conversions[] = {
  { "vkcolorconvert", "AR24", GST_VIDEO_FORMAT_BGRA },
  { "vkcolorconvert", "AB24", GST_VIDEO_FORMAT_RGBA },
  { "vkcolorconvert", "XB24", GST_VIDEO_FORMAT_RGBx },
  { "vktonemap", "AB24", GST_VIDEO_FORMAT_RGBA },
};

/* Loop: conversions. Red is red: DRM names bytes from the last one on. */
GST_START_TEST (drm_names_are_the_right_formats)
{
  NEEDS_DRM ();
  GstVideoInfo info
      = test_info (conversions[__i__].format, WIDTH, HEIGHT);
  GstHarness *harness = new_harness (conversions[__i__].element);
  GstBuffer *frame
      = test_dmabuf_frame_new (&info, 0, test_dmabuf_size (&info));
  GstVideoFrame video;
  GstBuffer *out;
  const guint8 *pixel;

  fail_unless (gst_video_frame_map (&video, &info, frame, GST_MAP_WRITE));
  for (guint i = 0; i < WIDTH * HEIGHT; i++) {
    guint8 *p = (guint8 *) video.data[0] + i * 4;

    memset (p, 0, 4);
    p[GST_VIDEO_INFO_COMP_OFFSET (&info, 0)] = p[3] = 255;
  }
  gst_video_frame_unmap (&video);
  gst_harness_set_sink_caps_str (harness, "video/x-raw,format=ARGB");
  set_drm_caps (harness, conversions[__i__].drm_format);
  out = gst_harness_push_and_pull (harness, frame);
  fail_unless (out != NULL);

  GstMapInfo map;

  fail_unless (gst_buffer_map (out, &map, GST_MAP_READ));
  pixel = map.data + (HEIGHT / 2 * WIDTH + WIDTH / 2) * 4;
  fail_unless (pixel[0] == 255 && pixel[1] == 255 && pixel[2] == 0
                   && pixel[3] == 0,
               "%u %u %u %u", pixel[0], pixel[1], pixel[2], pixel[3]);
  gst_buffer_unmap (out, &map);
  gst_buffer_unref (out);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* The message of the only error on @harness' bus. */
static gchar *
only_error (GstHarness *harness, GstBus *bus)
{
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  g_autoptr (GError) error = NULL;

  fail_unless (message != NULL, "no error");
  gst_message_parse_error (message, &error, NULL);
  gst_message_unref (message);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message == NULL, "more than one error");
  return g_strdup (error->message);
}

GST_START_TEST (unknown_modifier_is_one_clear_error)
{
  NEEDS_DRM ();
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  GstHarness *harness = test_adder_harness (&info, NULL, FALSE);
  GstBus *bus = gst_bus_new ();
  g_autofree gchar *text = NULL;

  gst_element_set_bus (harness->element, bus);
  set_drm_caps (harness, "NV12:" TILED_NAME);
  fail_unless (gst_harness_push (
                   harness, test_dmabuf_frame_new (&info, 1,
                                                   test_dmabuf_size (&info)))
               != GST_FLOW_OK);
  text = only_error (harness, bus);
  fail_unless (strstr (text, "NV12") && strstr (text, TILED_NAME), "%s", text);
  gst_element_set_bus (harness->element, NULL);
  gst_object_unref (bus);
  gst_harness_teardown (harness);
}
GST_END_TEST;

static const gchar *const open_peers[] = {
  "video/x-raw,format=NV12;video/x-raw(memory:DMABuf),format=NV12",
  "video/x-raw(memory:DMABuf),format=NV12;video/x-raw,format=NV12",
  "ANY",
};

/* Loop: open_peers. Who takes system memory gets it, whatever it names first.
 * Mutation seen to fail this: special memories offered first. */
GST_START_TEST (dmabufs_go_only_to_who_asks)
{
  GstHarness *harness = new_harness ("vkcolorconvert");
  g_autoptr (GstCaps) caps = NULL;

  gst_harness_set_sink_caps_str (harness, open_peers[__i__]);
  gst_harness_set_src_caps_str (
      harness, "video/x-raw,format=RGBA,width=64,height=32,framerate=25/1");
  caps = gst_pad_get_current_caps (harness->sinkpad);
  fail_unless (caps != NULL);
  fail_if (gst_vkc_caps_is_dmabuf (caps));
  gst_harness_teardown (harness);
}
GST_END_TEST;

static const gchar *const offers[] = {
  "video/x-raw(memory:DMABuf),format=NV12;video/x-raw,format=I420",
  "video/x-raw,format=I420;video/x-raw(memory:DMABuf),format=NV12",
};

/* Loop: offers. All structures of caps count, in either order, and each is
 * there in either memory. Mutation seen to fail this: the first structure
 * alone. */
GST_START_TEST (every_structure_of_caps_is_transformed)
{
  static const gchar *const expected[]
      = { "video/x-raw,format=NV12", "video/x-raw,format=I420",
          "video/x-raw(memory:DMABuf),format=NV12",
          "video/x-raw(memory:DMABuf),format=I420" };
  g_autoptr (GstCaps) caps = gst_caps_from_string (offers[__i__]);
  g_autoptr (GstCaps) all = gst_vkc_caps_transform (caps, 0, NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    g_autoptr (GstCaps) one = gst_caps_from_string (expected[i]);

    fail_unless (gst_caps_is_subset (one, all), "%s", expected[i]);
  }
  assert_equals_int (gst_caps_get_size (all), 4);
}
GST_END_TEST;

/* Caps of any kind would take features that nobody here knows. */
GST_START_TEST (templates_are_not_open)
{
  static const gchar *const elements[]
      = { "vkcolorconvert", "vktonemap", "vkcompute" };

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++) {
    GstElementFactory *factory = gst_element_factory_find (elements[i]);
    const GList *item;

    fail_unless (factory != NULL);
    item = gst_element_factory_get_static_pad_templates (factory);
    for (; item != NULL; item = item->next) {
      g_autoptr (GstCaps) caps = gst_static_pad_template_get_caps (item->data);

      fail_if (gst_caps_is_any (caps) || gst_caps_is_empty (caps));
      for (guint k = 0; k < gst_caps_get_size (caps); k++)
        fail_if (
            gst_caps_features_is_any (gst_caps_get_features (caps, k)));
    }
    gst_object_unref (factory);
  }
}
GST_END_TEST;

/* Without GstVideoMeta nobody knows how a frame lies in a dmabuf. */
GST_START_TEST (peers_without_video_meta_get_no_dmabufs)
{
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=1 ! video/x-raw,format=RGBA,width=64,height=32 "
      "! vkcolorconvert ! video/x-raw(memory:DMABuf),format=NV12 ! appsink "
      "sync=false wait-on-eos=false");
  g_autoptr (GError) error = test_pipeline_run_to_error (pipeline, 20);

  fail_unless (error != NULL && strstr (error->message, "GstVideoMeta"), "%s",
               error ? error->message : "no error");
  test_pipeline_free (pipeline);
}
GST_END_TEST;

static Suite *
drm_suite (void)
{
  Suite *suite = suite_create ("drm");
  TCase *tc = tcase_create ("general");

  test_adder_register ();
  suite_add_tcase (suite, tc);
  tcase_add_test (tc, elements_see_formats);
  tcase_add_test (tc, strict_filters_link_before_there_is_a_device);
  tcase_add_test (tc, modifiers_are_the_devices);
  tcase_add_test (tc, drm_frames_are_read_in_place);
  tcase_add_test (tc, meta_may_say_dma_drm_too);
  tcase_add_loop_test (tc, drm_names_are_the_right_formats, 0,
                       G_N_ELEMENTS (conversions));
  tcase_add_test (tc, unknown_modifier_is_one_clear_error);
  tcase_add_loop_test (tc, dmabufs_go_only_to_who_asks, 0,
                       G_N_ELEMENTS (open_peers));
  tcase_add_loop_test (tc, every_structure_of_caps_is_transformed, 0,
                       G_N_ELEMENTS (offers));
  tcase_add_test (tc, templates_are_not_open);
  tcase_add_test (tc, peers_without_video_meta_get_no_dmabufs);
  return suite;
}

GST_CHECK_MAIN (drm);
