/* peak.comp against gst/color/peak.c: the same frames, the same levels. */
#include <gst/check/gstharness.h>
#include <gst/video/video.h>
#include <math.h>

#include "gst/color/matrix.h"
#include "gst/color/peak.h"
#include "gst/color/transfer.h"
#include "tests/support/support.h"

#define WIDTH  322 /* no multiple of a block */
#define HEIGHT 181
#define FPS    25
#define CAPS                                                                   \
  "video/x-raw,width=322,height=181,framerate=25/1,chroma-site=dv,"            \
  "colorimetry=bt2100-pq,format="

/* A frame: flat areas side by side, so that no place of a chroma sample
 * matters. Codes of 10 bits. */
#define N_AREAS 7
struct areas
{
  guint code[N_AREAS][3];
};

static guint
area_of (guint x)
{
  return MIN (x / (WIDTH / N_AREAS / 2 * 2), N_AREAS - 1);
}

static GstBuffer *
frame_of (const struct areas *areas, guint n)
{
  GstVideoInfo info;
  GstBuffer *buffer;
  GstVideoFrame frame;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_P010_10LE, WIDTH, HEIGHT);
  buffer = gst_buffer_new_and_alloc (info.size);
  gst_video_frame_map (&frame, &info, buffer, GST_MAP_WRITE);
  for (guint y = 0; y < HEIGHT; y++) {
    guint8 *luma = GST_VIDEO_FRAME_PLANE_DATA (&frame, 0);
    guint8 *chroma = GST_VIDEO_FRAME_PLANE_DATA (&frame, 1);

    luma += y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0);
    chroma += y / 2 * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 1);
    for (guint x = 0; x < WIDTH; x++) {
      const guint *code = areas->code[area_of (x)];

      GST_WRITE_UINT16_LE (luma + 2 * x, code[0] << 6);
      GST_WRITE_UINT16_LE (chroma + 2 * x, code[1 + x % 2] << 6);
    }
  }
  gst_video_frame_unmap (&frame);
  GST_BUFFER_PTS (buffer) = gst_util_uint64_scale (n, GST_SECOND, FPS);
  GST_BUFFER_DURATION (buffer) = GST_SECOND / FPS;
  return buffer;
}

/* What the device is to count: the pixels of one row in two. */
static void
count (const struct areas *areas, guint bins[PEAK_BINS])
{
  static const int bits[3] = { 10, 10, 10 };
  const struct color_affine m
      = color_codes_to_rgb (COLOR_MATRIX_BT2020, COLOR_RANGE_LIMITED, bits);

  memset (bins, 0, PEAK_BINS * sizeof *bins);
  for (guint x = 0; x < WIDTH; x++) {
    const guint *code = areas->code[area_of (x)];
    const gdouble ycbcr[3] = { code[0], code[1], code[2] };
    gdouble rgb[3];

    color_affine_apply (&m, ycbcr, rgb);
    for (guint y = 0; y < HEIGHT; y += 2)
      color_peak_count (bins, MAX (rgb[0], MAX (rgb[1], rgb[2])));
  }
}

/* Seven shots of eight frames: each drifts, and one of them is black. */
static struct areas
areas_of (GRand *rand, guint n)
{
  static struct areas base;
  struct areas areas;

  for (guint i = 0; i < N_AREAS; i++) {
    if (n % 8 == 0) {
      base.code[i][0]
          = (guint)g_rand_int_range (rand, 100, 300 + 60 * (gint)n % 500);
      base.code[i][1] = (guint)g_rand_int_range (rand, 440, 580);
      base.code[i][2] = (guint)g_rand_int_range (rand, 440, 580);
    }
    areas.code[i][0] = base.code[i][0] + n % 8 * 4;
    areas.code[i][1] = base.code[i][1];
    areas.code[i][2] = base.code[i][2];
    if (n / 8 == 3 && n % 8 > 4) {
      areas.code[i][0] = 64;
      areas.code[i][1] = areas.code[i][2] = 512;
    }
  }
  return areas;
}

/* What `stats` says of frame @n; its job may be over before that is said. */
static GstStructure *
seen (GstHarness *h, guint n)
{
  for (guint tries = 0; tries < 1000; tries++) {
    GstStructure *stats, *element;
    guint frames = 0;

    g_object_get (h->element, "stats", &stats, NULL);
    element = gst_structure_copy (
        gst_value_get_structure (gst_structure_get_value (stats, "element")));
    gst_structure_free (stats);
    gst_structure_get_uint (element, "detected-frames", &frames);
    if (frames == n)
      return element;
    gst_structure_free (element);
    g_usleep (10000);
  }
  ck_abort_msg ("frame %u is never seen", n);
  return NULL;
}

