/* vkcompute: what a shader's bindings are, and the values that it is given. */
#include <glib/gstdio.h>
#include <gst/controller/gstdirectcontrolbinding.h>
#include <gst/controller/gstinterpolationcontrolsource.h>
#include <math.h>

#include "tests/elements/compute_support.h"
#include "tests/support/support.h"

static void
set_parameters (GstHarness *harness, const gchar *text)
{
  GstStructure *parameters = gst_structure_from_string (text, NULL);

  fail_unless (parameters != NULL);
  g_object_set (harness->element, "parameters", parameters, NULL);
  gst_structure_free (parameters);
}

/* What docs/examples/shaders/gain.comp says, for the values of the test. */
static void
expect_gain (const struct picture *in, struct picture *out)
{
  static const gdouble tint[] = { 1, 0.5, 0.25 };

  for (gsize i = 0; i < (gsize)in->row_bytes[0] * in->rows[0]; i++) {
    const gdouble c = in->data[0][i] / 255.0 * tint[i % 4 % 3] * 1.5 + 0.1;

    out->data[0][i] = i % 4 == 3 ? in->data[0][i] : CLAMP (c, 0, 1) * 255 + 0.5;
  }
}

static void
expect_inverted_gain (const struct picture *in, struct picture *out)
{
  expect_gain (in, out);
  for (gsize i = 0; i < (gsize)in->row_bytes[0] * in->rows[0]; i++)
    if (i % 4 != 3)
      out->data[0][i] = 255 - out->data[0][i];
}

GST_START_TEST (parameters_reach_the_next_frame)
{
  g_autofree gchar *path = compute_shader_path ("gain.comp");
  GstVideoInfo info;
  GstHarness *harness = compute_start_location (path, &info);
  GstBus *bus = compute_add_bus (harness->element);

  set_parameters (harness, "p, gain=1.0, lift=0, tint=<1,1,1>");
  compute_check (harness, &info, 1, 0, compute_expect_same);
  set_parameters (harness, "p, gain=1.5, lift=0.1, tint=<1.0,0.5,0.25>");
  compute_check (harness, &info, 2, 1, expect_gain);
  set_parameters (harness, "p, gain=3/2, lift=0.1, tint=<1.0,0.5,0.25>, "
                           "INVERT=true");
  compute_check (harness, &info, 3, 1, expect_inverted_gain);
  fail_if (gst_bus_have_pending (bus));

  /* What does not fit changes nothing. */
  set_parameters (harness, "p, gian=1.0");
  compute_assert_warning (bus, "`gian`");
  set_parameters (harness, "p, gain=<1.0,2.0>");
  compute_assert_warning (bus, "`gain`: 2 numbers; gain.comp declares 1");
  set_parameters (harness, "p, gain=much");
  compute_assert_warning (bus, "`gain` is no number");
  compute_check (harness, &info, 4, 1, expect_inverted_gain);
  compute_drop_bus (harness->element, bus);
  gst_harness_teardown (harness);
}
GST_END_TEST;

static void
set_gain_of_child (GstElement *element)
{
  gst_child_proxy_set (GST_CHILD_PROXY (element), "parameters::gain", 1.5,
                       "parameters::lift", 0.1, "parameters::tint-x", 1.0,
                       "parameters::tint-y", 0.5, "parameters::tint-z", 0.25,
                       NULL);
}

