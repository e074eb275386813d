/* Transfer functions: the vectors, and what must hold for all of them. */
#include <gst/check/gstcheck.h>
#include <math.h>

#include "gst/color/matrix.h"
#include "gst/color/transfer.h"
#include "vectors.h"

static const struct
{
  const char *name; /* in the vectors */
  enum color_transfer transfer;
} names[] = {
  { "bt709-scene", COLOR_TRANSFER_BT709_SCENE },
  { "bt1886", COLOR_TRANSFER_BT1886 },
  { "smpte240m-scene", COLOR_TRANSFER_SMPTE240M_SCENE },
  { "srgb", COLOR_TRANSFER_SRGB },
  { "gamma18", COLOR_TRANSFER_GAMMA18 },
  { "gamma20", COLOR_TRANSFER_GAMMA20 },
  { "gamma22", COLOR_TRANSFER_GAMMA22 },
  { "gamma28", COLOR_TRANSFER_GAMMA28 },
  { "adobergb", COLOR_TRANSFER_ADOBERGB },
  { "pq-nits", COLOR_TRANSFER_PQ },
  { "hlg-scene", COLOR_TRANSFER_HLG },
  { "log100", COLOR_TRANSFER_LOG100 },
  { "log316", COLOR_TRANSFER_LOG316 },
  { "st428", COLOR_TRANSFER_ST428 },
  { "linear", COLOR_TRANSFER_LINEAR },
};

static const double bt2020_luma[3] = { 0.2627, 0.6780, 0.0593 };

static const struct color_transfer_functions *
by_name (const char *name)
{
  for (unsigned i = 0; i < G_N_ELEMENTS (names); i++) {
    if (g_str_equal (names[i].name, name))
      return &color_transfers[names[i].transfer];
  }
  ck_abort_msg ("no transfer %s", name);
  return NULL;
}

static void
assert_near (const struct vector *v, double got, double expected)
{
  fail_unless (fabs (got - expected) <= v->tol, "%s: %.9g, not %.9g", v->id,
               got, expected);
}

GST_START_TEST (vectors_of_single_channels_hold)
{
  FOR_VECTORS (v, "to_linear")
  assert_near (v, by_name (v->transfer)->eotf (v->input[0]), v->expected[0]);
  FOR_VECTORS (v, "from_linear")
  assert_near (v, by_name (v->transfer)->inverse_eotf (v->input[0]),
               v->expected[0]);
  FOR_VECTORS (v, "hlg_gamma")
  assert_near (v, color_hlg_gamma (v->input[0]), v->expected[0]);
  FOR_VECTORS (v, "pq_code10")
  assert_near (v, floor (64 + 876 * color_pq_inverse_eotf (v->input[0]) + 0.5),
               v->expected[0]);
}
GST_END_TEST;

GST_START_TEST (vectors_of_hlg_hold)
{
  double out[3];

  FOR_VECTORS (v, "hlg_eotf_nits")
  {
    color_hlg_eotf (v->input, bt2020_luma, v->peak, 0, out);
    for (int i = 0; i < 3; i++)
      assert_near (v, out[i], v->expected[i]);
  }
  FOR_VECTORS (v, "hlg_eotf_nits_black")
  {
    color_hlg_eotf (v->input, bt2020_luma, v->peak, v->black, out);
    for (int i = 0; i < 3; i++)
      assert_near (v, out[i], v->expected[i]);
  }
  FOR_VECTORS (v, "hlg_inverse_eotf")
  {
    color_hlg_inverse_eotf (v->input, bt2020_luma, v->peak, out);
    for (int i = 0; i < 3; i++)
      assert_near (v, out[i], v->expected[i]);
  }
}
GST_END_TEST;

GST_START_TEST (every_transfer_rises_and_comes_back)
{
  for (unsigned i = 0; i < G_N_ELEMENTS (names); i++) {
    const struct color_transfer_functions *f
        = &color_transfers[names[i].transfer];
    double last = -1;

    for (int k = 0; k <= 4096; k++) {
      const double signal = k / 4096.0;
      const double light = f->eotf (signal);

      fail_unless (light > last || (k == 0 && light >= 0), "%s at %g",
                   names[i].name, signal);
      last = light;
      fail_unless (fabs (f->inverse_eotf (light) - signal) < 1e-6,
                   "%s at %g comes back as %g", names[i].name, signal,
                   f->inverse_eotf (light));
    }
  }
}
GST_END_TEST;

GST_START_TEST (bt1886_with_black_keeps_both_ends)
{
  const double blacks[] = { 0, 0.0001, 0.001, 0.02 };

  for (unsigned i = 0; i < G_N_ELEMENTS (blacks); i++) {
    fail_unless (fabs (color_bt1886_eotf (0, blacks[i]) - blacks[i]) < 1e-9);
    fail_unless (fabs (color_bt1886_eotf (1, blacks[i]) - 1) < 1e-9);
    for (int k = 0; k <= 100; k++)
      fail_unless (
          fabs (color_bt1886_inverse_eotf (
                    color_bt1886_eotf (k / 100.0, blacks[i]), blacks[i])
                - k / 100.0)
          < 1e-9);
  }
}
GST_END_TEST;

GST_START_TEST (hlg_of_grey_is_grey_and_comes_back)
{
  const double peaks[] = { 400, 1000, 2000, 4000 };

  for (unsigned i = 0; i < G_N_ELEMENTS (peaks); i++) {
    for (int k = 1; k <= 64; k++) {
      const double grey[3] = { k / 64.0, k / 64.0, k / 64.0 };
      double light[3], back[3];

      color_hlg_eotf (grey, bt2020_luma, peaks[i], 0, light);
      fail_unless (light[0] == light[1] && light[1] == light[2]);
      color_hlg_inverse_eotf (light, bt2020_luma, peaks[i], back);
      fail_unless (fabs (back[0] - grey[0]) < 1e-6);
    }
  }
}
GST_END_TEST;

static Suite *
color_transfer_suite (void)
{
  Suite *suite = suite_create ("color_transfer");
  TCase *cases = tcase_create ("transfers");

  suite_add_tcase (suite, cases);
  tcase_add_test (cases, vectors_of_single_channels_hold);
  tcase_add_test (cases, vectors_of_hlg_hold);
  tcase_add_test (cases, every_transfer_rises_and_comes_back);
  tcase_add_test (cases, bt1886_with_black_keeps_both_ends);
  tcase_add_test (cases, hlg_of_grey_is_grey_and_comes_back);
  return suite;
}

GST_CHECK_MAIN (color_transfer);
