/* The colour kernel in C. Keep in step with the .glsl files. */
#include "gst/color/kernel.h"

#include <math.h>
#include <string.h>

#include "shaders/include/curve_constants.h"

/* The constants are doubles in C and floats in GLSL. */
#define F(x) ((float)(x))

struct vec3
{
  float at[3];
};

static float
constant (const struct color_plan *plan, int id)
{
  float f;
  memcpy (&f, &plan->constants[id], sizeof f);
  return f;
}

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
color_kernel_pq_eotf (float x)
{
  const float p = powf (x, F (1 / PQ_M2));
  return powf (fmaxf (p - F (PQ_C1), 0) / (F (PQ_C2) - F (PQ_C3) * p),
               F (1 / PQ_M1));
}

float
color_kernel_pq_inverse_eotf (float l)
{
  const float p = powf (l, F (PQ_M1));
  return powf ((F (PQ_C1) + F (PQ_C2) * p) / (1 + F (PQ_C3) * p), F (PQ_M2));
}

float
color_kernel_bt1886_inverse_eotf (float l, bool native_log)
{
  if (native_log)
    return exp2f (log2f (l) * F (1 / 2.4)) * F (1 / BT1886_SCALE);
  const float u = sqrtf (l);
  const float p
      = ((u + F (BT1886_P2)) * l + (F (BT1886_P1) * u + F (BT1886_P0))) * u;
  const float q = (l + (F (BT1886_Q3) * u + F (BT1886_Q2))) * l
                  + (F (BT1886_Q1) * u + F (BT1886_Q0));
  return p / q;
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
  const float z = fminf (fmaxf ((m - gain->lo) * gain->inv, 0), 1);
  const float z2 = z * z;
  const float p = (gain->p[4] * z2 + (gain->p[3] * z + gain->p[2])) * z2
                  + (gain->p[1] * z + gain->p[0]);
  const float q = gain->q[1] * z2 + (gain->q[0] * z + 1);
  return fminf (p * h, gain->cap * q) / (q * fmaxf (h, 1e-9f));
}

static float
dot_constants (const struct color_plan *plan, int id, struct vec3 v)
{
  return constant (plan, id) * v.at[0] + constant (plan, id + 1) * v.at[1]
         + constant (plan, id + 2) * v.at[2];
}

static struct vec3
matrix3 (const struct color_plan *plan, int id, struct vec3 v)
{
  return (struct vec3){ { dot_constants (plan, id, v),
                          dot_constants (plan, id + 3, v),
                          dot_constants (plan, id + 6, v) } };
}

static float
affine_row (const struct color_plan *plan, int id, struct vec3 v)
{
  return dot_constants (plan, id, v) + constant (plan, id + 3);
}

static float
source_scalar (const struct color_plan *plan, float x)
{
  const float p0 = constant (plan, ID_SOURCE_PARAM0);
  const float p1 = constant (plan, ID_SOURCE_PARAM1);

  switch (plan->constants[ID_SOURCE_TRANSFER]) {
  case TRANSFER_BT1886:
  case TRANSFER_GAMMA:
    return powf (fmaxf (x + p1, 0), p0);
  case TRANSFER_BT709:
    return color_kernel_bt709_eotf (x);
  case TRANSFER_SMPTE240M:
    return color_kernel_smpte240m_eotf (x);
  case TRANSFER_SRGB:
    return color_kernel_srgb_eotf (x);
  case TRANSFER_LOG100:
    return color_kernel_log_eotf (x, 2);
  case TRANSFER_LOG316:
    return color_kernel_log_eotf (x, 2.5f);
  case TRANSFER_PQ:
    return color_kernel_pq_eotf (x);
  case TRANSFER_HLG:
    return color_kernel_hlg_inverse_oetf (
        fmaxf (x * constant (plan, ID_SOURCE_PARAM2) + p1, 0));
  case TRANSFER_ST428:
    return powf (x, 2.6f) * F (52.37 / 48);
  default:
    return x;
  }
}

static struct vec3
source_light (const struct color_plan *plan, struct vec3 x)
{
  for (int i = 0; i < 3; i++)
    x.at[i] = source_scalar (plan, x.at[i]);
  if (plan->constants[ID_SOURCE_TRANSFER] == TRANSFER_HLG) {
    const float y = dot_constants (plan, ID_SOURCE_LUMA, x);
    const float gain
        = powf (fmaxf (y, 1e-9f), constant (plan, ID_SOURCE_PARAM0));
    for (int i = 0; i < 3; i++)
      x.at[i] *= gain;
  }
  return x;
}

