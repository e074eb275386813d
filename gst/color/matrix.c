/* Matrices out of the standards' chromaticities and luma coefficients. */
#include "gst/color/matrix.h"

#include <string.h>

struct color_matrix3
color_matrix3_multiply (const struct color_matrix3 *a,
                        const struct color_matrix3 *b)
{
  struct color_matrix3 r;

  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      r.at[i][j] = a->at[i][0] * b->at[0][j] + a->at[i][1] * b->at[1][j]
                   + a->at[i][2] * b->at[2][j];
  }
  return r;
}

struct color_matrix3
color_matrix3_invert (const struct color_matrix3 *m)
{
  struct color_matrix3 r;
  double det = 0;

  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      const int a = (j + 1) % 3, b = (j + 2) % 3;
      const int c = (i + 1) % 3, d = (i + 2) % 3;
      r.at[i][j] = m->at[a][c] * m->at[b][d] - m->at[a][d] * m->at[b][c];
    }
  }
  for (int i = 0; i < 3; i++)
    det += m->at[0][i] * r.at[i][0];
  for (int i = 0; i < 9; i++)
    r.at[i / 3][i % 3] /= det;
  return r;
}

void
color_matrix3_apply (const struct color_matrix3 *m, const double in[3],
                     double out[3])
{
  const double v[3] = { in[0], in[1], in[2] };

  for (int i = 0; i < 3; i++)
    out[i] = m->at[i][0] * v[0] + m->at[i][1] * v[1] + m->at[i][2] * v[2];
}

struct color_affine
color_affine_multiply (const struct color_affine *a,
                       const struct color_affine *b)
{
  struct color_affine r;

  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 4; j++)
      r.at[i][j] = a->at[i][0] * b->at[0][j] + a->at[i][1] * b->at[1][j]
                   + a->at[i][2] * b->at[2][j] + (j == 3 ? a->at[i][3] : 0);
  }
  return r;
}

void
color_affine_apply (const struct color_affine *m, const double in[3],
                    double out[3])
{
  const double v[3] = { in[0], in[1], in[2] };

  for (int i = 0; i < 3; i++)
    out[i] = m->at[i][0] * v[0] + m->at[i][1] * v[1] + m->at[i][2] * v[2]
             + m->at[i][3];
}

/* Luma coefficients of R and B. */
static const double luma_coefficients[COLOR_N_MATRICES][2] = {
  [COLOR_MATRIX_BT601] = { 0.299, 0.114 },
  [COLOR_MATRIX_BT709] = { 0.2126, 0.0722 },
  [COLOR_MATRIX_SMPTE240M] = { 0.212, 0.087 },
  [COLOR_MATRIX_FCC] = { 0.30, 0.11 },
  [COLOR_MATRIX_BT2020] = { 0.2627, 0.0593 },
};

struct color_matrix3
color_rgb_to_ycbcr (enum color_matrix matrix)
{
  static const struct color_matrix3 identity
      = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
  static const struct color_matrix3 ycgco
      = { { { 0.25, 0.5, 0.25 }, { -0.25, 0.5, -0.25 }, { 0.5, 0, -0.5 } } };
  const double kr = luma_coefficients[matrix][0];
  const double kb = luma_coefficients[matrix][1];
  const double kg = 1 - kr - kb;
  const double u = 0.5 / (1 - kb), v = 0.5 / (1 - kr);

  if (matrix == COLOR_MATRIX_RGB)
    return identity;
  if (matrix == COLOR_MATRIX_YCGCO)
    return ycgco;
  return (struct color_matrix3){
    { { kr, kg, kb }, { -kr * u, -kg * u, 0.5 }, { 0.5, -kg * v, -kb * v } }
  };
}

/* Scale and offset of component @i. */
static void
quantisation (enum color_matrix matrix, enum color_range range, int bits, int i,
              double *scale, double *offset)
{
  const double unit = (double)(1 << bits) / 256;
  const bool chroma = i > 0 && matrix != COLOR_MATRIX_RGB;

  if (range == COLOR_RANGE_FULL) {
    *scale = (double)(1 << bits) - 1;
    *offset = chroma ? (double)(1 << (bits - 1)) : 0;
  } else {
    *scale = (chroma ? 224 : 219) * unit;
    *offset = (chroma ? 128 : 16) * unit;
  }
}

struct color_affine
color_rgb_to_codes (enum color_matrix matrix, enum color_range range,
                    const int bits[3])
{
  const struct color_matrix3 m = color_rgb_to_ycbcr (matrix);
  struct color_affine r;

  memset (&r, 0, sizeof r);
  for (int i = 0; i < 3; i++) {
    double scale;
    if (bits[i] == 0)
      continue;
    quantisation (matrix, range, bits[i], i, &scale, &r.at[i][3]);
    for (int j = 0; j < 3; j++)
      r.at[i][j] = m.at[i][j] * scale;
  }
  return r;
}

struct color_affine
color_codes_to_rgb (enum color_matrix matrix, enum color_range range,
                    const int bits[3])
{
  const struct color_matrix3 forward = color_rgb_to_ycbcr (matrix);
  const struct color_matrix3 m = color_matrix3_invert (&forward);
  struct color_affine r;

  memset (&r, 0, sizeof r);
  for (int j = 0; j < 3; j++) {
    double scale, offset;
    if (bits[j] == 0)
      continue;
    quantisation (matrix, range, bits[j], j, &scale, &offset);
    for (int i = 0; i < 3; i++) {
      r.at[i][j] = m.at[i][j] / scale;
      r.at[i][3] -= m.at[i][j] * offset / scale;
    }
  }
  return r;
}

