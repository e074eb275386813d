/* vkcolorconvert in every format: what GStreamer's packers write is read, what
 * is written they read, and every code is the exact one in between. */
#include <gst/base/gstbasetransform.h>
#include <gst/check/gstharness.h>
#include <math.h>
#include <stdlib.h>

#include "gst/base/gstvkccaps.h"
#include "tests/elements/picture.h"
#include "tests/elements/shape_support.h"
#include "tests/support/support.h"

#define MAX_FORMATS 128
#define PARTS       6
/* Rows of a frame, at least: of fewer samples one is no share. */
#define ROWS 24

/* How far codes were off, and how many there were. */
struct tally
{
  gdouble worst;     /* codes off the exact value, rounded */
  gulong exact, all; /* of up to 12 bits */
  gulong exact16, all16;
  gulong ties, wrong_ties; /* of up to 10 bits */
};

static GstHarness *harness;
static GstVideoFormat formats[MAX_FORMATS];
static guint n_formats;

/* Formats that have no images are in buffers whatever $VKC_MEMORY says: the
 * run with buffers has them. */
static gboolean
is_for_this_run (GstVideoFormat format)
{
  GstVideoInfo info;

  gst_video_info_set_format (&info, format, 8, 8);
  return g_strcmp0 (g_getenv ("VKC_MEMORY"), "image") != 0
         || gst_vkc_storage_for (&info) == VKC_STORAGE_IMAGE;
}

/* All that the element offers. */
static void
setup (void)
{
  GstCaps *caps;
  const GValue *list;

  harness = gst_harness_new ("vkcolorconvert");
  gst_util_set_object_arg (G_OBJECT (harness->element), "dither", "none");
  caps = gst_pad_get_pad_template_caps (
      GST_BASE_TRANSFORM_SINK_PAD (GST_BASE_TRANSFORM (harness->element)));
  list = gst_structure_get_value (gst_caps_get_structure (caps, 0), "format");
  fail_unless (gst_value_list_get_size (list) <= MAX_FORMATS);
  n_formats = 0;
  for (guint i = 0; i < gst_value_list_get_size (list); i++) {
    const GstVideoFormat format = gst_video_format_from_string (
        g_value_get_string (gst_value_list_get_value (list, i)));

    if (is_for_this_run (format))
      formats[n_formats++] = format;
  }
  gst_caps_unref (caps);
}

static void
teardown (void)
{
  gst_harness_teardown (harness);
}

/* One side of a conversion; matrix and range by number, so that all occur. */
struct side
{
  GstVideoFormat format;
  guint matrix, range, site;
};

static const struct
{
  GstVideoColorMatrix name;
  enum color_matrix matrix;
} matrices[] = {
  { GST_VIDEO_COLOR_MATRIX_BT709, COLOR_MATRIX_BT709 },
  { GST_VIDEO_COLOR_MATRIX_BT601, COLOR_MATRIX_BT601 },
  { GST_VIDEO_COLOR_MATRIX_BT2020, COLOR_MATRIX_BT2020 },
  { GST_VIDEO_COLOR_MATRIX_SMPTE240M, COLOR_MATRIX_SMPTE240M },
  { GST_VIDEO_COLOR_MATRIX_FCC, COLOR_MATRIX_FCC },
};

static const struct
{
  const gchar *name;
  struct color_site site;
} sites[] = {
  { "mpeg2", { true, false } },     { "jpeg", { false, false } },
  { "dv", { true, true } },         { "cosited", { true, true } },
  { "v-cosited", { false, true } },
};

/* Caps of a side, which is described in @picture as well. */
static gchar *
describe (const struct side *side, gint width, gint height,
          struct picture *picture)
{
  const gboolean rgb
      = GST_VIDEO_FORMAT_INFO_IS_RGB (gst_video_format_get_info (side->format));
  const guint m = side->matrix % G_N_ELEMENTS (matrices);
  const guint s = side->site % G_N_ELEMENTS (sites);
  const gboolean full = side->range % 2 == 0;
  const struct color_description description = {
    .matrix = rgb ? COLOR_MATRIX_RGB : matrices[m].matrix,
    .range = full ? COLOR_RANGE_FULL : COLOR_RANGE_LIMITED,
    .site = sites[s].site,
  };
  g_autofree gchar *colorimetry = g_strdup_printf (
      "%d:%d:%d:%d",
      full ? GST_VIDEO_COLOR_RANGE_0_255 : GST_VIDEO_COLOR_RANGE_16_235,
      rgb ? GST_VIDEO_COLOR_MATRIX_RGB : matrices[m].name,
      GST_VIDEO_TRANSFER_BT709, GST_VIDEO_COLOR_PRIMARIES_BT709);
  GstVideoInfo info;