static float
target_scalar (const struct color_plan *plan, float l)
{
  const float p0 = constant (plan, ID_TARGET_PARAM0);
  const bool native = plan->constants[ID_NATIVE_LOG];

  switch (plan->constants[ID_TARGET_TRANSFER]) {
  case TRANSFER_BT1886:
    return fmaxf (color_kernel_bt1886_inverse_eotf (l, native) - p0, 0);
  case TRANSFER_GAMMA:
    return powf (l, p0);
  case TRANSFER_BT709:
    return color_kernel_bt709_inverse_eotf (l);
  case TRANSFER_SMPTE240M:
    return color_kernel_smpte240m_inverse_eotf (l);
  case TRANSFER_SRGB:
    return color_kernel_srgb_inverse_eotf (l);
  case TRANSFER_LOG100:
    return color_kernel_log_inverse_eotf (l, 2);
  case TRANSFER_LOG316:
    return color_kernel_log_inverse_eotf (l, 2.5f);
  case TRANSFER_PQ:
    return color_kernel_pq_inverse_eotf (l);
  case TRANSFER_HLG:
    return fminf (color_kernel_hlg_oetf (l), 1);
  case TRANSFER_ST428:
    return powf (l * F (48 / 52.37), F (1 / 2.6));
  default:
    return l;
  }
}

static struct vec3
target_signal (const struct color_plan *plan, struct vec3 l)
{
  if (plan->constants[ID_TARGET_TRANSFER] == TRANSFER_HLG) {
    const float y = dot_constants (plan, ID_TARGET_LUMA, l);
    const float gain
        = powf (fmaxf (y, 1e-9f), constant (plan, ID_TARGET_PARAM0));
    for (int i = 0; i < 3; i++)
      l.at[i] *= gain;
  }
  for (int i = 0; i < 3; i++)
    l.at[i] = target_scalar (plan, l.at[i]);
  return l;
}

static float
max3 (struct vec3 v)
{
  return fmaxf (v.at[0], fmaxf (v.at[1], v.at[2]));
}

static float
tone_gain_of (const struct color_plan *plan, float x, float h)
{
  const bool pq = plan->constants[ID_TONE_DOMAIN] == DOMAIN_PQ;
  return color_kernel_tone_gain (&plan->gain, pq ? x : sqrtf (h), h);
}

static struct vec3
tone_map (const struct color_plan *plan, struct vec3 x, struct vec3 h)
{
  struct vec3 gain = { { 1, 1, 1 } };

  switch (plan->constants[ID_TONE_MODE]) {
  case TONE_MAX:
    gain.at[0] = tone_gain_of (plan, max3 (x), max3 (h));
    gain.at[1] = gain.at[2] = gain.at[0];
    break;
  case TONE_RGB:
    for (int i = 0; i < 3; i++)
      gain.at[i] = tone_gain_of (plan, x.at[i], h.at[i]);
    break;
  case TONE_LUMA: {
    const struct vec3 l
        = { { h.at[0] * h.at[0], h.at[1] * h.at[1], h.at[2] * h.at[2] } };
    const float root = sqrtf (dot_constants (plan, ID_SOURCE_LUMA, l));
    gain.at[0] = color_kernel_tone_gain (&plan->gain, sqrtf (root), root);
    gain.at[1] = gain.at[2] = gain.at[0];
    break;
  }
  default:
    break;
  }
  for (int i = 0; i < 3; i++)
    h.at[i] *= gain.at[i];
  return h;
}

static struct vec3
tone_map_ictcp (const struct color_plan *plan, struct vec3 l)
{
  struct vec3 lms = matrix3 (plan, ID_LMS_MATRIX, l);
  float i, ct, cp, h, mapped, j, k;

  for (int c = 0; c < 3; c++)
    lms.at[c] = color_kernel_pq_inverse_eotf (fmaxf (lms.at[c], 0));
  i = 0.5f * (lms.at[0] + lms.at[1]);
  ct = (6610 * lms.at[0] - 13613 * lms.at[1] + 7003 * lms.at[2]) / 4096;
  cp = (17933 * lms.at[0] - 17390 * lms.at[1] - 543 * lms.at[2]) / 4096;
  h = sqrtf (color_kernel_pq_eotf (i));
  mapped = h * color_kernel_tone_gain (&plan->gain, i, h);
  j = color_kernel_pq_inverse_eotf (mapped * mapped);
  k = fminf (i / fmaxf (j, 1e-9f), j / fmaxf (i, 1e-9f));
  ct *= k;
  cp *= k;
  lms.at[0] = j + F (ICTCP_L_CT) * ct + F (ICTCP_L_CP) * cp;
  lms.at[1] = j - F (ICTCP_L_CT) * ct - F (ICTCP_L_CP) * cp;
  lms.at[2] = j + F (ICTCP_S_CT) * ct + F (ICTCP_S_CP) * cp;
  for (int c = 0; c < 3; c++)
    lms.at[c] = color_kernel_pq_eotf (fminf (fmaxf (lms.at[c], 0), 1));
  return lms;
}