GST_START_TEST (parameters_are_properties_of_a_child)
{
  g_autofree gchar *path = compute_shader_path ("gain.comp");
  GstElement *element = compute_element_new ();
  GstVideoInfo info;
  GstHarness *harness;
  gdouble gain = 0, green = 0;
  gboolean invert = TRUE;

  /* Before the element starts, too. */
  g_object_set (element, "location", path, NULL);
  set_gain_of_child (element);
  harness = compute_start (element, "RGBA", 20, 12, &info);
  compute_check (harness, &info, 1, 1, expect_gain);
  gst_child_proxy_get (GST_CHILD_PROXY (harness->element), "parameters::gain",
                       &gain, "parameters::tint-y", &green,
                       "parameters::INVERT", &invert, NULL);
  fail_unless (gain == 1.5 && green == 0.5 && !invert);
  gst_child_proxy_set (GST_CHILD_PROXY (harness->element), "parameters::INVERT",
                       TRUE, NULL);
  compute_check (harness, &info, 2, 1, expect_inverted_gain);
  /* Both ways of setting them are one. */
  set_parameters (harness, "p, gain=1.0, lift=0, tint=<1,1,1>");
  gst_child_proxy_get (GST_CHILD_PROXY (harness->element), "parameters::gain",
                       &gain, NULL);
  fail_unless (gain == 1);
  compute_check (harness, &info, 3, 0, compute_expect_same);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* There is no time that a controller could go by.
 * Mutation seen to fail this: a stream time that is asked for in any format. */
GST_START_TEST (segments_in_bytes_leave_parameters_alone)
{
  g_autofree gchar *path = compute_shader_path ("gain.comp");
  GstElement *element = compute_element_new ();
  GstVideoInfo info;
  GstHarness *harness;
  GstSegment bytes;

  g_object_set (element, "location", path, NULL);
  set_gain_of_child (element);
  harness = compute_start (element, "RGBA", 20, 12, &info);
  gst_segment_init (&bytes, GST_FORMAT_BYTES);
  gst_harness_push_event (harness, gst_event_new_segment (&bytes));
  compute_check (harness, &info, 1, 1, expect_gain);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* Brightness follows the controller: frame i is i / 10 seconds. */
GST_START_TEST (parameters_follow_a_controller)
{
  g_autofree gchar *path = compute_shader_path ("gain.comp");
  GstElement *element = compute_element_new ();
  GstControlSource *source = gst_interpolation_control_source_new ();
  GstVideoInfo info;
  GstHarness *harness;
  GObject *child;

  g_object_set (source, "mode", GST_INTERPOLATION_MODE_LINEAR, NULL);
  gst_timed_value_control_source_set (GST_TIMED_VALUE_CONTROL_SOURCE (source),
                                      0, 0);
  gst_timed_value_control_source_set (GST_TIMED_VALUE_CONTROL_SOURCE (source),
                                      GST_SECOND, 1);
  g_object_set (element, "location", path, NULL);
  gst_util_set_object_arg (G_OBJECT (element), "parameters",
                           "p,gain=0,lift=0,tint=<1,1,1>");
  child = gst_child_proxy_get_child_by_name (GST_CHILD_PROXY (element),
                                             "parameters");
  fail_unless (child != NULL);
  fail_unless (gst_object_add_control_binding (
      GST_OBJECT (child), gst_direct_control_binding_new_absolute (
                              GST_OBJECT (child), "lift", source)));
  g_object_unref (child);
  gst_object_unref (source);
  harness = compute_start (element, "RGBA", 20, 12, &info);
  for (guint i = 0; i <= 10; i += 2) {
    GstBuffer *frame = compute_make_frame (&info, i);
    guint8 red;

    GST_BUFFER_PTS (frame) = i * GST_SECOND / 10;
    fail_unless_equals_int (gst_harness_push (harness, frame), GST_FLOW_OK);
    frame = gst_harness_pull (harness);
    gst_buffer_extract (frame, 0, &red, 1);
    fail_unless (ABS (red - 25.5 * i) <= 1, "frame %u: %u", i, red);
    gst_buffer_unref (frame);
  }
  gst_harness_teardown (harness);
}
GST_END_TEST;

GST_START_TEST (launch_line_sets_parameters_of_the_child)
{
  g_autofree gchar *path = compute_shader_path ("gain.comp");
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=1 ! vkcompute name=a location=%s "
      "parameters::gain=1.25 parameters::tint-z=0.5 ! fakesink",
      path);
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), "a");
  GstStructure *parameters = NULL;
  gdouble gain = 0;

  test_pipeline_run (pipeline, 20);
  g_object_get (element, "parameters", &parameters, NULL);
  fail_unless (parameters != NULL
               && gst_structure_get_double (parameters, "gain", &gain)
               && gain == 1.25);
  gst_structure_free (parameters);
  gst_object_unref (element);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

