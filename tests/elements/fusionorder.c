/* Fusion where jobs do not simply follow each other: a batch that is split, a
 * frame that is read otherwise than it was written, and jobs that must not be
 * moved. */
#include <glib/gstdio.h>
#include <gst/check/gstharness.h>

#include "gst/base/gstvkccaps.h"
#include "gst/base/gstvkcpool.h"
#include "tests/elements/picture.h"
#include "tests/support/support.h"

#define SIZE ",width=34,height=22,framerate=25/1"
#define SDR  "video/x-raw,format=NV12" SIZE ",colorimetry=bt709"
#define PQ   "video/x-raw,format=P010_10LE" SIZE ",colorimetry=bt2100-pq"

static void
init_picture (struct picture *picture, GstCaps *caps)
{
  const struct color_description any = { 0 };
  GstVideoInfo info;

  fail_unless (gst_video_info_from_caps (&info, caps));
  picture_init (picture, &info, &any);
}

static GstHarness *
start (const gchar *line, const gchar *caps)
{
  GstHarness *harness;

  test_wrap_install ();
  harness = gst_harness_new_parse (line);
  gst_harness_set_src_caps_str (harness, caps);
  return harness;
}

static guint64
stat_of (GstHarness *harness, const gchar *name)
{
  return test_stat (harness->element, "z", "recorder", name);
}

/* Batches: of one job, or of two, each of which takes 150 ms. */
static const struct
{
  const gchar *max_ms;
  guint submits, fused;
} splits[] = { { "200", 3, 0 }, { "350", 2, 1 } };

static GstPadProbeReturn
keep (GstPad *pad, GstPadProbeInfo *info, gpointer kept)
{
  gst_buffer_replace (kept, GST_PAD_PROBE_INFO_BUFFER (info));
  return GST_PAD_PROBE_OK;
}

/* What @name makes is seen by somebody, until that is removed. */
static gulong
keep_frames_of (GstHarness *harness, const gchar *name, GstPad **pad,
                GstBuffer **kept)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (harness->element), name);

  *pad = gst_element_get_static_pad (element, "src");
  gst_object_unref (element);
  return gst_pad_add_probe (*pad, GST_PAD_PROBE_TYPE_BUFFER, keep, kept, NULL);
}

/* Component @k of the frame that comes in goes out as component @as[k]. */
static void
assert_components (GstHarness *harness, guint seed, const guint as[3])
{
  GstCaps *from = gst_caps_from_string (SDR), *to;
  struct picture in, out;
  GstBuffer *frame;

  init_picture (&in, from);
  picture_fill_randomly (&in, seed);
  frame = gst_harness_push_and_pull (harness, picture_to_buffer (&in));
  fail_unless (frame != NULL);
  to = gst_pad_get_current_caps (harness->sinkpad);
  init_picture (&out, to);
  picture_from_buffer (&out, frame);
  for (guint k = 0; k < 3; k++)
    fail_unless (memcmp (in.codes[k], out.codes[as[k]],
                         picture_columns (&in, k) * picture_rows (&in, k)
                             * sizeof in.codes[k][0])
                     == 0,
                 "frame %u, component %u", seed, k);
  picture_clear (&in);
  picture_clear (&out);
  gst_buffer_unref (frame);
  gst_caps_unref (from);
  gst_caps_unref (to);
}

static void
assert_repacked (GstHarness *harness, guint seed)
{
  static const guint same[] = { 0, 1, 2 };

  assert_components (harness, seed, same);
}

/* The times of single jobs are known from frames that cannot be fused.
 * Mutation seen to fail this: kernels that the recorder looks for in vain are
 * not wanted. */