static gdouble
pq (const GstStructure *s, const gchar *name)
{
  gdouble light = -1;

  fail_unless (gst_structure_get_double (s, name, &light), "%s", name);
  return light > 0 ? color_pq_inverse_eotf (light) : 0;
}

static void
assert_near (guint n, const gchar *name, gdouble got, gdouble expected,
             gdouble tolerance)
{
  fail_unless (fabs (got - expected) <= tolerance,
               "frame %u: %s is %.6f, not %.6f", n, name, got, expected);
}

/* A pixel whose float signal falls into the next bin moves by one. */
static void
compare (guint n, const GstStructure *got, const struct color_peak *state,
         const struct color_peak_frame *frame)
{
  const gdouble bin = 1.02 / PEAK_BINS;
  gdouble moved = -1;
  guint scenes = 0;

  gst_structure_get_uint (got, "detected-scenes", &scenes);
  gst_structure_get_double (got, "frame-change", &moved);
  assert_near (n, "frame-peak", pq (got, "frame-peak"),
               frame->black ? 0 : frame->levels.peak, bin);
  assert_near (n, "frame-average", pq (got, "frame-average"),
               frame->black ? 0 : frame->levels.average, bin);
  assert_near (n, "frame-change", moved, frame->moved, bin);
  assert_near (n, "peak", pq (got, "detected-peak"), state->second.peak, bin);
  assert_near (n, "average", pq (got, "detected-average"),
               state->second.average, bin);
  assert_equals_int (scenes, state->scenes);
}

/* __i__: percentile and smoothing.
 * Mutation seen to fail this: a second stage that follows at once. */
GST_START_TEST (device_measures_and_smooths_as_the_witness)
{
  static const gdouble settings[][2]
      = { { 99.995, 1 }, { 80, 0.2 }, { 100, 0 } };
  const gdouble *s = settings[__i__];
  GstHarness *h = gst_harness_new ("vktonemap");
  const struct color_peak_rates rates = color_peak_rates_of (1.0 / FPS, s[1]);
  GRand *rand = g_rand_new_with_seed (5);
  struct color_peak state = { 0 };

  gst_util_set_object_arg (G_OBJECT (h->element), "peak-detection", "on");
  g_object_set (h->element, "peak-percentile", s[0], "smoothing", s[1], NULL);
  gst_harness_set_sink_caps_str (h, "video/x-raw,format=NV12");
  gst_harness_set_src_caps_str (h, CAPS "P010_10LE");
  for (guint n = 0; n < 56; n++) {
    const struct areas areas = areas_of (rand, n);
    guint bins[PEAK_BINS];
    struct color_peak_frame frame;
    g_autoptr (GstBuffer) out
        = gst_harness_push_and_pull (h, frame_of (&areas, n));
    g_autoptr (GstStructure) got = seen (h, n + 1);

    fail_unless (out != NULL);
    count (&areas, bins);
    frame = color_peak_add (&state, bins, s[0] / 100, &rates);
    compare (n, got, &state, &frame);
  }
  fail_unless (state.scenes >= 5, "%u scenes", state.scenes);
  g_rand_free (rand);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* So large that a lane of a CPU sees as many pixels as its counters hold.
 * Mutation seen to fail this: no bound of the rows that a workgroup takes. */
GST_START_TEST (flat_frame_of_any_size_has_its_level)
{
  const gdouble level = (151 - 16) / 219.0, bin = 1.02 / PEAK_BINS;
  const gsize luma = 16384 * 2048;
  GstHarness *h = gst_harness_new ("vktonemap");
  GstBuffer *in = gst_buffer_new_allocate (NULL, luma / 2 * 3, NULL);
  g_autoptr (GstBuffer) out = NULL;
  g_autoptr (GstStructure) got = NULL;

  gst_util_set_object_arg (G_OBJECT (h->element), "peak-detection", "on");
  gst_harness_set_sink_caps_str (h, "video/x-raw,format=NV12");
  gst_harness_set_src_caps_str (
      h, "video/x-raw,format=NV12,width=16384,height=2048,framerate=25/1,"
         "colorimetry=bt2100-pq");
  gst_buffer_memset (in, 0, 151, luma);
  gst_buffer_memset (in, luma, 128, luma / 2);
  out = gst_harness_push_and_pull (h, in);
  fail_unless (out != NULL);
  got = seen (h, 1);
  assert_near (0, "frame-peak", pq (got, "frame-peak"), level, bin);
  assert_near (0, "frame-average", pq (got, "frame-average"), level, bin);
  gst_harness_teardown (h);
}
GST_END_TEST;

static Suite *
peakmodel_suite (void)
{
  Suite *suite = suite_create ("peakmodel");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 240);
  tcase_add_loop_test (cases, device_measures_and_smooths_as_the_witness, 0, 3);
  tcase_add_test (cases, flat_frame_of_any_size_has_its_level);
  return suite;
}

GST_CHECK_MAIN (peakmodel);
