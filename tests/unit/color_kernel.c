/* The kernel's witness against the reference: scalar functions on a ramp, and
 * whole pixels of the vectors. */
#include <gst/check/gstcheck.h>
#include <math.h>

#include "gst/color/kernel.h"
#include "gst/color/transfer.h"
#include "shaders/include/curve_constants.h"
#include "tests/unit/sides.h"
#include "vectors.h"

#define RAMP 16384

GST_START_TEST (fitted_pq_eotf_is_exact_to_the_code)
{
  fail_unless (color_kernel_pq_root (0) == 0);
  for (int i = 1; i <= RAMP; i++) {
    const float x = (float)i / RAMP;
    const double root = (double)color_kernel_pq_root (x) * PQ_ROOT_SCALE;
    const double light = color_pq_eotf (x) / 10000;
    /* Nothing is mapped below the knee, which is the hardest case: light of
     * 203 cd/m2 is white. */
    const double codes = 219
                         * (pow (root * root * 10000 / 203, 1 / 2.4)
                            - pow (light * 10000 / 203, 1 / 2.4));

    fail_unless (x > 0.6 || fabs (codes) < 0.05, "signal %g: %g codes", x,
                 codes);
    fail_unless (x < 0.05 || fabs (root * root / light - 1) < 4e-4, "signal %g",
                 x);
  }
}
GST_END_TEST;

GST_START_TEST (fitted_bt1886_is_exact_to_the_code)
{
  double sum = 0;

  fail_unless (color_kernel_bt1886_inverse_eotf (0, false) == 0);
  for (int i = 1; i <= RAMP; i++) {
    const double v = (double)i / RAMP;
    const double fitted = BT1886_SCALE
                          * (double)color_kernel_bt1886_inverse_eotf (
                              (float)pow (v, 2.4), false);
    const double codes = 219 * fabs (fitted - v);

    sum += codes;
    fail_unless (codes < (v < 3.0 / 219 ? 0.08 : 0.01), "%g: %g codes", v,
                 codes);
  }
  fail_unless (sum / RAMP < 0.002, "%g codes on average", sum / RAMP);
}
GST_END_TEST;

/* On roots of light: what is dark counts. */
GST_START_TEST (fitted_pq_signal_is_exact_to_the_code)
{
  fail_unless (color_kernel_pq_signal (0) == 0);
  for (int i = 1; i <= RAMP; i++) {
    const double s = (double)i / RAMP, light = s * s * s * s;
    const double signal = (double)color_kernel_pq_signal ((float)s);
    const double exact = color_pq_inverse_eotf (light * 10000);
    const double codes
        = 219 * pow (light * 10000 / 203, 1 / 2.4)
          * (pow (color_pq_eotf (signal) / 10000 / light, 1 / 2.4) - 1);

    fail_unless (s < 0.1 || fabs (signal - exact) < 1e-6, "%g: %g, not %g",
                 light, signal, exact);
    fail_unless (light * 10000 > 203 || fabs (codes) < 2e-3, "%g: %g codes",
                 light, codes);
  }
}
GST_END_TEST;

static float
native_bt1886 (float l)
{
  return color_kernel_bt1886_inverse_eotf (l, true) * (float)BT1886_SCALE;
}

static double
pq_eotf (double x)
{
  return color_pq_eotf (x) / 10000;
}

static double
pq_inverse_eotf (double l)
{
  return color_pq_inverse_eotf (l * 10000);
}

static float
log100_eotf (float x)
{
  return color_kernel_log_eotf (x, 2);
}

static float
log100_inverse_eotf (float l)
{
  return color_kernel_log_inverse_eotf (l, 2);
}

static float
log316_eotf (float x)
{
  return color_kernel_log_eotf (x, 2.5f);
}

static float
log316_inverse_eotf (float l)
{
  return color_kernel_log_inverse_eotf (l, 2.5f);
}

