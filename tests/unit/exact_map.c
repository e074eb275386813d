#include "tests/unit/exact_map.h"

#include <gst/check/gstcheck.h>
#include <math.h>
#include <stdlib.h>

#include "gst/color/transfer.h"

const char *const exact_map_curve_names[COLOR_N_CURVES] = {
  [COLOR_CURVE_CLIP] = "clip",         [COLOR_CURVE_BT2390] = "bt2390",
  [COLOR_CURVE_SPLINE] = "spline",     [COLOR_CURVE_MOBIUS] = "mobius",
  [COLOR_CURVE_REINHARD] = "reinhard", [COLOR_CURVE_HABLE] = "hable",
  [COLOR_CURVE_LINEAR] = "linear",     [COLOR_CURVE_GAMMA] = "gamma",
  [COLOR_CURVE_BT2446A] = "bt2446a",   [COLOR_CURVE_BT2446C] = "bt2446c",
};

void
exact_map_colour (int n, unsigned codes[3])
{
  for (int i = 0; i < 3; i++, n /= EXACT_MAP_EDGE) {
    codes[i] = (unsigned)(n % EXACT_MAP_EDGE) * 2048;
    if (codes[i] > 65535)
      codes[i] = 65535;
  }
}

void
exact_map_init (struct exact_map *map, enum color_curve curve, double peak,
                double black)
{
  map->tone = (struct color_tone){ .curve = curve,
                                   .source_peak = peak,
                                   .target_peak = EXACT_MAP_WHITE,
                                   .target_black = black };
  map->to_bt709
      = color_convert_primaries (COLOR_PRIMARIES_BT2020, COLOR_PRIMARIES_BT709);
  map->to_bt2020
      = color_convert_primaries (COLOR_PRIMARIES_BT709, COLOR_PRIMARIES_BT2020);
}

void
exact_map_signal (const struct exact_map *map, const double in[3],
                  double out[3])
{
  const double black = pow (map->tone.target_black / EXACT_MAP_WHITE, 1 / 2.4);
  double light[3], mapped[3], most = 0;

  for (int i = 0; i < 3; i++) {
    light[i] = color_pq_eotf (in[i]);
    most = fmax (most, light[i]);
  }
  for (int i = 0; i < 3; i++)
    light[i] *= most > 0 ? color_tone_map (&map->tone, most) / most : 0;
  color_matrix3_apply (&map->to_bt709, light, mapped);
  for (int i = 0; i < 3; i++) {
    const double v
        = pow (fmin (fmax (mapped[i] / EXACT_MAP_WHITE, 0), 1), 1 / 2.4);

    out[i] = fmax ((v - black) / (1 - black), 0);
  }
}

double
exact_map_delta_e (const struct exact_map *map, const double a[3],
                   const double b[3])
{
  double itp[2][3];

  for (int k = 0; k < 2; k++) {
    const double *signal = k == 0 ? a : b;
    double light[3], rgb[3], lms[3];

    for (int i = 0; i < 3; i++)
      light[i] = EXACT_MAP_WHITE * pow (signal[i], 2.4);
    color_matrix3_apply (&map->to_bt2020, light, rgb);
    color_matrix3_apply (&color_bt2020_to_lms, rgb, lms);
    for (int i = 0; i < 3; i++)
      lms[i] = color_pq_inverse_eotf (lms[i]);
    itp[k][0] = 0.5 * (lms[0] + lms[1]);
    itp[k][1] = 0.5 * (6610 * lms[0] - 13613 * lms[1] + 7003 * lms[2]) / 4096;
    itp[k][2] = (17933 * lms[0] - 17390 * lms[1] - 543 * lms[2]) / 4096;
  }
  return 720
         * sqrt (pow (itp[0][0] - itp[1][0], 2) + pow (itp[0][1] - itp[1][1], 2)
                 + pow (itp[0][2] - itp[1][2], 2));
}

void
exact_tally_init (struct exact_tally *tally, int bits)
{
  *tally = (struct exact_tally){
    .to_codes = color_rgb_to_codes (COLOR_MATRIX_BT709, COLOR_RANGE_LIMITED,
                                    (int[]){ bits, bits, bits }),
    .bits = bits,
  };
}

void
exact_tally_count (struct exact_tally *tally, const unsigned codes[3],
                   const double expected[3])
{
  double exact[3];

  color_affine_apply (&tally->to_codes, expected, exact);
  for (int i = 0; i < 3; i++) {
    const long off = labs ((long)codes[i] - (long)floor (exact[i] + 0.5));

    fail_unless (off <= 1, "%d bits, component %d: %u, not %g", tally->bits, i,
                 codes[i], exact[i]);
    tally->off += off;
    tally->all++;
  }
}

double
exact_tally_share (const struct exact_tally *tally)
{
  return 1 - (double)tally->off / (double)tally->all;
}

void
exact_report_init (struct exact_report *report)
{
  *report = (struct exact_report){ 0 };
  exact_tally_init (&report->eight, 8);
  exact_tally_init (&report->ten, 10);
}

void
exact_report_add_delta_e (struct exact_report *report, double e)
{
  report->sum += e;
  report->worst = fmax (report->worst, e);
}

void
exact_report_finish (const struct exact_report *report, const char *name)
{
  const double mean = report->sum / EXACT_MAP_CUBE;
  const double eight = exact_tally_share (&report->eight);
  const double ten = exact_tally_share (&report->ten);

  g_print ("# %s: 8 bits: largest error %d, %.2f %% exact; 10 bits: largest "
           "error %d, %.2f %% exact",
           name, report->eight.off > 0, 100 * eight, report->ten.off > 0,
           100 * ten);
  if (report->worst > 0)
    g_print ("; dE_ITP mean %.4f, most %.3f", mean, report->worst);
  g_print ("\n");
  fail_unless (eight >= 0.99, "%s: %g of 8 bits exact", name, eight);
  fail_unless (ten >= 0.97, "%s: %g of 10 bits exact", name, ten);
  fail_unless (mean <= 0.1 && report->worst <= 0.8, "%s: dE_ITP %g, %g", name,
               mean, report->worst);
}
