/* What caps and metas say about colours, and what they say behind the elements.
 */
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include "tests/elements/shape_support.h"
#include "tests/elements/triple_support.h"
#include "tests/support/support.h"

#define MAP "vktonemap dither=none peak-detection=off curve-mode=max "
#define HDR(height, tag)                                                       \
  "video/x-raw,format=Y444_10LE,width=16,height=" #height                      \
  ",framerate=25/1,colorimetry=" tag
#define SDR "video/x-raw,format=Y444,colorimetry=bt709"

/* Fields that are missing are BT.2020's where the transfer is HDR's, at any
 * size: there is no PQ or HLG in BT.601. */
GST_START_TEST (hdr_without_primaries_is_bt2020)
{
  static const struct
  {
    const gchar *full, *in;
  } rows[] = {
    { HDR (16, "bt2100-pq"), HDR (16, "(string)0:0:14:0") },
    { HDR (16, "bt2100-pq"), HDR (16, "(string)2:0:14:7") },
    { HDR (16, "bt2100-pq"), HDR (16, "(string)2:6:14:0") },
    { HDR (720, "bt2100-pq"), HDR (720, "(string)0:0:14:0") },
    { HDR (16, "bt2100-hlg"), HDR (16, "(string)2:0:15:0") },
    { HDR (720, "bt2100-hlg"), HDR (720, "(string)0:0:15:7") },
  };
  static const gchar *const lines[]
      = { MAP "curve=bt2390", "vkcolorconvert dither=none" };
  static const guint colours[][3]
      = { { 341, 446, 601 }, { 468, 430, 476 }, { 238, 654, 536 } };
  GstElement *keeper;
  GstContext *context = test_share_device (&keeper);

  for (guint i = 0; i < 2 * G_N_ELEMENTS (rows); i++) {
    const gchar *line = lines[i % 2], *in = rows[i / 2].in;
    GstHarness *full = test_shape_start_on (context, line, rows[i / 2].full,
                                            SDR);
    GstHarness *h = test_shape_start_on (context, line, in, SDR);

    for (guint k = 0; k < G_N_ELEMENTS (colours); k++) {
      guint want[3], found[3];

      test_pass_colour (full, colours[k], want);
      test_pass_colour (h, colours[k], found);
      fail_unless (memcmp (want, found, sizeof want) == 0,
                   "%s: (%u, %u, %u), not (%u, %u, %u)", in, found[0],
                   found[1], found[2], want[0], want[1], want[2]);
    }
    gst_harness_teardown (full);
    gst_harness_teardown (h);
  }
  test_unshare_device (context, keeper);
}
GST_END_TEST;

static void
assert_negotiates (GstHarness *h, const gchar *format, const guint c[4],
                   const gchar *site)
{
  g_autofree gchar *caps = g_strdup_printf (
      "video/x-raw,format=%s,width=4,height=4,framerate=25/1,colorimetry="
      "(string)%u:%u:%u:%u%s",
      format, c[0], c[1], c[2], c[3], site);
  GstVideoInfo in;
  GstBuffer *out;

  gst_harness_set_src_caps_str (h, caps);
  in = test_pad_info (h->srcpad);
  out = gst_harness_push_and_pull (
      h, gst_buffer_new_allocate (NULL, in.size, NULL));
  fail_unless (out != NULL, "%s", caps);
  gst_buffer_unref (out);
}

/* __i__: line. Each value of each field by itself, numbers that nobody knows
 * yet included, and no chroma site is an obstacle. */
