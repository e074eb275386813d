/* What `view` shows, pixel by pixel. */
#include <gst/check/gstharness.h>
#include <gst/video/video.h>
#include <math.h>

#include "gst/base/gstvkcfilter.h"
#include "gst/color/matrix.h"
#include "gst/color/peak.h"
#include "gst/color/tonecurve.h"
#include "gst/color/transfer.h"
#include "tests/elements/diagram.h"
#include "tests/elements/picture.h"
#include "tests/support/support.h"

#define WIDTH  DIAGRAM_FRAME_WIDTH
#define HEIGHT DIAGRAM_FRAME_HEIGHT
#define LEFT   DIAGRAM_LEFT
#define BOTTOM DIAGRAM_BOTTOM
#define ACROSS DIAGRAM_WIDTH
#define UP     DIAGRAM_HEIGHT
#define BORDER 160 /* of the halves: whole blocks of 8 */
#define SIZE   "video/x-raw,width=326,height=178,framerate=25/1,format="

static void
init (struct picture *picture, const gchar *caps_string)
{
  static const struct color_description unused;
  g_autoptr (GstCaps) caps = gst_caps_from_string (caps_string);
  GstVideoInfo info;

  fail_unless (gst_video_info_from_caps (&info, caps), "%s", caps_string);
  picture_init (picture, &info, &unused);
}

/* By how much codes of two kernels may differ. A GPU's adds up chroma in
 * another order where a picture is in two halves. */
static gint tolerance;

static void
find_tolerance (GstHarness *h)
{
  g_autoptr (GstElement) element
      = gst_bin_get_by_name (GST_BIN (h->element), "map");

  tolerance
      = gst_vkc_filter_get_device (GST_VKC_FILTER (element))->is_cpu ? 0 : 1;
}

/* @in through vktonemap with @settings; clear @out. */
static void
map (const gchar *settings, const gchar *in_caps, const struct picture *in,
     const gchar *out_caps, struct picture *out)
{
  g_autofree gchar *line
      = g_strdup_printf ("vktonemap name=map %s ! identity", settings);
  GstHarness *h = gst_harness_new_parse (line);
  GstBuffer *buffer;

  gst_harness_set_sink_caps_str (h, out_caps);
  gst_harness_set_src_caps_str (h, in_caps);
  buffer = gst_harness_push_and_pull (h, picture_to_buffer (in));
  fail_unless (buffer != NULL);
  init (out, out_caps);
  picture_from_buffer (out, buffer);
  find_tolerance (h);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}

/* A source with detail in every channel. */
static void
fill (struct picture *picture)
{
  picture_fill_randomly (picture, 7);
}

struct split_case
{
  const gchar *in, *out, *settings;
};

static const struct split_case split_cases[] = {
  { "P010_10LE,colorimetry=bt2100-pq,chroma-site=dv", "NV12", "" },
  { "P010_10LE,colorimetry=bt2100-pq,chroma-site=dv", "I420",
    "curve-mode=intensity gamut-mapping=perceptual dither=none" },
  { "P010_10LE,colorimetry=bt2100-pq,chroma-site=dv", "Y444",
    "peak-detection=on curve-mode=luma exposure=0.5" },
  { "P010_10LE,colorimetry=bt2100-hlg,chroma-site=dv", "BGRx",
    "curve=hable saturation=1.2" },
  { "I420_10LE,colorimetry=bt2100-hlg", "Y41B", "curve-mode=rgb" },
  { "GBR_10LE,colorimetry=1:1:14:7", "P010_10LE", "curve=bt2390" },
};

/* Every component, on both sides of the border. */
static void
assert_halves (const struct picture *split, const struct picture *left,
               const struct picture *right)
{
  for (guint k = 0; k < 3; k++) {
    const guint columns = picture_columns (split, k);
    const guint border = BORDER * columns / WIDTH;

    for (guint i = 0; i < columns * picture_rows (split, k); i++) {
      const struct picture *half = i % columns < border ? left : right;

      fail_unless (ABS ((gint)split->codes[k][i] - (gint)half->codes[k][i])
                       <= tolerance,
                   "component %u, %u x %u: %u, not %u", k, i % columns,
                   i / columns, split->codes[k][i], half->codes[k][i]);
    }
  }
}

