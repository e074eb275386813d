/* Colour jobs that follow each other are one dispatch, and the pixels are as if
 * they were not. Who else may see a frame: fusionseen.c. */
#include <gst/check/gstharness.h>

#include "tests/elements/picture.h"
#include "tests/support/support.h"

#define SIZE ",width=34,height=22,framerate=25/1"
#define PQ                                                                     \
  "video/x-raw,format=P010_10LE" SIZE ",colorimetry=bt2100-pq,chroma-site=dv"
#define HLG                                                                    \
  "video/x-raw,format=P010_10LE" SIZE ",colorimetry=bt2100-hlg,chroma-site=dv"
#define SDR(format)                                                            \
  "video/x-raw,format=" format SIZE ",colorimetry=bt709,chroma-site=mpeg2"
#define RGB(format) "video/x-raw,format=" format SIZE ",colorimetry=1:1:5:1"
#define TO(format)  " ! video/x-raw,format=" format " ! "
#define C           "vkcolorconvert"
#define END         "vkcolorconvert name=z"

static const struct
{
  const gchar *in, *line;
  guint fused, apart; /* dispatches */
  guint tolerance;
} chains[] = {
  /* Repacks around a tone map. */
  { PQ, C TO ("I420_10LE") "vktonemap peak-detection=off" TO ("NV12") END
    TO ("I420") "identity",
    1, 3, 0 },
  { HLG,
    C TO ("I420_10LE") "vktonemap peak-detection=off dither=none" TO ("NV12")
        END TO ("YV12") "identity",
    1, 3, 0 },
  /* Repacks alone. */
  { SDR ("NV12"), C TO ("I420") C TO ("NV21") END TO ("YV12") "identity", 1, 3,
    0 },
  { SDR ("Y444"), C TO ("AYUV") END TO ("VUYA") "identity", 1, 2, 0 },
  { SDR ("YUY2"), C TO ("Y42B") END TO ("UYVY") "identity", 1, 2, 0 },
  { RGB ("RGBA"), C TO ("BGRA") END TO ("ARGB") "identity", 1, 2, 0 },
  { SDR ("I420_10LE"), C TO ("P010_10LE") END TO ("NV12") "identity", 1, 2, 0 },
  /* Subsampled from there on. */
  { RGB ("RGBx"), C TO ("NV12") END TO ("I420") "identity", 1, 2, 0 },
  /* The frame between is finer than the target. */
  { RGB ("RGBA"), C TO ("ARGB64") END " dither=none" TO ("NV12") "identity", 1,
    2, 1 },
  { SDR ("Y444_12LE"), C TO ("Y444_16LE") END TO ("Y444") "identity", 1, 2, 1 },
  { PQ, "vktonemap peak-detection=off dither=none" TO ("RGBA") END
    TO ("NV12") "identity", 1, 2,
    1 },
  { PQ, "vktonemap peak-detection=off" TO ("RGBA") END TO ("NV12") "identity",
    1, 2, 1 },
  { HLG, "vktonemap peak-detection=off" TO ("BGRx") END TO ("Y444") "identity",
    1, 2, 1 },
  { PQ, "vktonemap peak-detection=on" TO ("NV12") END TO ("I420") "identity", 2,
    3, 0 },
  /* What is drawn is drawn by the one that maps. */
  { PQ,
    C TO ("I420_10LE") "vktonemap peak-detection=off view=split" TO ("NV12") END
    TO ("I420") "identity",
    1, 3, 0 },
  { PQ,
    C TO ("I420_10LE") "vktonemap peak-detection=off view=gamut" TO ("NV12") END
    TO ("I420") "identity",
    1, 3, 0 },
  { PQ,
    C TO ("I420_10LE") "vktonemap peak-detection=off view=curve" TO ("NV12") END
    TO ("I420") "identity",
    1, 3, 0 },
  /* The mapping is not all that reads the first conversion's frame. */
  { PQ,
    C TO ("I420_10LE") "vktonemap peak-detection=on" TO ("NV12") END TO ("I420")
        "identity",
    3, 4, 0 },
  /* No single kernel does these. */
  { RGB ("RGBx"),
    C TO ("NV12,colorimetry=bt709")
        END TO ("I420,colorimetry=bt601") "identity",
    2, 2, 0 },
  { SDR ("NV12"), C TO ("RGBA") END TO ("NV12,colorimetry=bt709") "identity", 2,
    2, 0 },
  { RGB ("RGBA"), C TO ("RGBx") END TO ("RGBA") "identity", 2, 2, 0 },
  { RGB ("RGBA"), C TO ("GRAY8") END TO ("RGBx") "identity", 2, 2, 0 },
  { SDR ("I420_10LE"), C TO ("NV12") END TO ("P010_10LE") "identity", 2, 2, 0 },
  { SDR ("NV12"),
    C TO ("RGBA,colorimetry=sRGB") END TO ("NV12,colorimetry=bt601") "identity",
    2, 2, 0 },
  /* In linear light a frame is converted before it is scaled, and after. */
  { SDR ("NV12"),
    C TO ("I420,width=34,height=22") END
    " linear-light=true" TO ("I420,width=20,height=12") "identity",
    4, 5, 0 },
  /* Only a part of the frame goes on. */
  { PQ,
    C TO ("I420_10LE") "videocrop left=2 top=2 ! "
    "vktonemap peak-detection=off name=z" TO (
        "NV12") "identity",
    2, 2, 0 },
};