GST_START_TEST (any_colorimetry_negotiates)
{
  static const gchar *const lines[]
      = { "vkcolorconvert", "vktonemap",
          "vkcolorconvert ! video/x-raw,format=RGBA",
          "vktonemap ! video/x-raw,format=NV12" };
  static const gchar *const formats[]
      = { "I420", "NV12", "RGBA", "GRAY8", "P010_10LE" };
  static const gchar *const sites[]
      = { "", ",chroma-site=none", ",chroma-site=alternate", ",chroma-site=jpeg" };
  static const guint ends[4] = { 4, 9, 18, 14 };
  GstElement *keeper;
  GstContext *context = test_share_device (&keeper);
  GstHarness *h = test_shape_start_on (
      context, lines[__i__], "video/x-raw,format=I420,width=4,height=4", NULL);
  guint n = 0;

  for (guint field = 0; field < 4; field++)
    for (guint value = 0; value < ends[field]; value++, n++) {
      guint c[4] = { 2, 3, 5, 1 };

      c[field] = value;
      if (n % 2 == 1)
        c[(field + 2) % 4] = 0;
      assert_negotiates (h, formats[n % G_N_ELEMENTS (formats)], c,
                         sites[n % G_N_ELEMENTS (sites)]);
    }
  gst_harness_teardown (h);
  test_unshare_device (context, keeper);
}
GST_END_TEST;

/* What passes keeps its caps, field by field: nothing is tagged that was not. */
GST_START_TEST (what_passes_is_tagged_as_it_was)
{
  static const gchar *const tags[] = {
    "format=I420,width=720,height=576",
    "format=I420,width=1280,height=720",
    "format=NV12,width=720,height=576,chroma-site=dv",
    "format=GBR,width=16,height=16,colorimetry=(string)1:1:0:0",
    "format=GBR,width=16,height=16",
    "format=RGBA,width=16,height=16,colorimetry=sRGB",
    "format=Y444_10LE,width=16,height=16,colorimetry=bt2020-10",
    "format=GRAY8,width=16,height=16",
    /* Matrices that such formats do not have. */
    "format=I420,width=16,height=16,colorimetry=sRGB",
    "format=NV12,width=1280,height=720,colorimetry=(string)2:1:5:1",
    "format=GRAY8,width=16,height=16,colorimetry=(string)1:1:0:0",
    "format=RGBA,width=16,height=16,colorimetry=bt709",
  };
  static const gchar *const elements[] = { "vkcolorconvert", "vktonemap" };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (tags); i++) {
    g_autofree gchar *text = g_strdup_printf (
        "video/x-raw,%s,framerate=25/1", tags[i / 2]);
    g_autoptr (GstCaps) now = NULL;
    g_autoptr (GstCaps) before = NULL;
    GstHarness *h = test_shape_start (elements[i % 2], text, NULL);
    GstVideoInfo in = test_pad_info (h->srcpad);
    GstBuffer *buffer = gst_buffer_new_allocate (NULL, in.size, NULL);

    fail_unless (test_pass (h, gst_buffer_ref (buffer)) == buffer, "%s", text);
    before = gst_pad_get_current_caps (h->srcpad);
    now = gst_pad_get_current_caps (h->sinkpad);
    fail_unless (gst_caps_is_strictly_equal (before, now), "%s: %s", text,
                 gst_caps_to_string (now));
    gst_buffer_unref (buffer);
    gst_buffer_unref (buffer);
    gst_harness_teardown (h);
  }
}
GST_END_TEST;

/* A tag downstream is a conversion, never another name for the same codes; what
 * is converted says so. */