/* __i__: case. The left half is what curve=none with gamut-mapping=clip makes,
 * the right half what view=normal does.
 * Mutation seen to fail this: LIGHT_MATRIX in place of VIEW_MATRIX. */
GST_START_TEST (split_is_two_pictures)
{
  const struct split_case *c = &split_cases[__i__];
  g_autofree gchar *in_caps = g_strconcat (SIZE, c->in, NULL);
  g_autofree gchar *out_caps = g_strconcat (
      SIZE, c->out,
      ",colorimetry=", g_str_has_prefix (c->out, "BGR") ? "1:1:5:1" : "bt709",
      NULL);
  g_autofree gchar *both = g_strconcat (c->settings, " view=split", NULL);
  g_autofree gchar *plain = g_strconcat (
      c->settings, " curve=none gamut-mapping=clip view=normal", NULL);
  struct picture in, split, left, right;

  init (&in, in_caps);
  fill (&in);
  map (both, in_caps, &in, out_caps, &split);
  map (plain, in_caps, &in, out_caps, &left);
  map (c->settings, in_caps, &in, out_caps, &right);
  assert_halves (&split, &left, &right);
  picture_clear (&in);
  picture_clear (&split);
  picture_clear (&left);
  picture_clear (&right);
}
GST_END_TEST;

#define PQ_RGB  SIZE "GBR_10LE,colorimetry=1:1:14:7"
#define SDR_RGB SIZE "GBR,colorimetry=1:1:5:1"

/* How far outside of BT.709 with white 203 the mapped pixel is, relative to its
 * largest channel; below 0: inside. */
static gdouble
excess_of (const struct picture *in, guint i, const struct color_tone *tone)
{
  const struct color_matrix3 m
      = color_convert_primaries (COLOR_PRIMARIES_BT2020, COLOR_PRIMARIES_BT709);
  gdouble light[3], out[3], most = 0, low, high;

  for (guint k = 0; k < 3; k++) {
    light[k] = color_pq_eotf (in->codes[k][i] / 1023.0);
    most = MAX (most, light[k]);
  }
  for (guint k = 0; k < 3 && most > 0; k++)
    light[k] *= color_tone_map (tone, most) / most / tone->target_peak;
  color_matrix3_apply (&m, light, out);
  low = MIN (out[0], MIN (out[1], out[2]));
  high = MAX (out[0], MAX (out[1], out[2]));
  return MAX (-low / high, high - 1);
}

/* Mutation seen to fail this: marks behind the gamut mapping. */
GST_START_TEST (gamut_marks_what_does_not_fit_and_nothing_else)
{
  static const gchar *const usual
      = "curve=bt2390 curve-mode=max dither=none source-peak=1000 ";
  const struct color_tone tone = { .curve = COLOR_CURVE_BT2390,
                                   .source_peak = 1000,
                                   .target_peak = 203 };
  g_autofree gchar *marking = g_strconcat (usual, "view=gamut", NULL);
  guint marked = 0, unsure = 0;
  struct picture in, plain, out;

  init (&in, PQ_RGB);
  fill (&in);
  /* Also colours that do fit. */
  for (guint i = 0; i < WIDTH * HEIGHT; i += 2) {
    in.codes[1][i] = in.codes[0][i] - in.codes[0][i] / 16 + in.codes[1][i] / 16;
    in.codes[2][i] = in.codes[0][i] - in.codes[0][i] / 16 + in.codes[2][i] / 16;
  }
  map (usual, PQ_RGB, &in, SDR_RGB, &plain);
  map (marking, PQ_RGB, &in, SDR_RGB, &out);
  for (guint i = 0; i < WIDTH * HEIGHT; i++) {
    const gdouble excess = excess_of (&in, i, &tone);
    const gboolean magenta = out.codes[0][i] == 255 && out.codes[1][i] == 0
                             && out.codes[2][i] == 255;

    for (guint k = 0; k < 3 && !magenta; k++)
      assert_equals_int (out.codes[k][i], plain.codes[k][i]);
    marked += magenta;
    /* The kernel lets 1e-4 count as inside. */
    if (excess > 0.5e-4 && excess < 2e-4)
      unsure++;
    else
      fail_unless (magenta == (excess > 1e-4), "pixel %u: excess %g", i,
                   excess);
  }
  fail_unless (marked > WIDTH * HEIGHT / 4 && marked < WIDTH * HEIGHT * 3 / 4,
               "%u marks", marked);
  fail_unless (unsure < WIDTH * HEIGHT / 200, "%u", unsure);
  picture_clear (&in);
  picture_clear (&plain);
  picture_clear (&out);
}
GST_END_TEST;

