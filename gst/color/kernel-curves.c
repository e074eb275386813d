/* The scalar functions of the colour kernel. Keep in step with transfer.glsl
 * and tonecurve.glsl. */
#include <math.h>
#include <string.h>

#include "gst/color/kernel.h"
#include "shaders/include/curve_constants.h"

/* The constants are doubles in C and floats in GLSL. */
#define F(x) ((float)(x))

float
color_kernel_pq_root (float x)
{
  const float x2 = x * x;
  const float p = ((x2 + (F (PQ_ROOT_P3) * x + F (PQ_ROOT_P2))) * x2
                   + (F (PQ_ROOT_P1) * x + F (PQ_ROOT_P0)))
                  * x;
  const float q = (x2 + (F (PQ_ROOT_Q3) * x + F (PQ_ROOT_Q2))) * x2
                  + (F (PQ_ROOT_Q1) * x + F (PQ_ROOT_Q0));
  return p / q;
}

float
color_kernel_pq_signal (float s)
{
  const float p
      = ((((F (PQ_SIGNAL_P4) * s + F (PQ_SIGNAL_P3)) * s + F (PQ_SIGNAL_P2)) * s
          + F (PQ_SIGNAL_P1))
             * s
         + F (PQ_SIGNAL_P0))
        * s;
  const float q = ((((s + F (PQ_SIGNAL_Q4)) * s + F (PQ_SIGNAL_Q3)) * s
                    + F (PQ_SIGNAL_Q2))
                       * s
                   + F (PQ_SIGNAL_Q1))
                      * s
                  + F (PQ_SIGNAL_Q0);
  return p / q;
}

float
color_kernel_pq_eotf (float x)
{
  const float t = fmaxf (log2f (fmaxf (x, 1e-9f)) * F (LN2 / PQ_M2), -0.18f);
  const float t2 = t * t;
  const float e
      = -t
        * ((1 + t * F (1.0 / 2))
           + t2 * ((F (1.0 / 6) + t * F (1.0 / 24)) + t2 * F (1.0 / 120)));
  return powf (fmaxf (F (1 - PQ_C1) - e, 0) / (F (1 - PQ_C1) + F (PQ_C3) * e),
               F (1 / PQ_M1));
}

float
color_kernel_pq_inverse_eotf (float l)
{
  const float p = powf (l, F (PQ_M1));
  const float d = F (1 - PQ_C1) * (1 - p) / (1 + F (PQ_C3) * p);
  const float z = d / (2 - d), z2 = z * z;
  const float log_base
      = z
        * ((1 + z2 * F (1.0 / 3)) + z2 * z2 * (F (1.0 / 5) + z2 * F (1.0 / 7)));
  return exp2f (log_base * F (-2 * PQ_M2 / LN2));
}

/* About u^(-1/6). */
static float
power_guess (float u)
{
  int32_t exponent;
  uint32_t bits;
  float guess;

  memcpy (&exponent, &u, sizeof exponent);
  guess = F (BT1886_GUESS) - (float)exponent * F (1 / (6.0 * 256));
  memcpy (&bits, &guess, sizeof bits);
  bits <<= 8;
  memcpy (&guess, &bits, sizeof guess);
  return guess;
}

float
color_kernel_bt1886_inverse_eotf (float l, bool native_log)
{
  if (native_log)
    return exp2f (log2f (l) * F (1 / 2.4) - log2f (F (BT1886_SCALE)));
  const float u = sqrtf (l);
  const float y = power_guess (u);
  const float y2 = y * y, y3 = y2 * y;
  const float t = u * (y3 * y3);
  return fminf ((u * y) * ((t - F (BT1886_C1)) * t + F (BT1886_C0)),
                F (1 / BT1886_SCALE));
}

float
color_kernel_bt709_eotf (float x)
{
  if (x < F (4.5 * BT709_BETA))
    return x / 4.5f;
  return powf ((x + F (BT709_ALPHA - 1)) / F (BT709_ALPHA), F (1 / 0.45));
}

float
color_kernel_bt709_inverse_eotf (float l)
{
  if (l < F (BT709_BETA))
    return l * 4.5f;
  return F (BT709_ALPHA) * powf (l, 0.45f) - F (BT709_ALPHA - 1);
}

float
color_kernel_smpte240m_eotf (float x)
{
  if (x < F (4 * 0.0228))
    return x / 4;
  return powf ((x + 0.1115f) / 1.1115f, F (1 / 0.45));
}

float
color_kernel_smpte240m_inverse_eotf (float l)
{
  if (l < 0.0228f)
    return l * 4;
  return 1.1115f * powf (l, 0.45f) - 0.1115f;
}

float
color_kernel_srgb_eotf (float x)
{
  if (x < 0.04045f)
    return x / 12.92f;
  return powf ((x + 0.055f) / 1.055f, 2.4f);
}

float
color_kernel_srgb_inverse_eotf (float l)
{
  if (l < 0.0031308f)
    return l * 12.92f;
  return 1.055f * powf (l, F (1 / 2.4)) - 0.055f;
}

float
color_kernel_log_eotf (float x, float decades)
{
  return exp2f ((x - 1) * (decades * 3.32192809488736235f));
}

float
color_kernel_log_inverse_eotf (float l, float decades)
{
  return fmaxf (
      1 + log2f (fmaxf (l, 1e-6f)) * (0.301029995663981195f / decades), 0);
}

float
color_kernel_hlg_inverse_oetf (float x)
{
  if (x < 0.5f)
    return x * x * F (1 / 3.0);
  return (expf ((x - F (HLG_C)) * F (1 / HLG_A)) + F (HLG_B)) * F (1 / 12.0);
}

float
color_kernel_hlg_oetf (float e)
{
  if (e < F (1 / 12.0))
    return sqrtf (3 * e);
  return F (HLG_A) * logf (fmaxf (12 * e - F (HLG_B), 1e-6f)) + F (HLG_C);
}

float
color_kernel_tone_gain (const struct color_gain *gain, float m, float h)
{
  const float z = fminf (fmaxf (m * gain->scale + gain->shift, 0), 1);
  const float z2 = z * z;
  const float p = (gain->p[4] * z2 + (gain->p[3] * z + gain->p[2])) * z2
                  + (gain->p[1] * z + gain->p[0]);
  const float q = gain->q[1] * z2 + (gain->q[0] * z + 1);
  return fminf (p * h, gain->cap * q) / (q * h + 1e-20f);
}