GST_START_TEST (tags_of_the_peer_are_conversions)
{
  static const struct
  {
    const gchar *line, *in;
    guint codes[3];
    const gchar *peer;
    guint expected[3];
    const gchar *tag;
  } rows[] = {
    { "vkcolorconvert dither=none", HDR (16, "bt2100-pq"), { 573, 512, 512 },
      "video/x-raw,colorimetry=bt709", { 940, 512, 512 }, "bt709" },
    { "vkcolorconvert dither=none", HDR (16, "bt2100-hlg"), { 721, 512, 512 },
      "video/x-raw,colorimetry=bt2100-pq", { 573, 512, 512 }, "bt2100-pq" },
    { MAP "curve=bt2390", HDR (16, "bt2100-pq"), { 573, 512, 512 },
      "video/x-raw,format=Y444_10LE,colorimetry={bt2100-pq,bt709}",
      { 855, 512, 512 }, "bt709" },
    { MAP "curve=bt2390", HDR (16, "bt2100-pq"), { 573, 512, 512 },
      "video/x-raw,format=Y444_10LE", { 855, 512, 512 }, "bt709" },
    { "vkcolorconvert", "video/x-raw,format=GBR,width=16,height=16,"
                        "framerate=25/1,colorimetry=(string)1:1:5:1",
      { 1, 127, 254 }, "video/x-raw,format=RGB", { 1, 127, 254 }, "1:1:5:1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    GstHarness *h = test_shape_start (rows[i].line, rows[i].in, rows[i].peer);
    g_autoptr (GstCaps) caps = NULL;
    guint found[3];

    test_pass_colour (h, rows[i].codes, found);
    for (guint c = 0; c < 3; c++)
      fail_unless (ABS ((gint)found[c] - (gint)rows[i].expected[c]) <= 1,
                   "row %u: (%u, %u, %u)", i, found[0], found[1], found[2]);
    caps = gst_pad_get_current_caps (h->sinkpad);
    assert_equals_string (
        gst_structure_get_string (gst_caps_get_structure (caps, 0),
                                  "colorimetry"),
        rows[i].tag);
    gst_harness_teardown (h);
  }
}
GST_END_TEST;

static gboolean
init_meta (GstMeta *meta, gpointer params, GstBuffer *buffer)
{
  return TRUE;
}

static gboolean
copy_meta (GstBuffer *to, GstMeta *meta, GstBuffer *from, GQuark type,
           gpointer data)
{
  return gst_buffer_add_meta (to, meta->info, NULL) != NULL;
}

/* A meta as GStreamer may have one some day: of that name, with the tag
 * "video" alone. */
static const GstMetaInfo *
meta_of (const gchar *api)
{
  static const gchar *tags[] = { GST_META_TAG_VIDEO_STR, NULL };
  g_autofree gchar *impl = g_strconcat (api, "Impl", NULL);
  GType type = g_type_from_name (api);

  if (gst_meta_get_info (impl) != NULL)
    return gst_meta_get_info (impl);
  if (type == 0)
    type = gst_meta_api_type_register (api, tags);
  return gst_meta_register (type, impl, sizeof (GstMeta), init_meta, NULL,
                            copy_meta);
}

#define P010                                                                   \
  "video/x-raw,format=P010_10LE,width=16,height=16,framerate=25/1,"            \
  "colorimetry=bt2100-pq"

static GstBuffer *
pass_with_meta (GstHarness *h, const GstMetaInfo *info)
{
  GstBuffer *buffer = gst_buffer_new_and_alloc (16 * 16 * 3);

  gst_buffer_memset (buffer, 0, 0x40, 16 * 16 * 3);
  gst_buffer_add_meta (buffer, info, NULL);
  return test_pass (h, buffer);
}

/* The light is described as long as it is the same: in any format, and no
 * longer. */
GST_START_TEST (hdr_metas_stay_with_their_light)
{
  static const struct
  {
    const gchar *line, *peer;
    gboolean stays;
  } rows[] = {
    { "vkcolorconvert", "video/x-raw,format=I420_10LE", TRUE },
    { "vkcolorconvert", "video/x-raw,format=RGB10A2_LE", TRUE },
    { "vkcolorconvert", "video/x-raw,width=8,height=8", TRUE },
    { "vkcolorconvert", "video/x-raw,colorimetry=bt2100-hlg", FALSE },
    { "vkcolorconvert", "video/x-raw,colorimetry=bt709", FALSE },
    { "vktonemap", "video/x-raw,format=NV12", FALSE },
    { "vktonemap target-peak=500",
      "video/x-raw,format=P010_10LE,colorimetry=bt2100-pq", FALSE },
  };
  const GstMetaInfo *info = meta_of ("GstVideoHDRMetaAPI");

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    GstHarness *h = test_shape_start (rows[i].line, P010, rows[i].peer);
    GstBuffer *buffer = pass_with_meta (h, info);

    fail_unless ((gst_buffer_get_meta (buffer, info->api) != NULL)
                     == rows[i].stays,
                 "row %u", i);
    gst_buffer_unref (buffer);
    gst_harness_teardown (h);
  }
}
GST_END_TEST;

