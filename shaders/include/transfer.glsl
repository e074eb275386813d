/* Transfer functions, each the namesake of one in gst/color/kernel.c. Signals
 * and light are in [0, 1]; 1 is 10000 cd/m2 for PQ, the nominal peak for HLG
 * and white for the rest. */

/* Polynomials are in Estrin's form: as many operations as Horner's and one
 * more, half the latency, which a GPU hides. */

/* PQ signal to sqrt (light) / PQ_ROOT_SCALE. */
vec3 pq_root (vec3 x)
{
  if (NATIVE_LOG)
    return ((((x + PQ_ROOT_P3) * x + PQ_ROOT_P2) * x + PQ_ROOT_P1) * x
            + PQ_ROOT_P0)
           * x
           / ((((x + PQ_ROOT_Q3) * x + PQ_ROOT_Q2) * x + PQ_ROOT_Q1) * x
              + PQ_ROOT_Q0);
  const vec3 x2 = x * x;
  const vec3 p = ((x2 + (PQ_ROOT_P3 * x + PQ_ROOT_P2)) * x2
                  + (PQ_ROOT_P1 * x + PQ_ROOT_P0))
                 * x;
  const vec3 q = (x2 + (PQ_ROOT_Q3 * x + PQ_ROOT_Q2)) * x2
                 + (PQ_ROOT_Q1 * x + PQ_ROOT_Q0);
  return p / q;
}

/* The fourth root of light to its PQ signal. */
vec3 pq_signal (vec3 s)
{
  const vec3 p = ((((PQ_SIGNAL_P4 * s + PQ_SIGNAL_P3) * s + PQ_SIGNAL_P2) * s
                   + PQ_SIGNAL_P1)
                      * s
                  + PQ_SIGNAL_P0)
                 * s;
  const vec3 q = ((((s + PQ_SIGNAL_Q4) * s + PQ_SIGNAL_Q3) * s + PQ_SIGNAL_Q2)
                      * s
                  + PQ_SIGNAL_Q1)
                     * s
                 + PQ_SIGNAL_Q0;
  return p / q;
}

/* PQ's powers of numbers just below 1 would lose, in float and by the logarithms
 * of GPUs, what the differences behind them need: light to 4 digits, which is
 * four codes near black beside a bright colour. So what is missing to 1 is
 * computed, by series that are exact to a float's last bit. C1 = C3 - C2 + 1. */

vec3 pq_eotf (vec3 x)
{
  const vec3 t = max (log2 (max (x, 1e-9)) * (LN2 / PQ_M2), -0.18);
  const vec3 t2 = t * t;
  const vec3 e = -t * ((1.0 + t * (1.0 / 2.0))
                       + t2 * ((1.0 / 6.0 + t * (1.0 / 24.0))
                               + t2 * (1.0 / 120.0)));
  return pow (max ((1.0 - PQ_C1) - e, 0.0) / ((1.0 - PQ_C1) + PQ_C3 * e),
              vec3 (1.0 / PQ_M1));
}

vec3 pq_inverse_eotf (vec3 l)
{
  const vec3 p = pow (l, vec3 (PQ_M1));
  const vec3 d = (1.0 - PQ_C1) * (1.0 - p) / (1.0 + PQ_C3 * p);
  const vec3 z = d / (2.0 - d), z2 = z * z;
  const vec3 log_base = z * ((1.0 + z2 * (1.0 / 3.0))
                             + z2 * z2 * (1.0 / 5.0 + z2 * (1.0 / 7.0)));
  return exp2 (log_base * (-2.0 * PQ_M2 / LN2));
}

/* Light to signal / BT1886_SCALE. The guess is -1/6 of the exponent, as bits of
 * a float: a conversion to an integer would cost more than all the rest. `precise`: the
 * same bits in every variant of the kernel. */
vec3 bt1886_inverse_eotf (vec3 l)
{
  if (NATIVE_LOG)
    return exp2 (log2 (l) * (1.0 / 2.4) - log2 (BT1886_SCALE));
  const vec3 u = sqrt (l);
  precise const vec3 bits
      = BT1886_GUESS - vec3 (floatBitsToInt (u)) * (1.0 / (6.0 * 256.0));
  const vec3 y = uintBitsToFloat (floatBitsToUint (bits) << 8);
  precise const vec3 y2 = y * y, y3 = y2 * y;
  precise const vec3 t = u * (y3 * y3);
  precise const vec3 signal = (u * y) * ((t - BT1886_C1) * t + BT1886_C0);
  return min (signal, 1.0 / BT1886_SCALE);
}

/* Whether that is the target's, which clips by itself what is above white. */
const bool CLIPS_WHITE = TARGET_TRANSFER == TRANSFER_BT1886 && !NATIVE_LOG;

/* @low where @x is less than @border, else @high. */
vec3 piecewise (vec3 x, float border, vec3 low, vec3 high)
{
  return mix (high, low, lessThan (x, vec3 (border)));
}

vec3 bt709_eotf (vec3 x)
{
  return piecewise (x, 4.5 * BT709_BETA, x / 4.5,
                    pow ((x + (BT709_ALPHA - 1.0)) / BT709_ALPHA,
                         vec3 (1.0 / 0.45)));
}

