/* vkcompute: frames of other formats and sizes than the shader declares. */
#include <glib/gstdio.h>

#include "tests/elements/compute_support.h"
#include "tests/support/support.h"

/* What @line makes of one frame of noise of @caps. */
static GstBuffer *
run_line (const gchar *line, const gchar *caps)
{
  GstHarness *harness = gst_harness_new_parse (line);
  GstCaps *parsed = gst_caps_from_string (caps);
  GstVideoInfo info;
  GstBuffer *frame;

  gst_harness_set_src_caps_str (harness, caps);
  fail_unless (gst_video_info_from_caps (&info, parsed));
  gst_caps_unref (parsed);
  fail_unless_equals_int (
      gst_harness_push (harness, compute_make_frame (&info, 5)), GST_FLOW_OK);
  frame = gst_harness_pull (harness);
  gst_harness_teardown (harness);
  return frame;
}

static void
assert_same (GstBuffer *found, GstBuffer *expected)
{
  GstMapInfo map;

  fail_unless (gst_buffer_map (expected, &map, GST_MAP_READ));
  assert_equals_int (gst_buffer_get_size (found), map.size);
  assert_equals_int (gst_buffer_memcmp (found, 0, map.data, map.size), 0);
  gst_buffer_unmap (expected, &map);
  gst_buffer_unref (expected);
  gst_buffer_unref (found);
}

#define CAPS(format) "video/x-raw,format=" format
#define SIZE         ",width=34,height=22,framerate=10/1"

static const struct
{
  const gchar *shader, *caps;
  const gchar *before, *after; /* what the element does by itself */
  const gchar *out;
} chains[] = {
  { "invert.comp", CAPS ("NV12") SIZE ",colorimetry=bt709",
    "vkcolorconvert ! video/x-raw,format=RGBA", "identity", CAPS ("RGBA") },
  { "invert.comp", CAPS ("NV12") SIZE ",colorimetry=bt709",
    "vkcolorconvert ! video/x-raw,format=RGBA",
    "vkcolorconvert ! video/x-raw,format=NV12,colorimetry=bt709",
    CAPS ("NV12") },
  { "invert.comp", CAPS ("RGBA") SIZE, "identity",
    "vkcolorconvert ! video/x-raw,format=I420", CAPS ("I420") },
  { "planes.comp", CAPS ("RGBA") SIZE,
    "vkcolorconvert ! video/x-raw,format=GBR",
    "vkcolorconvert ! video/x-raw,format=RGBA", CAPS ("RGBA") },
  { "test/in_place.comp", CAPS ("I420") SIZE ",colorimetry=bt601",
    "vkcolorconvert ! video/x-raw,format=RGBA",
    "vkcolorconvert ! video/x-raw,format=I420", CAPS ("I420") },
  { "test/luma.comp", CAPS ("NV12") SIZE ",colorimetry=bt709",
    "vkcolorconvert ! video/x-raw,format=RGBA", "identity", CAPS ("GRAY8") },
};

/* Mutations seen to fail this: no colorimetry fixated for an output of the
 * input's format; the colorimetry of one structure of caps taken for another
 * one's formats. */
GST_START_TEST (conversions_equal_those_of_vkcolorconvert)
{
  g_autofree gchar *shader = compute_shader_path (chains[__i__].shader);
  g_autofree gchar *one = g_strdup_printf (
      "vkcompute location=%s ! capsfilter caps=%s", shader, chains[__i__].out);
  g_autofree gchar *three = g_strdup_printf (
      "%s ! vkcompute location=%s ! %s ! capsfilter caps=%s",
      chains[__i__].before, shader, chains[__i__].after, chains[__i__].out);

  assert_same (run_line (one, chains[__i__].caps),
               run_line (three, chains[__i__].caps));
}
GST_END_TEST;

static const struct
{
  const gchar *in, *out;
  guint dispatches; /* a frame */
} costs[] = {
  { "RGBA", "RGBA", 1 },
  { "NV12", "RGBA", 2 },
  { "RGBA", "NV12", 2 },
  { "NV12", "NV12", 3 },
};