GST_START_TEST (only_what_is_in_one_batch_is_fused)
{
  GstBuffer *kept[2] = { NULL };
  GstPad *pads[2];
  gulong probes[2];
  GstHarness *harness;
  guint64 submits, fused;

  g_setenv ("VKC_MAX_BATCH_MS", splits[__i__].max_ms, TRUE);
  harness = start ("vkcolorconvert name=a ! video/x-raw,format=I420 ! "
                   "vkcolorconvert name=b ! video/x-raw,format=NV21 ! "
                   "vkcolorconvert name=z ! video/x-raw,format=YV12 ! identity",
                   SDR);
  test_wrap_set_clock (150 * 1000000);
  probes[0] = keep_frames_of (harness, "a", &pads[0], &kept[0]);
  probes[1] = keep_frames_of (harness, "b", &pads[1], &kept[1]);
  for (guint i = 0; i < 3; i++)
    assert_repacked (harness, i);
  assert_equals_uint64 (stat_of (harness, "fused"), 0);
  for (guint i = 0; i < 2; i++) {
    gst_pad_remove_probe (pads[i], probes[i]);
    gst_clear_buffer (&kept[i]);
    gst_object_unref (pads[i]);
  }

  /* The recorder looks for the kernel in vain, once. */
  assert_repacked (harness, 3);
  submits = stat_of (harness, "submits");
  fused = stat_of (harness, "fused");
  for (guint i = 0; i < 5; i++)
    assert_repacked (harness, 4 + i);
  assert_equals_uint64 (stat_of (harness, "submits") - submits,
                        5 * splits[__i__].submits);
  assert_equals_uint64 (stat_of (harness, "fused") - fused,
                        5 * splits[__i__].fused);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* The frame as it is. */
#define COPY                                                                   \
  "layout (local_size_x = 64) in;\n"                                           \
  "layout (binding = 0) readonly buffer Source { uint source[]; };\n"          \
  "layout (binding = 1) writeonly buffer Target { uint target[]; };\n"         \
  "void main () {\n"                                                           \
  "  uint at = gl_GlobalInvocationID.x;\n"                                     \
  "  if (at < target.length ()) target[at] = source[at];\n"                    \
  "}\n"

/* The two conversions have never run by themselves: what is known is how long
 * the kernel takes that does both.
 * Mutation seen to fail this: only single kernels' times count. */
GST_START_TEST (fused_kernels_count_for_the_longest_batch)
{
  g_autofree gchar *path = test_temporary_file (".comp", COPY, -1);
  g_autofree gchar *line = g_strdup_printf (
      "vkcompute groups=5x1x1 location=%s ! vkcolorconvert name=a ! "
      "video/x-raw,format=I420 ! vkcolorconvert name=z ! "
      "video/x-raw,format=NV21 ! identity",
      path);
  GstHarness *harness;

  g_setenv ("VKC_MAX_BATCH_MS", "200", TRUE);
  test_wrap_install ();
  test_wrap_set_clock (150 * 1000000);
  harness = start (line, SDR);
  g_remove (path);
  assert_repacked (harness, 0);
  assert_equals_uint64 (stat_of (harness, "fused"), 1);
  assert_equals_uint64 (stat_of (harness, "splits"), 0);
  assert_repacked (harness, 1);
  assert_equals_uint64 (stat_of (harness, "splits"), 1);
  gst_harness_teardown (harness);
}
GST_END_TEST;

static GstPadProbeReturn
swap_planes (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstVideoMeta *meta
      = gst_buffer_get_video_meta (GST_PAD_PROBE_INFO_BUFFER (info));
  const gsize offset = meta->offset[1];

  meta->offset[1] = meta->offset[2];
  meta->offset[2] = offset;
  return GST_PAD_PROBE_OK;
}

/* Nobody keeps the frame, but it lies otherwise for who reads it.
 * Mutation seen to fail this: words of places are not compared. */
GST_START_TEST (layout_that_is_changed_between_counts)
{
  static const guint swapped[] = { 0, 2, 1 };
  GstHarness *harness
      = start ("vkcolorconvert name=a ! video/x-raw,format=I420 ! "
               "vkcolorconvert name=z ! video/x-raw,format=NV21 ! identity",
               SDR);
  GstElement *a = gst_bin_get_by_name (GST_BIN (harness->element), "a");
  GstPad *pad = gst_element_get_static_pad (a, "src");
  gulong id;

  assert_repacked (harness, 0);
  assert_repacked (harness, 1);
  assert_equals_uint64 (stat_of (harness, "fused"), 2);
  id = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, swap_planes, NULL,
                          NULL);
  assert_components (harness, 2, swapped);
  assert_components (harness, 3, swapped);
  assert_equals_uint64 (stat_of (harness, "fused"), 2);
  gst_pad_remove_probe (pad, id);
  gst_object_unref (pad);
  gst_object_unref (a);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* Crops at the right: nothing moves. */
static GstPadProbeReturn
narrow (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstEvent *event = GST_PAD_PROBE_INFO_DATA (info);
  GstCaps *caps;

  if (GST_PAD_PROBE_INFO_TYPE (info) & GST_PAD_PROBE_TYPE_BUFFER) {
    gst_buffer_get_video_meta (GST_PAD_PROBE_INFO_BUFFER (info))->width = 32;
  } else if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS) {
    gst_event_parse_caps (event, &caps);
    caps = gst_caps_copy (caps);
    gst_caps_set_simple (caps, "width", G_TYPE_INT, 32, NULL);
    gst_event_unref (event);
    GST_PAD_PROBE_INFO_DATA (info) = gst_event_new_caps (caps);
    gst_caps_unref (caps);
  }
  return GST_PAD_PROBE_OK;
}