GST_START_TEST (every_function_agrees_with_its_namesake)
{
#define OF(transfer, way) color_transfers[COLOR_TRANSFER_##transfer].way
  const struct
  {
    const char *name;
    float (*kernel) (float);
    double (*exact) (double);
    double tolerance;
  } pairs[] = {
    { "pq_eotf", color_kernel_pq_eotf, pq_eotf, 3e-6 },
    { "pq_inverse_eotf", color_kernel_pq_inverse_eotf, pq_inverse_eotf, 1e-6 },
    { "bt1886", native_bt1886, OF (BT1886, inverse_eotf), 1e-6 },
    { "bt709_eotf", color_kernel_bt709_eotf, OF (BT709_SCENE, eotf), 1e-6 },
    { "bt709_inverse_eotf", color_kernel_bt709_inverse_eotf,
      OF (BT709_SCENE, inverse_eotf), 1e-6 },
    { "smpte240m_eotf", color_kernel_smpte240m_eotf, OF (SMPTE240M_SCENE, eotf),
      1e-6 },
    { "smpte240m_inverse_eotf", color_kernel_smpte240m_inverse_eotf,
      OF (SMPTE240M_SCENE, inverse_eotf), 1e-6 },
    { "srgb_eotf", color_kernel_srgb_eotf, OF (SRGB, eotf), 1e-6 },
    { "srgb_inverse_eotf", color_kernel_srgb_inverse_eotf,
      OF (SRGB, inverse_eotf), 1e-6 },
    { "log100_eotf", log100_eotf, OF (LOG100, eotf), 1e-6 },
    { "log100_inverse_eotf", log100_inverse_eotf, OF (LOG100, inverse_eotf),
      1e-6 },
    { "log316_eotf", log316_eotf, OF (LOG316, eotf), 1e-6 },
    { "log316_inverse_eotf", log316_inverse_eotf, OF (LOG316, inverse_eotf),
      1e-6 },
    { "hlg_inverse_oetf", color_kernel_hlg_inverse_oetf, OF (HLG, eotf), 2e-6 },
    { "hlg_oetf", color_kernel_hlg_oetf, OF (HLG, inverse_eotf), 2e-6 },
  };
#undef OF

  for (unsigned k = 0; k < G_N_ELEMENTS (pairs); k++) {
    for (int i = 0; i <= RAMP; i++) {
      const float x = (float)i / RAMP;
      const double error = fabs (pairs[k].kernel (x) - pairs[k].exact (x));

      fail_unless (error <= pairs[k].tolerance, "%s (%g): error %g",
                   pairs[k].name, x, error);
    }
  }
}
GST_END_TEST;

static const char *const modes[] = { [TONE_MAX] = "max",
                                     [TONE_RGB] = "rgb",
                                     [TONE_LUMA] = "luma",
                                     [TONE_ICTCP] = "ictcp" };
static const char *const curves[COLOR_N_CURVES] = {
  [COLOR_CURVE_CLIP] = "clip",         [COLOR_CURVE_BT2390] = "bt2390",
  [COLOR_CURVE_SPLINE] = "spline",     [COLOR_CURVE_MOBIUS] = "mobius",
  [COLOR_CURVE_REINHARD] = "reinhard", [COLOR_CURVE_HABLE] = "hable",
  [COLOR_CURVE_LINEAR] = "linear",     [COLOR_CURVE_GAMMA] = "gamma",
  [COLOR_CURVE_BT2446A] = "bt2446a",   [COLOR_CURVE_BT2446C] = "bt2446c",
};

static int
find (const char *const *list, int n, const char *name)
{
  for (int i = 0; i < n; i++) {
    if (g_strcmp0 (list[i], name) == 0)
      return i;
  }
  ck_abort_msg ("no %s", name);
  return 0;
}

static struct color_settings
settings_of (const struct vector *v, bool native_log)
{
  return (struct color_settings){
    .tone_map = true,
    .curve = (enum color_curve)find (curves, COLOR_N_CURVES, v->curve),
    .mode = (enum color_tone_mode)find (modes, G_N_ELEMENTS (modes), v->mode),
    .gamut = g_strcmp0 (v->gamut, "desaturate") == 0 ? COLOR_GAMUT_DESATURATE
                                                     : COLOR_GAMUT_CLIP,
    .source_peak = v->src_peak > 0 ? v->src_peak : v->peak,
    .reference_white = v->ref_white,
    .target_black = v->contrast > 0 ? v->ref_white / v->contrast : 0,
    .native_log = native_log,
  };
}

/* One pixel through a plan. */
static void
run_plan (const struct color_plan *plan, const double codes[3], uint32_t out[3])
{
  const float in[3] = { (float)codes[0], (float)codes[1], (float)codes[2] };
  float signal[3];

  color_kernel_signal (plan, in, signal);
  for (int i = 0; i < 3; i++)
    out[i] = color_kernel_code (plan, i, signal);
}

static void
convert (const struct color_side *source, const struct color_side *target,
         const struct color_settings *settings, const double codes[3],
         uint32_t out[3])
{
  const struct color_light light = { 0 };
  struct color_plan plan;

  color_plan_init (&plan, source, &light, target, settings);
  run_plan (&plan, codes, out);
}

/* All within @v->tol; returns how many of the three are exact. */
static int
check_codes (const struct vector *v, const uint32_t got[3])
{
  int exact = 0;

  for (int i = 0; i < 3; i++) {
    fail_unless (fabs (got[i] - v->expected[i]) <= v->tol,
                 "%s: %u %u %u, not %g %g %g (%s, %s, %s, peak %g)", v->id,
                 got[0], got[1], got[2], v->expected[0], v->expected[1],
                 v->expected[2], v->curve, v->mode, v->gamut, v->src_peak);
    exact += got[i] == v->expected[i];
  }
  return exact;
}