GST_START_TEST (conversions_are_in_the_same_submission)
{
  g_autofree gchar *shader = compute_shader_path ("invert.comp");
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=20 ! video/x-raw,format=%s,width=34,height=22 "
      "! vkcompute name=a location=%s ! video/x-raw,format=%s ! fakesink",
      costs[__i__].in, shader, costs[__i__].out);

  test_pipeline_run (pipeline, 30);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "submits"), 20);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "flush-limit"),
                        0);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "dispatches"),
                        20 * costs[__i__].dispatches);
  test_assert_stats_agree (pipeline, "a");
  test_pipeline_free (pipeline);
}
GST_END_TEST;

/* Of those that the peers leave, formats that need no conversion are taken. */
static const struct
{
  const gchar *in, *out; /* what is allowed */
  const gchar *chosen_in, *chosen_out;
} choices[] = {
  { "{ I420, NV12, RGBA }", "{ NV12, RGBA, RGBx }", "RGBA", "RGBA" },
  { "NV12", "{ NV12, RGBA }", "NV12", "RGBA" },
  { "{ NV12, RGBA }", "NV12", "RGBA", "NV12" },
};

static void
assert_format (GstElement *pipeline, const gchar *pad_name,
               const gchar *expected)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), "a");
  GstPad *pad = gst_element_get_static_pad (element, pad_name);
  GstCaps *caps = gst_pad_get_current_caps (pad);

  assert_equals_string (
      gst_structure_get_string (gst_caps_get_structure (caps, 0), "format"),
      expected);
  gst_caps_unref (caps);
  gst_object_unref (pad);
  gst_object_unref (element);
}

GST_START_TEST (formats_that_need_no_conversion_are_preferred)
{
  g_autofree gchar *shader = compute_shader_path ("invert.comp");
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=1 ! video/x-raw,format=%s,width=16,height=16 ! "
      "vkcompute name=a location=%s ! video/x-raw,format=%s ! fakesink",
      choices[__i__].in, shader, choices[__i__].out);

  test_pipeline_run (pipeline, 30);
  assert_format (pipeline, "sink", choices[__i__].chosen_in);
  assert_format (pipeline, "src", choices[__i__].chosen_out);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

/* Reads the texel at the same place of the picture; not on an edge of texels,
 * where devices may take either. */
#define SCALER                                                                 \
  "layout (local_size_x = 8, local_size_y = 8) in;\n"                          \
  "layout (binding = 0) uniform sampler2D source;\n"                           \
  "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"            \
  "void main () {\n"                                                           \
  "  ivec2 at = ivec2 (gl_GlobalInvocationID.xy);\n"                           \
  "  vec2 place = (at + 0.5) / imageSize (target) + 0.0005;\n"                 \
  "  imageStore (target, at, textureLod (source, place, 0));\n"                \
  "}\n"

/* The same with texels by number. */
#define FETCHER                                                                \
  "layout (local_size_x = 8, local_size_y = 8) in;\n"                          \
  "layout (binding = 0, rgba8) readonly uniform image2D source;\n"             \
  "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"            \
  "void main () {\n"                                                           \
  "  ivec2 at = ivec2 (gl_GlobalInvocationID.xy);\n"                           \
  "  vec2 place = (at + 0.5) / imageSize (target);\n"                          \
  "  imageStore (target, at, imageLoad (source,\n"                             \
  "    ivec2 (place * imageSize (source))));\n"                                \
  "}\n"

static const struct
{
  const gchar *shader, *properties, *out;
  guint width, height;
} sizes[] = {
  { SCALER, "output-width=17 output-height=33", "", 17, 33 },
  { SCALER, "output-scale=0.5", "", 16, 12 },
  { FETCHER, "output-scale=2.0", "", 64, 48 },
  { FETCHER, "output-height=48", "", 32, 48 },
  { SCALER, "", ",width=20,height=30", 20, 30 },
  { SCALER, "", ",width=64", 64, 48 },
};

static void
expect_nearest (const struct picture *in, struct picture *out)
{
  for (guint y = 0; y < out->height; y++)
    for (guint x = 0; x < out->width; x++) {
      const guint from_x = (2 * x + 1) * in->width / (2 * out->width);
      const guint from_y = (2 * y + 1) * in->height / (2 * out->height);

      memcpy (out->data[0] + y * out->row_bytes[0] + 4 * x,
              in->data[0] + from_y * in->row_bytes[0] + 4 * from_x, 4);
    }
}

