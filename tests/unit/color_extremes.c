/* Settings at the ends of their ranges, alone and in pairs: a strange picture is
 * one all the same. Grey does not fall by more than rounding makes it, and no
 * code is beyond black and white. */
#include <gst/check/gstcheck.h>

#include "gst/color/kernel.h"
#include "tests/unit/sides.h"

#define AT(field) G_STRUCT_OFFSET (struct color_settings, field)
#define LENGTH    4

/* As vktonemap's properties have them. */
static const struct knob
{
  const char *name;
  size_t at;
  double ends[LENGTH];
} knobs[] = {
  { "source-peak", AT (source_peak), { 1, 10, 203, 10000 } },
  { "target-peak", AT (target_peak), { 1, 10, 203, 10000 } },
  { "reference-white", AT (reference_white), { 1, 10, 100, 10000 } },
  { "target-black", AT (target_black), { 1e-4, 0.1, 1, 10 } },
  { "contrast", AT (contrast), { 1e-6, 1, 2, 1e6 } },
  { "exposure", AT (exposure), { -8, -1, 1, 8 } },
  { "hlg-peak", AT (hlg_peak), { 1, 10, 400, 10000 } },
  { "hlg-black", AT (hlg_black), { 1e-4, 0.1, 1, 10 } },
};

struct setup
{
  enum color_transfer transfer;
  enum color_curve curve;
  enum color_tone_mode mode;
};

static void
assert_rises (const struct setup *setup, const struct color_settings *settings,
              const char *what)
{
  const struct color_side from = side_of (
      COLOR_MATRIX_BT2020, COLOR_PRIMARIES_BT2020, setup->transfer, 10);
  const struct color_side to = side_of (
      COLOR_MATRIX_BT709, COLOR_PRIMARIES_BT709, COLOR_TRANSFER_BT1886, 8);
  const struct color_light light = { .max_cll = 1000 };
  struct color_plan plan;
  uint32_t most = 16;

  color_plan_init (&plan, &from, &light, &to, settings);
  for (int y = 64; y <= 940; y += 12) {
    float signal[3];
    uint32_t code;

    color_kernel_signal (&plan, (const float[]){ (float)y, 512, 512 }, signal);
    code = color_kernel_code (&plan, 0, signal);
    fail_unless (
        code >= 16 && code + 1 >= most && code <= 235,
        "transfer %d, curve %d, mode %d, %s: Y %d is %u after %u",
        setup->transfer, setup->curve, setup->mode, what, y, code, most);
    most = code > most ? code : most;
  }
}

/* __i__: curve. */
GST_START_TEST (no_settings_leave_the_range)
{
  const int n = G_N_ELEMENTS (knobs) * LENGTH;

  for (int k = 0; k < n * n * 4; k++) {
    const int a = k / 4 / n, b = k / 4 % n;
    const struct setup setup
        = { k % 2 ? COLOR_TRANSFER_HLG : COLOR_TRANSFER_PQ,
            (enum color_curve)__i__,
            k % 4 < 2 ? COLOR_TONE_MAX : COLOR_TONE_ICTCP };
    const struct knob *first = &knobs[a / LENGTH], *second = &knobs[b / LENGTH];
    struct color_settings settings
        = { .tone_map = true,
            .curve = setup.curve,
            .mode = setup.mode,
            .native_log = setup.mode != COLOR_TONE_MAX };
    g_autofree char *what
        = g_strdup_printf ("%s %g, %s %g", first->name, first->ends[a % LENGTH],
                           second->name, second->ends[b % LENGTH]);

    if (b < a)
      continue;
    G_STRUCT_MEMBER (double, &settings, first->at) = first->ends[a % LENGTH];
    G_STRUCT_MEMBER (double, &settings, second->at) = second->ends[b % LENGTH];
    assert_rises (&setup, &settings, what);
  }
}
GST_END_TEST;

/* Where a display's black would be its white, or brighter, the picture is one
 * of little contrast, and whoever looks at the plan learns why. */
GST_START_TEST (black_stays_below_white)
{
  static const struct
  {
    struct color_settings settings;
    bool limited;
  } rows[] = {
    { { .tone_map = true, .contrast = 0.5 }, true },
    { { .tone_map = true, .contrast = 1 }, true },
    { { .tone_map = true, .contrast = 4 }, false },
    { { .tone_map = true, .target_black = 10, .target_peak = 5 }, true },
    { { .tone_map = true, .target_black = 10, .reference_white = 10 }, true },
    { { .tone_map = true, .target_black = 10 }, false },
    { { .tone_map = true, .hlg_black = 10, .hlg_peak = 10 }, true },
    { { .tone_map = true, .hlg_black = 10, .hlg_peak = 400 }, false },
  };
  const struct color_side from = side_of (
      COLOR_MATRIX_BT2020, COLOR_PRIMARIES_BT2020, COLOR_TRANSFER_HLG, 10);
  const struct color_side to = side_of (
      COLOR_MATRIX_BT709, COLOR_PRIMARIES_BT709, COLOR_TRANSFER_BT1886, 8);
  const struct color_light light = { 0 };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    uint32_t code[2];
    struct color_plan plan;

    color_plan_init (&plan, &from, &light, &to, &rows[i].settings);
    for (int k = 0; k < 2; k++) {
      float signal[3];

      color_kernel_signal (&plan, (const float[]){ k ? 940 : 64, 512, 512 },
                           signal);
      code[k] = color_kernel_code (&plan, 0, signal);
    }
    fail_unless (code[0] + 20 < code[1], "row %zu: black %u, white %u", i,
                 code[0], code[1]);
    fail_unless (plan.black_limited == rows[i].limited, "row %zu", i);
  }
}
GST_END_TEST;

static Suite *
color_extremes_suite (void)
{
  Suite *suite = suite_create ("color_extremes");
  TCase *cases = tcase_create ("witness");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 120);
  tcase_add_loop_test (cases, no_settings_leave_the_range, 0, COLOR_N_CURVES);
  tcase_add_test (cases, black_stays_below_white);
  return suite;
}

GST_CHECK_MAIN (color_extremes);
