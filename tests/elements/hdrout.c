/* vktonemap where the target is HDR as well: codes, and what the caps say. */
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include "tests/support/support.h"

#define SIZE "width=32,height=16,framerate=25/1"
#define DISPLAY                                                                \
  "mastering-display-info=(string)35400:14600:8500:39850:6550:2300:15635:"     \
  "16450:40000000:50"
#define PQ  "video/x-raw,format=P010_10LE," SIZE ",colorimetry=bt2100-pq"
#define HLG "video/x-raw,format=P010_10LE," SIZE ",colorimetry=bt2100-hlg"
#define SDR "video/x-raw,format=NV12," SIZE ",colorimetry=bt709"

static GstHarness *
start (const gchar *settings, const gchar *source, const gchar *target)
{
  g_autofree gchar *line = g_strconcat ("vktonemap ", settings, NULL);
  GstHarness *h = gst_harness_new_parse (line);

  gst_harness_set_sink_caps_str (h, target);
  gst_harness_set_src_caps_str (h, source);
  return h;
}

/* Luma of a grey frame, 8 or 10 bits on either side; the caps say which. */
static guint
luma_for (GstHarness *h, guint y)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (h->srcpad);
  g_autoptr (GstCaps) out_caps = NULL;
  GstVideoInfo info;
  GstBuffer *buffer;
  GstMapInfo map;
  guint luma;

  fail_unless (gst_video_info_from_caps (&info, caps));
  buffer = gst_buffer_new_and_alloc (info.size);
  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  for (gsize i = 0; i < info.size; i++) {
    const gboolean is_luma = i < info.offset[1];

    if (GST_VIDEO_INFO_FORMAT (&info) == GST_VIDEO_FORMAT_NV12)
      map.data[i] = is_luma ? y : 128;
    else if (i % 2 == 0)
      GST_WRITE_UINT16_LE (map.data + i, (is_luma ? y : 512) << 6);
  }
  gst_buffer_unmap (buffer, &map);
  buffer = gst_harness_push_and_pull (h, buffer);
  fail_unless (buffer != NULL);
  out_caps = gst_pad_get_current_caps (h->sinkpad);
  fail_unless (gst_video_info_from_caps (&info, out_caps));
  gst_buffer_map (buffer, &map, GST_MAP_READ);
  luma = GST_VIDEO_INFO_FORMAT (&info) == GST_VIDEO_FORMAT_NV12
             ? map.data[0]
             : GST_READ_UINT16_LE (map.data) >> 6;
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
  return luma;
}

static void
assert_near (guint found, guint expected, guint off)
{
  fail_unless (found + off >= expected && found <= expected + off, "%u, not %u",
               found, expected);
}

static void
assert_field (GstHarness *h, const gchar *field, const gchar *expected)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (h->sinkpad);
  const gchar *value
      = gst_structure_get_string (gst_caps_get_structure (caps, 0), field);

  fail_unless (g_strcmp0 (value, expected) == 0, "%s is %s, not %s", field,
               value, expected);
}

GST_START_TEST (lesser_hdr_says_its_peak)
{
  GstHarness *h = start ("curve=bt2390 target-peak=600",
                         PQ "," DISPLAY ",content-light-level=(string)4000:400",
                         "video/x-raw,format=P010_10LE,colorimetry=bt2100-pq");

  /* 0 stays, 4000 cd/m2 becomes 600, 58 are below the knee of 0.496. */
  assert_near (luma_for (h, 64), 64, 0);
  assert_near (luma_for (h, 855), 675, 1);
  assert_near (luma_for (h, 460), 460, 1);
  assert_field (h, "colorimetry", "bt2100-pq");
  assert_field (h, "content-light-level", "600:400");
  assert_field (h, "mastering-display-info",
                "35400:14600:8500:39850:6550:2300:15635:16450:6000000:50");
  gst_harness_teardown (h);
}
GST_END_TEST;

GST_START_TEST (hdr_that_fits_keeps_its_metadata)
{
  GstHarness *h
      = start ("", PQ "," DISPLAY ",content-light-level=(string)1000:400",
               "video/x-raw,format=P010_10LE,colorimetry=bt2100-pq");

  assert_near (luma_for (h, 573), 573, 0);
  assert_field (h, "content-light-level", "1000:400");
  assert_field (h, "mastering-display-info",
                "35400:14600:8500:39850:6550:2300:15635:16450:40000000:50");
  gst_harness_teardown (h);
}
GST_END_TEST;

