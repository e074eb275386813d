/* vkcolorconvert: where chroma lies between pixels, by hand: 4:2:0 up to 4:4:4
 * and down, and 4:2:2. */
#include <gst/check/gstharness.h>

#include "tests/elements/frames.h"
#include "tests/elements/shape_support.h"
#include "tests/support/support.h"

#define SIZE 8

static GstContext *context;
static GstElement *keeper;

static void
setup (void)
{
  context = test_share_device (&keeper);
}

static void
teardown (void)
{
  test_unshare_device (context, keeper);
}

/* Chroma and luma sites that GStreamer has names for; `dv` is what the sites of
 * HDR10 files, on the pixel, arrive as. */
static const struct
{
  const gchar *name;
  gboolean left, top;
} sites[] = {
  { "mpeg2", TRUE, FALSE }, { "jpeg", FALSE, FALSE },
  { "dv", TRUE, TRUE },     { "cosited", TRUE, TRUE },
  { "v-cosited", FALSE, TRUE },
};

/* Of these chroma has half as many rows, or as many. */
static const struct
{
  const gchar *name;
  guint axes;
} formats[] = { { "I420", 2 }, { "YUY2", 1 } };

/* A harness from one format to the other, both of the same site. */
static GstHarness *
start (const gchar *from, const gchar *to, const gchar *site)
{
  g_autofree gchar *in = g_strdup_printf (
      "video/x-raw,format=%s,width=%d,height=%d,framerate=25/1,"
      "colorimetry=bt709,chroma-site=%s",
      from, SIZE, SIZE, site);
  g_autofree gchar *out = g_strdup_printf (
      "video/x-raw,format=%s,colorimetry=bt709,chroma-site=%s", to, site);

  return test_shape_start_on (context, "vkcolorconvert dither=none", in, out);
}

/* @along: 0: Cb changes from column to column, 1: from row to row. */
static GstBuffer *
frame_of (GstVideoInfo *info, const guint8 *cb, guint along)
{
  GstBuffer *buffer = gst_buffer_new_and_alloc (info->size);
  GstVideoFrame frame;

  gst_buffer_memset (buffer, 0, 128, info->size);
  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, 1); y++)
    for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (&frame, 1); x++)
      ((guint8 *)GST_VIDEO_FRAME_COMP_DATA (&frame, 1))
          [y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, 1)
           + x * GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, 1)]
          = cb[along == 0 ? x : y];
  gst_video_frame_unmap (&frame);
  return buffer;
}

/* Cb along one axis, where the other one is at @at, of what becomes of @cb. */
static void
pass (GstHarness *h, const guint8 *cb, guint along, guint at, gdouble *got)
{
  GstVideoInfo in = test_pad_info (h->srcpad), out;
  struct plane planes[4] = { { 0 } };
  GstBuffer *buffer = test_pass (h, frame_of (&in, cb, along));

  out = test_pad_info (h->sinkpad);
  test_read_planes (buffer, &out, planes);
  for (gint i = 0; i < (along == 0 ? planes[1].width : planes[1].height); i++)
    got[i] = planes[1].at[along == 0 ? at * planes[1].width + i
                                     : i * planes[1].width + at];
  test_free_planes (planes);
  gst_buffer_unref (buffer);
}

static void
assert_cb (const gdouble *got, const guint8 *want, guint n, guint site,
           guint along)
{
  for (guint i = 0; i < n; i++)
    fail_unless (got[i] == want[i], "%s: %s %u is %g, not %u",
                 sites[site].name, along == 0 ? "column" : "row", i, got[i],
                 want[i]);
}

static gboolean
is_cosited (guint site, guint along)
{
  return along == 0 ? sites[site].left : sites[site].top;
}

/* Pixels of 64 64 192 192: on a sample, or a quarter before and behind it. */
GST_START_TEST (pixels_get_the_chroma_that_is_there)
{
  static const guint8 in[4] = { 64, 64, 192, 192 };
  static const guint8 on[SIZE] = { 64, 64, 64, 128, 192, 192, 192, 192 };
  static const guint8 between[SIZE] = { 64, 64, 64, 96, 160, 192, 192, 192 };
  gdouble got[SIZE];

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++) {
    GstHarness *h = start (formats[f].name, "Y444", sites[__i__].name);

    for (guint along = 0; along < formats[f].axes; along++) {
      pass (h, in, along, 3, got);
      assert_cb (got, is_cosited (__i__, along) ? on : between, SIZE, __i__,
                 along);
    }
    gst_harness_teardown (h);
  }
}
GST_END_TEST;

/* One pixel more than the others, on an even place and on an odd one: half of
 * it in its sample, or a quarter each in two. */
GST_START_TEST (samples_are_made_of_the_pixels_around_them)
{
  static const guint8 in[2][SIZE]
      = { { 100, 100, 200, 100, 100, 100, 100, 100 },
          { 100, 100, 100, 200, 100, 100, 100, 100 } };
  static const guint8 on[2][4]
      = { { 100, 150, 100, 100 }, { 100, 125, 125, 100 } };
  static const guint8 between[4] = { 100, 150, 100, 100 };
  gdouble got[SIZE];

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++) {
    GstHarness *h = start ("Y444", formats[f].name, sites[__i__].name);

    for (guint k = 0; k < 2 * formats[f].axes; k++) {
      const guint along = k / 2, odd = k % 2;

      pass (h, in[odd], along, 2, got);
      assert_cb (got, is_cosited (__i__, along) ? on[odd] : between, 4, __i__,
                 along);
    }
    gst_harness_teardown (h);
  }
}
GST_END_TEST;

static Suite *
sites_suite (void)
{
  Suite *suite = suite_create ("sites");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 120);
  tcase_add_checked_fixture (cases, setup, teardown);
  tcase_add_loop_test (cases, pixels_get_the_chroma_that_is_there, 0,
                       G_N_ELEMENTS (sites));
  tcase_add_loop_test (cases, samples_are_made_of_the_pixels_around_them, 0,
                       G_N_ELEMENTS (sites));
  return suite;
}

GST_CHECK_MAIN (sites);
