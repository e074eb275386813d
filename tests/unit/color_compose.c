/* Two conversions as one: the same codes, to within one, or none at all. */
#include <gst/check/gstcheck.h>

#include "gst/color/compose.h"
#include "gst/color/kernel.h"
#include "tests/unit/sides.h"

#define SAMPLES    100
#define MOST_SIDES 32

#define SDR(matrix, range, bits)                                               \
  side_in_range (COLOR_MATRIX_##matrix, COLOR_RANGE_##range,                   \
                 COLOR_PRIMARIES_BT709, COLOR_TRANSFER_BT1886, bits)
#define HDR(matrix, range, transfer, bits)                                     \
  side_in_range (COLOR_MATRIX_##matrix, COLOR_RANGE_##range,                   \
                 COLOR_PRIMARIES_BT2020, COLOR_TRANSFER_##transfer, bits)

/* Without subsampling: pixels are by themselves. */
static guint
make_sides (struct color_side sides[])
{
  const struct color_side all[] = {
    SDR (BT709, LIMITED, 8),
    SDR (BT709, LIMITED, 10),
    SDR (BT709, LIMITED, 16),
    SDR (BT601, LIMITED, 8),
    SDR (BT601, FULL, 10),
    SDR (BT2020, FULL, 12),
    SDR (RGB, FULL, 8),
    SDR (RGB, FULL, 10),
    SDR (RGB, FULL, 16),
    SDR (RGB, LIMITED, 8),
    HDR (BT2020, LIMITED, PQ, 10),
    HDR (BT2020, LIMITED, PQ, 12),
    HDR (BT2020, FULL, PQ, 10),
    HDR (RGB, FULL, PQ, 10),
    HDR (RGB, FULL, PQ, 16),
    HDR (BT2020, LIMITED, HLG, 10),
    HDR (RGB, FULL, HLG, 16),
  };

  memcpy (sides, all, sizeof all);
  return G_N_ELEMENTS (all);
}

static void
plan (struct color_conversion *c, const struct color_side *source,
      const struct color_side *target, gboolean tone_map,
      enum color_dither dither)
{
  *c = (struct color_conversion){ .source = *source,
                                  .target = *target,
                                  .settings = { .tone_map = tone_map,
                                                .curve = COLOR_CURVE_AUTO,
                                                .mode = COLOR_TONE_MAX,
                                                .gamut = COLOR_GAMUT_CLIP,
                                                .dither = dither } };
  color_plan_init (&c->plan, &c->source, &c->light, &c->target, &c->settings);
}

static void
convert (const struct color_conversion *c, const guint in[3], gfloat threshold,
         guint out[3])
{
  const gfloat codes[] = { in[0], in[1], in[2] };
  gfloat signal[3];

  color_kernel_signal (&c->plan, codes, signal);
  for (gint i = 0; i < 3; i++)
    out[i] = color_kernel_dithered_code (&c->plan, i, signal,
                                         c->plan.dithered ? threshold : 0);
}

static guint32
noise (guint32 *seed)
{
  *seed = *seed * 1664525 + 1013904223;
  return *seed >> 8;
}

/* Any codes, also those that no camera makes; greys, too. */
static void
make_codes (const struct color_side *side, guint i, guint32 *seed,
            guint codes[3])
{
  for (gint k = 0; k < 3; k++)
    codes[k] = noise (seed) & ((1u << side->format.component[k].bits) - 1);
  if (i % 4 == 0)
    codes[1] = codes[2] = side->description.matrix == COLOR_MATRIX_RGB
                              ? codes[0]
                              : 1u << (side->format.component[1].bits - 1);
}

static void
assert_same (const struct color_conversion *one,
             const struct color_conversion *two,
             const struct color_conversion *whole, gint tolerance,
             const gchar *what)
{
  guint32 seed = 7;

  for (guint i = 0; i < SAMPLES; i++) {
    const gfloat threshold = (noise (&seed) % 256 - 127.5f) / 256;
    guint in[3], between[3], by_two[3], by_one[3];

    make_codes (&one->source, i, &seed, in);
    convert (one, in, threshold, between);
    convert (two, between, threshold, by_two);
    convert (whole, in, threshold, by_one);
    for (gint k = 0; k < 3; k++)
      if (ABS ((gint)by_two[k] - (gint)by_one[k]) > tolerance)
        fail ("%s: (%u, %u, %u) is %u, %u, %u by way of %u, %u, %u, but %u, "
              "%u, %u",
              what, in[0], in[1], in[2], by_two[0], by_two[1], by_two[2],
              between[0], between[1], between[2], by_one[0], by_one[1],
              by_one[2]);
  }
}

/* All triples of sides, each with and without dither and tone mapping; exact
 * where one of the two is no more than a copy.
 * Mutations seen to fail this: MOST is 2; is_fine_enough() behind curves;
 * keeps_codes() is always true; dither of the first one is forgotten;
 * is_repack() does not look at bits, matrix or range. */
GST_START_TEST (two_as_one_are_within_a_code)
{
  const gboolean map = __i__ % 2;
  const enum color_dither dither
      = __i__ / 2 ? COLOR_DITHER_ORDERED : COLOR_DITHER_NONE;
  static struct color_conversion all[MOST_SIDES][MOST_SIDES], whole;
  struct color_side sides[MOST_SIDES];
  const guint n = make_sides (sides);
  guint composed = 0;

  for (guint i = 0; i < n * n; i++)
    plan (&all[i / n][i % n], &sides[i / n], &sides[i % n], map, dither);
  for (guint i = 0; i < n * n * n; i++) {
    const guint a = i % n, b = i / n % n, c = i / n / n;
    g_autofree gchar *what = g_strdup_printf ("%u, %u, %u", a, b, c);

    if (color_compose (&all[a][b], &all[b][c], &whole)
        == COLOR_COMPOSITION_NONE)
      continue;
    assert_same (&all[a][b], &all[b][c], &whole, a == b || b == c ? 0 : 1,
                 what);
    composed++;
  }
  /* Or nothing was tested. */
  fail_unless (composed > n * n / 2, "%u", composed);
}
GST_END_TEST;

static void
subsample (struct color_side *side, gint hsub, gint vsub, gboolean left)
{
  side->format.hsub = hsub;
  side->format.vsub = vsub;
  side->description.site.left = left;
}

static void
give_alpha (struct color_side *side, gint bits)
{
  side->format.has_alpha = bits > 0;
  side->format.component[3].bits = bits;
}

/* @expected of the three, colours of which are as they are. */
static void
assert_composition (const struct color_side sides[3], gboolean map,
                    enum color_composition expected)
{
  struct color_conversion one, two, whole;

  plan (&one, &sides[0], &sides[1], map, COLOR_DITHER_NONE);
  plan (&two, &sides[1], &sides[2], map, COLOR_DITHER_NONE);
  fail_unless (color_compose (&one, &two, &whole) == expected);
}

/* Mutations seen to fail this: keeps_chroma() is always true, or does not look
 * at luma; is_repack() does not look at matrix or chroma; chroma of one pass is
 * direct. */
GST_START_TEST (chroma_that_is_lost_between_is_not_had_back)
{
  struct color_side sides[3] = { SDR (RGB, FULL, 8), SDR (BT709, LIMITED, 8),
                                 SDR (BT709, LIMITED, 8) };
  struct color_conversion one, two, whole;

  subsample (&sides[1], 1, 1, TRUE);
  assert_composition (sides, FALSE, COLOR_COMPOSITION_NONE);
  /* It stays subsampled. */
  subsample (&sides[2], 1, 1, TRUE);
  assert_composition (sides, FALSE, COLOR_COMPOSITION_FIRST);
  /* Elsewhere. */
  subsample (&sides[2], 1, 1, FALSE);
  assert_composition (sides, FALSE, COLOR_COMPOSITION_NONE);
  /* Luma comes of it. */
  sides[2] = SDR (BT601, LIMITED, 8);
  subsample (&sides[2], 1, 1, TRUE);
  assert_composition (sides, FALSE, COLOR_COMPOSITION_NONE);
  /* It was so before. */
  sides[0] = SDR (BT709, LIMITED, 8);
  subsample (&sides[0], 1, 1, TRUE);
  assert_composition (sides, FALSE, COLOR_COMPOSITION_SECOND);

  /* Chroma that is spread and filtered again between is so in one pass. */
  sides[0] = sides[2] = SDR (BT709, LIMITED, 8);
  sides[1] = SDR (BT709, LIMITED, 10);
  subsample (&sides[0], 1, 1, TRUE);
  subsample (&sides[2], 1, 1, TRUE);
  plan (&one, &sides[0], &sides[1], FALSE, COLOR_DITHER_NONE);
  plan (&two, &sides[1], &sides[2], FALSE, COLOR_DITHER_NONE);
  fail_unless (color_compose (&one, &two, &whole) != COLOR_COMPOSITION_NONE);
  assert_equals_int (whole.plan.constants[ID_CHROMA_DIRECT], 0);
  assert_equals_int (whole.plan.constants[ID_MULTIPLE], 0);
}
GST_END_TEST;

/* Mutations seen to fail this: keeps_alpha() is always true, or does not look
 * at depths. */
GST_START_TEST (alpha_that_is_lost_between_is_not_had_back)
{
  struct color_side sides[3]
      = { SDR (RGB, FULL, 8), SDR (RGB, FULL, 8), SDR (RGB, FULL, 8) };

  give_alpha (&sides[0], 8);
  give_alpha (&sides[1], 0);
  give_alpha (&sides[2], 8);
  assert_composition (sides, FALSE, COLOR_COMPOSITION_NONE);
  give_alpha (&sides[1], 2);
  assert_composition (sides, FALSE, COLOR_COMPOSITION_NONE);
  give_alpha (&sides[1], 8);
  assert_composition (sides, FALSE, COLOR_COMPOSITION_SECOND);
  give_alpha (&sides[0], 0);
  give_alpha (&sides[1], 0);
  assert_composition (sides, FALSE, COLOR_COMPOSITION_SECOND);
}
GST_END_TEST;

/* Light that is mapped twice is not mapped once. */
GST_START_TEST (two_maps_are_not_one)
{
  struct color_side sides[3]
      = { HDR (BT2020, LIMITED, PQ, 10), HDR (RGB, FULL, HLG, 16),
          SDR (BT709, LIMITED, 8) };

  assert_composition (sides, TRUE, COLOR_COMPOSITION_NONE);
}
GST_END_TEST;

/* `input-transfer` of the two one.
 * Mutation seen to fail this: take_light() does nothing. */
GST_START_TEST (light_is_what_the_one_who_maps_it_says)
{
  const struct color_side pq = HDR (BT2020, LIMITED, PQ, 10);
  const struct color_side hlg = HDR (BT2020, LIMITED, HLG, 10);
  const struct color_side sdr = SDR (BT709, LIMITED, 8);
  struct color_conversion one, two, whole, direct;

  plan (&one, &pq, &pq, TRUE, COLOR_DITHER_NONE);
  plan (&two, &hlg, &sdr, TRUE, COLOR_DITHER_NONE);
  fail_unless (color_compose (&one, &two, &whole) == COLOR_COMPOSITION_SECOND);
  plan (&direct, &hlg, &sdr, TRUE, COLOR_DITHER_NONE);
  fail_unless (memcmp (direct.plan.constants, whole.plan.constants,
                       sizeof direct.plan.constants)
               == 0);
}
GST_END_TEST;

/* The second one was told otherwise: `input-transfer` and the like.
 * Mutation seen to fail this: same_codes() is always true. */
GST_START_TEST (codes_are_read_as_they_were_written)
{
  const struct color_side rgb = SDR (RGB, FULL, 8);
  const struct color_side written[]
      = { SDR (BT709, LIMITED, 8), SDR (BT709, LIMITED, 8) };
  const struct color_side read[]
      = { SDR (BT601, LIMITED, 8), SDR (BT709, FULL, 8) };
  struct color_conversion one, two, whole;

  for (guint i = 0; i < G_N_ELEMENTS (read); i++) {
    plan (&one, &rgb, &written[i], FALSE, COLOR_DITHER_NONE);
    plan (&two, &read[i], &read[i], FALSE, COLOR_DITHER_NONE);
    fail_unless (color_compose (&one, &two, &whole) == COLOR_COMPOSITION_NONE);
  }
}
GST_END_TEST;

/* Either means over an area would not be what they were.
 * Mutations seen to fail this: a dithered subsampled frame between is fine; the
 * whole's dither is not looked at. */
GST_START_TEST (dither_is_neither_lost_nor_moved)
{
  struct color_side fine[] = { SDR (RGB, FULL, 16), SDR (BT709, LIMITED, 10),
                               SDR (BT709, LIMITED, 8) };
  const struct color_side there_and_back[]
      = { SDR (RGB, FULL, 10), SDR (RGB, LIMITED, 16), SDR (RGB, FULL, 10) };
  struct color_conversion one, two, whole;

  /* Subsampled chroma has other thresholds than what it is filtered from. */
  subsample (&fine[1], 1, 1, TRUE);
  subsample (&fine[2], 1, 1, TRUE);
  plan (&one, &fine[0], &fine[1], FALSE, COLOR_DITHER_ORDERED);
  plan (&two, &fine[1], &fine[2], FALSE, COLOR_DITHER_NONE);
  fail_unless (color_compose (&one, &two, &whole) == COLOR_COMPOSITION_NONE);
  plan (&one, &fine[0], &fine[1], FALSE, COLOR_DITHER_NONE);
  fail_unless (color_compose (&one, &two, &whole) != COLOR_COMPOSITION_NONE);

  /* One pass keeps the depth, and would not dither. */
  plan (&one, &there_and_back[0], &there_and_back[1], FALSE,
        COLOR_DITHER_ORDERED);
  plan (&two, &there_and_back[1], &there_and_back[2], FALSE,
        COLOR_DITHER_ORDERED);
  fail_unless (two.plan.dithered);
  fail_unless (color_compose (&one, &two, &whole) == COLOR_COMPOSITION_NONE);
}
GST_END_TEST;

static Suite *
color_compose_suite (void)
{
  Suite *suite = suite_create ("color_compose");
  TCase *tests = tcase_create ("compose");

  suite_add_tcase (suite, tests);
  tcase_set_timeout (tests, 60);
  tcase_add_loop_test (tests, two_as_one_are_within_a_code, 0, 4);
  tcase_add_test (tests, chroma_that_is_lost_between_is_not_had_back);
  tcase_add_test (tests, alpha_that_is_lost_between_is_not_had_back);
  tcase_add_test (tests, two_maps_are_not_one);
  tcase_add_test (tests, codes_are_read_as_they_were_written);
  tcase_add_test (tests, dither_is_neither_lost_nor_moved);
  tcase_add_test (tests, light_is_what_the_one_who_maps_it_says);
  return suite;
}

GST_CHECK_MAIN (color_compose);