GST_START_TEST (output_size_is_what_was_asked_for)
{
  g_autofree gchar *path = compute_write_shader (sizes[__i__].shader);
  g_autofree gchar *line
      = g_strdup_printf ("vkcompute location=%s filter=nearest %s ! "
                         "capsfilter caps=video/x-raw,format=RGBA%s",
                         path, sizes[__i__].properties, sizes[__i__].out);
  GstHarness *harness = gst_harness_new_parse (line);
  GstVideoInfo in, out;
  struct picture source, expected;
  GstBuffer *frame;

  gst_harness_set_src_caps_str (
      harness, "video/x-raw,format=RGBA,width=32,height=24,framerate=10/1");
  gst_video_info_set_format (&in, GST_VIDEO_FORMAT_RGBA, 32, 24);
  gst_video_info_set_format (&out, GST_VIDEO_FORMAT_RGBA, sizes[__i__].width,
                             sizes[__i__].height);
  frame = compute_make_frame (&in, 9);
  picture_from_buffer (&source, &in, frame);
  picture_init (&expected, &out);
  expect_nearest (&source, &expected);
  fail_unless_equals_int (gst_harness_push (harness, frame), GST_FLOW_OK);
  compute_assert_frame ("", gst_harness_pull (harness), &out, &expected, 0);
  picture_clear (&source);
  picture_clear (&expected);
  gst_harness_teardown (harness);
  g_unlink (path);
}
GST_END_TEST;

/* What the sender of a pointer at (@x, @y) of the output is told. */
static void
assert_pointer (GstHarness *harness, gdouble x, gdouble y, gdouble from_x,
                gdouble from_y)
{
  gdouble at_x = -1, at_y = -1;
  GstEvent *event;

  gst_harness_push_upstream_event (
      harness,
      gst_navigation_event_new_mouse_move (x, y, GST_NAVIGATION_MODIFIER_NONE));
  while ((event = gst_harness_try_pull_upstream_event (harness)) != NULL) {
    if (GST_EVENT_TYPE (event) == GST_EVENT_NAVIGATION)
      fail_unless (gst_navigation_event_get_coordinates (event, &at_x, &at_y));
    gst_event_unref (event);
  }
  fail_unless (ABS (at_x - from_x) < 1e-6 && ABS (at_y - from_y) < 1e-6,
               "(%g, %g)", at_x, at_y);
}

