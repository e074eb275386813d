/* vkcompute: what is refused, by name, and what a shader cannot do. */
#include <glib/gstdio.h>

#include "tests/elements/compute_support.h"
#include "tests/support/support.h"

#define HEAD "#version 450\nlayout (local_size_x = 8) in;\n"

static const struct
{
  const gchar *text;
  const gchar *words;
} refused[] = {
  { "nonsense", "does not compile" },
  { HEAD "void main () {}\n", "has no output" },
  { HEAD "layout (binding = 0, rgba8) readonly uniform image2D only;\n"
         "shared vec4 s;\n"
         "void main () { s = imageLoad (only, ivec2 (0)); }\n",
    "has no output" },
  { HEAD "layout (binding = 0, rgba8) writeonly uniform image2D one;\n"
         "layout (binding = 1, rgba8) writeonly uniform image2D two;\n"
         "void main () { imageStore (one, ivec2 (0), vec4 (0));\n"
         "imageStore (two, ivec2 (0), vec4 (0)); }\n",
    "`one` (a rgba8 storage image), binding `two` (a rgba8 storage image): no "
    "frame has planes" },
  { HEAD "layout (binding = 0) uniform sampler2D tex;\n"
         "layout (binding = 2, rgba8) readonly uniform image2D also;\n"
         "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"
         "void main () { imageStore (target, ivec2 (0), "
         "textureLod (tex, vec2 (0), 0) + imageLoad (also, ivec2 (0))); }\n",
    "binding `tex` (a texture with its sampler), binding `also`" },
  { HEAD "layout (binding = 1, rgba8) writeonly uniform image3D deep;\n"
         "void main () { imageStore (deep, ivec3 (0), vec4 (0)); }\n",
    "`deep` (a rgba8 storage image): a frame is a plain 2D image" },
  { "#version 450\nlayout (local_size_x = 1024, local_size_y = 1024) in;\n"
    "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"
    "void main () { imageStore (target, ivec2 (0), vec4 (0)); }\n",
    "workgroups of 1024x1024x1 are 1048576 invocations" },
  { HEAD "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"
         "shared float big[100000];\n"
         "void main () { big[gl_LocalInvocationIndex] = 1;\n"
         "imageStore (target, ivec2 (0), vec4 (big[3])); }\n",
    "share 400000 bytes" },
  { HEAD "layout (binding = 1, rgba8_snorm) writeonly uniform image2D "
         "target;\n"
         "void main () { imageStore (target, ivec2 (0), vec4 (0)); }\n",
    "`target` (a rgba8_snorm storage image): no frame has planes" },
  { HEAD "layout (binding = 1, rgba8) writeonly uniform image2D target[5];\n"
         "void main () { imageStore (target[4], ivec2 (0), vec4 (0)); }\n",
    "`target` (an array of 5 rgba8 storage images): no frame has so many" },
  { HEAD "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"
         "layout (binding = 3) uniform Settings { float a; } many[2];\n"
         "void main () { imageStore (target, ivec2 (0), "
         "vec4 (many[1].a)); }\n",
    "`many` (an array of 2 uniform buffers): arrays of blocks" },
  { HEAD "layout (binding = 0) readonly buffer In { uint w[]; } source;\n"
         "layout (binding = 1) buffer Out { uint w[]; } one;\n"
         "layout (binding = 2) buffer More { uint w[]; } two;\n"
         "void main () { one.w[0] = source.w[0]; two.w[0] = 1; }\n",
    "binding `one` (a storage buffer), binding `two` (a storage buffer): a "
    "frame is in one buffer" },
  { HEAD "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"
         "layout (binding = 2) uniform Large { vec4 v[268435455]; } large;\n"
         "void main () { imageStore (target, ivec2 (0), large.v[7]); }\n",
    "binding `large` (a uniform buffer) has 4294967280 bytes; " },
  { HEAD "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"
         "layout (push_constant) uniform Big { vec4 v[9]; } big;\n"
         "void main () { imageStore (target, ivec2 (0), big.v[8]); }\n",
    "push constants `Big` have 144 bytes; at most 128" },
  { HEAD "layout (set = 4, binding = 1, rgba8) writeonly uniform image2D "
         "target;\n"
         "void main () { imageStore (target, ivec2 (0), vec4 (0)); }\n",
    "`target` is in descriptor set 4" },
  { "#version 450\n"
    "#extension GL_EXT_shader_atomic_int64 : require\n"
    "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n"
    "layout (local_size_x = 8) in;\n"
    "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"
    "layout (binding = 2) buffer Sums { uint64_t all; } sums;\n"
    "void main () { atomicAdd (sums.all, uint64_t (1));\n"
    "imageStore (target, ivec2 (0), vec4 (0)); }\n",
    "needs the SPIR-V capability 12" },
};

