/* HDR to SDR in double precision, as standards say it: PQ R'G'B' of BT.2020,
 * one gain of the largest of the three, BT.709 and clipped, BT.1886. */
#pragma once

#include <stdio.h>

#include "gst/color/matrix.h"
#include "gst/color/tonecurve.h"

#define EXACT_MAP_WHITE 203.0 /* cd/m2 */

/* The colours of a cube with as many to an edge; PQ R'G'B' of 16 bits. */
#define EXACT_MAP_EDGE 33
#define EXACT_MAP_CUBE (EXACT_MAP_EDGE * EXACT_MAP_EDGE * EXACT_MAP_EDGE)
void exact_map_colour (int n, unsigned codes[3]);

struct exact_map
{
  struct color_tone tone;
  struct color_matrix3 to_bt709, to_bt2020;
};

/* @peak, @black: cd/m2. */
void exact_map_init (struct exact_map *map, enum color_curve curve, double peak,
                     double black);

/* R'G'B' in, R'G'B' out. */
void exact_map_signal (const struct exact_map *map, const double in[3],
                       double out[3]);

/* What one of 16 bits is off in the sense of ITU-R BT.2124. */
double exact_map_delta_e (const struct exact_map *map, const double a[3],
                          const double b[3]);

/* Y'CbCr of one depth, limited range: how many codes are off by one of all.
 * None may be off by more. */
struct exact_tally
{
  struct color_affine to_codes;
  int bits;
  long all, off;
};

void exact_tally_init (struct exact_tally *tally, int bits);

/* @expected: R'G'B'. */
void exact_tally_count (struct exact_tally *tally, const unsigned codes[3],
                        const double expected[3]);
double exact_tally_share (const struct exact_tally *tally);

/* All of a cube: prints what it came to under @name, and fails where the share
 * of exact codes is less than 99 % of 8 bits or 97 % of 10, dE_ITP above 0.1 in
 * the mean or 0.8 at most. */
struct exact_report
{
  struct exact_tally eight, ten;
  double sum, worst; /* dE_ITP */
};

void exact_report_init (struct exact_report *report);
void exact_report_add_delta_e (struct exact_report *report, double e);
void exact_report_finish (const struct exact_report *report, const char *name);

/* By enum color_curve, as the property has them. */
extern const char *const exact_map_curve_names[COLOR_N_CURVES];
