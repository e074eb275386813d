/* YCbCr matrices, quantisation and primaries. */
#include <gst/check/gstcheck.h>
#include <math.h>

#include "gst/color/matrix.h"
#include "gst/color/transfer.h"
#include "vectors.h"

static const char *const matrix_names[COLOR_N_MATRICES] = {
  [COLOR_MATRIX_RGB] = "gbr",     [COLOR_MATRIX_BT601] = "bt601",
  [COLOR_MATRIX_BT709] = "bt709", [COLOR_MATRIX_SMPTE240M] = "smpte240m",
  [COLOR_MATRIX_FCC] = "fcc",     [COLOR_MATRIX_BT2020] = "bt2020",
  [COLOR_MATRIX_YCGCO] = "ycgco",
};

static const char *const primaries_names[COLOR_N_PRIMARIES] = {
  [COLOR_PRIMARIES_BT709] = "bt709",
  [COLOR_PRIMARIES_BT470M] = "bt470m",
  [COLOR_PRIMARIES_BT470BG] = "bt470bg",
  [COLOR_PRIMARIES_SMPTE170M] = "smpte170m",
  [COLOR_PRIMARIES_SMPTE240M] = "smpte240m",
  [COLOR_PRIMARIES_FILM] = "film",
  [COLOR_PRIMARIES_BT2020] = "bt2020",
  [COLOR_PRIMARIES_ADOBERGB] = "adobergb",
  [COLOR_PRIMARIES_SMPTE428] = "smpte428",
  [COLOR_PRIMARIES_SMPTE431] = "smpte431",
  [COLOR_PRIMARIES_SMPTE432] = "smpte432",
  [COLOR_PRIMARIES_EBU3213] = "ebu3213",
};

static int
find (const char *const *list, int n, const char *name)
{
  for (int i = 0; i < n; i++) {
    if (g_str_equal (list[i], name))
      return i;
  }
  ck_abort_msg ("no %s", name);
  return -1;
}

static double
to_code (double x, int bits)
{
  return fmin (fmax (floor (x + 0.5), 0), (1 << bits) - 1);
}

/* The vectors have RGB in the order of H.273: G, B, R. */
static int
component_of (const struct vector *v, int i)
{
  return g_str_equal (v->matrix, "gbr") ? (i + 1) % 3 : i;
}

static struct color_affine
affine_of (const struct vector *v, bool to_codes)
{
  const int bits[3] = { v->bits, v->bits, v->bits };
  const enum color_matrix matrix
      = (enum color_matrix)find (matrix_names, COLOR_N_MATRICES, v->matrix);
  const enum color_range range
      = v->full ? COLOR_RANGE_FULL : COLOR_RANGE_LIMITED;

  return to_codes ? color_rgb_to_codes (matrix, range, bits)
                  : color_codes_to_rgb (matrix, range, bits);
}

GST_START_TEST (vectors_of_matrices_hold)
{
  double out[3];

  FOR_VECTORS (v, "rgb_to_ycc")
  {
    const struct color_affine m = affine_of (v, true);

    color_affine_apply (&m, v->input, out);
    for (int i = 0; i < 3; i++)
      fail_unless (to_code (out[component_of (v, i)], v->bits)
                       == v->expected[i],
                   "%s: component %d is %g", v->id, i, out[i]);
  }
  FOR_VECTORS (v, "ycc_to_rgb")
  {
    const struct color_affine m = affine_of (v, false);

    color_affine_apply (&m, v->input, out);
    for (int i = 0; i < 3; i++)
      fail_unless (fabs (out[i] - v->expected[i]) <= v->tol, "%s: %g", v->id,
                   out[i]);
  }
  FOR_VECTORS (v, "ycc_to_rgb8_clamped")
  {
    const struct color_affine m = affine_of (v, false);

    color_affine_apply (&m, v->input, out);
    for (int i = 0; i < 3; i++)
      fail_unless (to_code (255 * out[i], 8) == v->expected[i], "%s: %g", v->id,
                   out[i]);
  }
}
GST_END_TEST;