GST_START_TEST (refusals_name_what_the_shader_declares)
{
  g_autofree gchar *shader = compute_write_shader (refused[__i__].text);
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=2 ! video/x-raw,width=32,height=16 ! "
      "vkcompute location=%s ! fakesink",
      shader);
  GError *error = test_pipeline_run_to_error (pipeline, 20);

  fail_unless (error != NULL);
  fail_unless (strstr (error->message, refused[__i__].words) != NULL, "%s",
               error->message);
  fail_unless (
      g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS));
  g_error_free (error);
  test_pipeline_free (pipeline);
  g_unlink (shader);
}
GST_END_TEST;

/* The shader needs a block of numbers and a sampler where they are; no frame is
 * bound to them. */
static const struct
{
  const gchar *map, *words;
} wrong_kinds[] = {
  { "m,settings=source",
    "binding `settings` (a uniform buffer): no frame can be bound" },
  { "m,taps=source", "binding `taps` (a sampler): no frame can be bound" },
  { "m,source=target",
    "binding `source` (a sampled image): the shader does not write it" },
};

#define ALL_KINDS                                                              \
  HEAD "layout (binding = 0) uniform texture2D source;\n"                      \
       "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"       \
       "layout (binding = 2) uniform sampler taps;\n"                          \
       "layout (binding = 3) uniform Settings { float a; } settings;\n"        \
       "void main () { imageStore (target, ivec2 (0), settings.a *\n"          \
       "textureLod (sampler2D (source, taps), vec2 (0), 0)); }\n"

/* Two images that are written; neither names nor numbers say where to. */
#define TWO_TARGETS                                                            \
  HEAD "layout (binding = 0, rgba8) readonly uniform image2D source;\n"        \
       "layout (binding = 1, rgba8) writeonly uniform image2D one;\n"          \
       "layout (binding = 2, rgba8) writeonly uniform image2D two;\n"          \
       "void main () { imageStore (one, ivec2 (0),\n"                          \
       "  imageLoad (source, ivec2 (0)));\n"                                   \
       "  imageStore (two, ivec2 (0), vec4 (1)); }\n"

static const gchar *const both_targets[]
    = { "m,one=target", "m,one=target,two=target", "m,two=target.0" };

GST_START_TEST (plane_that_is_bound_twice_is_refused)
{
  g_autofree gchar *path = compute_write_shader (TWO_TARGETS);
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=1 ! vkcompute location=%s bindings=%s ! "
      "fakesink",
      path, both_targets[__i__]);
  GError *error = test_pipeline_run_to_error (pipeline, 20);

  fail_unless (error != NULL
                   && strstr (error->message,
                              "binding `two` (a rgba8 storage image): `one` is "
                              "plane 0 of the frame already")
                          != NULL,
               "%s", error != NULL ? error->message : "no error");
  g_error_free (error);
  test_pipeline_free (pipeline);
  g_unlink (path);
}
GST_END_TEST;

