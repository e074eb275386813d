/* Gamut mapping of the colour kernel. Keep in step with gamut.glsl. */
#include "gst/color/kernel-private.h"
#include "shaders/include/curve_constants.h"

/* The constants are doubles in C and floats in GLSL. */
#define F(x) ((float)(x))

static float
gamut_border (float y, struct vec3 from, float ceiling)
{
  const float need = fmaxf (min3 (from) * (y - ceiling), max3 (from) * y);

  return y * (ceiling - y) / fmaxf (need * F (1 - GAMUT_SHORT), 1e-30f);
}

static struct vec3
from_grey (struct vec3 l, float y)
{
  return (struct vec3){ { l.at[0] - y, l.at[1] - y, l.at[2] - y } };
}

static struct vec3
gamut_desaturate (const struct color_plan *plan, struct vec3 l, float ceiling)
{
  const float luma = dot_constants (plan, ID_TARGET_LUMA, l);
  const float y = fminf (fmaxf (luma, 0), 1);
  const struct vec3 from = from_grey (l, y);
  const float border = fminf (gamut_border (y, from, ceiling), 1);

  for (int i = 0; i < 3; i++)
    l.at[i] = y + from.at[i] * border;
  return l;
}

static float
gamut_knee (float t)
{
  const float root = copysignf (sqrtf (fabsf (t)), t);
  const float u = fmaxf (F (GAMUT_KNEE) - root, 0);
  const float bent = u * u * F (1 / (4 * GAMUT_KNEE));

  return fmaxf (bent * bent + t, 0);
}

static struct vec3
gamut_perceptual (const struct color_plan *plan, struct vec3 l)
{
  const float light = dot_constants (plan, ID_HUE_GREY, l);
  const float grey = fminf (fmaxf (light, 0), 1);
  const float apart = fmaxf (dot_constants (plan, ID_HUE_APART, l), 0);
  const struct vec3 from = from_grey (l, grey);
  const float border = fminf (gamut_border (grey, from, 1),
                              F (1 + GAMUT_KNEE * GAMUT_KNEE));
  const float k = gamut_knee (1 - border);

  for (int i = 0; i < 3; i++)
    l.at[i] -= k * from.at[i]
               + k * k * apart * constant (plan, ID_HUE_BEND + i);
  return l;
}

static bool
gamut_fits (struct vec3 l)
{
  return min3 (l) >= -F (GAMUT_SLACK) * max3 (l)
         && max3 (l) <= 1 + F (GAMUT_SLACK);
}

static struct vec3
gamut_pull (const struct color_plan *plan, struct vec3 l)
{
  float most;

  switch (plan->constants[ID_GAMUT]) {
  case GAMUT_RELATIVE:
    return gamut_desaturate (plan, l, 1e9f);
  case GAMUT_SATURATION:
    for (int i = 0; i < 3; i++)
      l.at[i] = fmaxf (l.at[i], 0);
    break;
  case GAMUT_DARKEN:
    l = gamut_desaturate (plan, l, 1e9f);
    break;
  default:
    return l;
  }
  most = fmaxf (max3 (l), 1);
  for (int i = 0; i < 3; i++)
    l.at[i] /= most;
  return l;
}

/* What is outside by less is clipped. */
struct vec3
color_kernel_gamut_map (const struct color_plan *plan, struct vec3 l)
{
  if (plan->constants[ID_GAMUT] == GAMUT_DESATURATE)
    l = gamut_desaturate (plan, l, 1);
  else if (plan->constants[ID_GAMUT] == GAMUT_PERCEPTUAL)
    l = gamut_perceptual (plan, l);
  else if (!gamut_fits (l))
    l = gamut_pull (plan, l);
  return clamp_unit (l);
}
