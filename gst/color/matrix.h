/* Matrices: YCbCr, quantisation, primaries.
 *
 * Sources: ITU-R BT.601, BT.709, BT.2020, SMPTE ST 240, ITU-T H.273; chromatic
 * adaptation by Bradford's matrix, as ICC profiles do. */
#pragma once

#include "gst/color/description.h"

/* Rows of three. */
struct color_matrix3
{
  double at[3][3];
};

/* v' = at[i][0..2] v + at[i][3]. */
struct color_affine
{
  double at[3][4];
};

struct color_matrix3 color_matrix3_multiply (const struct color_matrix3 *a,
                                             const struct color_matrix3 *b);
struct color_matrix3 color_matrix3_invert (const struct color_matrix3 *m);
void color_matrix3_apply (const struct color_matrix3 *m, const double in[3],
                          double out[3]);
struct color_affine color_affine_multiply (const struct color_affine *a,
                                           const struct color_affine *b);
void color_affine_apply (const struct color_affine *m, const double in[3],
                         double out[3]);

/* R'G'B' to Y'CbCr: Y' in [0, 1], Cb and Cr in [-0.5, 0.5]. */
struct color_matrix3 color_rgb_to_ycbcr (enum color_matrix matrix);

/* R'G'B' in [0, 1] to code values of @bits bits, not rounded, and back. @bits:
 * of each component; 0 for the chroma of grey, which is neutral. */
struct color_affine color_rgb_to_codes (enum color_matrix matrix,
                                        enum color_range range,
                                        const int bits[3]);
struct color_affine color_codes_to_rgb (enum color_matrix matrix,
                                        enum color_range range,
                                        const int bits[3]);

/* Linear RGB to CIE XYZ, where white has Y 1. Row 1 is the luminance of R, G
 * and B. */
struct color_matrix3 color_rgb_to_xyz (enum color_primaries primaries);

/* Linear RGB of @from to linear RGB of @to; white becomes white. */
struct color_matrix3 color_convert_primaries (enum color_primaries from,
                                              enum color_primaries to);

/* Linear BT.2020 RGB to the LMS of BT.2100. */
extern const struct color_matrix3 color_bt2020_to_lms;
