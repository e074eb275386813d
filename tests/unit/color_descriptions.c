/* What a code becomes under another description, by the kernel's witness and in
 * double: every matrix, range and depth with every other; every transfer; every
 * pair of primaries. */
#include <gst/check/gstcheck.h>
#include <math.h>

#include "gst/color/kernel.h"
#include "gst/color/matrix.h"
#include "gst/color/transfer.h"
#include "tests/unit/sides.h"

static const int depths[] = { 8, 10, 12, 16 };

static uint32_t
next_random (uint32_t *seed)
{
  *seed = *seed * 1664525 + 1013904223;
  return *seed;
}

struct tally
{
  long exact, all;
};

/* @value: the exact code before rounding. */
static void
count (struct tally *tally, double value, uint32_t got, int bits,
       const char *what)
{
  const double most = (1 << bits) - 1;
  /* Ties go up, also those that double lands beside. */
  const double want = fmin (fmax (floor (value + 0.5 + 1e-9), 0), most);

  if (fabs (got - want) > 1)
    fail ("%s: %u, not %g", what, got, value);
  tally->exact += got == want;
  tally->all++;
}

/* @from's codes as @to's, without light. */
static void
compare_affine (const struct color_side *from, const struct color_side *to,
                struct tally *tally, const char *what)
{
  const int a = from->format.component[0].bits;
  const int b = to->format.component[0].bits;
  const int from_bits[3] = { a, a, a }, to_bits[3] = { b, b, b };
  const struct color_settings settings = { 0 };
  const struct color_light light = { 0 };
  const struct color_affine in = color_codes_to_rgb (
      from->description.matrix, from->description.range, from_bits);
  const struct color_affine out = color_rgb_to_codes (
      to->description.matrix, to->description.range, to_bits);
  const struct color_affine m = color_affine_multiply (&out, &in);
  uint32_t seed = 1;
  struct color_plan plan;

  color_plan_init (&plan, from, &light, to, &settings);
  fail_unless (plan.affine);
  for (int n = 0; n < 64; n++) {
    float codes[3], signal[3];
    double exact[3];

    for (int i = 0; i < 3; i++)
      codes[i] = next_random (&seed) >> (32 - a);
    color_kernel_signal (&plan, codes, signal);
    color_affine_apply (
        &m, (const double[3]){ codes[0], codes[1], codes[2] }, exact);
    for (int i = 0; i < 3; i++)
      count (tally, exact[i], color_kernel_code (&plan, i, signal), b, what);
  }
}

/* __i__: depth of the target. */
GST_START_TEST (every_matrix_range_and_depth_is_exact)
{
  const int bits = depths[__i__];
  struct tally tally = { 0 };

  for (int k = 0; k < COLOR_N_MATRICES * COLOR_N_MATRICES * 16; k++) {
    const enum color_matrix a = k / 16 / COLOR_N_MATRICES;
    const enum color_matrix b = k / 16 % COLOR_N_MATRICES;
    const enum color_range from_range = k % 2, to_range = k / 2 % 2;
    const struct color_side from
        = side_in_range (a, from_range, COLOR_PRIMARIES_BT709, COLOR_TRANSFER_BT1886,
                   depths[k / 4 % 4]);
    const struct color_side to = side_in_range (
        b, to_range, COLOR_PRIMARIES_BT709, COLOR_TRANSFER_BT1886, bits);
    g_autofree char *what = g_strdup_printf ("matrix %d to %d", a, b);

    compare_affine (&from, &to, &tally, what);
  }
  g_print ("# to %d bits: %.4f %% of %ld exact\n", bits,
           100.0 * tally.exact / tally.all, tally.all);
  fail_unless (tally.exact >= (bits <= 12 ? 0.9995 : 0.99) * tally.all);
}
GST_END_TEST;

/* R'G'B' of @from to R'G'B' of @to, through light of which 1 is white, all in
 * double. */