static struct vec3
to_light (const struct color_plan *plan, struct vec3 x)
{
  const uint32_t mode = plan->constants[ID_TONE_MODE];
  struct vec3 h;

  if (mode == TONE_ICTCP)
    return tone_map_ictcp (plan, source_light (plan, x));
  if (plan->constants[ID_SOURCE_TRANSFER] == TRANSFER_PQ) {
    for (int i = 0; i < 3; i++)
      h.at[i] = color_kernel_pq_root (x.at[i]);
  } else {
    h = source_light (plan, x);
    if (mode == TONE_NONE)
      return h;
    for (int i = 0; i < 3; i++)
      h.at[i] = sqrtf (h.at[i]);
  }
  h = tone_map (plan, x, h);
  for (int i = 0; i < 3; i++)
    h.at[i] *= h.at[i];
  return h;
}

static struct vec3
clamp_unit (struct vec3 v)
{
  for (int i = 0; i < 3; i++)
    v.at[i] = fminf (fmaxf (v.at[i], 0), 1);
  return v;
}

static struct vec3
gamut_map (const struct color_plan *plan, struct vec3 l)
{
  if (plan->constants[ID_GAMUT] == GAMUT_DESATURATE) {
    const float y
        = fminf (fmaxf (dot_constants (plan, ID_TARGET_LUMA, l), 0), 1);
    float k = 1;
    for (int i = 0; i < 3; i++) {
      const float from = l.at[i] - y;
      k = fminf (k, (from < 0 ? y : 1 - y) / fmaxf (fabsf (from), 1e-9f));
    }
    for (int i = 0; i < 3; i++)
      l.at[i] = y + (l.at[i] - y) * k;
  }
  return clamp_unit (l);
}

static uint32_t
round_code (const struct color_plan *plan, float v, uint32_t bits)
{
  const uint32_t mask = bits == 32 ? UINT32_MAX : (1u << bits) - 1;
  uint32_t result;

  if (plan->constants[ID_CLAMP_CODES])
    v = fminf (fmaxf (v, 0), (float)mask);
  v += 8388608.0f;
  memcpy (&result, &v, sizeof result);
  return result & mask;
}

void
color_kernel_signal (const struct color_plan *plan, const float in[3],
                     float out[3])
{
  struct vec3 v = { { in[0], in[1], in[2] } };

  if (plan->constants[ID_PATH] == PATH_LIGHT) {
    v = clamp_unit (
        (struct vec3){ { affine_row (plan, ID_IN_MATRIX, v),
                         affine_row (plan, ID_IN_MATRIX + 4, v),
                         affine_row (plan, ID_IN_MATRIX + 8, v) } });
    v = to_light (plan, v);
    v = gamut_map (plan, matrix3 (plan, ID_LIGHT_MATRIX, v));
    v = target_signal (plan, v);
  }
  memcpy (out, v.at, sizeof v.at);
}

uint32_t
color_kernel_code (const struct color_plan *plan, int component,
                   const float signal[3])
{
  const struct vec3 v = { { signal[0], signal[1], signal[2] } };
  const int id = ID_TARGET_COMPONENT + COMPONENT_FIELDS * component;

  return round_code (plan, affine_row (plan, ID_OUT_MATRIX + 4 * component, v),
                     plan->constants[id + COMPONENT_BITS]);
}

uint32_t
color_kernel_alpha (const struct color_plan *plan, float alpha)
{
  const int id = ID_TARGET_COMPONENT + COMPONENT_FIELDS * 3;
  const bool copy = plan->constants[ID_ALPHA] == ALPHA_COPY;

  return round_code (plan,
                     copy ? alpha * constant (plan, ID_ALPHA_SCALE)
                          : constant (plan, ID_ALPHA_OPAQUE),
                     plan->constants[id + COMPONENT_BITS]);
}
