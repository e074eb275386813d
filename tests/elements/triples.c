/* One colour in, one colour out, as caps and properties say it: what standards
 * say comes out. Expected codes are computed from their formulas by hand. */
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include "tests/elements/shape_support.h"
#include "tests/elements/triple_support.h"
#include "tests/support/support.h"

#define SIZE ",width=16,height=16,framerate=25/1"
#define IN(format, colours)                                                    \
  "video/x-raw,format=" format SIZE ",colorimetry=" colours
#define OUT(format, colours)                                                   \
  "video/x-raw,format=" format ",colorimetry=" colours

/* R'G'B' of full range in BT.2020: PQ, HLG. */
#define RGB_PQ  "1:1:14:7"
#define RGB_HLG "1:1:15:7"

#define PQ_444  IN ("Y444_10LE", "bt2100-pq")
#define HLG_444 IN ("Y444_10LE", "bt2100-hlg")
#define PEAK    ",content-light-level=(string)1000:400"
#define SDR_444 OUT ("Y444", "bt709")

#define MAP            "vktonemap dither=none peak-detection=off curve-mode=max "
#define CHECK(triples) test_triples (triples, G_N_ELEMENTS (triples))
#define GREY10(y)                                                              \
  {                                                                            \
    y, 512, 512                                                                \
  }
#define GREY8(y)                                                               \
  {                                                                            \
    y, 128, 128                                                                \
  }

/* BT.2390 on max RGB, white at 203 cd/m2. */
GST_START_TEST (grey_of_203_is_as_bright_as_the_metadata_say)
{
#define LEVEL(max) PQ_444 ",content-light-level=(string)" #max ":100"
  static const struct triple rows[] = {
    { MAP "curve=bt2390", LEVEL (400), GREY10 (573), SDR_444, GREY8 (226), 1 },
    { MAP "curve=bt2390", LEVEL (1000), GREY10 (573), SDR_444, GREY8 (214), 1 },
    { MAP "curve=bt2390", LEVEL (4000), GREY10 (573), SDR_444, GREY8 (197), 1 },
    { MAP "curve=bt2390", LEVEL (10000), GREY10 (573), SDR_444, GREY8 (186),
      1 },
    { MAP "curve=bt2390", PQ_444, GREY10 (573), SDR_444, GREY8 (214), 1 },
    { MAP "curve=bt2390", PQ_444 ",content-light-level=(string)0:0",
      GREY10 (573), SDR_444, GREY8 (214), 1 },
  };

  CHECK (rows);
}
GST_END_TEST;

/* Hardware mappers were far darker. What `auto` is on any device, at usual
 * peaks; a detected peak of 203 leaves it alone. */
GST_START_TEST (default_curve_leaves_grey_of_203_bright)
{
  static const guint grey[3] = GREY10 (573);
  static const gchar *const lines[]
      = { "vktonemap dither=none peak-detection=off",
          "vktonemap dither=none peak-detection=off curve-mode=max",
          "vktonemap dither=none peak-detection=off curve-mode=intensity "
          "gamut-mapping=perceptual",
          "vktonemap dither=none peak-detection=on",
          "vktonemap dither=none peak-detection=on curve=bt2390" };
  static const gchar *const sources[]
      = { PQ_444, LEVEL (400), LEVEL (1000), LEVEL (4000) };
  GstElement *keeper;
  GstContext *context = test_share_device (&keeper);
  guint found[3];

  for (guint i = 0; i < G_N_ELEMENTS (lines) * G_N_ELEMENTS (sources); i++) {
    const guint line = i / G_N_ELEMENTS (sources);
    const gchar *source = sources[i % G_N_ELEMENTS (sources)];

    test_triple (context, lines[line], source, grey, SDR_444, found);
    fail_unless (found[0] >= (line < 3 ? 160 : 213), "%s, %s: %u", lines[line],
                 source, found[0]);
  }
  test_unshare_device (context, keeper);
}
GST_END_TEST;

/* BT.709's bars of 100 cd/m2 in PQ, which BT.709 can show. */
static const struct
{
  guint in[3], out[3];
} bars[] = {
  { { 341, 446, 601 }, { 51, 111, 211 } },
  { { 468, 430, 476 }, { 137, 62, 62 } },
  { { 238, 654, 536 }, { 32, 209, 122 } },
  { { 483, 526, 472 }, { 145, 147, 44 } },
  { { 366, 586, 587 }, { 68, 189, 200 } },
  { { 497, 421, 518 }, { 167, 45, 136 } },
  { { 509, 512, 512 }, { 179, 128, 128 } },
};

