/* vkcolorconvert: samples are found where they are at any width, and the last
 * ones are like the others. tests/elements/formats.c has every format. */
#include <gst/check/gstharness.h>

#include "tests/elements/frames.h"
#include "tests/elements/picture.h"
#include "tests/elements/shape_support.h"
#include "tests/support/support.h"

#define CAPS "video/x-raw,format=%s,width=%d,height=%d,framerate=25/1"

static GstHarness *harness;

static void
setup (void)
{
  test_wrap_install ();
  harness = gst_harness_new ("vkcolorconvert");
  gst_util_set_object_arg (G_OBJECT (harness->element), "dither", "none");
}

static void
teardown (void)
{
  gst_harness_teardown (harness);
}

static void
configure (GstVideoFormat from, GstVideoFormat to, gint width, gint height)
{
  g_autofree gchar *in = g_strdup_printf (
      CAPS, gst_video_format_to_string (from), width, height);
  g_autofree gchar *out = g_strdup_printf (
      CAPS, gst_video_format_to_string (to), width, height);

  gst_harness_set_sink_caps_str (harness, out);
  gst_harness_set_src_caps_str (harness, in);
}

/* White of BT.709's limited range, where the samples are the words' upper
 * bits. */
GST_START_TEST (white_is_white_in_words_with_samples_on_top)
{
  static const struct
  {
    GstVideoFormat format;
    guint16 luma, chroma;
  } rows[] = {
    { GST_VIDEO_FORMAT_P010_10LE, 940 << 6, 512 << 6 },
    { GST_VIDEO_FORMAT_P010_10LE, 60223, (512 << 6) + 63 },
    { GST_VIDEO_FORMAT_P012_LE, 3760 << 4, 2048 << 4 },
    { GST_VIDEO_FORMAT_P012_LE, (3760 << 4) + 15, (2048 << 4) + 9 },
    { GST_VIDEO_FORMAT_P016_LE, 60160, 32768 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    GstVideoInfo info = test_info (rows[i].format, 8, 4);
    GstBuffer *buffer = gst_buffer_new_and_alloc (info.size);
    GstMapInfo map;

    configure (rows[i].format, GST_VIDEO_FORMAT_RGBA, 8, 4);
    fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
    for (gsize k = 0; k < info.size / 2; k++)
      GST_WRITE_UINT16_LE (map.data + 2 * k, k < info.offset[1] / 2
                                                 ? rows[i].luma
                                                 : rows[i].chroma);
    gst_buffer_unmap (buffer, &map);
    buffer = test_pass (harness, buffer);
    fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READ));
    for (gsize k = 0; k < 8 * 4 * 4; k++)
      fail_unless (map.data[k] == 255, "row %u: byte %u is %u", i, (guint)k,
                   map.data[k]);
    gst_buffer_unmap (buffer, &map);
    gst_buffer_unref (buffer);
  }
}
GST_END_TEST;

/* Rows: formats that hold the same codes. */
static const struct
{
  GstVideoFormat from, to;
  gint step; /* between widths */
} repackings[] = {
  { GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_I420, 1 },
  { GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_BGRx, 6 },
  { GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_I420_10LE, 11 },
  { GST_VIDEO_FORMAT_Y42B, GST_VIDEO_FORMAT_YUY2, 23 },
};

static void
assert_columns (GstVideoFormat from, GstVideoFormat to, gint width)
{
  GstVideoInfo in = test_info (from, width, 3);
  GstVideoInfo out = test_info (to, width, 3);
  GstBuffer *buffer = test_frame_new (&in, width), *got;
  struct plane want[4] = { { 0 } }, found[4] = { { 0 } };

  configure (from, to, width, 3);
  got = test_pass (harness, gst_buffer_ref (buffer));
  test_read_planes (buffer, &in, want);
  test_read_planes (got, &out, found);
  for (guint c = 0; c < 3; c++)
    for (gint i = 0; i < want[c].width * want[c].height; i++)
      if (want[c].at[i] != found[c].at[i])
        fail ("%s, width %d: component %u, sample %d is %g, not %g",
              in.finfo->name, width, c, i, found[c].at[i], want[c].at[i]);
  test_free_planes (want);
  test_free_planes (found);
  gst_buffer_unref (buffer);
  gst_buffer_unref (got);
}