/* __i__: 1: with the device's own logarithms. */
GST_START_TEST (hdr_to_sdr_vectors_hold)
{
  const struct color_side sdr = side_of (
      COLOR_MATRIX_BT709, COLOR_PRIMARIES_BT709, COLOR_TRANSFER_BT1886, 8);
  const struct color_side pq = side_of (
      COLOR_MATRIX_BT2020, COLOR_PRIMARIES_BT2020, COLOR_TRANSFER_PQ, 10);
  const struct color_side hlg = side_of (
      COLOR_MATRIX_BT2020, COLOR_PRIMARIES_BT2020, COLOR_TRANSFER_HLG, 10);
  int exact = 0, all = 0;
  uint32_t out[3];

  for (const struct vector *v = vectors; v < vectors + N_VECTORS; v++) {
    const bool is_pq = strcmp (v->kind, "hdr10_to_sdr8") == 0;

    if (!is_pq && strcmp (v->kind, "hlg_to_sdr8") != 0)
      continue;
    const struct color_settings settings = settings_of (v, __i__);
    convert (is_pq ? &pq : &hlg, &sdr, &settings, v->input, out);
    exact += check_codes (v, out);
    all += 3;
  }
  fail_unless (all > 1000);
  fail_unless (exact >= 0.99 * all, "%d of %d exact", exact, all);
  g_print ("%d of %d codes exact\n", exact, all);
}
GST_END_TEST;

GST_START_TEST (sdr_to_hdr_vectors_hold)
{
  const struct color_side sdr = side_of (
      COLOR_MATRIX_BT709, COLOR_PRIMARIES_BT709, COLOR_TRANSFER_BT1886, 8);
  const struct color_side pq = side_of (
      COLOR_MATRIX_BT2020, COLOR_PRIMARIES_BT2020, COLOR_TRANSFER_PQ, 10);
  uint32_t out[3];

  FOR_VECTORS (v, "sdr_to_hdr10")
  {
    const struct color_settings settings = { .reference_white = v->ref_white };
    convert (&sdr, &pq, &settings, v->input, out);
    check_codes (v, out);
  }
}
GST_END_TEST;

/* R'G'B' of .5 .4 .3 and the corners, as displays show them. */
GST_START_TEST (bt2020_sdr_becomes_bt709)
{
  const struct color_side from = side_of (
      COLOR_MATRIX_BT2020, COLOR_PRIMARIES_BT2020, COLOR_TRANSFER_BT1886, 10);
  const struct color_side to = side_of (
      COLOR_MATRIX_BT709, COLOR_PRIMARIES_BT709, COLOR_TRANSFER_BT1886, 8);
  const struct color_settings settings = { 0 };
  const double codes[3] = { 432, 455, 560 };
  uint32_t out[3];

  convert (&from, &to, &settings, codes, out);
  fail_unless (out[0] == 107 && out[1] == 112 && out[2] == 148, "%u %u %u",
               out[0], out[1], out[2]);
}
GST_END_TEST;

GST_START_TEST (identity_and_depth_changes_are_exact)
{
  const int depths[] = { 8, 10, 12, 16 };

  for (unsigned a = 0; a < G_N_ELEMENTS (depths); a++) {
    for (unsigned b = 0; b < G_N_ELEMENTS (depths); b++) {
      const struct color_side from
          = side_of (COLOR_MATRIX_BT709, COLOR_PRIMARIES_BT709,
                     COLOR_TRANSFER_BT1886, depths[a]);
      const struct color_side to
          = side_of (COLOR_MATRIX_BT709, COLOR_PRIMARIES_BT709,
                     COLOR_TRANSFER_BT1886, depths[b]);
      const struct color_settings settings = { 0 };
      const struct color_light light = { 0 };
      const double scale = exp2 (depths[b] - depths[a]);
      struct color_plan plan;
      uint32_t out[3];

      color_plan_init (&plan, &from, &light, &to, &settings);

      for (int k = 0; k<1 << depths[a]; k += depths[a]> 12 ? 7 : 1) {
        const double codes[3] = { k, k, (1 << depths[a]) - 1 - k };
        const double most = (1 << depths[b]) - 1;

        run_plan (&plan, codes, out);
        for (int i = 0; i < 3; i++)
          fail_unless (out[i] == fmin (floor (codes[i] * scale + 0.5), most),
                       "%d to %d bits: %g is %u", depths[a], depths[b],
                       codes[i], out[i]);
      }
    }
  }
}
GST_END_TEST;