/* 8 bits are for SDR: a peer that leaves the format open gets what comes in. */
GST_START_TEST (hdr_keeps_its_depth)
{
  static const gchar *const rows[][3] = {
    { "", "colorimetry=bt2100-hlg", "P010_10LE" },
    { "", "colorimetry={bt2100-hlg,bt2100-pq}", "P010_10LE" },
    { "target-peak=500", "colorimetry=bt2100-pq", "P010_10LE" },
    { "", "colorimetry=bt2100-hlg,format={NV12,RGBA,I420_10LE}", "I420_10LE" },
    { "", "colorimetry={bt2100-hlg,bt709}", "NV12" },
    { "", "colorimetry=bt709", "NV12" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree gchar *peer = g_strconcat ("video/x-raw,", rows[i][1], NULL);
    GstHarness *h = start (rows[i][0], PQ, peer);

    luma_for (h, 64);
    assert_field (h, "format", rows[i][2]);
    gst_harness_teardown (h);
  }
}
GST_END_TEST;

/* BT.2408: 203 cd/m2 are 75 % of HLG; what is above the peak is its end. */
GST_START_TEST (pq_becomes_hlg)
{
  GstHarness *h = start ("curve=clip",
                         PQ "," DISPLAY ",content-light-level="
                            "(string)2000:400",
                         "video/x-raw,format=P010_10LE,"
                         "colorimetry=bt2100-hlg");

  assert_near (luma_for (h, 64), 64, 0);
  assert_near (luma_for (h, 573), 721, 1);
  assert_near (luma_for (h, 789), 940, 1);
  assert_field (h, "colorimetry", "bt2100-hlg");
  assert_field (h, "content-light-level", NULL);
  assert_field (h, "mastering-display-info", NULL);
  gst_harness_teardown (h);
}
GST_END_TEST;

GST_START_TEST (hlg_becomes_pq)
{
  GstHarness *h = start ("", HLG,
                         "video/x-raw,format=P010_10LE,"
                         "colorimetry=bt2100-pq");

  assert_near (luma_for (h, 64), 64, 0);
  assert_near (luma_for (h, 721), 573, 1);
  assert_near (luma_for (h, 940), 723, 1);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* Off by default: BT.2408's direct mapping. */
GST_START_TEST (sdr_rises_only_if_asked)
{
  static const gchar *const hdr
      = "video/x-raw,format=P010_10LE,colorimetry=bt2100-pq";
  static const gchar *const curves[] = { "spline", "bt2446a" };
  GstHarness *h = start ("", SDR, hdr);

  assert_near (luma_for (h, 16), 64, 0);
  assert_near (luma_for (h, 235), 573, 1);
  gst_harness_teardown (h);
  for (guint i = 0; i < G_N_ELEMENTS (curves); i++) {
    g_autofree gchar *settings
        = g_strconcat ("inverse=true curve=", curves[i], NULL);
    guint last = 0;

    h = start (settings, SDR, hdr);
    assert_near (luma_for (h, 16), 64, 0);
    assert_near (luma_for (h, 235), 723, 1);
    for (guint y = 20; y <= 235; y += 43) {
      const guint luma = luma_for (h, y);

      fail_unless (luma > last, "%u falls to %u", last, luma);
      last = luma;
    }
    assert_field (h, "mastering-display-info",
                  "35400:14600:8500:39850:6550:2300:15635:16450:10000000:1");
    assert_field (h, "content-light-level", NULL);
    gst_harness_teardown (h);
  }
}
GST_END_TEST;

static Suite *
hdrout_suite (void)
{
  Suite *suite = suite_create ("hdrout");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 240);
  tcase_add_test (cases, lesser_hdr_says_its_peak);
  tcase_add_test (cases, hdr_that_fits_keeps_its_metadata);
  tcase_add_test (cases, hdr_keeps_its_depth);
  tcase_add_test (cases, pq_becomes_hlg);
  tcase_add_test (cases, hlg_becomes_pq);
  tcase_add_test (cases, sdr_rises_only_if_asked);
  return suite;
}

GST_CHECK_MAIN (hdrout);
