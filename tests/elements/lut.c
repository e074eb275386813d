/* vktonemap's tables from .cube files. */
#include <gst/check/gstharness.h>
#include <glib/gstdio.h>
#include <gst/video/video.h>

#include "gst/color/cube.h"
#include "tests/elements/triple_support.h"
#include "tests/support/support.h"

#define SIZE "width=64,height=32,framerate=25/1"
#define PQ   "video/x-raw,format=P010_10LE," SIZE ",colorimetry=bt2100-pq"

static gchar *
write_cube (const gchar *text)
{
  return test_temporary_file (".cube", text, -1);
}

static GstHarness *
start (const gchar *settings, const gchar *path)
{
  g_autofree gchar *line = g_strdup_printf (
      "vktonemap gamut-mapping=clip curve=bt2390 dither=none %s lut=%s",
      settings, path);
  GstHarness *h = gst_harness_new_parse (line);

  gst_harness_set_sink_caps_str (h, "video/x-raw,format=NV12");
  gst_harness_set_src_caps_str (h, PQ);
  return h;
}

static GstBuffer *
grey_frame (guint y)
{
  GstBuffer *buffer = gst_buffer_new_and_alloc (64 * 32 * 3);
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  for (gsize i = 0; i < 64 * 32 * 3 / 2; i++)
    GST_WRITE_UINT16_LE (map.data + 2 * i, (i < 64 * 32 ? y : 512) << 6);
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

/* Y, Cb and Cr of what a grey frame of @y becomes. */
static void
codes_for (GstHarness *h, guint y, guint codes[3])
{
  GstBuffer *buffer = gst_harness_push_and_pull (h, grey_frame (y));
  GstMapInfo map;

  fail_unless (buffer != NULL);
  gst_buffer_map (buffer, &map, GST_MAP_READ);
  codes[0] = map.data[0];
  codes[1] = map.data[64 * 32];
  codes[2] = map.data[64 * 32 + 1];
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
}

static void
assert_codes (GstHarness *h, guint in, guint y, guint cb, guint cr)
{
  guint codes[3];

  codes_for (h, in, codes);
  fail_unless (codes[0] == y && codes[1] == cb && codes[2] == cr,
               "%u becomes %u %u %u", in, codes[0], codes[1], codes[2]);
}

/* With the curve's gain from the plan, and from the detector's table. */
static const gchar *const gains[] = { "", "peak-detection=on smoothing=0" };

GST_START_TEST (identity_changes_nothing)
{
  g_autofree gchar *path
      = write_cube ("LUT_3D_SIZE 2\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n"
                    "1 0 1\n0 1 1\n1 1 1\n");
  GstHarness *h = start (gains[__i__], path);

  assert_codes (h, 64, 16, 128, 128);
  assert_codes (h, 509, 179, 128, 128);
  gst_harness_teardown (h);
  g_remove (path);
}
GST_END_TEST;

/* Channels are crossed on purpose. */
GST_START_TEST (table_comes_behind_the_mapping)
{
  g_autofree gchar *path = write_cube ("LUT_1D_SIZE 2\n0 1 0\n1 0 0.5\n");
  GstHarness *h = start ("name=t", path);
  GstElement *element;

  /* Black becomes green; white red and half a blue. */
  assert_codes (h, 64, 173, 42, 26);
  assert_codes (h, 723, 70, 158, 235);
  g_remove (path);

  /* A name that is empty is no table. */
  element = gst_bin_get_by_name (GST_BIN (h->element), "t");
  g_object_set (element, "lut", "", NULL);
  assert_codes (h, 64, 16, 128, 128);
  gst_object_unref (element);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* The PQ signal itself is what is shown. */
GST_START_TEST (table_can_replace_the_mapping)
{
  g_autofree gchar *path = write_cube ("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n");
  GstHarness *h = start ("lut-mode=instead peak-detection=on", path);

  assert_codes (h, 64, 16, 128, 128);
  assert_codes (h, 940, 235, 128, 128);
  assert_codes (h, 573, 143, 128, 128);
  gst_harness_teardown (h);
  g_remove (path);
}
GST_END_TEST;

/* 3D tables, as text: an identity whose domain ends at 2; one that is grey at
 * the two ends of its diagonal and nowhere else; 4^3 entries of no order. */
static gchar *
text_of (guint table)
{
  GString *text;

  if (table == 0)
    return g_strdup ("DOMAIN_MIN 0 0 0\nDOMAIN_MAX 2 2 2\nLUT_3D_SIZE 2\n"
                     "0 0 0\n2 0 0\n0 2 0\n2 2 0\n0 0 2\n2 0 2\n0 2 2\n"
                     "2 2 2\n");
  if (table == 1)
    return g_strdup ("LUT_3D_SIZE 2\n0 0 0\n1 0.3 0\n0 0.9 0.1\n0.2 1 0\n"
                     "0.4 0 0.7\n1 0 0.1\n0 0.6 1\n1 1 1\n");
  text = g_string_new ("LUT_3D_SIZE 4\n");
  for (guint i = 0; i < 64; i++)
    g_string_append_printf (text, "%u.%02u 0.%02u 0.%02u\n", i % 9 == 8,
                            i * 37 % 100, i * 53 % 100, i * 71 % 100);
  return g_string_free (text, FALSE);
}

/* __i__: table. Colours of all kinds, greys among them, are where the table's
 * witness has them (tests/unit/color_cube.c says what that is): between entries
 * by tetrahedra, at the domain's ends and beyond. */
GST_START_TEST (tables_are_tetrahedral_on_the_device)
{
  g_autofree gchar *text = text_of (__i__);
  g_autofree gchar *path = write_cube (text);
  g_autofree gchar *line = g_strdup_printf (
      "vktonemap dither=none peak-detection=off lut-mode=instead lut=%s", path);
  struct color_cube_error error = { 0 };
  struct color_cube cube;
  GstHarness *h = gst_harness_new_parse (line);

  fail_unless (color_cube_parse (&cube, text, strlen (text), &error));
  gst_harness_set_sink_caps_str (
      h, "video/x-raw,format=GBR,colorimetry=(string)1:1:5:1");
  gst_harness_set_src_caps_str (
      h, "video/x-raw,format=GBR_10LE,width=16,height=4,framerate=25/1,"
         "colorimetry=(string)1:1:14:7");
  for (guint i = 0; i < 48; i++) {
    const guint grey = i * 73 % 1024;
    const guint in[3] = { grey, i < 16 ? grey : i * 389 % 1024,
                          i < 16 ? grey : i * 631 % 1024 };
    const float at[3] = { in[0] / 1023.0f, in[1] / 1023.0f, in[2] / 1023.0f };
    guint found[3];
    float want[3];

    test_pass_colour (h, in, found);
    color_cube_apply (&cube, at, want);
    for (guint c = 0; c < 3; c++)
      fail_unless (ABS (found[c] - 255 * CLAMP (want[c], 0, 1)) < 0.6f,
                   "(%u, %u, %u): component %u is %u, not %g", in[0], in[1],
                   in[2], c, found[c], 255 * want[c]);
    fail_unless (__i__ != 1 || i >= 16
                     || (found[0] == found[1] && found[1] == found[2]),
                 "grey of %u", grey);
  }
  color_cube_clear (&cube);
  gst_harness_teardown (h);
  g_remove (path);
}
GST_END_TEST;

GST_START_TEST (malformed_file_is_an_error_with_its_line)
{
  g_autofree gchar *path = write_cube ("LUT_1D_SIZE 2\n0 0 0\n1 1\n");
  g_autofree gchar *line = g_strdup_printf (
      "videotestsrc num-buffers=2 ! " PQ " ! vktonemap lut=%s ! "
      "video/x-raw,format=NV12 ! fakesink",
      path);
  GstElement *pipeline = test_pipeline_new ("%s", line);
  g_autoptr (GError) error = test_pipeline_run_to_error (pipeline, 60);

  fail_unless (
      g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS)
          && strstr (error->message, "line 3: three numbers") != NULL,
      "%s", error ? error->message : "no error");
  test_pipeline_free (pipeline);
  g_remove (path);
}
GST_END_TEST;

static Suite *
lut_suite (void)
{
  Suite *suite = suite_create ("lut");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 240);
  tcase_add_loop_test (cases, identity_changes_nothing, 0, 2);
  tcase_add_test (cases, table_comes_behind_the_mapping);
  tcase_add_test (cases, table_can_replace_the_mapping);
  tcase_add_loop_test (cases, tables_are_tetrahedral_on_the_device, 0, 3);
  tcase_add_test (cases, malformed_file_is_an_error_with_its_line);
  return suite;
}

GST_CHECK_MAIN (lut);
