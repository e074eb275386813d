/* Gamut mapping of the colour kernel. Keep in step with gamut.glsl. */
#include "gst/color/kernel-private.h"
#include "shaders/include/curve_constants.h"

/* The constants are doubles in C and floats in GLSL. */
#define F(x) ((float)(x))

static struct vec3
gamut_desaturate (const struct color_plan *plan, struct vec3 l, float ceiling)
{
  const float luma = dot_constants (plan, ID_TARGET_LUMA, l);
  const float y = fminf (fmaxf (luma, 0), 1);
  const struct vec3 from = { { l.at[0] - y, l.at[1] - y, l.at[2] - y } };
  const float low = min3 (from), high = max3 (from);
  const float room = y * (ceiling - y);
  const float need = fmaxf (low * (y - ceiling), high * y);
  const float reach
      = fmaxf (need * F (1 - GAMUT_SHORT), fmaxf (room, 1e-30f));

  for (int i = 0; i < 3; i++)
    l.at[i] = y + from.at[i] * (room / reach);
  return l;
}

static float
cube_root (float x)
{
  const float a = fmaxf (fabsf (x), 1e-12f);
  int32_t bits;
  float y;

  memcpy (&bits, &a, sizeof bits);
  bits = (int32_t)((float)bits * F (1 / 3.0) + F (CUBE_ROOT_BIAS));
  memcpy (&y, &bits, sizeof y);
  for (int i = 0; i < 2; i++) {
    const float y3 = y * y * y;
    y *= (y3 + 2 * a) / (2 * y3 + a);
  }
  return copysignf (y, x);
}

/* Light along a line in Oklab, from grey (0) to a colour (1) and on. */
struct line
{
  float start;
  struct vec3 c1, c2, c3;
};

static struct vec3
scaled (struct vec3 v, float by)
{
  for (int i = 0; i < 3; i++)
    v.at[i] *= by;
  return v;
}

static struct line
line_to (const struct color_plan *plan, struct vec3 l)
{
  struct vec3 f, f2, f3;
  float grey;

  f = matrix3 (plan, ID_OKLAB_MATRIX, l);
  for (int i = 0; i < 3; i++)
    f.at[i] = cube_root (f.at[i]);
  grey = F (OKLAB_L) * f.at[0] + F (OKLAB_M) * f.at[1] + F (OKLAB_S) * f.at[2];
  grey = fminf (fmaxf (grey, 0), 1);
  for (int i = 0; i < 3; i++) {
    f.at[i] -= grey;
    f2.at[i] = f.at[i] * f.at[i];
    f3.at[i] = f2.at[i] * f.at[i];
  }
  return (struct line){
    .start = grey * grey * grey,
    .c1 = scaled (matrix3 (plan, ID_OKLAB_INVERSE, f), 3 * grey * grey),
    .c2 = scaled (matrix3 (plan, ID_OKLAB_INVERSE, f2), 3 * grey),
    .c3 = matrix3 (plan, ID_OKLAB_INVERSE, f3)
  };
}

/* Where channel @i leaves the gamut; 1 if it does not. */
static float
channel_border (const struct line *line, int i, float l)
{
  const float target = l > 0.5f ? 1 : 0, side = 1 - 2 * target;
  const float c0 = side * (line->start - target), c1 = side * line->c1.at[i];
  const float c2 = side * line->c2.at[i], c3 = side * line->c3.at[i];
  const float end = c0 + c1 + c2 + c3;
  float k = c0 / fmaxf (c0 - end, 1e-9f);

  if (end > 0)
    return 1;
  for (int n = 0; n < GAMUT_STEPS; n++) {
    const float f = c0 + k * (c1 + k * (c2 + k * c3));
    const float slope
        = fminf (c1 + k * (2 * c2 + k * 3 * c3), c0 * -F (GAMUT_SLOPE));
    k = fminf (fmaxf (k - f / fminf (slope, -1e-9f), 0), 1);
  }
  return k;
}

static float
line_border (const struct line *line, struct vec3 l)
{
  return fminf (channel_border (line, 0, l.at[0]),
                fminf (channel_border (line, 1, l.at[1]),
                       channel_border (line, 2, l.at[2])));
}

static float
line_room (const struct line *line, struct vec3 l)
{
  float room = 1;

  for (int i = 0; i < 3; i++) {
    const float slope
        = line->c1.at[i] + 2 * line->c2.at[i] + 3 * line->c3.at[i];
    if (slope < 0)
      room = fminf (room, l.at[i] / fmaxf (-slope, 1e-9f));
  }
  return room;
}

static float
gamut_knee (float distance)
{
  const float v = copysignf (sqrtf (fabsf (distance)), distance);
  const float u = fminf (fmaxf (v + F (GAMUT_KNEE), 0), 2 * F (GAMUT_KNEE));
  const float bent = u * u * F (1 / (4 * GAMUT_KNEE));

  return v > F (GAMUT_KNEE) ? distance : bent * bent;
}

static bool
gamut_fits (struct vec3 l)
{
  return min3 (l) >= -F (GAMUT_SLACK) * max3 (l)
         && max3 (l) <= 1 + F (GAMUT_SLACK);
}

static struct vec3
gamut_perceptual (const struct color_plan *plan, struct vec3 l)
{
  const struct line line = line_to (plan, l);
  const float distance
      = gamut_fits (l) ? line_room (&line, l) : line_border (&line, l) - 1;
  const float k = 1 + distance - gamut_knee (distance) + F (GAMUT_SHORT);
  const struct vec3 clipped = clamp_unit (l);

  for (int i = 0; i < 3 && k < 1; i++) {
    const float there
        = line.start
          + k * (line.c1.at[i] + k * (line.c2.at[i] + k * line.c3.at[i]));
    l.at[i] = there + (clipped.at[i] - there) * (1 - k);
  }
  return l;
}

static bool
gamut_outside (const struct color_plan *plan, struct vec3 l)
{
  if (plan->constants[ID_GAMUT] == GAMUT_PERCEPTUAL)
    return min3 (l) < F (GAMUT_NEAR) * max3 (l)
           || max3 (l) > 1 + F (GAMUT_SLACK);
  return !gamut_fits (l);
}

static struct vec3
gamut_pull (const struct color_plan *plan, struct vec3 l)
{
  switch (plan->constants[ID_GAMUT]) {
  case GAMUT_PERCEPTUAL:
    return gamut_perceptual (plan, l);
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
  return scaled (l, 1 / fmaxf (max3 (l), 1));
}

/* What is outside by less is clipped. */
struct vec3
color_kernel_gamut_map (const struct color_plan *plan, struct vec3 l)
{
  if (plan->constants[ID_GAMUT] == GAMUT_DESATURATE)
    l = gamut_desaturate (plan, l, 1);
  else if (gamut_outside (plan, l))
    l = gamut_pull (plan, l);
  return clamp_unit (l);
}