/* x and y of R, G, B and white. */
static const double chromaticities[COLOR_N_PRIMARIES][4][2] = {
#define D65                                                                    \
  {                                                                            \
    0.3127, 0.3290                                                             \
  }
#define C                                                                      \
  {                                                                            \
    0.310, 0.316                                                               \
  }
  [COLOR_PRIMARIES_BT709]
  = { { 0.640, 0.330 }, { 0.300, 0.600 }, { 0.150, 0.060 }, D65 },
  [COLOR_PRIMARIES_BT470M]
  = { { 0.67, 0.33 }, { 0.21, 0.71 }, { 0.14, 0.08 }, C },
  [COLOR_PRIMARIES_BT470BG]
  = { { 0.64, 0.33 }, { 0.29, 0.60 }, { 0.15, 0.06 }, D65 },
  [COLOR_PRIMARIES_SMPTE170M]
  = { { 0.630, 0.340 }, { 0.310, 0.595 }, { 0.155, 0.070 }, D65 },
  [COLOR_PRIMARIES_SMPTE240M]
  = { { 0.630, 0.340 }, { 0.310, 0.595 }, { 0.155, 0.070 }, D65 },
  [COLOR_PRIMARIES_FILM]
  = { { 0.681, 0.319 }, { 0.243, 0.692 }, { 0.145, 0.049 }, C },
  [COLOR_PRIMARIES_BT2020]
  = { { 0.708, 0.292 }, { 0.170, 0.797 }, { 0.131, 0.046 }, D65 },
  [COLOR_PRIMARIES_ADOBERGB]
  = { { 0.64, 0.33 }, { 0.21, 0.71 }, { 0.15, 0.06 }, D65 },
  [COLOR_PRIMARIES_SMPTE428]
  = { { 1, 0 }, { 0, 1 }, { 0, 0 }, { 1.0 / 3, 1.0 / 3 } },
  [COLOR_PRIMARIES_SMPTE431]
  = { { 0.680, 0.320 }, { 0.265, 0.690 }, { 0.150, 0.060 }, { 0.314, 0.351 } },
  [COLOR_PRIMARIES_SMPTE432]
  = { { 0.680, 0.320 }, { 0.265, 0.690 }, { 0.150, 0.060 }, D65 },
  [COLOR_PRIMARIES_EBU3213]
  = { { 0.630, 0.340 }, { 0.295, 0.605 }, { 0.155, 0.077 }, D65 },
#undef D65
#undef C
};

static void
white_point (enum color_primaries primaries, double xyz[3])
{
  const double *xy = chromaticities[primaries][3];

  xyz[0] = xy[0] / xy[1];
  xyz[1] = 1;
  xyz[2] = (1 - xy[0] - xy[1]) / xy[1];
}

struct color_matrix3
color_rgb_to_xyz (enum color_primaries primaries)
{
  struct color_matrix3 m, inverse;
  double white[3], scale[3];

  for (int j = 0; j < 3; j++) {
    const double *xy = chromaticities[primaries][j];
    m.at[0][j] = xy[0];
    m.at[1][j] = xy[1];
    m.at[2][j] = 1 - xy[0] - xy[1];
  }
  white_point (primaries, white);
  inverse = color_matrix3_invert (&m);
  color_matrix3_apply (&inverse, white, scale);
  for (int i = 0; i < 9; i++)
    m.at[i / 3][i % 3] *= scale[i % 3];
  return m;
}

/* XYZ under @from's white to XYZ that looks the same under @to's. */
static struct color_matrix3
adapt_white (enum color_primaries from, enum color_primaries to)
{
  static const struct color_matrix3 bradford
      = { { { 0.8951, 0.2664, -0.1614 },
            { -0.7502, 1.7135, 0.0367 },
            { 0.0389, -0.0685, 1.0296 } } };
  const struct color_matrix3 inverse = color_matrix3_invert (&bradford);
  struct color_matrix3 scaled = bradford;
  double a[3], b[3];

  white_point (from, a);
  white_point (to, b);
  color_matrix3_apply (&bradford, a, a);
  color_matrix3_apply (&bradford, b, b);
  for (int i = 0; i < 9; i++)
    scaled.at[i / 3][i % 3] *= b[i / 3] / a[i / 3];
  return color_matrix3_multiply (&inverse, &scaled);
}

struct color_matrix3
color_convert_primaries (enum color_primaries from, enum color_primaries to)
{
  const struct color_matrix3 forward = color_rgb_to_xyz (from);
  const struct color_matrix3 adapt = adapt_white (from, to);
  const struct color_matrix3 target = color_rgb_to_xyz (to);
  const struct color_matrix3 back = color_matrix3_invert (&target);
  const struct color_matrix3 m = color_matrix3_multiply (&adapt, &forward);

  return color_matrix3_multiply (&back, &m);
}

const struct color_matrix3 color_bt2020_to_lms
    = { { { 1688.0 / 4096, 2146.0 / 4096, 262.0 / 4096 },
          { 683.0 / 4096, 2951.0 / 4096, 462.0 / 4096 },
          { 99.0 / 4096, 309.0 / 4096, 3688.0 / 4096 } } };
