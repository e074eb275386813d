/* vktonemap and vkcolorconvert as elements: what they negotiate, what they let
 * pass untouched, and properties that change while frames flow. */
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include "tests/support/support.h"

#define SIZE "width=32,height=16,framerate=25/1"
#define HDR10                                                                  \
  "colorimetry=bt2100-pq,chroma-site=dv,"                                      \
  "mastering-display-info=(string)35400:14600:8500:39850:6550:2300:15635:"     \
  "16450:10000000:1,content-light-level=(string)1000:400"
#define P010_HDR10 "video/x-raw,format=P010_10LE," SIZE "," HDR10

/* @target NULL: a peer that takes everything. */
static GstHarness *
start (const gchar *element, const gchar *source, const gchar *target)
{
  GstHarness *h = gst_harness_new (element);

  if (target != NULL)
    gst_harness_set_sink_caps_str (h, target);
  gst_harness_set_src_caps_str (h, source);
  return h;
}

/* A frame of one colour, in codes of the caps' format. */
static GstBuffer *
make_frame (GstHarness *h, const guint codes[3])
{
  GstCaps *caps = gst_pad_get_current_caps (h->srcpad);
  GstVideoInfo info;
  GstVideoFrame frame;
  GstBuffer *buffer;

  fail_unless (gst_video_info_from_caps (&info, caps));
  buffer = gst_buffer_new_and_alloc (info.size);
  fail_unless (gst_video_frame_map (&frame, &info, buffer, GST_MAP_WRITE));
  for (guint c = 0; c < 3; c++) {
    const gint shift = GST_VIDEO_FRAME_COMP_DEPTH (&frame, c) == 8 ? 0 : 6;
    const gint bytes = shift == 0 ? 1 : 2;
    guint8 *row = GST_VIDEO_FRAME_PLANE_DATA (&frame, c == 0 ? 0 : 1);
    const gint first = c == 2 ? bytes : 0, step = c == 0 ? bytes : 2 * bytes;

    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, c); y++) {
      for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (&frame, c); x++) {
        if (bytes == 1)
          row[x * step + first] = (guint8)codes[c];
        else
          GST_WRITE_UINT16_LE (row + x * step + first, codes[c] << shift);
      }
      row += GST_VIDEO_FRAME_PLANE_STRIDE (&frame, c == 0 ? 0 : 1);
    }
  }
  gst_video_frame_unmap (&frame);
  gst_caps_unref (caps);
  return buffer;
}

/* The middle of plane 0 of what comes out for such a frame. */
static guint
luma_for (GstHarness *h, guint y)
{
  const guint grey[3] = { y, 512, 512 };
  GstBuffer *out = gst_harness_push_and_pull (h, make_frame (h, grey));
  GstMapInfo map;
  guint luma;

  fail_unless (out != NULL && gst_buffer_map (out, &map, GST_MAP_READ));
  luma = map.data[8 * 32 + 16];
  gst_buffer_unmap (out, &map);
  gst_buffer_unref (out);
  return luma;
}

/* What is negotiated behind the element once a frame went through. */
static GstCaps *
caps_after_frame (GstHarness *h)
{
  GstCaps *caps = gst_pad_get_current_caps (h->srcpad);
  GstVideoInfo info;
  GstBuffer *buffer;

  fail_unless (gst_video_info_from_caps (&info, caps));
  gst_caps_unref (caps);
  buffer = gst_buffer_new_and_alloc (info.size);
  gst_buffer_memset (buffer, 0, 0x40, info.size);
  buffer = gst_harness_push_and_pull (h, buffer);
  fail_unless (buffer != NULL);
  gst_buffer_unref (buffer);
  return gst_pad_get_current_caps (h->sinkpad);
}

static void
assert_field (GstCaps *caps, const gchar *field, const gchar *expected)
{
  const gchar *value
      = gst_structure_get_string (gst_caps_get_structure (caps, 0), field);

  fail_unless (g_strcmp0 (value, expected) == 0, "%s is %s in %s", field, value,
               gst_caps_to_string (caps));
}