/* tests/data/shaders/texture.comp with a shift of one texel right and the gain
 * of a half; beyond the border, the border again. */
static void
expect_shifted (const struct picture *in, struct picture *out)
{
  for (guint y = 0; y < in->height; y++)
    for (guint x = 0; x < in->width; x++)
      for (guint k = 0; k < 4; k++)
        out->data[0][y * out->row_bytes[0] + 4 * x + k]
            = in->data[0][y * in->row_bytes[0] + 4 * MIN (x + 1, in->width - 1)
                          + k]
                  / 2.0
              + 0.5;
}

/* The same with the picture again beyond the border. */
static void
expect_rotated (const struct picture *in, struct picture *out)
{
  for (guint y = 0; y < in->height; y++)
    for (guint x = 0; x < in->width; x++)
      for (guint k = 0; k < 4; k++)
        out->data[0][y * out->row_bytes[0] + 4 * x + k]
            = in->data[0][y * in->row_bytes[0] + 4 * ((x + 1) % in->width) + k];
}

/* Half a texel right. */
static void
expect_between (const struct picture *in, struct picture *out)
{
  for (guint y = 0; y < in->height; y++)
    for (guint x = 0; x < in->width; x++)
      for (guint k = 0; k < 4; k++) {
        const guint8 *row = in->data[0] + y * in->row_bytes[0] + k;

        out->data[0][y * out->row_bytes[0] + 4 * x + k]
            = (row[4 * x] + row[4 * MIN (x + 1, in->width - 1)] + 1) / 2;
      }
}