GST_START_TEST (clicks_are_on_what_was_there)
{
  GstElement *element = compute_element_new ();
  GstVideoInfo info;
  GstHarness *harness;

  g_object_set (element, "shader", SCALER, NULL);
  harness = compute_start (element, "RGBA", 32, 24, &info);
  compute_run (harness, &info, 0);
  assert_pointer (harness, 3.25, 5, 3.25, 5);
  g_object_set (harness->element, "output-width", 64, "output-height", 12,
                NULL);
  compute_run (harness, &info, 0);
  assert_pointer (harness, 30.5, 4, 15, 8.5);
  assert_pointer (harness, 0, 0, 0, 0.5);
  assert_pointer (harness, 63, 11, 31, 22.5);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* Regions and overlays as clicks: a frame of another size shows all of it. */
GST_START_TEST (metas_about_places_are_scaled)
{
  GstElement *element = compute_element_new ();
  GstVideoRegionOfInterestMeta *region;
  GstVideoOverlayRectangle *rectangle;
  GstVideoOverlayComposition *overlays;
  GstBuffer *frame, *pixels = gst_buffer_new_allocate (NULL, 4, NULL);
  GstHarness *harness;
  GstVideoInfo info;
  guint width, height;
  gint x, y;

  g_object_set (element, "shader", SCALER, "output-width", 64, "output-height",
                12, NULL);
  harness = compute_start (element, "RGBA", 32, 24, &info);
  gst_buffer_add_video_meta (pixels, GST_VIDEO_FRAME_FLAG_NONE,
                             GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, 1, 1);
  rectangle = gst_video_overlay_rectangle_new_raw (
      pixels, 4, 8, 2, 6, GST_VIDEO_OVERLAY_FORMAT_FLAG_NONE);
  overlays = gst_video_overlay_composition_new (rectangle);
  frame = compute_make_frame (&info, 1);
  gst_buffer_add_video_overlay_composition_meta (frame, overlays);
  gst_buffer_add_video_region_of_interest_meta (frame, "face", 2, 4, 3, 8);
  gst_video_overlay_composition_unref (overlays);
  gst_video_overlay_rectangle_unref (rectangle);
  gst_buffer_unref (pixels);

  fail_unless_equals_int (gst_harness_push (harness, frame), GST_FLOW_OK);
  frame = gst_harness_pull (harness);
  region = gst_buffer_get_video_region_of_interest_meta_id (frame, 0);
  fail_unless (region != NULL && region->x == 4 && region->y == 2
               && region->w == 6 && region->h == 4);
  overlays = gst_buffer_get_video_overlay_composition_meta (frame)->overlay;
  gst_video_overlay_rectangle_get_render_rectangle (
      gst_video_overlay_composition_get_rectangle (overlays, 0), &x, &y, &width,
      &height);
  fail_unless (x == 8 && y == 4 && width == 4 && height == 3);
  /* Waits: nothing may be in flight when a test's process ends. */
  gst_buffer_extract (frame, 0, &width, sizeof width);
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* A shader that counts texels would cut the picture off. */
GST_START_TEST (peer_changes_no_size_of_a_shader_that_counts_texels)
{
  g_autofree gchar *shader = compute_shader_path ("invert.comp");
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=1 ! video/x-raw,width=16,height=16 ! "
      "vkcompute location=%s ! video/x-raw,width=8 ! fakesink",
      shader);
  GError *error = test_pipeline_run_to_error (pipeline, 20);

  fail_unless (error != NULL);
  g_error_free (error);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

GST_START_TEST (output_settings_count_while_playing)
{
  GstElement *element = compute_element_new ();
  GstVideoInfo info;
  GstHarness *harness;
  GstBuffer *frame;

  g_object_set (element, "shader", SCALER, NULL);
  harness = compute_start (element, "RGBA", 32, 24, &info);
  for (guint i = 0; i < 4; i++) {
    g_object_set (harness->element, "output-width", 10 + i, "output-format",
                  i % 2 ? "NV12" : "RGBA", NULL);
    fail_unless_equals_int (
        gst_harness_push (harness, compute_make_frame (&info, i)), GST_FLOW_OK);
    frame = gst_harness_pull (harness);
    assert_equals_int (gst_buffer_get_video_meta (frame)->width, 10 + i);
    assert_equals_int (gst_buffer_get_video_meta (frame)->format,
                       i % 2 ? GST_VIDEO_FORMAT_NV12 : GST_VIDEO_FORMAT_RGBA);
    gst_buffer_unref (frame);
  }
  gst_harness_teardown (harness);
}
GST_END_TEST;

static Suite *
conversions_suite (void)
{
  Suite *suite = suite_create ("conversions");
  TCase *cases = tcase_create ("all");

  suite_add_tcase (suite, cases);
  tcase_add_loop_test (cases, conversions_equal_those_of_vkcolorconvert, 0,
                       G_N_ELEMENTS (chains));
  tcase_add_loop_test (cases, conversions_are_in_the_same_submission, 0,
                       G_N_ELEMENTS (costs));
  tcase_add_loop_test (cases, formats_that_need_no_conversion_are_preferred, 0,
                       G_N_ELEMENTS (choices));
  tcase_add_loop_test (cases, output_size_is_what_was_asked_for, 0,
                       G_N_ELEMENTS (sizes));
  tcase_add_test (cases, clicks_are_on_what_was_there);
  tcase_add_test (cases, metas_about_places_are_scaled);
  tcase_add_test (cases, peer_changes_no_size_of_a_shader_that_counts_texels);
  tcase_add_test (cases, output_settings_count_while_playing);
  return suite;
}

GST_CHECK_MAIN (conversions);