static void
convert_exactly (const struct color_description *from,
                 const struct color_description *to, const double in[3],
                 double out[3])
{
  const struct color_matrix3 m
      = color_convert_primaries (from->primaries, to->primaries);
  double light[3];

  for (int i = 0; i < 3; i++)
    light[i] = color_transfers[from->transfer].eotf (in[i]);
  color_matrix3_apply (&m, light, light);
  for (int i = 0; i < 3; i++)
    out[i] = color_transfers[to->transfer].inverse_eotf (
        fmin (fmax (light[i], 0), 1));
}

static void
compare_light (const struct color_side *from, const struct color_side *to,
               struct tally *tally, const char *what)
{
  const int a = from->format.component[0].bits;
  const int b = to->format.component[0].bits;
  const struct color_settings settings = { .native_log = true };
  const struct color_light light = { 0 };
  uint32_t seed = 7;
  struct color_plan plan;

  color_plan_init (&plan, from, &light, to, &settings);
  for (int n = 0; n < 64; n++) {
    float codes[3], signal[3];
    double in[3], exact[3];

    for (int i = 0; i < 3; i++) {
      codes[i] = next_random (&seed) >> (32 - a);
      in[i] = (double)codes[i] / ((1 << a) - 1);
    }
    color_kernel_signal (&plan, codes, signal);
    convert_exactly (&from->description, &to->description, in, exact);
    for (int i = 0; i < 3; i++)
      count (tally, exact[i] * ((1 << b) - 1),
             color_kernel_code (&plan, i, signal), b, what);
  }
}

static bool
is_sdr (enum color_transfer transfer)
{
  return !color_transfer_is_hdr (transfer)
         && transfer != COLOR_TRANSFER_ST428;
}

GST_START_TEST (every_transfer_becomes_every_other)
{
  struct tally tally = { 0 };

  for (int k = 0; k < COLOR_N_TRANSFERS * COLOR_N_TRANSFERS; k++) {
    const enum color_transfer a = k / COLOR_N_TRANSFERS;
    const enum color_transfer b = k % COLOR_N_TRANSFERS;
    const struct color_side from = side_in_range (
        COLOR_MATRIX_RGB, COLOR_RANGE_FULL, COLOR_PRIMARIES_BT709, a, 10);
    const struct color_side to = side_in_range (
        COLOR_MATRIX_RGB, COLOR_RANGE_FULL, COLOR_PRIMARIES_BT2020, b, 10);
    g_autofree char *what = g_strdup_printf ("transfer %d to %d", a, b);

    if (is_sdr (a) && is_sdr (b))
      compare_light (&from, &to, &tally, what);
  }
  g_print ("# transfers: %.4f %% of %ld exact\n",
           100.0 * tally.exact / tally.all, tally.all);
  fail_unless (tally.exact >= 0.9995 * tally.all);
}
GST_END_TEST;

GST_START_TEST (all_primaries_become_all_others)
{
  struct tally tally = { 0 };

  for (int k = 0; k < COLOR_N_PRIMARIES * COLOR_N_PRIMARIES; k++) {
    const enum color_primaries a = k / COLOR_N_PRIMARIES;
    const enum color_primaries b = k % COLOR_N_PRIMARIES;
    const struct color_side from = side_in_range (COLOR_MATRIX_RGB, COLOR_RANGE_FULL,
                                            a, COLOR_TRANSFER_SRGB, 8);
    const struct color_side to = side_in_range (COLOR_MATRIX_RGB, COLOR_RANGE_FULL, b,
                                          COLOR_TRANSFER_BT709_SCENE, 8);
    g_autofree char *what = g_strdup_printf ("primaries %d to %d", a, b);

    compare_light (&from, &to, &tally, what);
  }
  g_print ("# primaries: %.4f %% of %ld exact\n",
           100.0 * tally.exact / tally.all, tally.all);
  fail_unless (tally.exact >= 0.9995 * tally.all);
}
GST_END_TEST;

/* White of one is white of the other: no cast between D65, C, DCI and E. */
GST_START_TEST (white_stays_white)
{
  for (int k = 0; k < COLOR_N_PRIMARIES * COLOR_N_PRIMARIES; k++) {
    const struct color_matrix3 m = color_convert_primaries (
        k / COLOR_N_PRIMARIES, k % COLOR_N_PRIMARIES);

    for (int i = 0; i < 3; i++)
      fail_unless (fabs (m.at[i][0] + m.at[i][1] + m.at[i][2] - 1) < 1e-9);
  }
}
GST_END_TEST;