GST_START_TEST (vectors_of_primaries_hold)
{
  FOR_VECTORS (v, "primaries_matrix")
  {
    const struct color_matrix3 m = color_convert_primaries (
        (enum color_primaries)find (primaries_names, COLOR_N_PRIMARIES,
                                    v->from),
        (enum color_primaries)find (primaries_names, COLOR_N_PRIMARIES, v->to));

    for (int i = 0; i < 9; i++)
      fail_unless (fabs (m.at[i / 3][i % 3] - v->expected[i]) <= v->tol,
                   "%s: %d is %g", v->id, i, m.at[i / 3][i % 3]);
  }
}
GST_END_TEST;

GST_START_TEST (vectors_of_ictcp_hold)
{
  static const struct color_matrix3 to_ictcp
      = { { { 0.5, 0.5, 0 },
            { 6610.0 / 4096, -13613.0 / 4096, 7003.0 / 4096 },
            { 17933.0 / 4096, -17390.0 / 4096, -543.0 / 4096 } } };
  double out[3];

  FOR_VECTORS (v, "ictcp_pq")
  {
    color_matrix3_apply (&color_bt2020_to_lms, v->input, out);
    for (int i = 0; i < 3; i++)
      out[i] = color_pq_inverse_eotf (out[i]);
    color_matrix3_apply (&to_ictcp, out, out);
    for (int i = 0; i < 3; i++)
      fail_unless (fabs (out[i] - v->expected[i]) <= v->tol, "%s: %g", v->id,
                   out[i]);
  }
}
GST_END_TEST;

GST_START_TEST (codes_come_back_in_every_matrix_range_and_depth)
{
  for (int matrix = 0; matrix < COLOR_N_MATRICES; matrix++) {
    for (int range = 0; range < 2; range++) {
      for (int depth = 8; depth <= 16; depth += 2) {
        const int bits[3] = { depth, depth, depth };
        const struct color_affine there = color_rgb_to_codes (
            (enum color_matrix)matrix, (enum color_range)range, bits);
        const struct color_affine back = color_codes_to_rgb (
            (enum color_matrix)matrix, (enum color_range)range, bits);
        const struct color_affine both = color_affine_multiply (&there, &back);

        for (int i = 0; i < 12; i++)
          fail_unless (fabs (both.at[i / 4][i % 4] - (i % 5 == 0)) < 1e-8,
                       "%s %d bits", matrix_names[matrix], depth);
      }
    }
  }
}
GST_END_TEST;

GST_START_TEST (white_stays_white_between_all_primaries)
{
  for (int a = 0; a < COLOR_N_PRIMARIES; a++) {
    for (int b = 0; b < COLOR_N_PRIMARIES; b++) {
      const struct color_matrix3 m = color_convert_primaries (
          (enum color_primaries)a, (enum color_primaries)b);
      const double white[3] = { 1, 1, 1 };
      double out[3];

      color_matrix3_apply (&m, white, out);
      for (int i = 0; i < 3; i++)
        fail_unless (fabs (out[i] - 1) < 1e-9, "%s to %s: %g",
                     primaries_names[a], primaries_names[b], out[i]);
    }
  }
}
GST_END_TEST;

static Suite *
color_matrix_suite (void)
{
  Suite *suite = suite_create ("color_matrix");
  TCase *cases = tcase_create ("matrices");

  suite_add_tcase (suite, cases);
  tcase_add_test (cases, vectors_of_matrices_hold);
  tcase_add_test (cases, vectors_of_primaries_hold);
  tcase_add_test (cases, vectors_of_ictcp_hold);
  tcase_add_test (cases, codes_come_back_in_every_matrix_range_and_depth);
  tcase_add_test (cases, white_stays_white_between_all_primaries);
  return suite;
}

GST_CHECK_MAIN (color_matrix);
