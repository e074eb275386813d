/* vkcompute: shaders that declare floats. */
#include <glib/gstdio.h>

#include "tests/elements/compute_support.h"
#include "tests/support/support.h"

#define GROUP "layout (local_size_x = 8, local_size_y = 8) in;\n"
#define MAIN                                                                   \
  "void main () {\n"                                                           \
  "  ivec2 at = ivec2 (gl_GlobalInvocationID.xy);\n"
#define IMAGE(binding, format, access, name)                                   \
  "layout (binding = " #binding ", " format ") " access                        \
  " uniform image2D " name ";\n"

/* One minus all samples. */
#define NEGATIVE(in, out)                                                      \
  GROUP IMAGE (0, in, "readonly", "a") IMAGE (1, out, "writeonly", "b") MAIN   \
      "  imageStore (b, at, 1.0 - imageLoad (a, at));\n}\n"
#define NEGATIVE_OF_PLANES(one, two)                                           \
  GROUP IMAGE (0, one, "readonly", "a") IMAGE (1, two, "readonly", "b")        \
      IMAGE (2, one, "writeonly", "c") IMAGE (3, two, "writeonly", "d") MAIN   \
      "  imageStore (c, at, 1.0 - imageLoad (a, at));\n"                       \
      "  imageStore (d, at, 1.0 - imageLoad (b, at));\n}\n"

static const struct
{
  const gchar *shader, *format;
} negatives[] = {
  { NEGATIVE ("rgba16f", "rgba16f"), "RGBA" },
  { NEGATIVE ("rgba32f", "rgba32f"), "RGBA" },
  { NEGATIVE ("rgba32f", "rgba32f"), "RGBA64_LE" },
  { NEGATIVE ("rgba32f", "rgba8"), "RGBA" },
  { NEGATIVE ("rgba8", "rgba16f"), "RGBA" },
  { NEGATIVE ("r32f", "r16f"), "GRAY8" },
  { NEGATIVE_OF_PLANES ("r16f", "rg16f"), "NV12" },
  { NEGATIVE_OF_PLANES ("r32f", "rg32f"), "NV12" },
  /* Changed in place. */
  { GROUP IMAGE (0, "rgba16f", "", "a") MAIN
    "  imageStore (a, at, 1.0 - imageLoad (a, at));\n}\n",
    "RGBA" },
  /* As HLSL compilers have it: a texture, and floats without end. */
  { GROUP "layout (binding = 0) uniform sampler2D a;\n" IMAGE (1, "rgba32f",
                                                               "writeonly", "b")
        MAIN "  imageStore (b, at, 1.0 - texelFetch (a, at, 0));\n}\n",
    "RGBA" },
};

static void
expect_negative (const struct picture *in, struct picture *out)
{
  for (guint i = 0; i < in->n_planes; i++)
    for (gsize k = 0; k < (gsize)in->row_bytes[i] * in->rows[i]; k++)
      out->data[i][k] = 255 - in->data[i][k];
}