GST_START_TEST (textures_samplers_and_uniform_blocks_are_bound)
{
  g_autofree gchar *path = compute_shader_path ("test/texture.comp");
  GstVideoInfo info;
  GstHarness *harness = compute_start_location (path, &info);

  set_parameters (harness, "p, gain=0.5, shift=<1,0>");
  for (guint i = 0; i < 3; i++)
    compute_check (harness, &info, i, 1, expect_shifted);
  set_parameters (harness, "p, gain=1, shift=<0.5,0>");
  compute_check (harness, &info, 3, 1, expect_between);
  gst_util_set_object_arg (G_OBJECT (harness->element), "filter", "nearest");
  gst_util_set_object_arg (G_OBJECT (harness->element), "wrap", "repeat");
  set_parameters (harness, "p, gain=1, shift=<0.75,0>");
  compute_check (harness, &info, 4, 0, expect_rotated);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* docs/examples/shaders/unsharp.comp with an amount of 0.8 and a radius of one
 * pixel: the blur as a matrix of weights. */
static void
expect_unsharp (const struct picture *in, struct picture *out)
{
  static const gint weights[3][3] = { { 1, 2, 1 }, { 2, 4, 2 }, { 1, 2, 1 } };

  for (guint i = 0; i < in->row_bytes[0] * in->rows[0]; i++) {
    const gint x = i % in->row_bytes[0] / 4, y = i / in->row_bytes[0];
    gdouble sum = 0;

    for (gint b = -1; b <= 1; b++)
      for (gint a = -1; a <= 1; a++)
        sum += weights[b + 1][a + 1]
               * in->data[0][CLAMP (y + b, 0, (gint)in->height - 1)
                                 * in->row_bytes[0]
                             + 4 * CLAMP (x + a, 0, (gint)in->width - 1)
                             + i % 4];
    out->data[0][i] = in->data[0][i];
    if (i % 4 != 3)
      out->data[0][i] = CLAMP (
          in->data[0][i] + 0.8 * (in->data[0][i] - sum / 16) + 0.5, 0, 255);
  }
}

/* docs/examples/shaders/plasma.comp at 0.3 seconds. */
static void
expect_plasma (const struct picture *in, struct picture *out)
{
  static const gdouble phase[] = { 0, 2.1, 4.2 };
  const gdouble time = 0.3;

  for (guint i = 0; i < in->row_bytes[0] * in->rows[0]; i++) {
    const gdouble x = i % in->row_bytes[0] / 4 / (gdouble)in->width;
    const gdouble y = i / in->row_bytes[0] / (gdouble)in->height;
    const gdouble wave = sin (8 * x + time) + sin (6 * y - 0.7 * time)
                         + sin (9 * hypot (x - 0.5, y - 0.5) + 1.3 * time);

    out->data[0][i]
        = i % 4 == 3 ? 255
                     : 255 * (0.5 + 0.5 * cos (2 * wave + phase[i % 4])) + 0.5;
  }
}

GST_START_TEST (unsharp_and_plasma_equal_the_cpu)
{
  g_autofree gchar *unsharp = compute_shader_path ("unsharp.comp");
  g_autofree gchar *plasma = compute_shader_path ("plasma.comp");
  GstVideoInfo info;
  GstHarness *harness = compute_start_location (unsharp, &info);
  struct picture none, expected;
  GstBuffer *frame;

  set_parameters (harness, "p, amount=0.8, radius=1.0");
  compute_check (harness, &info, 1, 1, expect_unsharp);
  set_parameters (harness, "p");
  g_object_set (harness->element, "location", plasma, NULL);
  frame = compute_make_frame (&info, 2);
  GST_BUFFER_PTS (frame) = 300 * GST_MSECOND;
  picture_init (&none, &info);
  picture_init (&expected, &info);
  expect_plasma (&none, &expected);
  fail_unless_equals_int (gst_harness_push (harness, frame), GST_FLOW_OK);
  compute_assert_frame ("plasma", gst_harness_pull (harness), &info, &expected,
                        1);
  picture_clear (&none);
  picture_clear (&expected);
  gst_harness_teardown (harness);
}
GST_END_TEST;

static void
set_bindings (GstElement *element, const gchar *text)
{
  GstStructure *bindings = gst_structure_from_string (text, NULL);

  fail_unless (bindings != NULL);
  g_object_set (element, "bindings", bindings, NULL);
  gst_structure_free (bindings);
}

/* Reads the second plane only, and by the component's name. */
GST_START_TEST (bindings_choose_planes)
{
  static const gchar *const maps[]
      = { "m, chroma=source.1, binding-1=target", "m, chroma=source.uv" };
  GstElement *element = compute_element_new ();
  GstVideoInfo info;
  GstHarness *harness;
  GstBuffer *frame;
  guint8 in[2], out;

  set_bindings (element, maps[__i__]);
  g_object_set (element, "shader",
                "layout (local_size_x = 8, local_size_y = 8) in;\n"
                "layout (binding = 0, rg8) readonly uniform image2D chroma;\n"
                "layout (binding = 1, r8) writeonly uniform image2D grey;\n"
                "void main () {\n"
                "  ivec2 at = ivec2 (gl_GlobalInvocationID.xy);\n"
                "  imageStore (grey, at, imageLoad (chroma, at / 2).gggg);\n"
                "}\n",
                NULL);
  harness = compute_start (element, "NV12", 20, 12, &info);
  frame = compute_make_frame (&info, 1);
  gst_buffer_extract (frame, info.offset[1] + 3 * info.stride[1] + 2 * 5, in,
                      2);
  gst_harness_push (harness, frame);
  frame = gst_harness_pull (harness);
  gst_buffer_extract (frame, 20 * 7 + 11, &out, 1);
  assert_equals_int (out, in[1]);
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
}
GST_END_TEST;

static const struct
{
  const gchar *map, *words;
} bad_maps[] = {
  { "m,nothing=source", "binding `nothing`: the shader declares no such" },
  { "m,source=target", "`source` (a rgba8 storage image): the shader does not "
                       "write it" },
  { "m,target=source", "the shader writes it" },
  { "m,source=left", "it can be source, target" },
  { "m,source=source.9", "it can be source, target" },
  { "m,source=source.2", "no frame has planes" },
};

GST_START_TEST (bindings_that_cannot_be_are_refused)
{
  g_autofree gchar *path = compute_shader_path ("invert.comp");
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=1 ! vkcompute location=%s bindings=%s ! "
      "fakesink",
      path, bad_maps[__i__].map);
  GError *error = test_pipeline_run_to_error (pipeline, 20);

  fail_unless (error != NULL
                   && strstr (error->message, bad_maps[__i__].words) != NULL,
               "%s", error != NULL ? error->message : "no error");
  g_error_free (error);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

GST_START_TEST (unset_parameters_are_named)
{
  g_autofree gchar *path = compute_shader_path ("gain.comp");
  GstVideoInfo info;
  GstElement *element = compute_element_new ();
  GstBus *bus = compute_add_bus (element);
  GstHarness *harness;

  g_object_set (element, "location", path, NULL);
  harness = compute_start (element, "RGBA", 20, 12, &info);
  compute_run (harness, &info, 1);
  compute_assert_warning (bus, "Nothing sets `tint`, `gain`, `lift`");
  compute_drop_bus (harness->element, bus);
  gst_harness_teardown (harness);
}
GST_END_TEST;

#define NUMBERS                                                                \
  "layout (local_size_x = 8, local_size_y = 8) in;\n"                          \
  "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"            \
  "layout (push_constant) uniform P { float f; int i; uint u; vec2 v; };\n"    \
  "layout (constant_id = 3) const uint MODE = 1;\n"                            \
  "void main () { imageStore (target, ivec2 (gl_GlobalInvocationID.xy),\n"     \
  "  vec4 (f, float (i + int (u + MODE)), v)); }\n"

static const struct
{
  const gchar *parameters, *words;
} bad_numbers[] = {
  { "p,gain=1.0", "parameter `gain`: " },
  { "p,f=(string)much", "parameter `f` is no number and no array" },
  { "p,v=<1.0,2.0,3.0>", "parameter `v`: 3 numbers; " },
  { "p,i=1.5", "parameter `i`: 1.5; " },
  { "p,i=3000000000.0", "parameter `i`: 3e+09; " },
  { "p,u=-1", "parameter `u`: -1; " },
  { "p,MODE=0.5", "parameter `MODE`: 0.5; " },
};

GST_START_TEST (parameters_that_cannot_be_are_an_error_at_start)
{
  g_autofree gchar *path = compute_write_shader (NUMBERS);
  GstElement *pipeline
      = test_pipeline_new ("videotestsrc num-buffers=1 ! vkcompute location=%s "
                           "parameters=%s ! fakesink",
                           path, bad_numbers[__i__].parameters);
  GError *error = test_pipeline_run_to_error (pipeline, 20);

  fail_unless (error != NULL
                   && strstr (error->message, bad_numbers[__i__].words) != NULL,
               "%s", error != NULL ? error->message : "no error");
  g_error_free (error);
  test_pipeline_free (pipeline);
  g_unlink (path);
}
GST_END_TEST;

static Suite *
values_suite (void)
{
  Suite *suite = suite_create ("values");
  TCase *cases = tcase_create ("all");

  suite_add_tcase (suite, cases);
  tcase_add_test (cases, parameters_reach_the_next_frame);
  tcase_add_test (cases, parameters_are_properties_of_a_child);
  tcase_add_test (cases, segments_in_bytes_leave_parameters_alone);
  tcase_add_test (cases, parameters_follow_a_controller);
  tcase_add_test (cases, launch_line_sets_parameters_of_the_child);
  tcase_add_test (cases, textures_samplers_and_uniform_blocks_are_bound);
  tcase_add_test (cases, unsharp_and_plasma_equal_the_cpu);
  tcase_add_loop_test (cases, bindings_choose_planes, 0, 2);
  tcase_add_loop_test (cases, bindings_that_cannot_be_are_refused, 0,
                       G_N_ELEMENTS (bad_maps));
  tcase_add_test (cases, unset_parameters_are_named);
  tcase_add_loop_test (cases, parameters_that_cannot_be_are_an_error_at_start,
                       0, G_N_ELEMENTS (bad_numbers));
  return suite;
}

GST_CHECK_MAIN (values);
