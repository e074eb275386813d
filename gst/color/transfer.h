/* Transfer functions, in double: what the kernels are measured against.
 *
 * Signals are in [0, 1]. Light is in [0, 1] as well, where 1 is white, except
 * that PQ's is in cd/m2. x_eotf() goes from signal to light, x_inverse_eotf()
 * back; for camera curves (BT.709 scene, SMPTE 240M, HLG) light is the
 * scene's. Sources: SMPTE ST 2084, ST 240, ST 428-1, IEC 61966-2-1, ITU-R
 * BT.709, BT.1886, BT.2020, BT.2100, BT.2390, ITU-T H.273. */
#pragma once

#include "gst/color/description.h"

struct color_transfer_functions
{
  double (*eotf) (double signal);
  double (*inverse_eotf) (double light);
};

/* By transfer. HLG's pair is the inverse OETF and the OETF: what needs all
 * three channels is below. */
extern const struct color_transfer_functions color_transfers[COLOR_N_TRANSFERS];

double color_pq_eotf (double signal);        /* -> cd/m2 */
double color_pq_inverse_eotf (double light); /* cd/m2 -> */

/* BT.1886 of a display with black at @black, white at 1. */
double color_bt1886_eotf (double signal, double black);
double color_bt1886_inverse_eotf (double light, double black);

double color_hlg_inverse_oetf (double signal);
double color_hlg_oetf (double light);

/* System gamma for a display of @peak cd/m2: BT.2100's formula in its range of
 * 400 to 2000 cd/m2, BT.2390's outside. */
double color_hlg_gamma (double peak);

/* HLG R'G'B' to the light in cd/m2 of a display of @peak and @black cd/m2,
 * and back (black at 0). The OOTF works on luminance: saturated colours keep
 * their hue. @luma: luminance of R, G and B. */
void color_hlg_eotf (const double signal[3], const double luma[3], double peak,
                     double black, double light[3]);
void color_hlg_inverse_eotf (const double light[3], const double luma[3],
                             double peak, double signal[3]);
