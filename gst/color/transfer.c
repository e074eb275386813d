/* Transfer functions: small pairs, and one table that selects them. */
#include "gst/color/transfer.h"

#include <math.h>

#include "shaders/include/curve_constants.h"

double
color_pq_eotf (double signal)
{
  const double p = pow (fmax (signal, 0), 1 / PQ_M2);
  return 10000 * pow (fmax (p - PQ_C1, 0) / (PQ_C2 - PQ_C3 * p), 1 / PQ_M1);
}

double
color_pq_inverse_eotf (double light)
{
  const double p = pow (fmax (light, 0) / 10000, PQ_M1);
  return pow ((PQ_C1 + PQ_C2 * p) / (1 + PQ_C3 * p), PQ_M2);
}

/* L = a (V + b)^2.4, with a and b such that 0 and 1 give @black and 1. */
double
color_bt1886_eotf (double signal, double black)
{
  const double root = pow (black, 1 / 2.4);
  return pow (1 - root, 2.4) * pow (fmax (signal + root / (1 - root), 0), 2.4);
}

double
color_bt1886_inverse_eotf (double light, double black)
{
  const double root = pow (black, 1 / 2.4);
  return (pow (fmax (light, 0), 1 / 2.4) - root) / (1 - root);
}

static double
linear (double x)
{
  return x;
}

static double
bt1886_eotf (double signal)
{
  return color_bt1886_eotf (signal, 0);
}

static double
bt1886_inverse_eotf (double light)
{
  return color_bt1886_inverse_eotf (light, 0);
}

#define POWER(name, gamma)                                                     \
  static double name##_eotf (double signal)                                    \
  {                                                                            \
    return copysign (pow (fabs (signal), gamma), signal);                      \
  }                                                                            \
  static double name##_inverse_eotf (double light)                             \
  {                                                                            \
    return copysign (pow (fabs (light), 1 / (gamma)), light);                  \
  }
POWER (gamma18, 1.8)
POWER (gamma20, 2.0)
POWER (gamma22, 2.2)
POWER (gamma28, 2.8)
POWER (adobergb, 563.0 / 256)

static double
bt709_eotf (double signal)
{
  if (signal < 4.5 * BT709_BETA)
    return signal / 4.5;
  return pow ((signal + BT709_ALPHA - 1) / BT709_ALPHA, 1 / 0.45);
}

static double
bt709_inverse_eotf (double light)
{
  if (light < BT709_BETA)
    return 4.5 * light;
  return BT709_ALPHA * pow (light, 0.45) - (BT709_ALPHA - 1);
}

static double
smpte240m_eotf (double signal)
{
  if (signal < 4 * 0.0228)
    return signal / 4;
  return pow ((signal + 0.1115) / 1.1115, 1 / 0.45);
}

static double
smpte240m_inverse_eotf (double light)
{
  if (light < 0.0228)
    return 4 * light;
  return 1.1115 * pow (light, 0.45) - 0.1115;
}

static double
srgb_eotf (double signal)
{
  if (signal <= 0.04045)
    return signal / 12.92;
  return pow ((signal + 0.055) / 1.055, 2.4);
}

static double
srgb_inverse_eotf (double light)
{
  if (light <= 0.0031308)
    return 12.92 * light;
  return 1.055 * pow (light, 1 / 2.4) - 0.055;
}

/* The logarithmic curves of H.273 end above black: it is what they start at. */
static double
log_eotf (double signal, double decades)
{
  return pow (10, decades * (fmax (signal, 0) - 1));
}

static double
log_inverse_eotf (double light, double decades)
{
  return fmax (1 + log10 (fmax (light, 1e-6)) / decades, 0);
}

static double
log100_eotf (double signal)
{
  return log_eotf (signal, 2);
}

static double
log100_inverse_eotf (double light)
{
  return log_inverse_eotf (light, 2);
}

static double
log316_eotf (double signal)
{
  return log_eotf (signal, 2.5);
}

static double
log316_inverse_eotf (double light)
{
  return log_inverse_eotf (light, 2.5);
}

static double
st428_eotf (double signal)
{
  return 52.37 / 48 * pow (fmax (signal, 0), 2.6);
}

static double
st428_inverse_eotf (double light)
{
  return pow (48 / 52.37 * fmax (light, 0), 1 / 2.6);
}

double
color_hlg_inverse_oetf (double signal)
{
  if (signal <= 0.5)
    return signal * signal / 3;
  return (exp ((signal - HLG_C) / HLG_A) + HLG_B) / 12;
}

double
color_hlg_oetf (double light)
{
  if (light <= 1.0 / 12)
    return sqrt (3 * fmax (light, 0));
  return HLG_A * log (12 * light - HLG_B) + HLG_C;
}

double
color_hlg_gamma (double peak)
{
  if (peak < 400 || peak > 2000)
    return 1.2 * pow (1.111, log2 (peak / 1000));
  return 1.2 + 0.42 * log10 (peak / 1000);
}

static double
luminance (const double rgb[3], const double luma[3])
{
  return rgb[0] * luma[0] + rgb[1] * luma[1] + rgb[2] * luma[2];
}

void
color_hlg_eotf (const double signal[3], const double luma[3], double peak,
                double black, double light[3])
{
  const double gamma = color_hlg_gamma (peak);
  const double lift = black > 0 ? sqrt (3 * pow (black / peak, 1 / gamma)) : 0;

  for (int i = 0; i < 3; i++)
    light[i] = color_hlg_inverse_oetf (fmax ((1 - lift) * signal[i] + lift, 0));

  const double y = luminance (light, luma);
  const double gain = y > 0 ? peak * pow (y, gamma - 1) : 0;
  for (int i = 0; i < 3; i++)
    light[i] *= gain;
}

void
color_hlg_inverse_eotf (const double light[3], const double luma[3],
                        double peak, double signal[3])
{
  const double gamma = color_hlg_gamma (peak);
  const double y = luminance (light, luma) / peak;
  const double gain = y > 0 ? pow (y, (1 - gamma) / gamma) / peak : 0;

  for (int i = 0; i < 3; i++)
    signal[i] = color_hlg_oetf (light[i] * gain);
}

#define PAIR(name)                                                             \
  {                                                                            \
    name##_eotf, name##_inverse_eotf                                           \
  }
const struct color_transfer_functions color_transfers[COLOR_N_TRANSFERS] = {
  [COLOR_TRANSFER_LINEAR] = { linear, linear },
  [COLOR_TRANSFER_BT1886] = PAIR (bt1886),
  [COLOR_TRANSFER_GAMMA18] = PAIR (gamma18),
  [COLOR_TRANSFER_GAMMA20] = PAIR (gamma20),
  [COLOR_TRANSFER_GAMMA22] = PAIR (gamma22),
  [COLOR_TRANSFER_GAMMA28] = PAIR (gamma28),
  [COLOR_TRANSFER_ADOBERGB] = PAIR (adobergb),
  [COLOR_TRANSFER_BT709_SCENE] = PAIR (bt709),
  [COLOR_TRANSFER_SMPTE240M_SCENE] = PAIR (smpte240m),
  [COLOR_TRANSFER_SRGB] = PAIR (srgb),
  [COLOR_TRANSFER_LOG100] = PAIR (log100),
  [COLOR_TRANSFER_LOG316] = PAIR (log316),
  [COLOR_TRANSFER_PQ] = PAIR (color_pq),
  [COLOR_TRANSFER_HLG] = { color_hlg_inverse_oetf, color_hlg_oetf },
  [COLOR_TRANSFER_ST428] = PAIR (st428),
};