/* Grey in two levels, the upper one on a tenth of the picture. */
static void
two_levels (struct picture *in, gdouble low, gdouble high)
{
  for (guint i = 0; i < WIDTH * HEIGHT; i++) {
    const gdouble light = i % WIDTH < WIDTH / 10 ? high : low;
    const guint code = (guint)lrint (1023 * color_pq_inverse_eotf (light));

    in->codes[0][i] = in->codes[1][i] = in->codes[2][i] = code;
  }
}

/* __i__: curve-mode. Outside of the diagram the picture is as usual. */
GST_START_TEST (curve_is_drawn_where_it_is)
{
  static const gchar *const modes[] = { "max", "intensity", "luma", "rgb" };
  const struct color_tone tone = { .curve = COLOR_CURVE_BT2390,
                                   .source_peak = 1000,
                                   .target_peak = 203 };
  g_autofree gchar *usual
      = g_strdup_printf ("curve=bt2390 dither=none source-peak=1000 "
                         "curve-mode=%s ",
                         modes[__i__]);
  g_autofree gchar *drawing = g_strconcat (usual, "view=curve", NULL);
  struct picture in, plain, out;

  init (&in, PQ_RGB);
  two_levels (&in, 20, 400);
  map (usual, PQ_RGB, &in, SDR_RGB, &plain);
  map (drawing, PQ_RGB, &in, SDR_RGB, &out);
  diagram_assert_curve (&out, &tone);
  assert_equals_int (diagram_line (&out, PEAK, TRUE),
                     (int)(ACROSS * color_pq_inverse_eotf (1000)));
  assert_equals_int (diagram_line (&out, TARGET, FALSE),
                     (int)(UP * color_pq_inverse_eotf (203)));
  assert_equals_int (diagram_line (&out, AVERAGE, TRUE), G_MAXUINT);
  for (guint y = 0; y < HEIGHT; y++)
    for (guint x = 0; x < WIDTH; x++) {
      const guint i = y * WIDTH + x;

      if (x >= LEFT && x < LEFT + ACROSS && y <= BOTTOM && y > BOTTOM - UP)
        continue;
      for (guint k = 0; k < 3; k++)
        assert_equals_int (out.codes[k][i], plain.codes[k][i]);
    }
  picture_clear (&in);
  picture_clear (&plain);
  picture_clear (&out);
}
GST_END_TEST;