GST_START_TEST (unknown_output_format_is_refused_at_the_start)
{
  g_autofree gchar *path = compute_shader_path ("invert.comp");
  GstElement *pipeline
      = test_pipeline_new ("videotestsrc num-buffers=1 ! vkcompute location=%s "
                           "output-format=FOO ! fakesink",
                           path);
  GError *error = test_pipeline_run_to_error (pipeline, 20);

  fail_unless (
      error != NULL
          && strstr (error->message, "output-format \"FOO\" is no format")
                 != NULL,
      "%s", error != NULL ? error->message : "no error");
  g_error_free (error);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

GST_START_TEST (bindings_of_the_wrong_kind_are_refused)
{
  g_autofree gchar *path = compute_write_shader (ALL_KINDS);
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=1 ! vkcompute location=%s bindings=%s ! "
      "fakesink",
      path, wrong_kinds[__i__].map);
  GError *error = test_pipeline_run_to_error (pipeline, 20);

  fail_unless (error != NULL
                   && strstr (error->message, wrong_kinds[__i__].words) != NULL,
               "%s", error != NULL ? error->message : "no error");
  g_error_free (error);
  test_pipeline_free (pipeline);
  g_unlink (path);
}
GST_END_TEST;

/* Far outside on all sides; what lies inside is as it should be, and so is what
 * other images and buffers hold. */
static const gchar *const strays[]
    = { HEAD "layout (binding = 0, rgba8) readonly uniform image2D source;\n"
             "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"
             "layout (binding = 2) buffer Kept { uint w[4]; } kept;\n"
             "void main () {\n"
             "  for (int y = 0; y < imageSize (target).y; y++) {\n"
             "    ivec2 at = ivec2 (gl_GlobalInvocationID.x, y);\n"
             "    imageStore (target, at, imageLoad (source, at));\n"
             "  }\n"
             "  ivec2 far = ivec2 (1 << (gl_GlobalInvocationID.x % 24 + 5));\n"
             "  imageStore (target, far, vec4 (0.5));\n"
             "  imageStore (target, -far, vec4 (0.5));\n"
             "  imageStore (target, ivec2 (-1, far.y), vec4 (0.5));\n"
             "  kept.w[4 + far.x] = 0xdeadbeefu;\n"
             "}\n",
        HEAD "layout (binding = 0) readonly buffer In { uint w[]; } source;\n"
             "layout (binding = 1) buffer Out { uint w[]; } target;\n"
             "void main () {\n"
             "  uint n = target.w.length ();\n"
             "  for (uint i = gl_GlobalInvocationID.x; i < n; i += 8)\n"
             "    target.w[i] = source.w[i];\n"
             "  uint far = n + (1u << (gl_GlobalInvocationID.x % 24 + 2));\n"
             "  target.w[far] = 0xdeadbeefu;\n"
             "  target.w[0xfffffff0u + gl_GlobalInvocationID.x % 16] = 1u;\n"
             "}\n" };

GST_START_TEST (stores_beyond_the_end_touch_nothing)
{
  struct vkc_device *device = test_device_new ();
  const gboolean is_robust = device->features.core.features.robustBufferAccess
                             && device->features.v13.robustImageAccess;
  GstElement *element = compute_element_new ();
  GstVideoInfo info;
  GstHarness *harness;

  vkc_device_unref (device);
  if (!is_robust) {
    gst_object_unref (element);
    test_skip ("no robust access");
  }
  g_object_set (element, "shader", strays[__i__], "groups", "3", NULL);
  harness = compute_start (element, "RGBA", 24, 16, &info);
  for (guint i = 0; i < 4; i++)
    compute_check (harness, &info, i, 0, compute_expect_same);
  gst_harness_teardown (harness);
}
GST_END_TEST;

static Suite *
refusals_suite (void)
{
  Suite *suite = suite_create ("refusals");
  TCase *cases = tcase_create ("all");

  suite_add_tcase (suite, cases);
  tcase_add_loop_test (cases, refusals_name_what_the_shader_declares, 0,
                       G_N_ELEMENTS (refused));
  tcase_add_loop_test (cases, bindings_of_the_wrong_kind_are_refused, 0,
                       G_N_ELEMENTS (wrong_kinds));
  tcase_add_loop_test (cases, plane_that_is_bound_twice_is_refused, 0,
                       G_N_ELEMENTS (both_targets));
  tcase_add_test (cases, unknown_output_format_is_refused_at_the_start);
  tcase_add_loop_test (cases, stores_beyond_the_end_touch_nothing, 0,
                       G_N_ELEMENTS (strays));
  return suite;
}

GST_CHECK_MAIN (refusals);