  fail_unless (gst_video_info_set_format (&info, side->format, width, height));
  picture_init (picture, &info, &description);
  return g_strdup_printf (
      "video/x-raw,format=%s,width=%d,height=%d,"
      "framerate=25/1,colorimetry=(string)%s,chroma-site=%s",
      gst_video_format_to_string (side->format), width, height, colorimetry,
      sites[s].name);
}

/* Whether @value lies between two codes, and which way it went. */
static void
count_tie (gdouble value, gboolean exact, gdouble most, struct tally *tally)
{
  if (most > 1023 || fabs (value - floor (value) - 0.5) > 1e-9)
    return;
  tally->ties++;
  tally->wrong_ties += !exact;
}

static void
compare (const struct picture *got, const struct exact_picture *exact,
         const gchar *what, struct tally *tally)
{
  for (guint k = 0; k < 4; k++) {
    const gdouble most = (1 << picture_bits (got, k)) - 1;
    const gsize n = picture_columns (got, k) * picture_rows (got, k);

    for (gsize i = 0; i < n; i++) {
      const gdouble value = CLAMP (exact->values[k][i], 0, most);
      /* Ties go up, also those that double lands beside. */
      const gdouble want = CLAMP (floor (value + 0.5 + 1e-9), 0, most);
      const gdouble off = fabs (got->codes[k][i] - want);

      if (off > (k == 3 ? 0 : 1))
        fail ("%s: component %u at %u,%u is %u, not %g", what, k,
              (guint)i % picture_columns (got, k),
              (guint)i / picture_columns (got, k), got->codes[k][i], value);
      count_tie (value, off == 0, most, tally);
      tally->worst = MAX (tally->worst, off);
      *(most > 4095 ? &tally->exact16 : &tally->exact) += off == 0;
      ++*(most > 4095 ? &tally->all16 : &tally->all);
    }
  }
}

/* @buffer's samples in another layout, with noise in all that is no sample:
 * behind rows, between planes, in bits that samples leave unused. */
static GstBuffer *
bury (GstBuffer *buffer, const GstVideoInfo *info)
{
  GstBuffer *mask = test_move_rows (picture_mask_new (info), info, 64);
  GstMapInfo to, used;
  guint32 seed = 1;

  buffer = test_move_rows (buffer, info, 64);
  fail_unless (gst_buffer_map (buffer, &to, GST_MAP_READWRITE)
               && gst_buffer_map (mask, &used, GST_MAP_READ));
  for (gsize i = 0; i < to.size; i++) {
    seed = seed * 1664525 + 1013904223;
    to.data[i] |= (seed >> 24) & ~used.data[i];
  }
  gst_buffer_unmap (mask, &used);
  gst_buffer_unmap (buffer, &to);
  gst_buffer_unref (mask);
  return buffer;
}

/* Up to the last sample of each row, bits that are no sample's are 0. Pixels
 * that are packed in groups fill the last one with what they like. */
static void
assert_clean (GstBuffer *buffer, const GstVideoInfo *info)
{
  const guint group = GST_VIDEO_INFO_N_PLANES (info) == 1
                              && GST_VIDEO_FORMAT_INFO_W_SUB (info->finfo, 1)
                          ? 16
                          : 0;
  GstBuffer *mask = picture_mask_new (info);
  GstMapInfo used, got;

  fail_unless (gst_buffer_map (mask, &used, GST_MAP_READ)
               && gst_buffer_map (buffer, &got, GST_MAP_READ));
  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES (info); p++)
    for (guint y = 0; y < gst_vkc_plane_rows (info, p); y++) {
      const gsize at = info->offset[p] + y * info->stride[p];
      guint x = gst_vkc_plane_row_bytes (info, p);

      while (x > 0 && used.data[at + x - 1] == 0)
        x--;
      x -= MIN (x, group);
      while (x-- > 0)
        if (got.data[at + x] & ~used.data[at + x])
          fail ("%s: byte %u of row %u of plane %u is %02x", info->finfo->name,
                x, y, p, got.data[at + x]);
    }
  gst_buffer_unmap (buffer, &got);
  gst_buffer_unmap (mask, &used);
  gst_buffer_unref (mask);
}