static GstBuffer *
make_frame (const gchar *text)
{
  const struct color_description any = { 0 };
  g_autoptr (GstCaps) caps = gst_caps_from_string (text);
  struct picture picture;
  GstVideoInfo info;
  GstBuffer *frame;

  fail_unless (gst_video_info_from_caps (&info, caps));
  picture_init (&picture, &info, &any);
  picture_fill_randomly (&picture, 3);
  frame = picture_to_buffer (&picture);
  picture_clear (&picture);
  return frame;
}

static guint64
stat_of (GstHarness *harness, const gchar *part, const gchar *name)
{
  return test_stat (harness->element, "z", part, name);
}

/* The second of two frames, and how many dispatches it took. */
static guint
run_chain (guint number, gboolean fuse, struct picture *picture)
{
  const struct color_description any = { 0 };
  GstHarness *harness;
  GstCaps *caps;
  GstVideoInfo info;
  GstBuffer *frame;
  guint64 before;

  g_setenv ("VKC_FUSE", fuse ? "1" : "0", TRUE);
  harness = gst_harness_new_parse (chains[number].line);
  gst_harness_set_src_caps_str (harness, chains[number].in);
  gst_buffer_unref (
      gst_harness_push_and_pull (harness, make_frame (chains[number].in)));
  before = stat_of (harness, "recorder", "dispatches");
  frame = gst_harness_push_and_pull (harness, make_frame (chains[number].in));
  fail_unless (frame != NULL);
  caps = gst_pad_get_current_caps (harness->sinkpad);
  fail_unless (gst_video_info_from_caps (&info, caps));
  picture_init (picture, &info, &any);
  picture_from_buffer (picture, frame);
  before = stat_of (harness, "recorder", "dispatches") - before;
  assert_equals_uint64 (stat_of (harness, "recorder", "flush-limit"), 0);
  assert_equals_uint64 (stat_of (harness, "recorder", "flush-map"), 0);
  gst_caps_unref (caps);
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
  return (guint)before;
}

/* Mutations seen to fail this: words or the binding of the source, words of the
 * target, source_last, dither, or words and bindings of the light are another
 * job's; the table is always the second one's; keeps_codes() or has_chroma() is
 * always true. */
