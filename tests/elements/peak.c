/* Peak detection of vktonemap: what moves with the frames, and what must not.
 */
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include "tests/elements/grey.h"
#include "tests/support/support.h"

/* Of the first frame; its job may be over before `stats` says so. */
static gdouble
stat_of (GstHarness *h, const gchar *name)
{
  g_autoptr (GstElement) element
      = gst_bin_get_by_name (GST_BIN (h->element), "t");
  gdouble value = -1;

  for (guint tries = 0; value < 0 && tries < 1000; tries++) {
    GstStructure *stats;

    g_object_get (element, "stats", &stats, NULL);
    if (!gst_structure_get_double (
            gst_value_get_structure (
                gst_structure_get_value (stats, "element")),
            name, &value))
      g_usleep (10000);
    gst_structure_free (stats);
  }
  return value;
}

/* 0.5 % of the picture toggle between 200 and 1000 cd/m2.
 * Mutation seen to fail this: one stage of smoothing. */
GST_START_TEST (flickering_highlight_leaves_the_field_alone)
{
  GstHarness *h = grey_harness_new (GREY_DETECT "! identity", "bt2100-pq");
  guint last = 0, most = 0;

  for (guint n = 0; n < 60; n++) {
    GstBuffer *frame = grey_frame_paint (grey_frame_new (n, PQ_100), 16, 16, 48,
                                         24, n % 2 ? PQ_1000 : PQ_200);
    const guint field = grey_field_of (h, frame);

    if (n > 10)
      most = MAX (most, (guint)ABS ((gint)field - (gint)last));
    last = field;
  }
  g_print ("# flicker: the field moves by %u codes a frame at most\n", most);
  fail_unless (most <= 1, "%u codes", most);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* __i__: whether the scene gets darker. The first frame is as those that follow,
 * and the last one before is as it was: no flash on either side.
 * Mutation seen to fail this: PEAK_SCENE_CHANGE 3. */
GST_START_TEST (cut_is_right_on_its_first_frame)
{
  GstHarness *h = grey_harness_new (GREY_DETECT "! identity", "bt2100-pq");
  guint fields[48], before = 0;

  for (guint n = 0; n < 12; n++) {
    const guint field = grey_field_of (h, grey_scene (n, __i__));

    fail_unless (n == 0 || (field + 1 >= before && field <= before + 1),
                 "frame %u: %u, then %u", n, before, field);
    before = field;
  }
  for (guint n = 0; n < G_N_ELEMENTS (fields); n++)
    fields[n] = grey_field_of (h, grey_scene (12 + n, !__i__));
  g_print ("# cut to %s: first frame %u, %u frames later %u\n",
           __i__ ? "dark" : "bright", fields[0],
           (guint)G_N_ELEMENTS (fields) - 1, fields[G_N_ELEMENTS (fields) - 1]);
  for (guint n = 0; n < G_N_ELEMENTS (fields); n++) {
    const guint last = fields[G_N_ELEMENTS (fields) - 1];

    fail_unless (fields[n] + 2 >= last && fields[n] <= last + 2,
                 "%u, %u frames behind the cut, then %u", fields[n], n, last);
  }
  fail_unless (__i__ ? before > fields[0] : before < fields[0]);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* The highlight moves on a field, so that there is something to smooth.
 * @extra: what must not matter: black bars or sparkles. */
static void
assert_same_field (guint extra)
{
  GstHarness *plain = grey_harness_new (GREY_DETECT "! identity", "bt2100-pq");
  GstHarness *other = grey_harness_new (GREY_DETECT "! identity", "bt2100-pq");

  for (guint n = 0; n < 16; n++) {
    const guint light = PQ_1000 - 100 + 6 * n;
    GstBuffer *a
        = grey_frame_paint (grey_frame_new (n, PQ_100), 64, 96, 128, 96, light);
    GstBuffer *b = grey_frame_new (n, PQ_100);
    guint at_a, at_b;

    /* The picture in three quarters of the height has the same shares. */
    b = grey_frame_paint (b, 64, 96, 128, extra == 0 ? 72 : 96, light);
    if (extra == 0) {
      b = grey_frame_paint (b, 0, 0, GREY_WIDTH, 44, 64);
      b = grey_frame_paint (b, 0, GREY_HEIGHT - 46, GREY_WIDTH, 46, 64);
    } else {
      for (guint i = 0; i < 4; i++)
        b = grey_frame_paint (b, 100 + 101 * i, 20 + 82 * i, 1, 1, PQ_10000);
    }
    at_a = grey_field_of (plain, a);
    at_b = grey_field_of (other, b);
    fail_unless (at_a == at_b, "frame %u: %u, with: %u", n, at_a, at_b);
  }
  g_print ("# %s: no code of the field is another\n",
           extra == 0 ? "25 % black bars" : "four sparkles of 10000 cd/m2");
  gst_harness_teardown (plain);
  gst_harness_teardown (other);
}

/* Mutation seen to fail this: PEAK_BLACK 0. */
GST_START_TEST (black_bars_do_not_matter) { assert_same_field (0); }
GST_END_TEST;

GST_START_TEST (sparkles_do_not_matter) { assert_same_field (1); }
GST_END_TEST;

/* It is black itself, and the frame behind it is no brighter than the one
 * before. */
GST_START_TEST (black_frame_between_two_changes_nothing)
{
  GstHarness *h = grey_harness_new (GREY_DETECT "! identity", "bt2100-pq");
  guint before = 0, after;
  GstBuffer *black;
  GstMapInfo map;

  for (guint n = 0; n < 12; n++)
    before = grey_field_of (h, grey_scene (n, TRUE));
  black = gst_harness_push_and_pull (h, grey_frame_new (12, 64));
  fail_unless (black != NULL && gst_buffer_map (black, &map, GST_MAP_READ));
  for (gsize i = 0; i < GREY_WIDTH * GREY_HEIGHT * 3 / 2; i++)
    if (map.data[i] != (i < GREY_WIDTH * GREY_HEIGHT ? 16 : 128))
      fail ("byte %u is %u", (guint)i, map.data[i]);
  gst_buffer_unmap (black, &map);
  gst_buffer_unref (black);
  after = grey_field_of (h, grey_scene (13, TRUE));
  fail_unless (after + 1 >= before && after <= before + 1, "%u, then %u",
               before, after);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* Curves as the device makes them, in the order of the property's values. */
static const gchar *const curves[]
    = { "spline",   "bt2390", "bt2446a", "bt2446c", "mobius",
        "reinhard", "hable",  "gamma",   "linear",  "clip" };

static GstBuffer *
ramp (void)
{
  GstBuffer *frame = grey_frame_new (0, 64);

  for (guint x = 0; x < GREY_WIDTH; x += 2)
    grey_frame_paint (frame, x, 0, 2, GREY_HEIGHT,
                      64 + x * (PQ_1000 - 64) / (GREY_WIDTH - 2));
  return frame;
}

/* A ramp through the device's table and through the host's gain for the same
 * peak and average. */
GST_START_TEST (table_is_the_curve)
{
  static const gchar *const modes[] = { "max", "luma", "rgb", "intensity" };
  const gchar *mode = modes[__i__ % 4];
  g_autofree gchar *line = g_strdup_printf (
      GREY_DETECT "curve=%s curve-mode=%s ! identity", curves[__i__], mode);
  g_autofree gchar *fixed = NULL;
  GstHarness *h = grey_harness_new (line, "bt2100-pq");
  GstBuffer *found = gst_harness_push_and_pull (h, ramp ());
  GstBuffer *expected;

  fail_unless (found != NULL);
  grey_luma_at (found, 0, 0);
  fail_unless (stat_of (h, "detected-peak") > 900
               && stat_of (h, "detected-peak") < 1020);
  fixed = g_strdup_printf (
      "vktonemap gamut-mapping=clip dither=none curve=%s curve-mode=%s "
      "source-peak=%f "
      "spline-pivot=%f",
      curves[__i__], mode, stat_of (h, "detected-peak"),
      stat_of (h, "detected-average"));
  gst_harness_teardown (h);
  h = grey_harness_new (fixed, "bt2100-pq");
  expected = gst_harness_push_and_pull (h, ramp ());
  for (guint x = 0; x < GREY_WIDTH; x += 2) {
    const gint off = (gint)grey_luma_at (found, x, 180)
                     - (gint)grey_luma_at (expected, x, 180);

    fail_unless (ABS (off) <= 1, "%s, %s: column %u is %u, not %u",
                 curves[__i__], mode, x, grey_luma_at (found, x, 180),
                 grey_luma_at (expected, x, 180));
  }
  gst_buffer_unref (found);
  gst_buffer_unref (expected);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* The same light in HLG and in PQ: grey of signal 0.5 is 50.7 cd/m2, which is
 * another curve than that for HLG's nominal peak. */
GST_START_TEST (hlg_is_measured_as_well)
{
  GstHarness *h = grey_harness_new (GREY_DETECT "! identity", "bt2100-hlg");
  const guint hlg = grey_field_of (h, grey_frame_new (0, 502));
  guint pq, fixed;

  fail_unless (ABS (stat_of (h, "detected-peak") - 50.7) < 1, "%g",
               stat_of (h, "detected-peak"));
  gst_harness_teardown (h);
  h = grey_harness_new (GREY_DETECT "! identity", "bt2100-pq");
  pq = grey_field_of (h, grey_frame_new (0, 449));
  gst_harness_teardown (h);
  fail_unless (ABS ((gint)hlg - (gint)pq) <= 2, "%u, as PQ %u", hlg, pq);
  h = grey_harness_new ("vktonemap gamut-mapping=clip dither=none "
                        "peak-detection=off ! identity",
                        "bt2100-hlg");
  fixed = grey_field_of (h, grey_frame_new (0, 502));
  gst_harness_teardown (h);
  fail_unless (hlg > fixed + 2, "%u, without detection %u", hlg, fixed);
}
GST_END_TEST;

static GstBusSyncReply
count_peaks (GstBus *bus, GstMessage *message, gpointer data)
{
  const GstStructure *s = gst_message_get_structure (message);
  guint *n = data;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ELEMENT
      && gst_structure_has_name (s, "vkc-peak")
      && gst_structure_has_field_typed (s, "peak", G_TYPE_DOUBLE)
      && gst_structure_has_field_typed (s, "average", G_TYPE_DOUBLE))
    (*n)++;
  return GST_BUS_PASS;
}

/* __i__: post-peak. Asked for, once a second; else never. */
GST_START_TEST (message_tells_the_peak_once_a_second)
{
  const gint64 start = g_get_monotonic_time ();
  GstElement *pipeline
      = test_pipeline_new ("videotestsrc num-buffers=40 ! " GREY_CAPS
                           "bt2100-pq ! " GREY_DETECT "post-peak=%d ! fakesink",
                           __i__);
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  guint n = 0, most;

  gst_bus_set_sync_handler (bus, count_peaks, &n, NULL);
  test_pipeline_run (pipeline, 60);
  test_pipeline_free (pipeline);
  most = (guint)((g_get_monotonic_time () - start) / G_USEC_PER_SEC) + 1;
  fail_unless (__i__ == 0 ? n == 0 : n > 0 && n <= most, "%u messages", n);
}
GST_END_TEST;

/* Two dispatches, one submission. */
GST_START_TEST (detection_is_in_the_same_submission)
{
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=5 ! " GREY_CAPS "bt2100-pq ! " GREY_DETECT " ! "
      "video/x-raw,format=NV12 ! fakesink");

  test_pipeline_run (pipeline, 60);
  assert_equals_uint64 (test_stat (pipeline, "t", "recorder", "submits"), 5);
  assert_equals_uint64 (test_stat (pipeline, "t", "recorder", "dispatches"),
                        10);
  test_assert_stats_agree (pipeline, "t");
  test_pipeline_free (pipeline);
}
GST_END_TEST;

static Suite *
peak_suite (void)
{
  Suite *suite = suite_create ("peak");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 240);
  tcase_add_test (cases, flickering_highlight_leaves_the_field_alone);
  tcase_add_loop_test (cases, cut_is_right_on_its_first_frame, 0, 2);
  tcase_add_test (cases, black_bars_do_not_matter);
  tcase_add_test (cases, sparkles_do_not_matter);
  tcase_add_test (cases, black_frame_between_two_changes_nothing);
  tcase_add_loop_test (cases, table_is_the_curve, 0, G_N_ELEMENTS (curves));
  tcase_add_test (cases, hlg_is_measured_as_well);
  tcase_add_test (cases, detection_is_in_the_same_submission);
  tcase_add_loop_test (cases, message_tells_the_peak_once_a_second, 0, 2);
  return suite;
}

GST_CHECK_MAIN (peak);