/* One frame of random codes through the element. */
static void
convert (const struct side *from, const struct side *to, gint width,
         gint height, struct tally *tally)
{
  struct picture source, target;
  struct exact_picture exact;
  g_autofree gchar *in = describe (from, width, height, &source);
  g_autofree gchar *out = describe (to, width, height, &target);
  g_autofree gchar *what = g_strdup_printf ("%s to %s", in, out);
  GstBuffer *buffer;

  picture_fill_randomly (&source, from->format * 977 + to->format);
  gst_harness_set_sink_caps_str (harness, out);
  gst_harness_set_src_caps_str (harness, in);
  buffer = gst_harness_push_and_pull (
      harness, bury (picture_to_buffer (&source), &source.info));
  fail_unless (buffer != NULL, "%s: no frame", what);
  assert_clean (buffer, &target.info);
  picture_from_buffer (&target, buffer);
  picture_convert (&source, &target, &exact);
  compare (&target, &exact, what, tally);
  gst_buffer_unref (buffer);
  exact_picture_clear (&exact);
  picture_clear (&source);
  picture_clear (&target);
}

static gdouble
share (gulong exact, gulong all)
{
  return all > 0 ? (gdouble)exact / all : 1;
}

static void
report (const gchar *name, const gchar *what, const struct tally *tally)
{
  g_print ("# %-11s %-11s largest error %g, %.3f %% of %lu exact, "
           "of 16 bits %.3f %% of %lu\n",
           name, what, tally->worst, 100 * share (tally->exact, tally->all),
           tally->all, 100 * share (tally->exact16, tally->all16),
           tally->all16);
}

static void
add (struct tally *sum, const struct tally *tally)
{
  sum->worst = MAX (sum->worst, tally->worst);
  sum->exact += tally->exact;
  sum->all += tally->all;
  sum->exact16 += tally->exact16;
  sum->all16 += tally->all16;
}

/* Floats have 24 bits: of 16 there are too few behind the point to tell all
 * that lie near the border of two codes. Of a few hundred one is no share. */
static void
assert_exact (const struct tally *sum)
{
  report ("all", "together", sum);
  fail_unless (share (sum->exact, sum->all) >= 0.9995);
  fail_unless (sum->all16 < 2000 || share (sum->exact16, sum->all16) >= 0.995);
}

/* Where every format goes to and comes from: all of 16 bits and of the other
 * kind, so that there is always a matrix between. */
static GstVideoFormat
hub_of (GstVideoFormat format)
{
  return GST_VIDEO_FORMAT_INFO_IS_RGB (gst_video_format_get_info (format))
             ? GST_VIDEO_FORMAT_AYUV64
             : GST_VIDEO_FORMAT_ARGB64;
}

/* Of the odd widths of these formats GStreamer 1.22 exchanges the last Cb and
 * Cr, or forgets one. */
static gboolean
packer_wants_even (GstVideoFormat format)
{
  static const gchar *const names[]
      = { "VYUY", "NV61", "NV12_10LE32", "NV16_10LE32", NULL };

  return g_strv_contains (names, gst_video_format_to_string (format));
}

static gint
width_for (guint i, GstVideoFormat from, GstVideoFormat to)
{
  const gint width = 1 + (gint)i * 13 % 70;

  return packer_wants_even (from) || packer_wants_even (to) ? width + width % 2
                                                            : width;
}

static gint
height_for (guint i)
{
  return ROWS + (gint)i * 5 % 13;
}

/* __i__: from the format, or to it; and which formats: a driver that compiles
 * takes a second for each kernel. */
GST_START_TEST (every_format_is_exact_against_16_bits)
{
  const gboolean to_hub = __i__ % 2 == 0;
  struct tally sum = { 0 };

  for (guint i = (guint)__i__ / 2; i < n_formats; i += PARTS) {
    const struct side side
        = { formats[i], .matrix = i, .range = i / 2, .site = i };
    const struct side hub = { hub_of (formats[i]), .matrix = i + 1 };
    struct tally tally = { 0 };

    convert (to_hub ? &side : &hub, to_hub ? &hub : &side,
             width_for (i, side.format, hub.format), height_for (i), &tally);
    report (gst_video_format_to_string (formats[i]), to_hub ? "from" : "to",
            &tally);
    add (&sum, &tally);
  }
  assert_exact (&sum);
}
GST_END_TEST;

static void
check_pair (guint i, guint j, struct tally *sum)
{
  const struct side from
      = { formats[i], .matrix = i, .range = i, .site = i / 5 };
  const struct side to
      = { formats[j], .matrix = i + i % 2, .range = i / 3, .site = i };
  struct tally tally = { 0 };

  if (i == j)
    return;
  convert (&from, &to, width_for (i + 31, from.format, to.format),
           height_for (i + 7), &tally);
  report (gst_video_format_to_string (from.format),
          gst_video_format_to_string (to.format), &tally);
  add (sum, &tally);
}

/* A pair of every sixth format with another. */
GST_START_TEST (sampled_pairs_are_exact)
{
  struct tally sum = { 0 };

  for (guint i = 0; i < n_formats; i += 6)
    check_pair (i, (i * 7 + 11) % n_formats, &sum);
  assert_exact (&sum);
}
GST_END_TEST;

