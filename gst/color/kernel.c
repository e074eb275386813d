/* The colour kernel in C. Keep in step with the .glsl files. */
#include "gst/color/kernel.h"

#include <math.h>
#include <string.h>

#include "gst/color/kernel-private.h"
#include "shaders/include/curve_constants.h"
#include "shaders/include/peak_ids.h"

/* The constants are doubles in C and floats in GLSL. */
#define F(x) ((float)(x))

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
tone_gain (const struct color_plan *plan, float m, float h)
{
  float z, step[2];

  if (!plan->needs_table)
    return color_kernel_tone_gain (&plan->gain, m, h);
  z = fminf (fmaxf (m * (float)(1 / plan->domain_length), 0), 1) * GAIN_STEPS;
  z = fminf (z, nextafterf (GAIN_STEPS, 0));
  color_plan_gain_step (plan, (int)z, step);
  return step[0] + step[1] * (z - floorf (z));
}

static float
tone_gain_of (const struct color_plan *plan, float x, float h)
{
  const bool pq = plan->constants[ID_TONE_DOMAIN] == DOMAIN_PQ;
  return tone_gain (plan, pq ? x : sqrtf (h), h);
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
    gain.at[0] = tone_gain (plan, sqrtf (root), root);
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

static bool
ictcp_by_log (const struct color_plan *plan)
{
  const uint32_t target = plan->constants[ID_TARGET_TRANSFER];

  return plan->constants[ID_NATIVE_LOG]
         && (target == TRANSFER_PQ || target == TRANSFER_HLG);
}

static float
ictcp_signal (const struct color_plan *plan, float l)
{
  return ictcp_by_log (plan) ? color_kernel_pq_inverse_eotf (l)
                             : color_kernel_pq_signal (sqrtf (sqrtf (l)));
}

static float
ictcp_signal_of_root (const struct color_plan *plan, float h)
{
  return ictcp_by_log (plan) ? color_kernel_pq_inverse_eotf (h * h)
                             : color_kernel_pq_signal (sqrtf (h));
}

static float
ictcp_root (const struct color_plan *plan, float x)
{
  return ictcp_by_log (plan) ? sqrtf (color_kernel_pq_eotf (x))
                             : color_kernel_pq_root (x) * F (PQ_ROOT_SCALE);
}

static struct vec3
ictcp_light (const struct color_plan *plan, struct vec3 x)
{
  for (int i = 0; i < 3; i++) {
    const float root = color_kernel_pq_root (x.at[i]);
    x.at[i]
        = ictcp_by_log (plan) ? color_kernel_pq_eotf (x.at[i]) : root * root;
  }
  return x;
}

static struct vec3
tone_map_ictcp (const struct color_plan *plan, struct vec3 x)
{
  const struct vec3 l = plan->constants[ID_SOURCE_TRANSFER] == TRANSFER_PQ
                            ? ictcp_light (plan, x)
                            : source_light (plan, x);
  struct vec3 lms = matrix3 (plan, ID_LMS_MATRIX, l);
  float i, ct, cp, h, mapped, j, k;

  for (int c = 0; c < 3; c++)
    lms.at[c] = ictcp_signal (plan, fmaxf (lms.at[c], 0));
  i = 0.5f * (lms.at[0] + lms.at[1]);
  ct = (6610 * lms.at[0] - 13613 * lms.at[1] + 7003 * lms.at[2]) / 4096;
  cp = (17933 * lms.at[0] - 17390 * lms.at[1] - 543 * lms.at[2]) / 4096;
  h = ictcp_root (plan, i);
  mapped = h * tone_gain (plan, i, h);
  j = ictcp_signal_of_root (plan, mapped);
  k = fminf (i, j) / fmaxf (fmaxf (i, j), 1e-9f);
  ct *= k;
  cp *= k;
  lms.at[0] = j + F (ICTCP_L_CT) * ct + F (ICTCP_L_CP) * cp;
  lms.at[1] = j - F (ICTCP_L_CT) * ct - F (ICTCP_L_CP) * cp;
  lms.at[2] = j + F (ICTCP_S_CT) * ct + F (ICTCP_S_CP) * cp;
  return ictcp_light (plan, clamp_unit (lms));
}

static struct vec3
to_light (const struct color_plan *plan, struct vec3 x)
{
  const uint32_t mode = plan->constants[ID_TONE_MODE];
  struct vec3 h;

  if (mode == TONE_ICTCP)
    return tone_map_ictcp (plan, x);
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

static struct vec3
apply_cube (const struct color_plan *plan, struct vec3 v)
{
  const float unit = constant (plan, ID_LUT_UNIT);
  const bool instead = plan->constants[ID_LUT_INSTEAD];
  struct vec3 out;

  for (int i = 0; i < 3 && !instead; i++)
    v.at[i] *= unit;
  color_cube_apply (plan->cube, v.at, out.at);
  out = clamp_unit (out);
  for (int i = 0; i < 3; i++)
    out.at[i] /= unit;
  return out;
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
    if (!plan->constants[ID_LUT_INSTEAD]) {
      v = to_light (plan, v);
      v = color_kernel_gamut_map (plan, matrix3 (plan, ID_LIGHT_MATRIX, v));
      v = target_signal (plan, v);
    }
    if (plan->cube)
      v = apply_cube (plan, v);
  }
  memcpy (out, v.at, sizeof v.at);
}

uint32_t
color_kernel_dithered_code (const struct color_plan *plan, int component,
                            const float signal[3], float threshold)
{
  const struct vec3 v = { { signal[0], signal[1], signal[2] } };
  const int id = ID_TARGET_COMPONENT + COMPONENT_FIELDS * component;

  return round_code (
      plan, affine_row (plan, ID_OUT_MATRIX + 4 * component, v) + threshold,
      plan->constants[id + COMPONENT_BITS]);
}

uint32_t
color_kernel_code (const struct color_plan *plan, int component,
                   const float signal[3])
{
  return color_kernel_dithered_code (plan, component, signal, 0);
}

uint32_t
color_kernel_alpha (const struct color_plan *plan, float alpha)
{
  const int id = ID_TARGET_COMPONENT + COMPONENT_FIELDS * 3;
  const uint32_t mode = plan->constants[ID_ALPHA];
  const uint32_t from = plan->constants[ID_ALPHA_SOURCE];
  const float opaque = constant (plan, ID_ALPHA_OPAQUE);

  if (mode == ALPHA_RESCALE)
    return ((uint32_t)(alpha + 0.5f) * (2 * (uint32_t)opaque) + from)
           / (2 * from);
  return round_code (plan, mode == ALPHA_COPY ? alpha : opaque,
                     plan->constants[id + COMPONENT_BITS]);
}
