/* vkcolorconvert: what it chooses where videoconvertscale has to choose as
 * well. */
#include "tests/elements/shape_support.h"
#include "tests/support/support.h"

#define RAW   "video/x-raw,width=48,height=32,framerate=25/1"
#define PARTS 4

/* What @element makes of @from for a peer that takes @peer. */
static gboolean
choose (const gchar *element, GstContext *context, const gchar *from,
        const gchar *peer, GstVideoInfo *chosen)
{
  GstElement *e = gst_element_factory_make (element, NULL);
  GstHarness *h;
  GstCaps *caps;
  gboolean ok;

  gst_element_set_context (e, context);
  h = gst_harness_new_with_element (e, "sink", "src");
  gst_object_unref (e);
  gst_harness_set_sink_caps_str (h, peer);
  gst_harness_set_src_caps_str (h, from);
  caps = gst_pad_get_current_caps (h->sinkpad);
  ok = caps != NULL && gst_video_info_from_caps (chosen, caps);
  gst_clear_caps (&caps);
  gst_harness_teardown (h);
  return ok;
}

static const gchar *const sources[]
    = { "NV12",      "I420",      "YUY2",      "Y444",       "AYUV",
        "RGBA",      "BGRx",      "RGB",       "GRAY8",      "P010_10LE",
        "I422_10LE", "Y444_12LE", "A420_10LE", "RGB10A2_LE", "AYUV64",
        "ARGB64",    "GBR_10LE",  "GRAY16_LE" };

static const gchar *const peers[] = {
  "{ I420, RGBA }",
  "{ RGBA, I420 }",
  "{ NV12, P010_10LE }",
  "{ BGRx, BGRA }",
  "{ GRAY8, YUY2 }",
  "{ Y42B, I420, Y444 }",
  "{ RGB16, RGB, BGR }",
  "{ AYUV, Y444 }",
  "{ NV12, I422_10LE, Y444_10LE, AYUV64 }",
  "{ A420, I420, NV12 }",
  "{ GRAY8, GRAY16_LE }",
  "{ UYVY, YVYU }",
  "{ ARGB64, ARGB }",
  "{ NV21, YV12, RGB10A2_LE, BGRA }",
};

struct loss
{
  guint depth, chroma, alpha, colour;
};

static struct loss
loss_of (const GstVideoInfo *info, const gchar *source)
{
  const GstVideoFormatInfo *from
      = gst_video_format_get_info (gst_video_format_from_string (source));
  const GstVideoFormatInfo *to = info->finfo;
  const gboolean grey = GST_VIDEO_FORMAT_INFO_IS_GRAY (from);
  struct loss loss = { 0 };

  if (GST_VIDEO_FORMAT_INFO_DEPTH (from, 0)
      > GST_VIDEO_FORMAT_INFO_DEPTH (to, 0))
    loss.depth = GST_VIDEO_FORMAT_INFO_DEPTH (from, 0)
                 - GST_VIDEO_FORMAT_INFO_DEPTH (to, 0);
  loss.alpha = GST_VIDEO_FORMAT_INFO_HAS_ALPHA (from)
               && !GST_VIDEO_FORMAT_INFO_HAS_ALPHA (to);
  loss.colour = !grey && GST_VIDEO_FORMAT_INFO_IS_GRAY (to);
  for (guint a = 0; a < 2 && !grey && !loss.colour; a++) {
    const guint was = a == 0 ? GST_VIDEO_FORMAT_INFO_W_SUB (from, 1)
                             : GST_VIDEO_FORMAT_INFO_H_SUB (from, 1);
    const guint is = a == 0 ? GST_VIDEO_FORMAT_INFO_W_SUB (to, 1)
                            : GST_VIDEO_FORMAT_INFO_H_SUB (to, 1);
    loss.chroma += is > was ? is - was : 0;
  }
  return loss;
}