/* The same of fields in caps, GStreamer's and others'. */
GST_START_TEST (hdr_fields_stay_with_their_light)
{
  static const gchar *const fields[]
      = { "content-light-level", "mastering-display-info", "hdr-format",
          "dovi-profile" };
  static const struct
  {
    const gchar *line, *peer;
    gboolean stays;
  } rows[] = {
    { "vkcolorconvert", NULL, TRUE },
    { "vkcolorconvert", "video/x-raw,format=I420_10LE", TRUE },
    { "vkcolorconvert", "video/x-raw,colorimetry=bt2100-hlg", FALSE },
    { "vkcolorconvert", "video/x-raw,colorimetry=bt709", FALSE },
    { "vktonemap", "video/x-raw,format=NV12", FALSE },
    { "vktonemap", "video/x-raw,format=P010_10LE,colorimetry=bt2100-hlg",
      FALSE },
    { "vktonemap", "video/x-raw,format=P010_10LE,colorimetry=bt2100-pq", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    GstHarness *h = test_shape_start (
        rows[i].line,
        P010 ",content-light-level=(string)1000:400,mastering-display-info="
             "(string)35400:14600:8500:39850:6550:2300:15635:16450:10000000:50,"
             "hdr-format=(string)hdr10,dovi-profile=(int)8",
        rows[i].peer);
    g_autoptr (GstCaps) caps = gst_pad_get_current_caps (h->sinkpad);

    for (guint k = 0; k < G_N_ELEMENTS (fields); k++)
      fail_unless (gst_structure_has_field (gst_caps_get_structure (caps, 0),
                                            fields[k])
                       == rows[i].stays,
                   "row %u: %s", i, fields[k]);
    gst_harness_teardown (h);
  }
}
GST_END_TEST;

/* Metas of buffers as well as caps (tests/elements/metadata.c): one warning. */
GST_START_TEST (metas_that_cannot_be_used_are_named_once)
{
  static const struct
  {
    const gchar *api, *word;
  } rows[] = { { "GstTestDoViMetaAPI", "Dolby Vision" },
               { "GstTestHdr10PlusMetaAPI", "HDR10+" },
               { "GstTestOtherMetaAPI", NULL } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    GstHarness *h = gst_harness_new ("vktonemap");
    g_autoptr (GstBus) bus = gst_bus_new ();

    gst_element_set_bus (h->element, bus);
    gst_harness_set_sink_caps_str (h, "video/x-raw,format=NV12");
    gst_harness_set_src_caps_str (h, P010);
    for (guint k = 0; k < 3; k++)
      gst_buffer_unref (pass_with_meta (h, meta_of (rows[i].api)));
    assert_equals_int (test_take_warnings (bus, rows[i].word),
                       rows[i].word != NULL);
    gst_element_set_bus (h->element, NULL);
    gst_harness_teardown (h);
  }
}
GST_END_TEST;

static Suite *
tags_suite (void)
{
  Suite *suite = suite_create ("tags");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 240);
  tcase_add_test (cases, hdr_without_primaries_is_bt2020);
  tcase_add_loop_test (cases, any_colorimetry_negotiates, 0, 4);
  tcase_add_test (cases, what_passes_is_tagged_as_it_was);
  tcase_add_test (cases, tags_of_the_peer_are_conversions);
  tcase_add_test (cases, hdr_metas_stay_with_their_light);
  tcase_add_test (cases, hdr_fields_stay_with_their_light);
  tcase_add_test (cases, metas_that_cannot_be_used_are_named_once);
  return suite;
}

GST_CHECK_MAIN (tags);