GST_START_TEST (bars_that_fit_keep_their_colours)
{
  static const gchar *const modes[] = { "clip",     "perceptual", "desaturate",
                                        "relative", "saturation", "darken" };

  struct triple rows[G_N_ELEMENTS (modes) * G_N_ELEMENTS (bars)];

  for (guint k = 0; k < G_N_ELEMENTS (rows); k++) {
    const guint i = k % G_N_ELEMENTS (bars), mode = k / G_N_ELEMENTS (bars);

    rows[k] = (struct triple){
      .line = g_strconcat (MAP "curve=clip gamut-mapping=", modes[mode], NULL),
      .in = PQ_444 PEAK,
      .out = SDR_444,
      .tolerance = mode == 0 ? 1 : 2,
    };
    memcpy (rows[k].codes, bars[i].in, sizeof rows[k].codes);
    memcpy (rows[k].expected, bars[i].out, sizeof rows[k].expected);
  }
  CHECK (rows);
  for (guint k = 0; k < G_N_ELEMENTS (rows); k++)
    g_free ((gchar *)rows[k].line);
}
GST_END_TEST;

/* A source that is one cd/m2 less bright is no other picture. */
GST_START_TEST (one_candela_of_peak_changes_nothing)
{
  static const gchar *const lines[]
      = { MAP "curve=spline source-peak=1000 target-peak=1000",
          MAP "curve=spline source-peak=1000 target-peak=999" };
  GstElement *keeper;
  GstContext *context = test_share_device (&keeper);
  guint found[2][G_N_ELEMENTS (bars)][3];

  for (guint k = 0; k < 2; k++) {
    GstHarness *h = test_shape_start_on (context, lines[k], PQ_444,
                                         OUT ("Y444_10LE", "bt2100-pq"));

    for (guint i = 0; i < G_N_ELEMENTS (bars); i++)
      test_pass_colour (h, bars[i].in, found[k][i]);
    gst_harness_teardown (h);
  }
  for (guint i = 0; i < G_N_ELEMENTS (bars); i++)
    for (guint c = 0; c < 3; c++)
      fail_unless (ABS ((gint)found[0][i][c] - (gint)found[1][i][c]) <= 1,
                   "bar %u: %u, then %u", i, found[0][i][c], found[1][i][c]);
  test_unshare_device (context, keeper);
}
GST_END_TEST;

GST_START_TEST (sdr_in_pq_has_its_black_and_its_white_where_it_is_set)
{
#define SDR_IN IN ("Y444", "bt709")
#define PQ_OUT OUT ("Y444_10LE", "bt2100-pq")
#define UP     "vkcolorconvert dither=none reference-white="
  static const struct triple rows[] = {
    { UP "0", SDR_IN, GREY8 (16), PQ_OUT, GREY10 (64), 0 },
    { UP "0", SDR_IN, GREY8 (235), PQ_OUT, GREY10 (573), 0 },
    { UP "100", SDR_IN, GREY8 (235), PQ_OUT, GREY10 (509), 0 },
    { UP "250", SDR_IN, GREY8 (235), PQ_OUT, GREY10 (592), 0 },
    { MAP "curve=clip reference-white=100", PQ_444, GREY10 (509), SDR_444,
      GREY8 (235), 1 },
    { MAP "curve=clip", PQ_444, GREY10 (509), SDR_444, GREY8 (179), 1 },
    { MAP "curve=clip reference-white=100", PQ_444, GREY10 (573), SDR_444,
      GREY8 (235), 1 },
  };

  CHECK (rows);
}
GST_END_TEST;

GST_START_TEST (shadows_are_where_the_display_s_black_puts_them)
{
  static const struct triple rows[] = {
    { MAP "curve=bt2390", PQ_444 PEAK, GREY10 (167), SDR_444, GREY8 (34), 1 },
    { MAP "curve=clip contrast=1000", PQ_444 PEAK, GREY10 (167), SDR_444,
      GREY8 (22), 1 },
  };

  CHECK (rows);
}
GST_END_TEST;

GST_START_TEST (shadows_never_fall)
{
  GstElement *keeper;
  GstContext *context = test_share_device (&keeper);
  GstHarness *h
      = test_shape_start_on (context, MAP "curve=bt2390", PQ_444 PEAK, SDR_444);
  guint before = 0;

  for (guint y = 64; y <= 200; y++) {
    const guint grey[3] = GREY10 (y);
    guint found[3];

    test_pass_colour (h, grey, found);
    fail_unless (found[0] >= before, "%u: %u after %u", y, found[0], before);
    before = found[0];
  }
  gst_harness_teardown (h);
  test_unshare_device (context, keeper);
}
GST_END_TEST;