/* Codes of grey of another transfer, with white at 203 or elsewhere, without a
 * tone curve. Rows: ITU-R BT.2408, BT.2100. */
static const struct
{
  enum color_transfer from, to;
  double white;
  uint32_t in, out;
} greys[] = {
  { COLOR_TRANSFER_BT1886, COLOR_TRANSFER_PQ, 0, 940, 573 },
  { COLOR_TRANSFER_BT1886, COLOR_TRANSFER_PQ, 100, 940, 509 },
  { COLOR_TRANSFER_BT1886, COLOR_TRANSFER_PQ, 250, 940, 592 },
  { COLOR_TRANSFER_BT1886, COLOR_TRANSFER_PQ, 0, 64, 64 },
  { COLOR_TRANSFER_PQ, COLOR_TRANSFER_BT1886, 0, 573, 940 },
  { COLOR_TRANSFER_PQ, COLOR_TRANSFER_BT1886, 100, 509, 940 },
  { COLOR_TRANSFER_PQ, COLOR_TRANSFER_BT1886, 0, 800, 940 }, /* clipped */
  { COLOR_TRANSFER_PQ, COLOR_TRANSFER_HLG, 0, 573, 721 },
  { COLOR_TRANSFER_PQ, COLOR_TRANSFER_HLG, 0, 723, 940 },
  { COLOR_TRANSFER_HLG, COLOR_TRANSFER_PQ, 0, 721, 573 },
  { COLOR_TRANSFER_HLG, COLOR_TRANSFER_PQ, 0, 940, 723 },
  { COLOR_TRANSFER_BT1886, COLOR_TRANSFER_HLG, 0, 940, 721 },
  { COLOR_TRANSFER_HLG, COLOR_TRANSFER_BT1886, 0, 721, 940 },
  { COLOR_TRANSFER_PQ, COLOR_TRANSFER_LINEAR, 0, 573, 940 },
};

GST_START_TEST (hdr_meets_sdr_at_the_reference_white)
{
  for (unsigned i = 0; i < G_N_ELEMENTS (greys); i++) {
    const struct color_side from
        = side_in_range (COLOR_MATRIX_BT2020, COLOR_RANGE_LIMITED,
                   COLOR_PRIMARIES_BT2020, greys[i].from, 10);
    const struct color_side to
        = side_in_range (COLOR_MATRIX_BT2020, COLOR_RANGE_LIMITED,
                   COLOR_PRIMARIES_BT2020, greys[i].to, 10);
    const struct color_settings settings
        = { .reference_white = greys[i].white };
    const struct color_light light = { 0 };
    const float codes[3] = { greys[i].in, 512, 512 };
    struct color_plan plan;
    float signal[3];
    uint32_t got;

    color_plan_init (&plan, &from, &light, &to, &settings);
    fail_unless (!plan.tone_mapped);
    color_kernel_signal (&plan, codes, signal);
    got = color_kernel_code (&plan, 0, signal);
    fail_unless (abs ((int)got - (int)greys[i].out) <= 1,
                 "row %u: %u, not %u", i, got, greys[i].out);
    for (int k = 1; k < 3; k++)
      fail_unless_equals_int (color_kernel_code (&plan, k, signal), 512);
  }
}
GST_END_TEST;

static Suite *
color_descriptions_suite (void)
{
  Suite *suite = suite_create ("color_descriptions");
  TCase *cases = tcase_create ("witness");

  suite_add_tcase (suite, cases);
  tcase_add_loop_test (cases, every_matrix_range_and_depth_is_exact, 0,
                       G_N_ELEMENTS (depths));
  tcase_add_test (cases, every_transfer_becomes_every_other);
  tcase_add_test (cases, all_primaries_become_all_others);
  tcase_add_test (cases, white_stays_white);
  tcase_add_test (cases, hdr_meets_sdr_at_the_reference_white);
  return suite;
}

GST_CHECK_MAIN (color_descriptions);