/* The witness is arithmetic on bytes. */
GST_START_TEST (floats_are_the_codes_and_back)
{
  GstElement *element = compute_element_new ();
  GstVideoInfo info;
  GstHarness *harness;

  g_object_set (element, "shader", negatives[__i__].shader, NULL);
  harness = compute_start (element, negatives[__i__].format, 34, 22, &info);
  for (guint i = 0; i < 3; i++)
    compute_check (harness, &info, i, 0, expect_negative);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* What came out before, and the frame before: both are kept as floats. */
#define KEPT                                                                   \
  GROUP IMAGE (0, "rgba16f", "readonly", "source")                             \
      IMAGE (1, "rgba16f", "writeonly", "target")                              \
          IMAGE (2, "rgba16f", "readonly",                                     \
                 "history1") "layout (binding = 3) uniform sampler2D "         \
                             "previous;\n" MAIN                                \
                             "  vec4 old = texelFetch (previous, at, 0);\n"    \
                             "  imageStore (target, at, vec4 (imageLoad "      \
                             "(history1, at).rg,\n"                            \
                             "    imageLoad (source, at).b, old.a + 1.0 / "    \
                             "255.0));\n}\n"

GST_START_TEST (earlier_frames_are_floats_too)
{
  GstElement *element = compute_element_new ();
  GstVideoInfo info;
  GstHarness *harness;
  GstBuffer *before = NULL;

  g_object_set (element, "shader", KEPT, NULL);
  harness = compute_start (element, "RGBA", 20, 12, &info);
  for (guint i = 0; i < 4; i++) {
    GstBuffer *frame = compute_make_frame (&info, i), *result;
    guint8 now[4], then[4] = { 0 }, out[4];

    gst_buffer_extract (frame, 4 * 107, now, 4);
    if (before != NULL)
      gst_buffer_extract (before, 4 * 107, then, 4);
    gst_clear_buffer (&before);
    before = gst_buffer_copy_deep (frame);
    fail_unless_equals_int (gst_harness_push (harness, frame), GST_FLOW_OK);
    result = gst_harness_pull (harness);
    gst_buffer_extract (result, 4 * 107, out, 4);
    assert_equals_int (out[0], then[0]);
    assert_equals_int (out[1], then[1]);
    assert_equals_int (out[2], now[2]);
    assert_equals_int (out[3], i + 1);
    gst_buffer_unref (result);
  }
  gst_buffer_unref (before);
  gst_harness_teardown (harness);
}
GST_END_TEST;

GST_START_TEST (change_of_numbers_is_in_the_same_submission)
{
  g_autofree gchar *path
      = compute_write_shader (NEGATIVE ("rgba16f", "rgba32f"));
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=20 ! video/x-raw,format=NV12,width=34,height=22"
      " ! vkcompute name=a location=%s ! video/x-raw,format=NV12 ! fakesink",
      path);

  test_pipeline_run (pipeline, 30);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "submits"), 20);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "flush-limit"),
                        0);
  /* To RGBA, to floats, the shader, and back. */
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "dispatches"),
                        20 * 5);
  test_assert_stats_agree (pipeline, "a");
  test_pipeline_free (pipeline);
  g_unlink (path);
}
GST_END_TEST;

/* One image has one format. */
GST_START_TEST (floats_of_two_sizes_on_one_frame_are_refused)
{
  g_autofree gchar *path = compute_write_shader (
      GROUP IMAGE (0, "rgba16f", "readonly", "source")
          IMAGE (1, "rgba8", "writeonly", "target")
              IMAGE (2, "rgba32f", "readonly", "history1") MAIN
      "  imageStore (target, at, imageLoad (source, at)\n"
      "    + imageLoad (history1, at));\n}\n");
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=1 ! vkcompute location=%s ! fakesink", path);
  GError *error = test_pipeline_run_to_error (pipeline, 20);

  fail_unless (error != NULL
                   && strstr (error->message,
                              "binding `history1` (a rgba32f storage image): "
                              "another binding declares the same frame as "
                              "rgba16f")
                          != NULL,
               "%s", error != NULL ? error->message : "no error");
  g_error_free (error);
  test_pipeline_free (pipeline);
  g_unlink (path);
}
GST_END_TEST;

static Suite *
floats_suite (void)
{
  Suite *suite = suite_create ("floats");
  TCase *cases = tcase_create ("all");

  suite_add_tcase (suite, cases);
  tcase_add_loop_test (cases, floats_are_the_codes_and_back, 0,
                       G_N_ELEMENTS (negatives));
  tcase_add_test (cases, earlier_frames_are_floats_too);
  tcase_add_test (cases, change_of_numbers_is_in_the_same_submission);
  tcase_add_test (cases, floats_of_two_sizes_on_one_frame_are_refused);
  return suite;
}

GST_CHECK_MAIN (floats);
