/* HDR metadata that change, contradict each other or cannot be used. */
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include "tests/support/support.h"

#define SIZE "width=64,height=32,framerate=25/1"
#define PQ   "video/x-raw,format=P010_10LE," SIZE ",colorimetry=bt2100-pq"
#define SDR  "video/x-raw,format=P010_10LE," SIZE ",colorimetry=bt709"
#define DISPLAY(max)                                                           \
  ",mastering-display-info=(string)35400:14600:8500:39850:6550:2300:15635:"    \
  "16450:" #max "0000:1"
#define LEVEL(max) ",content-light-level=(string)" #max ":100"

static GstHarness *
start (const gchar *settings)
{
  g_autofree gchar *line = g_strconcat (
      "vktonemap name=t dither=none peak-detection=off ", settings, NULL);
  GstHarness *h;

  test_wrap_install ();
  h = gst_harness_new_parse (line);
  gst_harness_set_sink_caps_str (h, "video/x-raw,format=NV12");
  return h;
}

/* Luma that a grey frame of @y becomes. */
static guint
luma_for (GstHarness *h, guint y)
{
  GstBuffer *buffer = gst_buffer_new_and_alloc (64 * 32 * 3);
  GstMapInfo map;
  guint luma;

  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  for (gsize i = 0; i < 64 * 32 * 3 / 2; i++)
    GST_WRITE_UINT16_LE (map.data + 2 * i, (i < 64 * 32 ? y : 512) << 6);
  gst_buffer_unmap (buffer, &map);
  buffer = gst_harness_push_and_pull (h, buffer);
  fail_unless (buffer != NULL);
  gst_buffer_map (buffer, &map, GST_MAP_READ);
  luma = map.data[0];
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
  return luma;
}

/* Which peak counts: what grey of 203 cd/m2 becomes by bt2390 tells. */
static const struct
{
  const gchar *fields;
  guint luma;
} rows[] = {
  { "", 214 },                           /* 1000 */
  { LEVEL (0), 214 },                    /* 0 is unknown */
  { DISPLAY (4000), 197 },               /* the display alone */
  { LEVEL (0) DISPLAY (4000), 197 },     /* and with an unknown level */
  { LEVEL (1000) DISPLAY (4000), 214 },  /* the level comes first */
  { LEVEL (65535) DISPLAY (4000), 197 }, /* beyond PQ */
  { LEVEL (4000) DISPLAY (1000), 197 },  /* brighter than its display */
  { LEVEL (1000) DISPLAY (65535), 214 },
  { DISPLAY (65535), 214 },
  { ",content-light-level=(string)nonsense", 214 },
  { ",mastering-display-info=(string)1:2:3", 214 },
};

GST_START_TEST (nonsense_counts_as_unknown)
{
  GstHarness *h = start ("curve=bt2390");

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree gchar *caps = g_strconcat (PQ, rows[i].fields, NULL);
    guint luma;

    gst_harness_set_src_caps_str (h, caps);
    luma = luma_for (h, 573);
    fail_unless (luma == rows[i].luma, "%s: %u", rows[i].fields, luma);
  }
  gst_harness_teardown (h);
}
GST_END_TEST;

/* The event alone: the harness would ask for a pool of its own as well. */
static void
push_caps (GstHarness *h, const gchar *text)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (text);

  fail_unless (gst_pad_push_event (h->srcpad, gst_event_new_caps (caps)));
}

/* The first frame behind the event has the new peak, and nothing was made for
 * it: no memory, no pipeline. */
GST_START_TEST (new_metadata_cost_nothing)
{
  GstHarness *h = start ("curve=bt2390");
  uint64_t allocations, pipelines, usual;

  gst_harness_set_src_caps_str (h, PQ LEVEL (1000));
  assert_equals_int (luma_for (h, 573), 214);
  /* Frames in system memory may be imported: an allocation each. */
  allocations = test_wrap_count ("vkAllocateMemory");
  for (guint i = 0; i < 8; i++)
    assert_equals_int (luma_for (h, 573), 214);
  usual = test_wrap_count ("vkAllocateMemory") - allocations;
  allocations = test_wrap_count ("vkAllocateMemory");
  pipelines = test_wrap_count ("vkCreateComputePipelines");
  for (guint i = 0; i < 4; i++) {
    push_caps (h, PQ LEVEL (4000));
    assert_equals_int (luma_for (h, 573), 197);
    push_caps (h, PQ LEVEL (400));
    assert_equals_int (luma_for (h, 573), 226);
  }
  fail_unless (test_wrap_count ("vkAllocateMemory") - allocations <= usual);
  assert_equals_uint64 (test_wrap_count ("vkCreateComputePipelines"),
                        pipelines);
  gst_harness_teardown (h);
}
GST_END_TEST;

GST_START_TEST (hdr_and_sdr_take_turns)
{
  GstHarness *h = start ("curve=bt2390");

  for (guint i = 0; i < 2; i++) {
    gst_harness_set_src_caps_str (h, PQ LEVEL (1000));
    assert_equals_int (luma_for (h, 573), 214);
    gst_harness_set_src_caps_str (h, SDR);
    assert_equals_int (luma_for (h, 502), 126);
    assert_equals_int (luma_for (h, 940), 235);
  }
  gst_harness_teardown (h);
}
GST_END_TEST;

static guint
count_warnings (GstHarness *h, const gchar *caps, const gchar *word)
{
  GstBus *bus = gst_bus_new ();
  guint n;

  gst_element_set_bus (h->element, bus);
  gst_harness_set_src_caps_str (h, caps);
  assert_equals_int (luma_for (h, 64), 16);
  assert_equals_int (luma_for (h, 64), 16);
  n = test_take_warnings (bus, word);
  gst_element_set_bus (h->element, NULL);
  gst_object_unref (bus);
  return n;
}

/* What the caps call it: one warning that names it, and none without. */
GST_START_TEST (what_cannot_be_used_is_named_once)
{
  static const struct
  {
    const gchar *fields, *word;
    guint n;
  } signals[] = {
    { ",hdr-format=(string)dolby-vision", "Dolby Vision", 1 },
    { ",dovi-profile=(int)5", "Dolby Vision", 1 },
    { ",hdr-format=(string)hdr10+", "HDR10+", 1 },
    { ",hdr-format=(string)hdr10", "", 0 },
    { LEVEL (1000), "", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (signals); i++) {
    g_autofree gchar *caps = g_strconcat (PQ, signals[i].fields, NULL);
    GstHarness *h = start ("");
    g_autoptr (GstCaps) out = NULL;

    assert_equals_uint64 (count_warnings (h, caps, signals[i].word),
                          signals[i].n);
    out = gst_pad_get_current_caps (h->sinkpad);
    fail_unless (!gst_structure_has_field (gst_caps_get_structure (out, 0),
                                           "hdr-format"));
    gst_harness_teardown (h);
  }
}
GST_END_TEST;

static Suite *
metadata_suite (void)
{
  Suite *suite = suite_create ("metadata");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 240);
  tcase_add_test (cases, nonsense_counts_as_unknown);
  tcase_add_test (cases, new_metadata_cost_nothing);
  tcase_add_test (cases, hdr_and_sdr_take_turns);
  tcase_add_test (cases, what_cannot_be_used_is_named_once);
  return suite;
}

GST_CHECK_MAIN (metadata);
