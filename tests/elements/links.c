/* vkcolorconvert in launch lines that everybody writes. */
#include "tests/elements/shape_support.h"
#include "tests/support/support.h"

#define S   "videotestsrc num-buffers=2 ! "
#define RAW "video/x-raw,width=48,height=32,framerate=25/1"
#define X   " ! vkcolorconvert ! "

static const gchar *const lines[] = {
  S "vkcolorconvert ! fakesink",
  S RAW X "fakesink",
  S RAW ",format=NV12" X "fakesink",
  S RAW ",format=I420" X "video/x-raw,format=RGBA ! fakesink",
  S RAW ",format=RGBA" X "video/x-raw,format=I420 ! fakesink",
  S RAW ",format=YUY2" X "video/x-raw,format=NV12 ! fakesink",
  S RAW ",format=UYVY" X "video/x-raw,format=BGRx ! fakesink",
  S RAW ",format=P010_10LE" X "video/x-raw,format=NV12 ! fakesink",
  S RAW ",format=GRAY8" X "video/x-raw,format=RGB ! fakesink",
  S RAW ",format=RGB" X "video/x-raw,format=GRAY8 ! fakesink",
  S RAW ",format=AYUV" X "video/x-raw,format=ARGB ! fakesink",
  S RAW ",format=Y42B" X "video/x-raw,format=Y444 ! fakesink",
  S RAW X "video/x-raw,format={RGBA,BGRA,I420} ! fakesink",
  S RAW X "video/x-raw,width=24,height=16 ! fakesink",
  S RAW X "video/x-raw,width=24 ! fakesink",
  S RAW X "video/x-raw,height=100 ! fakesink",
  S RAW X "video/x-raw,width=96,pixel-aspect-ratio=1/1 ! fakesink",
  S RAW X "video/x-raw,width=[1,20] ! fakesink",
  S RAW X "video/x-raw,width=[100,200],height=[1,1000] ! fakesink",
  S RAW X "video/x-raw,width={7,9},height={5,11} ! fakesink",
  S RAW ",pixel-aspect-ratio=16/15" X
        "video/x-raw,pixel-aspect-ratio=1/1 ! fakesink",
  S RAW ",pixel-aspect-ratio=16/15" X "video/x-raw,width=64 ! fakesink",
  S RAW X "video/x-raw,colorimetry=bt709 ! fakesink",
  S RAW ",colorimetry=bt601" X "video/x-raw,colorimetry=bt709 ! fakesink",
  S RAW ",format=RGBA" X
        "video/x-raw,format=NV12,colorimetry=bt2020 ! fakesink",
  S RAW ",format=I420,chroma-site=jpeg" X
        "video/x-raw,chroma-site=mpeg2 ! fakesink",
  S RAW X "video/x-raw(ANY) ! fakesink",
  S RAW X "appsink sync=false wait-on-eos=false",
  S RAW X "appsink sync=false wait-on-eos=false caps=video/x-raw,format=BGR",
  S RAW X "queue ! fakesink",
  S RAW " ! queue" X "queue ! fakesink",
  S RAW X "tee name=t ! queue ! fakesink async=false t. ! queue ! "
          "fakesink async=false",
  S RAW " ! tee name=t ! queue" X "fakesink async=false t. ! queue" X
        "video/x-raw,format=RGBA ! fakesink async=false",
  S RAW X "identity ! fakesink",
  S RAW " ! identity drop-allocation=true" X "fakesink",
  S RAW X "videorate ! video/x-raw,framerate=50/1 ! fakesink",
  S "video/x-raw,framerate=0/1,width=16,height=16" X "fakesink",
  S RAW X "videoconvert ! fakesink",
  S RAW " ! videoconvert" X "videoconvert ! fakesink",
  S RAW X "videoscale ! video/x-raw,width=20,height=20 ! fakesink",
  S RAW " ! videoconvertscale" X "videoconvertscale ! fakesink",
  S RAW " ! videocrop left=3 top=5" X "fakesink",
  S RAW " ! videocrop left=4 right=4" X "video/x-raw,format=RGBA ! fakesink",
  S RAW X "videocrop left=3 top=5 ! fakesink",
  S RAW " ! videobox left=-4" X "fakesink",
  S RAW X "videobox top=2 ! fakesink",
  S RAW X "videoflip method=clockwise ! fakesink",
  S RAW " ! videoflip method=clockwise" X "fakesink",
  S RAW " ! vkcolorconvert video-direction=90r ! fakesink",
  S RAW " ! vkcolorconvert video-direction=auto ! fakesink",
  S RAW X "deinterlace ! fakesink",
  S RAW X "alpha ! fakesink",
  S RAW X "videobalance saturation=0.5 ! fakesink",
  S RAW X "compositor ! fakesink",
  S RAW X "jpegenc ! fakesink",
  S RAW X "pngenc ! fakesink",
  S RAW ",format=P010_10LE" X "pngenc ! fakesink",
  S RAW X "capsfilter caps=video/x-raw ! fakesink",
  S RAW X "fpsdisplaysink video-sink=fakesink text-overlay=false sync=false",
  S RAW X "vkcolorconvert ! vkcolorconvert ! fakesink",
  S RAW X "vktonemap ! fakesink",
  S RAW " ! vktonemap" X "video/x-raw,format=RGBA,width=20 ! fakesink",
  S RAW X "video/x-raw,format=NV12 ! vkcolorconvert ! "
          "video/x-raw,format=RGBA,height=64 ! vkcolorconvert ! fakesink",
  S RAW " ! decodebin ! vkcolorconvert ! fakesink",
};

#define PARTS 4

GST_START_TEST (everyday_lines_link_and_run)
{
  GstElement *keeper;
  GstContext *context = test_share_device (&keeper);

  for (guint i = __i__; i < G_N_ELEMENTS (lines); i += PARTS) {
    GstElement *pipeline = test_pipeline_new ("%s", lines[i]);
    g_autoptr (GError) error = NULL;

    gst_element_set_context (pipeline, context);
    error = test_pipeline_run_to_error (pipeline, 60);
    fail_unless (error == NULL, "%s: %s", lines[i],
                 error ? error->message : "");
    test_pipeline_free (pipeline);
  }
  test_unshare_device (context, keeper);
}
GST_END_TEST;

/* No device is needed to know what is possible. */
GST_START_TEST (everything_links_before_it_starts)
{
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    gst_object_unref (test_pipeline_new ("%s", lines[i]));
  fail_unless_equals_int (G_N_ELEMENTS (lines), 64);
}
GST_END_TEST;

static Suite *
links_suite (void)
{
  Suite *suite = suite_create ("links");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 240);
  tcase_add_test (cases, everything_links_before_it_starts);
  tcase_add_loop_test (cases, everyday_lines_link_and_run, 0, PARTS);
  return suite;
}

GST_CHECK_MAIN (links);