/* 1000 cd/m2 of BT.2020's corners: what BT.709 has there, and no chroma wraps
 * to the other side. */
GST_START_TEST (corners_that_nothing_can_show_stay_what_they_are)
{
  static const guint corners[][2][3] = {
    { { 769, 0, 0 }, { 63, 102, 240 } },
    { { 0, 769, 0 }, { 173, 42, 26 } },
    { { 0, 0, 769 }, { 32, 240, 118 } },
    { { 769, 769, 0 }, { 219, 16, 138 } },
    { { 0, 769, 769 }, { 188, 154, 16 } },
    { { 769, 0, 769 }, { 78, 214, 230 } },
  };
  struct triple rows[G_N_ELEMENTS (corners)];

  for (guint i = 0; i < G_N_ELEMENTS (corners); i++) {
    rows[i] = (struct triple){
      .line = MAP "curve=clip gamut-mapping=clip",
      .in = IN ("GBR_10LE", RGB_PQ) PEAK,
      .out = SDR_444,
    };
    memcpy (rows[i].codes, corners[i][0], sizeof rows[i].codes);
    memcpy (rows[i].expected, corners[i][1], sizeof rows[i].expected);
  }
  CHECK (rows);
}
GST_END_TEST;

/* BT.2100: the OOTF is on luminance, its gamma is the display's. PQ tells the
 * light: 765.41, 161.82 and 12.72 cd/m2; 120.15 and 500 at 500. */
GST_START_TEST (hlg_is_rendered_by_luminance)
{
#define KEEP                                                                   \
  "vktonemap dither=none peak-detection=off curve=clip curve-mode=max "        \
  "gamut-mapping=clip "
#define PQ10 OUT ("GBR_10LE", RGB_PQ)
  static const struct triple rows[] = {
    { KEEP "target-peak=1000",
      IN ("GBR_10LE", RGB_HLG),
      { 1023, 0, 0 },
      PQ10,
      { 739, 0, 0 },
      1 },
    { KEEP "target-peak=1000",
      IN ("GBR_10LE", RGB_HLG),
      { 767, 256, 256 },
      PQ10,
      { 570, 327, 327 },
      2 },
    { KEEP "hlg-peak=500 target-peak=500", HLG_444, GREY10 (721),
      OUT ("Y444_10LE", "bt2100-pq"), GREY10 (525), 1 },
    { KEEP "hlg-peak=500 target-peak=500", HLG_444, GREY10 (940),
      OUT ("Y444_10LE", "bt2100-pq"), GREY10 (657), 1 },
    { MAP "curve=bt2390", HLG_444, GREY10 (721), SDR_444, GREY8 (214), 1 },
    { MAP "curve=bt2390", HLG_444, GREY10 (397), SDR_444, GREY8 (109), 1 },
    { KEEP, PQ_444 ",content-light-level=(string)2000:400", GREY10 (789),
      OUT ("Y444_10LE", "bt2100-hlg"), GREY10 (940), 1 },
    { KEEP, PQ_444 ",content-light-level=(string)2000:400", GREY10 (573),
      OUT ("Y444_10LE", "bt2100-hlg"), GREY10 (721), 1 },
  };

  CHECK (rows);
}
GST_END_TEST;

#define CONVERT "vkcolorconvert dither=none"

