/* vktonemap as an element: what it makes of colours whose result a reference in
 * double precision knows (tests/data/vectors.json). */
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include "tests/support/support.h"
#include "tests/unit/vectors.h"

#define BLOCK 16 /* pixels; a colour fills one, its middle is compared */
#define MAX_COLOURS 32
#define HDR_CAPS                                                              \
  "video/x-raw,format=I420_10LE,width=%d,height=%d,framerate=24/1,"           \
  "colorimetry=%s,chroma-site=dv%s"

/* Codes of one colour: Y, Cb, Cr. */
struct colour
{
  guint input[3], expected[3];
};

struct batch
{
  struct colour colours[MAX_COLOURS];
  guint n;
};

static void
add_colour (struct batch *batch, const struct vector *v)
{
  struct colour *colour = &batch->colours[batch->n++];

  g_assert (batch->n <= MAX_COLOURS);
  for (int i = 0; i < 3; i++) {
    colour->input[i] = v->input[i];
    colour->expected[i] = v->expected[i];
  }
}

/* A frame of the batch's colours side by side. */
static GstBuffer *
make_frame (const GstVideoInfo *info, const struct batch *batch)
{
  GstBuffer *buffer = gst_buffer_new_and_alloc (info->size);
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  for (guint c = 0; c < 3; c++) {
    const gint width = GST_VIDEO_FRAME_COMP_WIDTH (&frame, c);
    const gint block = width / batch->n;

    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, c); y++) {
      guint16 *row = (guint16 *) ((guint8 *) GST_VIDEO_FRAME_COMP_DATA (
                                      &frame, c)
                                  + y * GST_VIDEO_FRAME_COMP_STRIDE (&frame,
                                                                     c));

      for (gint x = 0; x < width; x++)
        row[x] = GUINT16_TO_LE (batch->colours[x / block].input[c]);
    }
  }
  gst_video_frame_unmap (&frame);
  return buffer;
}

static guint
code_of (const GstVideoFrame *frame, guint component, guint colour)
{
  const guint shift = component == 0 ? 0 : 1;
  const gint x = (colour * BLOCK + BLOCK / 2) >> shift;
  const gint y = (BLOCK / 2) >> shift;
  const guint8 *data = GST_VIDEO_FRAME_COMP_DATA (frame, component);

  return data[y * GST_VIDEO_FRAME_COMP_STRIDE (frame, component)
              + x * GST_VIDEO_FRAME_COMP_PSTRIDE (frame, component)];
}

static guint
compare (const struct batch *batch, GstBuffer *buffer, GstCaps *caps)
{
  GstVideoInfo info;
  GstVideoFrame frame;
  guint exact = 0;

  fail_unless (gst_video_info_from_caps (&info, caps));
  fail_unless (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
  for (guint i = 0; i < batch->n; i++) {
    const struct colour *colour = &batch->colours[i];

    for (guint c = 0; c < 3; c++) {
      const gint found = code_of (&frame, c, i);
      const gint off = ABS (found - (gint) colour->expected[c]);

      fail_unless (off <= 1, "%u %u %u: component %u is %d, not %u",
                   colour->input[0], colour->input[1], colour->input[2], c,
                   found, colour->expected[c]);
      exact += off == 0;
    }
  }
  gst_video_frame_unmap (&frame);
  return exact;
}

/* Runs @batch through `vktonemap @properties`, in what is automatic as software
 * devices have it; returns how many codes are
 * exact, and fails where one is off by more than 1. */
static guint
run_batch (const struct batch *batch, const char *colorimetry,
           const char *metadata, const char *properties)
{
  g_autofree char *line = g_strdup_printf (
      "vktonemap dither=none curve-mode=max peak-detection=off %s "
      "! capsfilter caps=video/x-raw,format=NV12",
      properties);
  g_autofree char *text
      = g_strdup_printf (HDR_CAPS, BLOCK * (int) batch->n, BLOCK,
                         colorimetry, metadata);
  GstHarness *harness = gst_harness_new_parse (line);
  g_autoptr (GstCaps) caps = gst_caps_from_string (text);
  g_autoptr (GstCaps) out_caps = NULL;
  GstBuffer *buffer;
  GstVideoInfo info;
  guint exact;

  fail_unless (gst_video_info_from_caps (&info, caps));
  gst_harness_set_src_caps (harness, gst_caps_ref (caps));
  buffer = gst_harness_push_and_pull (harness, make_frame (&info, batch));
  fail_unless (buffer != NULL);
  out_caps = gst_pad_get_current_caps (harness->sinkpad);
  exact = compare (batch, buffer, out_caps);
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);
  return exact;
}

