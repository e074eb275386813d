/* What the files of the colour kernel's witness share. */
#pragma once

#include <math.h>
#include <string.h>

#include "gst/color/plan.h"

struct vec3
{
  float at[3];
};

static inline float
constant (const struct color_plan *plan, int id)
{
  float f;
  memcpy (&f, &plan->constants[id], sizeof f);
  return f;
}

static inline float
dot_constants (const struct color_plan *plan, int id, struct vec3 v)
{
  return constant (plan, id) * v.at[0] + constant (plan, id + 1) * v.at[1]
         + constant (plan, id + 2) * v.at[2];
}

static inline struct vec3
matrix3 (const struct color_plan *plan, int id, struct vec3 v)
{
  return (struct vec3){ { dot_constants (plan, id, v),
                          dot_constants (plan, id + 3, v),
                          dot_constants (plan, id + 6, v) } };
}

static inline float
max3 (struct vec3 v)
{
  return fmaxf (v.at[0], fmaxf (v.at[1], v.at[2]));
}

static inline float
min3 (struct vec3 v)
{
  return fminf (v.at[0], fminf (v.at[1], v.at[2]));
}

static inline struct vec3
clamp_unit (struct vec3 v)
{
  for (int i = 0; i < 3; i++)
    v.at[i] = fminf (fmaxf (v.at[i], 0), 1);
  return v;
}

/* In kernel-gamut.c. @l: light in the target's primaries; the result is in
 * [0, 1]. */
struct vec3 color_kernel_gamut_map (const struct color_plan *plan,
                                    struct vec3 l);