GST_START_TEST (ranges_and_depths_are_those_of_the_standards)
{
#define FULL_709 "1:3:5:1"
#define RGB      "1:1:5:1"
#define LIMITED  "2:1:5:1"
  static const struct triple rows[] = {
    /* Full and limited Y'CbCr. */
    { CONVERT, IN ("Y444", FULL_709), GREY8 (0), OUT ("GBR", RGB), { 0 }, 0 },
    { CONVERT,
      IN ("Y444", FULL_709),
      GREY8 (255),
      OUT ("GBR", RGB),
      { 255, 255, 255 },
      0 },
    { CONVERT,
      IN ("Y444", FULL_709),
      GREY8 (16),
      OUT ("GBR", RGB),
      { 16, 16, 16 },
      0 },
    { CONVERT, IN ("Y444", "bt709"), GREY8 (16), OUT ("GBR", RGB), { 0 }, 1 },
    { CONVERT,
      IN ("Y444", "bt709"),
      GREY8 (235),
      OUT ("GBR", RGB),
      { 255, 255, 255 },
      1 },
    { CONVERT, IN ("Y444", FULL_709), GREY8 (0), SDR_444, GREY8 (16), 0 },
    { CONVERT, IN ("Y444", FULL_709), GREY8 (255), SDR_444, GREY8 (235), 0 },
    { CONVERT, IN ("Y444", FULL_709), GREY8 (16), SDR_444, GREY8 (30), 0 },
    /* R'G'B' of limited range. */
    { CONVERT,
      IN ("GBR", LIMITED),
      { 16, 126, 235 },
      OUT ("GBR", RGB),
      { 0, 128, 255 },
      0 },
    { CONVERT,
      IN ("GBR", RGB),
      { 0, 128, 255 },
      OUT ("GBR", LIMITED),
      { 16, 126, 235 },
      0 },
    /* 10 bits are not 1023 / 255 of 8. */
    { CONVERT,
      IN ("Y444_10LE", "bt709"),
      GREY10 (64),
      OUT ("GBR", RGB),
      { 0 },
      1 },
    { CONVERT,
      IN ("Y444_10LE", "bt709"),
      GREY10 (940),
      OUT ("GBR", RGB),
      { 255, 255, 255 },
      1 },
    { CONVERT, IN ("Y444_10LE", "bt709"), GREY10 (940), SDR_444, GREY8 (235),
      0 },
    { CONVERT, IN ("Y444", "bt709"), GREY8 (235), OUT ("Y444_10LE", "bt709"),
      GREY10 (940), 0 },
  };

  CHECK (rows);
}
GST_END_TEST;

GST_START_TEST (matrices_are_right_away_from_grey)
{
  static const struct triple rows[] = {
    { CONVERT,
      IN ("Y444", "bt601"),
      { 81, 90, 240 },
      OUT ("GBR", "1:1:16:4"),
      { 254, 0, 0 },
      1 },
    { CONVERT,
      IN ("Y444", "bt601"),
      { 145, 54, 34 },
      OUT ("GBR", "1:1:16:4"),
      { 0, 255, 1 },
      1 },
    { CONVERT,
      IN ("Y444", "bt601"),
      { 41, 240, 110 },
      OUT ("GBR", "1:1:16:4"),
      { 0, 0, 255 },
      1 },
    /* Of BT.2020 (.5, .4, .3) in BT.709: another colour, not a darker one. */
    { CONVERT,
      IN ("Y444_10LE", "bt2020-10"),
      { 432, 455, 560 },
      SDR_444,
      { 107, 112, 148 },
      1 },
  };

  CHECK (rows);
}
GST_END_TEST;

/* Green, blue and red are no Y'CbCr, whatever the size. */
GST_START_TEST (rgb_stays_rgb_bit_by_bit)
{
  static const struct triple rows[] = {
    { CONVERT,
      IN ("GBR", RGB),
      { 1, 127, 254 },
      OUT ("RGBA", RGB),
      { 1, 127, 254 },
      0 },
    { CONVERT,
      IN ("GBR_10LE", RGB),
      { 1, 511, 1022 },
      OUT ("GBR_10LE", RGB),
      { 1, 511, 1022 },
      0 },
    { CONVERT,
      IN ("RGBA", RGB),
      { 1, 127, 254 },
      OUT ("GBR", RGB),
      { 1, 127, 254 },
      0 },
    { CONVERT,
      IN ("GBR_12LE", RGB),
      { 1, 2047, 4094 },
      OUT ("RGBA64_LE", RGB),
      { 16, 32759, 65519 },
      1 },
  };

  CHECK (rows);
}
GST_END_TEST;

static Suite *
triples_suite (void)
{
  Suite *suite = suite_create ("triples");
  TCase *cases = tcase_create ("all");

  suite_add_tcase (suite, cases);
  tcase_add_test (cases, grey_of_203_is_as_bright_as_the_metadata_say);
  tcase_add_test (cases, default_curve_leaves_grey_of_203_bright);
  tcase_add_test (cases, bars_that_fit_keep_their_colours);
  tcase_add_test (cases, one_candela_of_peak_changes_nothing);
  tcase_add_test (cases, sdr_in_pq_has_its_black_and_its_white_where_it_is_set);
  tcase_add_test (cases, shadows_are_where_the_display_s_black_puts_them);
  tcase_add_test (cases, shadows_never_fall);
  tcase_add_test (cases, corners_that_nothing_can_show_stay_what_they_are);
  tcase_add_test (cases, hlg_is_rendered_by_luminance);
  tcase_add_test (cases, ranges_and_depths_are_those_of_the_standards);
  tcase_add_test (cases, matrices_are_right_away_from_grey);
  tcase_add_test (cases, rgb_stays_rgb_bit_by_bit);
  return suite;
}

GST_CHECK_MAIN (triples);