/* Settings of the vectors that the element offers as properties. */
static const struct
{
  const char *curve, *gamut;
  double src_peak, ref_white;
} settings[] = {
  { "bt2390", "clip", 400, 203 },      { "bt2390", "clip", 1000, 203 },
  { "bt2390", "clip", 4000, 203 },     { "bt2390", "clip", 10000, 203 },
  { "bt2390", "clip", 1000, 100 },     { "bt2390", "desaturate", 1000, 203 },
  { "clip", "clip", 1000, 203 },       { "mobius", "clip", 1000, 203 },
  { "reinhard", "clip", 1000, 203 },   { "hable", "clip", 1000, 203 },
};

static void
gather (struct batch *batch, guint i)
{
  FOR_VECTORS (v, "hdr10_to_sdr8")
    if (g_str_equal (v->mode, "max") && v->contrast == 0
        && g_str_equal (v->curve, settings[i].curve)
        && g_str_equal (v->gamut, settings[i].gamut)
        && v->src_peak == settings[i].src_peak
        && v->ref_white == settings[i].ref_white)
      add_colour (batch, v);
}

/* Properties for settings[@i]; the peak comes from the caps. */
static char *
properties_of (guint i)
{
  return g_strdup_printf ("curve=%s gamut-mapping=%s reference-white=%.0f",
                          settings[i].curve, settings[i].gamut,
                          settings[i].ref_white);
}

GST_START_TEST (hdr10_becomes_the_reference_sdr)
{
  struct batch batch = { 0 };
  g_autofree char *properties = properties_of (__i__);
  g_autofree char *metadata
      = g_strdup_printf (",content-light-level=(string)%.0f:200",
                         settings[__i__].src_peak);
  guint exact;

  gather (&batch, __i__);
  fail_unless (batch.n >= 20, "%u vectors", batch.n);
  exact = run_batch (&batch, "bt2100-pq", metadata, properties);
  fail_unless (exact >= 0.97 * 3 * batch.n, "%u of %u exact", exact,
               3 * batch.n);
}
GST_END_TEST;

/* MaxCLL 0 and no metadata mean that nobody knows: 1000 cd/m2. */
GST_START_TEST (unknown_peak_is_1000)
{
  static const char *const metadata[] = {
    "",
    ",content-light-level=(string)0:0",
    ",content-light-level=(string)65535:65535",
  };
  struct batch batch = { 0 };
  g_autofree char *properties = properties_of (1);

  gather (&batch, 1);
  run_batch (&batch, "bt2100-pq", metadata[__i__], properties);
}
GST_END_TEST;

GST_START_TEST (property_beats_metadata)
{
  struct batch batch = { 0 };
  g_autofree char *properties = properties_of (2);
  g_autofree char *both
      = g_strconcat (properties, " source-peak=4000", NULL);

  gather (&batch, 2);
  run_batch (&batch, "bt2100-pq", ",content-light-level=(string)400:100",
             both);
}
GST_END_TEST;

GST_START_TEST (hlg_becomes_the_reference_sdr)
{
  struct batch batch = { 0 };

  FOR_VECTORS (v, "hlg_to_sdr8")
    add_colour (&batch, v);
  fail_unless (batch.n >= 8);
  run_batch (&batch, "bt2100-hlg", "", "curve=bt2390 gamut-mapping=clip");
}
GST_END_TEST;

static Suite *
vectors_suite (void)
{
  Suite *suite = suite_create ("vectors");
  TCase *cases = tcase_create ("tonemap");

  suite_add_tcase (suite, cases);
  tcase_add_loop_test (cases, hdr10_becomes_the_reference_sdr, 0,
                       G_N_ELEMENTS (settings));
  tcase_add_loop_test (cases, unknown_peak_is_1000, 0, 3);
  tcase_add_test (cases, property_beats_metadata);
  tcase_add_test (cases, hlg_becomes_the_reference_sdr);
  return suite;
}

GST_CHECK_MAIN (vectors);