/* Every n-th target of source __i__, where somebody asks for $VKC_ALL_PAIRS=n:
 * 7000 pairs, a kernel each. */
GST_START_TEST (all_pairs_are_exact)
{
  const guint step = MAX (1, atoi (g_getenv ("VKC_ALL_PAIRS")));
  struct tally sum = { 0 };

  if ((guint)__i__ >= n_formats)
    return;
  for (guint j = (guint)__i__ % step; j < n_formats; j += step)
    check_pair ((guint)__i__, j, &sum);
  /* Of a few pairs one code is no share. */
  if (step == 1)
    assert_exact (&sum);
}
GST_END_TEST;

/* Samples of three a word to bytes: on a CPU, in blocks that are their own.
 * Rows end within a block, and with one. */
GST_START_TEST (words_of_three_become_bytes)
{
  static const GstVideoFormat pairs[][2] = {
    { GST_VIDEO_FORMAT_v210, GST_VIDEO_FORMAT_I420 },
    { GST_VIDEO_FORMAT_v210, GST_VIDEO_FORMAT_UYVY },
    { GST_VIDEO_FORMAT_NV12_10LE32, GST_VIDEO_FORMAT_NV21 },
    { GST_VIDEO_FORMAT_NV16_10LE32, GST_VIDEO_FORMAT_A420 },
    { GST_VIDEO_FORMAT_GRAY10_LE32, GST_VIDEO_FORMAT_GRAY8 },
  };
  static const gint widths[] = { 2, 22, 70, 48 };
  const struct side from = { pairs[__i__][0], .range = 1, .site = 1 };
  const struct side to = { pairs[__i__][1], .range = 1, .site = 1 };
  struct tally sum = { 0 };

  if (!is_for_this_run (from.format) || !is_for_this_run (to.format))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (widths); i++) {
    struct tally tally = { 0 };

    convert (&from, &to, widths[i], height_for (i), &tally);
    add (&sum, &tally);
  }
  report (gst_video_format_to_string (from.format),
          gst_video_format_to_string (to.format), &sum);
  assert_exact (&sum);
}
GST_END_TEST;

/* Depths that no power of two lies between, chroma that is interpolated: what
 * is added for ties has to outweigh the arithmetic's errors. */
GST_START_TEST (ties_go_up)
{
  static const struct side sides[][2] = {
    { { GST_VIDEO_FORMAT_P016_LE, 0, 0, 0 },
      { GST_VIDEO_FORMAT_YUY2, 0, 0, 4 } },
    { { GST_VIDEO_FORMAT_P016_LE, 1, 1, 1 },
      { GST_VIDEO_FORMAT_Y444_10LE, 1, 1, 1 } },
    { { GST_VIDEO_FORMAT_I420_12LE, 0, 0, 0 },
      { GST_VIDEO_FORMAT_Y444, 0, 0, 0 } },
    { { GST_VIDEO_FORMAT_Y444, 0, 1, 0 }, { GST_VIDEO_FORMAT_I420, 0, 1, 0 } },
    { { GST_VIDEO_FORMAT_RGBA, 1, 0, 0 }, { GST_VIDEO_FORMAT_AYUV, 1, 0, 0 } },
  };
  const struct side *pair = sides[__i__];
  struct tally tally = { 0 };

  if (!is_for_this_run (pair[0].format) || !is_for_this_run (pair[1].format))
    return;
  convert (&pair[0], &pair[1], 600, 400, &tally);
  report (gst_video_format_to_string (pair[0].format),
          gst_video_format_to_string (pair[1].format), &tally);
  fail_unless (tally.ties > 50 && tally.wrong_ties == 0,
               "%lu of %lu ties went down", tally.wrong_ties, tally.ties);
}
GST_END_TEST;

static Suite *
formats_suite (void)
{
  Suite *suite = suite_create ("formats");
  TCase *cases = tcase_create ("accuracy");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, g_getenv ("VKC_ALL_PAIRS") != NULL ? 3600 : 240);
  tcase_add_checked_fixture (cases, setup, teardown);
  tcase_add_loop_test (cases, every_format_is_exact_against_16_bits, 0,
                       2 * PARTS);
  tcase_add_test (cases, sampled_pairs_are_exact);
  if (g_getenv ("VKC_ALL_PAIRS") != NULL)
    tcase_add_loop_test (cases, all_pairs_are_exact, 0, MAX_FORMATS);
  tcase_add_loop_test (cases, words_of_three_become_bytes, 0, 5);
  tcase_add_loop_test (cases, ties_go_up, 0, 5);
  return suite;
}

GST_CHECK_MAIN (formats);