GST_START_TEST (fused_pixels_are_those_of_single_jobs)
{
  struct picture one, all;
  guint off = 0;

  assert_equals_int (run_chain (__i__, TRUE, &one), chains[__i__].fused);
  assert_equals_int (run_chain (__i__, FALSE, &all), chains[__i__].apart);
  for (guint k = 0; k < 4; k++)
    for (gsize i = 0; i < picture_columns (&all, k) * picture_rows (&all, k);
         i++)
      off = MAX (off,
                 (guint)ABS ((gint)one.codes[k][i] - (gint)all.codes[k][i]));
  fail_unless (off <= chains[__i__].tolerance, "off by %u", off);
  picture_clear (&one);
  picture_clear (&all);
}
GST_END_TEST;

#define LONG                                                                   \
  "videotestsrc num-buffers=30 ! video/x-raw,format=P010_10LE" SIZE            \
  ",colorimetry=bt2100-pq ! vkcolorconvert name=a ! "                          \
  "video/x-raw,format=I420_10LE ! %s ! vktonemap name=b peak-detection=off ! " \
  "video/x-raw,format=NV12 ! %s ! vkcolorconvert name=c ! "                    \
  "video/x-raw,format=I420 ! fakesink"

static const gchar *const between[]
    = { "identity", "queue", "queue ! identity", "tee", "queue ! tee ! queue" };

/* Mutation seen to fail this: jobs that are fused already are looked at. */
GST_START_TEST (fused_chain_is_one_dispatch_a_frame)
{
  GstElement *pipeline;

  pipeline = test_pipeline_new (LONG, between[__i__], between[__i__]);
  test_pipeline_run (pipeline, 50);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "submits"), 30);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "dispatches"),
                        30);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "fused"), 60);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "pending"), 0);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "flush-limit"),
                        0);
  assert_equals_uint64 (test_stat (pipeline, "a", "element", "fused"), 30);
  assert_equals_uint64 (test_stat (pipeline, "b", "element", "fused"), 30);
  assert_equals_uint64 (test_stat (pipeline, "c", "element", "fused"), 0);
  test_assert_stats_agree (pipeline, "a");
  test_pipeline_free (pipeline);
}
GST_END_TEST;

/* Mutation seen to fail this: the setting is not looked at. */
GST_START_TEST (fuse_0_runs_every_job)
{
  GstElement *pipeline;

  g_setenv ("VKC_FUSE", "0", TRUE);
  pipeline = test_pipeline_new (LONG, "identity", "identity");
  test_pipeline_run (pipeline, 50);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "submits"), 30);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "dispatches"),
                        90);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "fused"), 0);
  assert_equals_uint64 (test_stat (pipeline, "a", "element", "fused"), 0);
  test_assert_stats_agree (pipeline, "a");
  test_pipeline_free (pipeline);
}
GST_END_TEST;

/* Whether the tests' frames are where planes are copied beside a kernel. */
static gboolean
copies_planes (GstElement *pipeline)
{
  g_autoptr (GstElement) element
      = gst_bin_get_by_name (GST_BIN (pipeline), "a");
  g_autoptr (GstStructure) stats = NULL;
  g_autoptr (GstStructure) recorder = NULL;

  g_object_get (element, "stats", &stats, NULL);
  gst_structure_get (stats, "recorder", GST_TYPE_STRUCTURE, &recorder, NULL);
  return g_str_has_prefix (gst_structure_get_string (recorder, "device"),
                           "llvmpipe")
         && g_strcmp0 (g_getenv ("VKC_MEMORY"), "image") != 0;
}

#define REPACKS                                                                \
  "videotestsrc num-buffers=30 ! video/x-raw,format=NV12,width=%u,height=22 "  \
  "! vkcolorconvert name=a ! "                                                 \
  "video/x-raw,format=%s ! vkcolorconvert name=b ! "                           \
  "video/x-raw,format=%s ! fakesink"

/* Luma is copied where jobs run one by one, and made by the kernel of all; so are
 * rows that end within a word. Mutation seen to fail this: fused jobs copy, too.
 */