vec3 bt709_inverse_eotf (vec3 l)
{
  return piecewise (l, BT709_BETA, l * 4.5,
                    BT709_ALPHA * pow (l, vec3 (0.45)) - (BT709_ALPHA - 1.0));
}

vec3 smpte240m_eotf (vec3 x)
{
  return piecewise (x, 4.0 * 0.0228, x / 4.0,
                    pow ((x + 0.1115) / 1.1115, vec3 (1.0 / 0.45)));
}

vec3 smpte240m_inverse_eotf (vec3 l)
{
  return piecewise (l, 0.0228, l * 4.0,
                    1.1115 * pow (l, vec3 (0.45)) - 0.1115);
}

vec3 srgb_eotf (vec3 x)
{
  return piecewise (x, 0.04045, x / 12.92,
                    pow ((x + 0.055) / 1.055, vec3 (2.4)));
}

vec3 srgb_inverse_eotf (vec3 l)
{
  return piecewise (l, 0.0031308, l * 12.92,
                    1.055 * pow (l, vec3 (1.0 / 2.4)) - 0.055);
}

/* @decades: that the signal spans. */
vec3 log_eotf (vec3 x, float decades)
{
  return exp2 ((x - 1.0) * (decades * 3.32192809488736235));
}

vec3 log_inverse_eotf (vec3 l, float decades)
{
  return max (1.0 + log2 (max (l, 1e-6)) * (0.301029995663981195 / decades), 0.0);
}

/* HLG signal to scene light, and back. */
vec3 hlg_inverse_oetf (vec3 x)
{
  return piecewise (x, 0.5, x * x * (1.0 / 3.0),
                    (exp ((x - HLG_C) * (1.0 / HLG_A)) + HLG_B)
                        * (1.0 / 12.0));
}

vec3 hlg_oetf (vec3 e)
{
  return piecewise (e, 1.0 / 12.0, sqrt (3.0 * e),
                    HLG_A * log (max (12.0 * e - HLG_B, 1e-6)) + HLG_C);
}

/* Scene light to display light, and back: a power of luminance @y. */
vec3 hlg_ootf (vec3 e, float y, float exponent)
{
  return e * pow (max (y, 1e-9), exponent);
}

/* The signal of the source to its light, before LIGHT_MATRIX.
 * Parameters: GAMMA, BT1886: exponent, lift of the signal. HLG: exponent of
 * the OOTF, black's lift of the signal and what remains of it. */
vec3 source_light (vec3 x)
{
  switch (SOURCE_TRANSFER) {
  case TRANSFER_BT1886:
  case TRANSFER_GAMMA:
    return pow (max (x + SOURCE_PARAM1, 0.0), vec3 (SOURCE_PARAM0));
  case TRANSFER_BT709:
    return bt709_eotf (x);
  case TRANSFER_SMPTE240M:
    return smpte240m_eotf (x);
  case TRANSFER_SRGB:
    return srgb_eotf (x);
  case TRANSFER_LOG100:
    return log_eotf (x, 2.0);
  case TRANSFER_LOG316:
    return log_eotf (x, 2.5);
  case TRANSFER_PQ:
    return pq_eotf (x);
  case TRANSFER_HLG: {
    const vec3 e = hlg_inverse_oetf (
        max (x * SOURCE_PARAM2 + SOURCE_PARAM1, 0.0));
    const float y
        = dot (e, vec3 (SOURCE_LUMAX, SOURCE_LUMAY, SOURCE_LUMAZ));
    return hlg_ootf (e, y, SOURCE_PARAM0);
  }
  case TRANSFER_ST428:
    return pow (x, vec3 (2.6)) * (52.37 / 48.0);
  default:
    return x;
  }
}

/* Light to the signal of the target, before OUT_MATRIX.
 * Parameters: BT1886: black's lift, to be taken off. GAMMA: exponent. HLG:
 * exponent of the inverse OOTF. */
vec3 target_signal (vec3 l)
{
  switch (TARGET_TRANSFER) {
  case TRANSFER_BT1886:
    return TARGET_PARAM0 == 0.0
               ? bt1886_inverse_eotf (l)
               : max (bt1886_inverse_eotf (l) - TARGET_PARAM0, 0.0);
  case TRANSFER_GAMMA:
    return pow (l, vec3 (TARGET_PARAM0));
  case TRANSFER_BT709:
    return bt709_inverse_eotf (l);
  case TRANSFER_SMPTE240M:
    return smpte240m_inverse_eotf (l);
  case TRANSFER_SRGB:
    return srgb_inverse_eotf (l);
  case TRANSFER_LOG100:
    return log_inverse_eotf (l, 2.0);
  case TRANSFER_LOG316:
    return log_inverse_eotf (l, 2.5);
  case TRANSFER_PQ:
    return pq_inverse_eotf (l);
  case TRANSFER_HLG: {
    const float y
        = dot (l, vec3 (TARGET_LUMAX, TARGET_LUMAY, TARGET_LUMAZ));
    return min (hlg_oetf (hlg_ootf (l, y, TARGET_PARAM0)), 1.0);
  }
  case TRANSFER_ST428:
    return pow (l * (48.0 / 52.37), vec3 (1.0 / 2.6));
  default:
    return l;
  }
}