/* __i__: curve. */
GST_START_TEST (grey_stays_grey_and_never_falls)
{
  const struct color_side pq = side_of (
      COLOR_MATRIX_BT2020, COLOR_PRIMARIES_BT2020, COLOR_TRANSFER_PQ, 10);
  const struct color_side sdr = side_of (
      COLOR_MATRIX_BT709, COLOR_PRIMARIES_BT709, COLOR_TRANSFER_BT1886, 8);
  const struct color_light light = { .max_cll = 1000 };

  for (int mode = TONE_MAX; mode <= TONE_ICTCP; mode++) {
    const struct color_settings settings
        = { .tone_map = true,
            .curve = (enum color_curve)__i__,
            .mode = (enum color_tone_mode)mode };
    struct color_plan plan;
    uint32_t last = 0;

    color_plan_init (&plan, &pq, &light, &sdr, &settings);
    for (int y = 64; y <= 1023; y++) {
      const float in[3] = { (float)y, 512, 512 };
      float signal[3];
      uint32_t code;

      color_kernel_signal (&plan, in, signal);
      code = color_kernel_code (&plan, 0, signal);
      fail_unless (code >= last, "mode %d: Y %d falls to %u", mode, y, code);
      fail_unless (color_kernel_code (&plan, 1, signal) == 128
                       && color_kernel_code (&plan, 2, signal) == 128,
                   "mode %d: Y %d is not grey", mode, y);
      last = code;
    }
    fail_unless (last == 235, "mode %d: white is %u", mode, last);
  }
}
GST_END_TEST;

static uint32_t
luma_of_grey (const struct color_settings *settings,
              const struct color_light *light, float y)
{
  const struct color_side pq = side_of (
      COLOR_MATRIX_BT2020, COLOR_PRIMARIES_BT2020, COLOR_TRANSFER_PQ, 10);
  const struct color_side sdr = side_of (
      COLOR_MATRIX_BT709, COLOR_PRIMARIES_BT709, COLOR_TRANSFER_BT1886, 8);
  const float in[3] = { y, 512, 512 };
  struct color_plan plan;
  float signal[3];

  color_plan_init (&plan, &pq, light, &sdr, settings);
  color_kernel_signal (&plan, in, signal);
  return color_kernel_code (&plan, 0, signal);
}

GST_START_TEST (metadata_decide_about_grey_of_203)
{
  const struct
  {
    struct color_light light;
    uint32_t y;
  } rows[] = {
    { { 400, 0 }, 226 },   { { 1000, 0 }, 214 },     { { 4000, 0 }, 197 },
    { { 10000, 0 }, 186 }, { { 0, 0 }, 214 },        { { 0, 1000 }, 214 },
    { { 0, 4000 }, 197 },  { { 1000, 65535 }, 214 }, { { 65535, 4000 }, 197 },
    { { 20000, 0 }, 214 }, { { -1, -1 }, 214 },
  };
  struct color_settings settings = { .tone_map = true,
                                     .curve = COLOR_CURVE_BT2390,
                                     .mode = COLOR_TONE_MAX };

  for (unsigned i = 0; i < G_N_ELEMENTS (rows); i++) {
    const uint32_t y = luma_of_grey (&settings, &rows[i].light, 573);
    fail_unless (y == rows[i].y, "row %u: Y %u", i, y);
  }
  settings.source_peak = 4000;
  fail_unless (luma_of_grey (&settings, &rows[0].light, 573) == 197);
  settings.source_peak = 0;
  settings.curve = COLOR_CURVE_CLIP;
  fail_unless (luma_of_grey (&settings, &rows[0].light, 573) == 235);
  fail_unless (luma_of_grey (&settings, &rows[0].light, 509) == 179);
  fail_unless (luma_of_grey (&settings, &rows[0].light, 167) == 34);
  settings.reference_white = 100;
  fail_unless (luma_of_grey (&settings, &rows[0].light, 509) == 235);
}
GST_END_TEST;

static Suite *
color_kernel_suite (void)
{
  Suite *suite = suite_create ("color_kernel");
  TCase *cases = tcase_create ("witness");

  suite_add_tcase (suite, cases);
  tcase_add_test (cases, fitted_pq_eotf_is_exact_to_the_code);
  tcase_add_test (cases, fitted_pq_signal_is_exact_to_the_code);
  tcase_add_test (cases, fitted_bt1886_is_exact_to_the_code);
  tcase_add_test (cases, every_function_agrees_with_its_namesake);
  tcase_add_loop_test (cases, hdr_to_sdr_vectors_hold, 0, 2);
  tcase_add_test (cases, sdr_to_hdr_vectors_hold);
  tcase_add_test (cases, bt2020_sdr_becomes_bt709);
  tcase_add_test (cases, identity_and_depth_changes_are_exact);
  tcase_add_loop_test (cases, grey_stays_grey_and_never_falls, 0,
                       COLOR_N_CURVES);
  tcase_add_test (cases, metadata_decide_about_grey_of_203);
  return suite;
}

GST_CHECK_MAIN (color_kernel);