GST_START_TEST (planes_that_stay_are_copied_unless_fused)
{
  static const struct
  {
    guint width;
    gboolean fuse;
  } cases[] = { { 36, FALSE }, { 36, TRUE }, { 34, FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const gboolean fuse = cases[i].fuse;
    GstElement *pipeline;

    g_setenv ("VKC_FUSE", fuse ? "1" : "0", TRUE);
    pipeline = test_pipeline_new (REPACKS, cases[i].width, "I420", "NV21");
    test_pipeline_run (pipeline, 50);
    assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "fused"),
                          fuse ? 30 : 0);
    assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "dispatches"),
                          fuse ? 30 : 60);
    /* Elsewhere these are uploads and downloads. */
    if (copies_planes (pipeline))
      assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "copies"),
                            !fuse && cases[i].width % 4 == 0 ? 60 : 0);
    test_assert_stats_agree (pipeline, "a");
    test_pipeline_free (pipeline);
  }
}
GST_END_TEST;

/* What is said of a fused job's failure: whose kernels it was. */
GST_START_TEST (failure_of_a_fused_job_names_all_kernels)
{
  GstElement *pipeline = test_pipeline_new (LONG, "identity", "identity");
  g_autoptr (GError) error = NULL;

  test_wrap_fail_from ("vkQueueSubmit2", 5, VK_ERROR_OUT_OF_DEVICE_MEMORY);
  error = test_pipeline_run_to_error (pipeline, 50);
  fail_unless (error != NULL);
  fail_unless (strstr (error->message, "a (colorconvert), b (colorconvert), c (colorconvert): ") != NULL, "%s",
               error->message);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "dispatches"), 4);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "fused"), 8);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

/* One that is there at the second attempt was not counted at the first. */
GST_START_TEST (fused_job_is_submitted_again_after_a_lack_of_memory)
{
  GstElement *pipeline = test_pipeline_new (LONG, "identity", "identity");

  test_wrap_fail ("vkQueueSubmit2", 5, VK_ERROR_OUT_OF_DEVICE_MEMORY, false);
  test_pipeline_run (pipeline, 50);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "submit-fails"),
                        1);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "dispatches"),
                        30);
  assert_equals_uint64 (test_stat (pipeline, "a", "element", "fused"), 30);
  test_assert_stats_agree (pipeline, "a");
  test_pipeline_free (pipeline);
}
GST_END_TEST;

/* The elements' three kernels are there by then. */
GST_START_TEST (kernel_that_cannot_be_made_leaves_single_jobs)
{
  GstElement *pipeline = test_pipeline_new (LONG, "identity", "identity");

  test_wrap_fail_from ("vkCreateComputePipelines", 4,
                       VK_ERROR_OUT_OF_HOST_MEMORY);
  test_pipeline_run (pipeline, 50);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "dispatches"),
                        90);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "fused"), 0);
  /* The one of all three, once, and then those of two. */
  fail_unless (test_wrap_count ("vkCreateComputePipelines") <= 6);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

static Suite *
fusion_suite (void)
{
  Suite *suite = suite_create ("fusion");
  TCase *tests = tcase_create ("fusion");

  suite_add_tcase (suite, tests);
  tcase_set_timeout (tests, 60);
  tcase_add_loop_test (tests, fused_pixels_are_those_of_single_jobs, 0,
                       G_N_ELEMENTS (chains));
  tcase_add_loop_test (tests, fused_chain_is_one_dispatch_a_frame, 0,
                       G_N_ELEMENTS (between));
  tcase_add_test (tests, fuse_0_runs_every_job);
  tcase_add_test (tests, planes_that_stay_are_copied_unless_fused);
  tcase_add_test (tests, failure_of_a_fused_job_names_all_kernels);
  tcase_add_test (tests, fused_job_is_submitted_again_after_a_lack_of_memory);
  tcase_add_test (tests, kernel_that_cannot_be_made_leaves_single_jobs);
  return suite;
}

GST_CHECK_MAIN (fusion);