/* Whatever a row's end has to do with words, strides and workgroups, no column
 * is skewed, lost or shared. */
GST_START_TEST (columns_are_columns_at_any_width)
{
  static const gint wide[] = { 641, 1025, 1366, 1890 };

  for (gint width = 1; width <= 70; width += repackings[__i__].step)
    assert_columns (repackings[__i__].from, repackings[__i__].to, width);
  for (guint i = 0; i < G_N_ELEMENTS (wide); i++)
    assert_columns (repackings[__i__].from, repackings[__i__].to, wide[i]);
}
GST_END_TEST;

/* Rows: chroma of another size than luma, and samples across words. */
static const gchar *const subsampled[]
    = { "I420", "P010_10LE", "YUY2", "v210" };
static const gint flat_sizes[][2]
    = { { 1, 1 }, { 2, 1 }, { 1, 2 }, { 3, 3 }, { 321, 241 } };

/* A flat frame, in 8-bit codes; or, with @buffer, is it flat? */
static GstBuffer *
flat (const GstVideoInfo *info, const guint codes[3], GstBuffer *buffer)
{
  static const struct color_description none = { 0 };
  struct picture picture;

  picture_init (&picture, info, &none);
  if (buffer != NULL)
    picture_from_buffer (&picture, buffer);
  for (guint k = 0; k < 3; k++)
    for (guint i = 0;
         i < picture_columns (&picture, k) * picture_rows (&picture, k); i++) {
      if (buffer == NULL)
        picture.codes[k][i] = codes[k] << (picture_bits (&picture, k) - 8);
      else if (picture.codes[k][i] != picture.codes[k][0])
        fail ("%s, %dx%d: component %u, sample %u is %u, not %u",
              info->finfo->name, info->width, info->height, k, i,
              picture.codes[k][i], picture.codes[k][0]);
    }
  if (buffer == NULL)
    buffer = picture_to_buffer (&picture);
  picture_clear (&picture);
  return buffer;
}

/* __i__: format. The last column and the last row have chroma as well, on the
 * way in and on the way out. */
GST_START_TEST (flat_colours_are_flat_to_the_last_sample)
{
  static const guint red[3] = { 63, 102, 240 }, rgb[3] = { 190, 20, 30 };
  const GstVideoFormat format
      = gst_video_format_from_string (subsampled[__i__]);

  for (guint way = 0; way < 2; way++)
    for (guint i = 0; i < G_N_ELEMENTS (flat_sizes); i++) {
      const gint *size = flat_sizes[i];
      const GstVideoInfo info = test_info (format, size[0], size[1]);
      const GstVideoInfo wide
          = test_info (GST_VIDEO_FORMAT_RGBA, size[0], size[1]);
      GstBuffer *buffer;

      configure (way == 0 ? format : GST_VIDEO_FORMAT_RGBA,
                 way == 0 ? GST_VIDEO_FORMAT_RGBA : format, size[0], size[1]);
      buffer = test_pass (harness, way == 0 ? flat (&info, red, NULL)
                                            : flat (&wide, rgb, NULL));
      gst_buffer_unref (
          flat (way == 0 ? &wide : &info, NULL, buffer));
    }
}
GST_END_TEST;

static Suite *
samples_suite (void)
{
  Suite *suite = suite_create ("samples");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 240);
  tcase_add_checked_fixture (cases, setup, teardown);
  tcase_add_test (cases, white_is_white_in_words_with_samples_on_top);
  tcase_add_loop_test (cases, columns_are_columns_at_any_width, 0,
                       G_N_ELEMENTS (repackings));
  tcase_add_loop_test (cases, flat_colours_are_flat_to_the_last_sample, 0,
                       G_N_ELEMENTS (subsampled));
  return suite;
}

GST_CHECK_MAIN (samples);