/* A tenth of the picture has 400 cd/m2, the rest 20. */
GST_START_TEST (detection_s_histogram_peak_and_average_are_drawn)
{
  const gdouble low = color_pq_inverse_eotf (20);
  const gdouble high = color_pq_inverse_eotf (400);
  const gdouble average = 0.1 * high + 0.9 * low;
  struct picture in, out;

  init (&in, PQ_RGB);
  two_levels (&in, 20, 400);
  map ("dither=none peak-detection=on view=curve", PQ_RGB, &in, SDR_RGB, &out);
  fail_unless (ABS (diagram_line (&out, PEAK, TRUE) - ACROSS * high) <= 1);
  fail_unless (ABS (diagram_line (&out, AVERAGE, TRUE) - ACROSS * average)
               <= 1.5);
  for (guint x = 0; x < ACROSS; x++) {
    const gint bar = (gint)(128.0 * x / ACROSS);
    const guint height = diagram_bar (&out, x);

    if (height == 0)
      continue;
    if (bar == (gint)(128 * low))
      fail_unless (ABS (height - UP * sqrt (0.9)) <= 2, "%u", height);
    else if (bar == (gint)(128 * high))
      fail_unless (ABS (height - UP * sqrt (0.1)) <= 2, "%u", height);
    else
      ck_abort_msg ("a bar of %u in column %u", height, x);
  }
  fail_unless (
      diagram_bar (&out, (guint)ceil (ACROSS * (gint)(128 * low) / 128.0)) > 0);
  picture_clear (&in);
  picture_clear (&out);
}
GST_END_TEST;

static void
push (GstHarness *h, const gchar *view, const struct picture *in,
      struct picture *out)
{
  GstBuffer *buffer;

  gst_util_set_object_arg (G_OBJECT (h->element), "view", view);
  buffer = gst_harness_push_and_pull (h, picture_to_buffer (in));
  fail_unless (buffer != NULL);
  init (out, SDR_RGB);
  picture_from_buffer (out, buffer);
  gst_buffer_unref (buffer);
}

/* With the next frame, and back. */
GST_START_TEST (view_changes_while_playing)
{
  GstHarness *h = gst_harness_new ("vktonemap");
  struct picture in, before, split, after, plain;

  gst_util_set_object_arg (G_OBJECT (h->element), "dither", "none");
  gst_harness_set_sink_caps_str (h, SDR_RGB);
  gst_harness_set_src_caps_str (h, PQ_RGB);
  init (&in, PQ_RGB);
  fill (&in);
  push (h, "normal", &in, &before);
  push (h, "split", &in, &split);
  push (h, "normal", &in, &after);
  assert_halves (&after, &before, &before);
  map ("curve=none gamut-mapping=clip dither=none", PQ_RGB, &in, SDR_RGB,
       &plain);
  assert_halves (&split, &plain, &before);
  picture_clear (&in);
  picture_clear (&before);
  picture_clear (&split);
  picture_clear (&after);
  picture_clear (&plain);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* Where nothing but the format changes there is nothing to show. */
GST_START_TEST (frames_that_are_repacked_stay_as_they_are)
{
  static const gchar *const views[] = { "split", "gamut", "curve" };
  struct picture in, plain, out;

  init (&in, SIZE "I420,colorimetry=bt709");
  fill (&in);
  map ("", SIZE "I420,colorimetry=bt709", &in, SIZE "NV12,colorimetry=bt709",
       &plain);
  for (guint v = 0; v < G_N_ELEMENTS (views); v++) {
    g_autofree gchar *settings = g_strconcat ("view=", views[v], NULL);

    map (settings, SIZE "I420,colorimetry=bt709", &in,
         SIZE "NV12,colorimetry=bt709", &out);
    assert_halves (&out, &plain, &plain);
    picture_clear (&out);
  }
  picture_clear (&in);
  picture_clear (&plain);
}
GST_END_TEST;

static Suite *
view_suite (void)
{
  Suite *suite = suite_create ("view");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 240);
  tcase_add_loop_test (cases, split_is_two_pictures, 0,
                       G_N_ELEMENTS (split_cases));
  tcase_add_test (cases, gamut_marks_what_does_not_fit_and_nothing_else);
  tcase_add_loop_test (cases, curve_is_drawn_where_it_is, 0, 4);
  tcase_add_test (cases, detection_s_histogram_peak_and_average_are_drawn);
  tcase_add_test (cases, view_changes_while_playing);
  tcase_add_test (cases, frames_that_are_repacked_stay_as_they_are);
  return suite;
}

GST_CHECK_MAIN (view);
