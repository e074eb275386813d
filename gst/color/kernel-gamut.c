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
  const float reach = fmaxf (need * F (1 - GAMUT_SHORT), fmaxf (room, 1e-30f));

  for (int i = 0; i < 3; i++)
    l.at[i] = y + from.at[i] * (room / reach);
  return l;
}

static float
cube_root (float x)
{
  const float a = fmaxf (fabsf (x), 1e-12f);
  int32_t bits;
  uint32_t shifted;
  float y, root, t;

  memcpy (&bits, &a, sizeof bits);
  y = F (CUBE_ROOT_GUESS) - (float)bits * F (1 / (3.0 * 256));
  memcpy (&shifted, &y, sizeof shifted);
  shifted <<= 8;
  memcpy (&y, &shifted, sizeof y);
  root = a * (y * y);
  t = root * y;
  root *= (F (CUBE_ROOT_C0) - F (CUBE_ROOT_C1) * t)
          + (F (CUBE_ROOT_C2) - F (CUBE_ROOT_C3) * t) * (t * t);
  return copysignf (root, x);
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
  struct vec3 from = matrix3 (plan, ID_OKLAB_MATRIX, l), squares;
  struct line line;
  float grey;

  for (int i = 0; i < 3; i++)
    from.at[i] = cube_root (from.at[i]);
  grey = F (OKLAB_L) * from.at[0] + F (OKLAB_M) * from.at[1]
         + F (OKLAB_S) * from.at[2];
  grey = fminf (fmaxf (grey, 0), 1);
  for (int i = 0; i < 3; i++) {
    from.at[i] -= grey;
    squares.at[i] = from.at[i] * from.at[i];
  }
  line.start = grey * grey * grey;
  line.c1 = matrix3 (plan, ID_OKLAB_INVERSE, scaled (from, 3 * grey * grey));
  line.c2 = matrix3 (plan, ID_OKLAB_INVERSE, scaled (squares, 3 * grey));
  for (int i = 0; i < 3; i++)
    line.c3.at[i] = l.at[i] - line.start - line.c1.at[i] - line.c2.at[i];
  return line;
}

/* A channel on a line, as its distance from where it may leave the gamut. */
struct channel
{
  float c[4];
};

static struct channel
channel_of (const struct line *line, int i, float l)
{
  const bool top = l > 0.5f;
  const float side = top ? -1 : 1;

  return (struct channel){ { top ? 1 - line->start : line->start,
                             side * line->c1.at[i], side * line->c2.at[i],
                             side * line->c3.at[i] } };
}

static float
border_step (const struct channel *channel, float k)
{
  const float *c = channel->c;
  const float at = fminf (k, 1);
  const float f = c[0] + at * (c[1] + at * (c[2] + at * c[3]));
  const float fall = -c[1] - at * (2 * c[2] + at * (3 * c[3]));
  const float step = f / fmaxf (fall, fmaxf (c[0] * F (GAMUT_SLOPE), 1e-9f));

  return fminf (fmaxf (at + step, 0), 2);
}

static float
line_border (const struct line *line, struct vec3 l, bool fits)
{
  struct channel first = channel_of (line, 0, l.at[0]);
  float nearest = border_step (&first, 1), k = border_step (&first, nearest);

  for (int i = 1; i < 3; i++) {
    const struct channel other = channel_of (line, i, l.at[i]);
    const float near = border_step (&other, 1);
    const float there = border_step (&other, near);

    nearest = fminf (nearest, near);
    if (there < k) {
      first = other;
      k = there;
    }
  }
  return fits ? nearest : border_step (&first, border_step (&first, k));
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
  const float distance = line_border (&line, l, gamut_fits (l)) - 1;
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