GST_START_TEST (choices_lose_no_more_than_videoconvertscales)
{
  GstElement *keeper;
  GstContext *context = test_share_device (&keeper);

  for (guint s = 0; s < G_N_ELEMENTS (sources); s++)
    for (guint p = __i__ + s % 2 * PARTS; p < G_N_ELEMENTS (peers);
         p += 2 * PARTS) {
      g_autofree gchar *from = g_strdup_printf (RAW ",format=%s", sources[s]);
      g_autofree gchar *peer
          = g_strdup_printf ("video/x-raw,format=%s", peers[p]);
      GstVideoInfo ours, theirs;
      struct loss a, b;

      fail_unless (
          choose ("vkcolorconvert", context, from, peer, &ours)
              && choose ("videoconvertscale", context, from, peer, &theirs),
          "%s for %s", sources[s], peers[p]);
      a = loss_of (&ours, sources[s]);
      b = loss_of (&theirs, sources[s]);
      if (a.depth > b.depth || a.chroma > b.chroma || a.alpha > b.alpha
          || a.colour > b.colour)
        fail ("%s for %s: %s; videoconvertscale takes %s", sources[s], peers[p],
              GST_VIDEO_INFO_NAME (&ours), GST_VIDEO_INFO_NAME (&theirs));
    }
  test_unshare_device (context, keeper);
}
GST_END_TEST;

/* Sizes of the source, and what peers allow. */
static const gchar *const sizes[] = {
  "width=320,height=240,pixel-aspect-ratio=1/1",
  "width=720,height=576,pixel-aspect-ratio=16/15",
  "width=1920,height=1080,pixel-aspect-ratio=1/1",
  "width=33,height=17,pixel-aspect-ratio=4/3",
  "width=320,height=240",
};

static const gchar *const allowed[] = {
  "width=640,height=480",
  "width=640,height=360",
  "width=640,height=360,pixel-aspect-ratio=1/1",
  "width=640,height=360,pixel-aspect-ratio={1/1,4/3,3/4}",
  "width=100",
  "height=100",
  "width=100,pixel-aspect-ratio=1/1",
  "height=100,pixel-aspect-ratio=1/1",
  "height=100,pixel-aspect-ratio={1/1,2/1}",
  "width=[1,200]",
  "width=[1,200],pixel-aspect-ratio=1/1",
  "height=[1,200],pixel-aspect-ratio=1/1",
  "width=[1,200],height=[1,200]",
  "width=[1,200],height=[1,200],pixel-aspect-ratio=1/1",
  "width=[400,1000],height=[400,1000],pixel-aspect-ratio=1/1",
  "width={100,200,300},height={100,150},pixel-aspect-ratio=1/1",
  "pixel-aspect-ratio=1/1",
  "width={640,1280},height={480,720}",
  "framerate=25/1",
};

GST_START_TEST (sizes_are_those_that_videoscale_takes)
{
  GstElement *keeper;
  GstContext *context = test_share_device (&keeper);

  for (guint i = 0; i < G_N_ELEMENTS (allowed); i++) {
    g_autofree gchar *from = g_strdup_printf (
        "video/x-raw,format=I420,framerate=25/1,%s", sizes[__i__]);
    g_autofree gchar *peer
        = g_strdup_printf ("video/x-raw,format=I420,%s", allowed[i]);
    GstVideoInfo ours, theirs;

    fail_unless (choose ("vkcolorconvert", context, from, peer, &ours)
                     && choose ("videoscale", context, from, peer, &theirs),
                 "%s for %s", from, peer);
    fail_unless (ours.width == theirs.width && ours.height == theirs.height
                     && ours.par_n == theirs.par_n
                     && ours.par_d == theirs.par_d,
                 "%s for %s: %dx%d of %d/%d, videoscale: %dx%d of %d/%d", from,
                 peer, ours.width, ours.height, ours.par_n, ours.par_d,
                 theirs.width, theirs.height, theirs.par_n, theirs.par_d);
  }
  test_unshare_device (context, keeper);
}
GST_END_TEST;

/* Of these videoscale does not keep the aspect ratio. */
GST_START_TEST (pixels_of_another_shape_keep_the_picture)
{
  GstElement *keeper;
  GstContext *context = test_share_device (&keeper);
  GstVideoInfo info;

  fail_unless (choose ("vkcolorconvert", context,
                       "video/x-raw,format=I420,"
                       "width=320,height=240,pixel-aspect-ratio=1/1,"
                       "framerate=25/1",
                       "video/x-raw,pixel-aspect-ratio=8/9", &info));
  fail_unless (info.width == 360 && info.height == 240);
  test_unshare_device (context, keeper);
}
GST_END_TEST;

static Suite *
choices_suite (void)
{
  Suite *suite = suite_create ("choices");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 240);
  tcase_add_loop_test (cases, choices_lose_no_more_than_videoconvertscales, 0,
                       PARTS);
  tcase_add_test (cases, pixels_of_another_shape_keep_the_picture);
  tcase_add_loop_test (cases, sizes_are_those_that_videoscale_takes, 0,
                       G_N_ELEMENTS (sizes));
  return suite;
}

GST_CHECK_MAIN (choices);