GST_START_TEST (hdr10_becomes_bt709_without_its_metadata)
{
  GstHarness *h = start ("vktonemap", P010_HDR10, NULL);
  GstCaps *caps = caps_after_frame (h);

  assert_field (caps, "format", "NV12");
  assert_field (caps, "colorimetry", "bt709");
  assert_field (caps, "chroma-site", "dv");
  assert_field (caps, "mastering-display-info", NULL);
  assert_field (caps, "content-light-level", NULL);
  fail_unless (!gst_caps_features_contains (gst_caps_get_features (caps, 0),
                                            "memory:VkcImage"));
  gst_caps_unref (caps);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* Rows: what the peer takes, what it gets. */
static const struct
{
  const gchar *peer, *format, *colorimetry;
} peers[] = {
  { "video/x-raw,format={P010_10LE,BGRA,I420}", "I420", "bt709" },
  { "video/x-raw,format={P010_10LE,BGRA}", "BGRA", "1:1:5:1" },
  { "video/x-raw,format=P010_10LE", "P010_10LE", "bt709" },
  { "video/x-raw,format=NV12,colorimetry={bt601,bt709}", "NV12", "bt709" },
  { "video/x-raw,format=NV12,colorimetry=bt601", "NV12", "bt601" },
};

GST_START_TEST (peer_gets_the_format_that_it_takes)
{
  GstHarness *h = start ("vktonemap", P010_HDR10, peers[__i__].peer);
  GstCaps *caps = caps_after_frame (h);

  assert_field (caps, "format", peers[__i__].format);
  assert_field (caps, "colorimetry", peers[__i__].colorimetry);
  gst_caps_unref (caps);
  gst_harness_teardown (h);
}
GST_END_TEST;

static void
assert_passes (const gchar *element, const gchar *caps, const gchar *peer,
               gboolean passes)
{
  GstHarness *h = start (element, caps, peer);
  GstCaps *now = gst_pad_get_current_caps (h->srcpad);
  GstVideoInfo info;
  GstBuffer *in, *out;

  fail_unless (gst_video_info_from_caps (&info, now));
  in = gst_buffer_new_and_alloc (info.size);
  gst_buffer_memset (in, 0, 0x40, info.size);
  gst_buffer_ref (in);
  out = gst_harness_push_and_pull (h, in);
  fail_unless ((in == out) == passes, "%s, %s", element, caps);
  gst_buffer_unref (in);
  gst_buffer_unref (out);
  gst_caps_unref (now);
  gst_harness_teardown (h);
}

GST_START_TEST (nothing_to_do_is_passthrough)
{
  assert_passes ("vktonemap",
                 "video/x-raw,format=I420," SIZE ",colorimetry=bt709", NULL,
                 TRUE);
  assert_passes ("vktonemap", "video/x-raw,format=RGBA," SIZE, NULL, TRUE);
  assert_passes ("vkcolorconvert", "video/x-raw,format=NV12," SIZE, NULL, TRUE);
  assert_passes ("vkcolorconvert", P010_HDR10, NULL, TRUE);
  assert_passes ("vkcolorconvert",
                 "video/x-raw,format=NV12," SIZE ",colorimetry=bt601",
                 "video/x-raw,colorimetry=bt709", FALSE);
  /* Mapping is on, whatever the caps say. */
  assert_passes ("vktonemap", P010_HDR10,
                 "video/x-raw,format=P010_10LE,colorimetry=bt2100-pq", FALSE);
}
GST_END_TEST;

/* Any tag, none and nonsense included, has a result. */
GST_START_TEST (every_colorimetry_negotiates)
{
  static const gchar *const tags[] = { "",
                                       ",colorimetry=bt601",
                                       ",colorimetry=bt709",
                                       ",colorimetry=smpte240m",
                                       ",colorimetry=sRGB",
                                       ",colorimetry=bt2020",
                                       ",colorimetry=bt2020-10",
                                       ",colorimetry=bt2100-pq",
                                       ",colorimetry=bt2100-hlg",
                                       ",colorimetry=(string)0:3:0:1",
                                       ",colorimetry=(string)0:0:0:0",
                                       ",colorimetry=(string)2:0:14:0",
                                       ",colorimetry=(string)1:4:9:11",
                                       ",colorimetry=(string)2:5:16:12" };
  static const gchar *const elements[] = { "vktonemap", "vkcolorconvert" };

  for (guint e = 0; e < G_N_ELEMENTS (elements); e++) {
    for (guint i = 0; i < G_N_ELEMENTS (tags); i++) {
      g_autofree gchar *caps
          = g_strconcat ("video/x-raw,format=I420," SIZE, tags[i], NULL);
      GstHarness *h = start (elements[e], caps, NULL);

      gst_caps_unref (caps_after_frame (h));
      gst_harness_teardown (h);
    }
  }
}
GST_END_TEST;

GST_START_TEST (properties_act_while_playing)
{
  GstHarness *h = start ("vktonemap", P010_HDR10, "video/x-raw,format=NV12");

  gst_util_set_object_arg (G_OBJECT (h->element), "dither", "none");
  gst_util_set_object_arg (G_OBJECT (h->element), "peak-detection", "off");
  gst_util_set_object_arg (G_OBJECT (h->element), "curve", "bt2390");
  fail_unless_equals_int (luma_for (h, 573), 214);
  gst_util_set_object_arg (G_OBJECT (h->element), "curve", "clip");
  fail_unless_equals_int (luma_for (h, 573), 235);
  fail_unless_equals_int (luma_for (h, 509), 179);
  g_object_set (h->element, "reference-white", 100.0, NULL);
  fail_unless_equals_int (luma_for (h, 509), 235);
  g_object_set (h->element, "reference-white", 0.0, "source-peak", 4000.0,
                NULL);
  gst_util_set_object_arg (G_OBJECT (h->element), "curve", "bt2390");
  fail_unless_equals_int (luma_for (h, 573), 197);
  g_object_set (h->element, "source-peak", 0.0, "target-peak", 1000.0, NULL);
  fail_unless_equals_int (luma_for (h, 573), 235);
  gst_harness_teardown (h);
}
GST_END_TEST;

static void
assert_resolved (GstElement *element, const gchar *field, const gchar *expected)
{
  GstStructure *stats;
  const GstStructure *part;
  const gchar *found;

  g_object_get (element, "stats", &stats, NULL);
  part = gst_value_get_structure (gst_structure_get_value (stats, "element"));
  found = gst_structure_get_string (part, field);
  fail_unless (g_strcmp0 (found, expected) == 0, "%s is %s", field, found);
  gst_structure_free (stats);
}

static gboolean
is_software (GstElement *element)
{
  GstStructure *stats;
  const gchar *device;
  gboolean software;

  g_object_get (element, "stats", &stats, NULL);
  device = gst_structure_get_string (
      gst_value_get_structure (gst_structure_get_value (stats, "recorder")),
      "device");
  software = device != NULL && strstr (device, "llvmpipe") != NULL;
  gst_structure_free (stats);
  return software;
}

GST_START_TEST (what_auto_means_is_in_stats)
{
  GstHarness *h = start ("vktonemap", P010_HDR10, "video/x-raw,format=NV12");
  gboolean cpu;

  luma_for (h, 573);
  cpu = is_software (h->element);
  assert_resolved (h->element, "curve", "spline");
  assert_resolved (h->element, "curve-mode", cpu ? "max" : "intensity");
  assert_resolved (h->element, "gamut-mapping", "perceptual");
  gst_util_set_object_arg (G_OBJECT (h->element), "preset", "reproducible");
  fail_unless_equals_int (luma_for (h, 573), 214);
  assert_resolved (h->element, "curve", "bt2390");
  assert_resolved (h->element, "curve-mode", "max");
  assert_resolved (h->element, "gamut-mapping", "clip");
  gst_harness_teardown (h);
}
GST_END_TEST;

/* Luma of grey of 573, which is 203 cd/m2, and whether it rises with it. */
static const struct
{
  const gchar *settings;
  guint in, luma;
} light_settings[] = {
  { "curve=clip exposure=1", 509, 234 }, /* 200 of 203 cd/m2 */
  { "curve=clip exposure=-1", 573, 180 },
  { "curve=none", 573, 235 },
  { "curve=none", 509, 179 },
  { "curve=bt2446c source-peak=1000 target-peak=203", 573, 202 },
  { "curve=clip contrast=1000", 64, 16 },
  { "curve=clip target-black=0.2", 64, 16 },
  { "curve=clip saturation=0", 573, 235 },
  { "curve=clip input-transfer=hlg", 721, 235 },
  { "curve=clip input-transfer=hlg hlg-peak=500", 721, 192 },
};

GST_START_TEST (light_settings_act)
{
  g_autofree gchar *line
      = g_strconcat ("vktonemap dither=none peak-detection=off ", light_settings[__i__].settings, NULL);
  GstHarness *h = gst_harness_new_parse (line);
  guint luma;

  gst_harness_set_sink_caps_str (h, "video/x-raw,format=NV12");
  gst_harness_set_src_caps_str (h, P010_HDR10);
  luma = luma_for (h, light_settings[__i__].in);
  fail_unless (luma + 1 >= light_settings[__i__].luma
                   && luma <= light_settings[__i__].luma + 1,
               "%s: %u, not %u", light_settings[__i__].settings, luma,
               light_settings[__i__].luma);
  gst_harness_teardown (h);
}
GST_END_TEST;

GST_START_TEST (lost_signalling_can_be_said)
{
  GstHarness *h = gst_harness_new_parse ("vktonemap dither=none input-transfer=pq "
                                         "peak-detection=off curve=bt2390");
  GstCaps *caps;

  gst_harness_set_sink_caps_str (h, "video/x-raw,format=NV12");
  gst_harness_set_src_caps_str (
      h, "video/x-raw,format=P010_10LE," SIZE ",colorimetry=bt709");
  fail_unless_equals_int (luma_for (h, 573), 214);
  caps = gst_pad_get_current_caps (h->sinkpad);
  assert_field (caps, "colorimetry", "bt709");
  gst_caps_unref (caps);
  gst_harness_teardown (h);
}
GST_END_TEST;

#define MASTERING(max)                                                         \
  ",mastering-display-info=(string)35400:14600:8500:39850:6550:2300:15635:"    \
  "16450:" max

GST_START_TEST (metadata_decide_about_brightness)
{
  static const struct
  {
    const gchar *fields;
    guint luma;
  } rows[] = {
    { ",content-light-level=(string)400:100", 226 },
    { ",content-light-level=(string)1000:100", 214 },
    { ",content-light-level=(string)4000:100", 197 },
    { ",content-light-level=(string)10000:100", 186 },
    { ",content-light-level=(string)0:0", 214 },
    { "", 214 },
    { MASTERING ("40000000:50"), 197 },
    /* No display: cd/m2 where 1/10000 cd/m2 belong, numbers that are not set, and
     * a clip of darkness that is not. */
    { MASTERING ("1000:0"), 214 },
    { MASTERING ("4294967295:4294967295"), 214 },
    { MASTERING ("10000:20000"), 214 },
    { ",content-light-level=(string)1:1", 214 },
    { ",content-light-level=(string)65535:65535", 214 },
    { MASTERING ("1000:0") ",content-light-level=(string)4000:400", 197 },
    { MASTERING ("40000000:50") ",content-light-level=(string)1:1", 197 },
    /* Less than the target shows: it darkens nothing, true or not. */
    { ",content-light-level=(string)203:100", 235 },
    { ",content-light-level=(string)100:50", 235 },
    { MASTERING ("500000:50"), 235 },
  };
  GstHarness *h = gst_harness_new_parse ("vktonemap curve=bt2390 dither=none "
                                         "peak-detection=off");

  gst_harness_set_sink_caps_str (h, "video/x-raw,format=NV12");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree gchar *caps = g_strconcat ("video/x-raw,format=P010_10LE," SIZE
                                          ",colorimetry=bt2100-pq",
                                          rows[i].fields, NULL);

    gst_harness_set_src_caps_str (h, caps);
    fail_unless_equals_int (luma_for (h, 573), rows[i].luma);
  }
  gst_harness_teardown (h);
}
GST_END_TEST;