/* Who reads less of it filters up to another edge.
 * Mutation seen to fail this: words of sizes are not compared. */
GST_START_TEST (size_that_is_changed_between_counts)
{
  GstCaps *from = gst_caps_from_string (SDR);
  GstHarness *harness = gst_harness_new_parse (
      "vkcolorconvert name=a ! video/x-raw,format=I420 ! "
      "vkcolorconvert name=z ! video/x-raw,format=NV21 ! identity");
  GstElement *a = gst_bin_get_by_name (GST_BIN (harness->element), "a");
  GstPad *pad = gst_element_get_static_pad (a, "src");
  struct picture in;

  gst_pad_add_probe (
      pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM | GST_PAD_PROBE_TYPE_BUFFER,
      narrow, NULL, NULL);
  gst_harness_set_src_caps_str (harness, SDR);
  init_picture (&in, from);
  picture_fill_randomly (&in, 1);
  for (guint i = 0; i < 2; i++) {
    GstBuffer *frame
        = gst_harness_push_and_pull (harness, picture_to_buffer (&in));

    fail_unless (frame != NULL);
    assert_equals_int (gst_buffer_get_video_meta (frame)->width, 32);
    gst_buffer_unref (frame);
  }
  assert_equals_uint64 (stat_of (harness, "dispatches"), 4);
  assert_equals_uint64 (stat_of (harness, "fused"), 0);
  picture_clear (&in);
  gst_caps_unref (from);
  gst_object_unref (pad);
  gst_object_unref (a);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* The frame before, which is kept. */
#define HISTORY                                                                \
  "layout (local_size_x = 8, local_size_y = 8) in;\n"                          \
  "layout (binding = 0, rgba8) readonly uniform image2D source;\n"             \
  "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"            \
  "layout (binding = 2, rgba8) readonly uniform image2D history1;\n"           \
  "void main () {\n"                                                           \
  "  ivec2 at = ivec2 (gl_GlobalInvocationID.xy);\n"                           \
  "  vec4 now = imageLoad (source, at);\n"                                     \
  "  vec4 before = imageLoad (history1, at);\n"                                \
  "  imageStore (target, at, vec4 (before.rgb, now.a));\n"                     \
  "}\n"

/* Grey, but for one bright spot. */
static GstBuffer *
grey (guint code, guint spot)
{
  GstCaps *caps = gst_caps_from_string (PQ);
  struct picture picture;
  GstBuffer *frame;

  init_picture (&picture, caps);
  for (guint k = 0; k < 3; k++)
    for (guint i = 0;
         i < picture_columns (&picture, k) * picture_rows (&picture, k); i++)
      picture.codes[k][i] = k > 0 ? 512 : i % 34 < 8 ? spot : code;
  frame = picture_to_buffer (&picture);
  picture_clear (&picture);
  gst_caps_unref (caps);
  return frame;
}

/* A frame that goes to one of ours: nothing has been submitted. */
static GstBuffer *
push_pending (GstHarness *harness, guint code, guint spot)
{
  GstBuffer *frame = gst_harness_push_and_pull (harness, grey (code, spot));

  fail_unless (frame != NULL);
  return frame;
}

static void
drain (GstHarness *harness)
{
  GstQuery *query = gst_query_new_drain ();

  gst_pad_peer_query (harness->srcpad, query);
  gst_query_unref (query);
}

/* The bytes of the frame before the last one, as kept; that frame itself was
 * dropped. */
static GBytes *
run_dropping (gboolean fuse, guint64 *fused)
{
  g_autofree gchar *path = test_temporary_file (".comp", HISTORY, -1);
  g_autofree gchar *line
      = g_strdup_printf ("vktonemap name=a peak-detection=on dither=none ! "
                         "video/x-raw,format=BGRA ! vkcolorconvert name=z ! "
                         "video/x-raw,format=RGBA ! vkcompute location=%s",
                         path);
  GstHarness *harness;
  GstBuffer *frame;
  GstMapInfo map;
  GBytes *bytes;

  g_setenv ("VKC_FUSE", fuse ? "1" : "0", TRUE);
  test_wrap_install ();
  harness = gst_harness_new_parse (line);
  g_remove (path);
  gst_harness_add_propose_allocation_meta (harness, GST_VKC_MARKER_API_TYPE,
                                           NULL);
  gst_harness_add_propose_allocation_meta (harness, GST_VIDEO_META_API_TYPE,
                                           NULL);
  gst_harness_set_src_caps_str (harness, PQ);
  for (guint i = 0; i < 3; i++) {
    frame = push_pending (harness, 300, 400);
    drain (harness);
    gst_buffer_unref (frame);
  }
  *fused = stat_of (harness, "fused");
  gst_buffer_unref (push_pending (harness, 400, 500));
  frame = push_pending (harness, 600, 900);
  fail_unless (gst_buffer_map (frame, &map, GST_MAP_READ));
  bytes = g_bytes_new (map.data, map.size);
  gst_buffer_unmap (frame, &map);
  *fused = stat_of (harness, "fused") - *fused;
  assert_equals_uint64 (stat_of (harness, "flush-limit"), 0);
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
  return bytes;
}

/* Both frames are in the batch; by the place of the first one's conversion, the
 * second one's peak has changed the curve that the first one's mapping reads.
 * Mutation seen to fail this: can_be_late() does not look at changes. */
GST_START_TEST (job_is_not_moved_behind_a_change_of_what_it_reads)
{
  guint64 fused;
  GBytes *one = run_dropping (TRUE, &fused), *all;

  assert_equals_uint64 (fused, 1);
  all = run_dropping (FALSE, &fused);
  assert_equals_uint64 (fused, 0);
  fail_unless (g_bytes_equal (one, all));
  g_bytes_unref (one);
  g_bytes_unref (all);
}
GST_END_TEST;

static Suite *
fusionorder_suite (void)
{
  Suite *suite = suite_create ("fusionorder");
  TCase *tests = tcase_create ("fusionorder");

  suite_add_tcase (suite, tests);
  tcase_set_timeout (tests, 120);
  tcase_add_loop_test (tests, only_what_is_in_one_batch_is_fused, 0,
                       G_N_ELEMENTS (splits));
  tcase_add_test (tests, fused_kernels_count_for_the_longest_batch);
  tcase_add_test (tests, layout_that_is_changed_between_counts);
  tcase_add_test (tests, size_that_is_changed_between_counts);
  tcase_add_test (tests, job_is_not_moved_behind_a_change_of_what_it_reads);
  return suite;
}

GST_CHECK_MAIN (fusionorder);