GST_START_TEST (depth_changes_round_half_up)
{
  static const guint in[] = { 400, 401, 402, 403, 64, 940, 0, 1023 };
  static const guint out[] = { 100, 100, 101, 101, 16, 235, 0, 255 };
  GstHarness *h
      = start ("vkcolorconvert",
               "video/x-raw,format=P010_10LE," SIZE ",colorimetry=bt709",
               "video/x-raw,format=NV12,colorimetry=bt709");

  gst_util_set_object_arg (G_OBJECT (h->element), "dither", "none");
  for (guint i = 0; i < G_N_ELEMENTS (in); i++)
    fail_unless_equals_int (luma_for (h, in[i]), out[i]);
  gst_harness_teardown (h);
}
GST_END_TEST;

static Suite *
colour_suite (void)
{
  Suite *suite = suite_create ("colour");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 240);
  tcase_add_test (cases, hdr10_becomes_bt709_without_its_metadata);
  tcase_add_loop_test (cases, peer_gets_the_format_that_it_takes, 0,
                       G_N_ELEMENTS (peers));
  tcase_add_test (cases, nothing_to_do_is_passthrough);
  tcase_add_test (cases, every_colorimetry_negotiates);
  tcase_add_test (cases, properties_act_while_playing);
  tcase_add_test (cases, what_auto_means_is_in_stats);
  tcase_add_loop_test (cases, light_settings_act, 0,
                       G_N_ELEMENTS (light_settings));
  tcase_add_test (cases, lost_signalling_can_be_said);
  tcase_add_test (cases, metadata_decide_about_brightness);
  tcase_add_test (cases, depth_changes_round_half_up);
  return suite;
}

GST_CHECK_MAIN (colour);
