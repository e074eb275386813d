/* A table from a .cube file, the namesake of gst/color/cube.c. @x: R'G'B' in
 * [0, 1]. */
layout (std430, set = 0, binding = BINDING_LUT) readonly restrict buffer Lut
{
  float lut_values[];
};

vec3 lut_entry (ivec3 at)
{
  const int i = 3 * (at.x + LUT_SIZE * (at.y + LUT_SIZE * at.z));
  return vec3 (lut_values[i], lut_values[i + 1], lut_values[i + 2]);
}

/* Four corners: along the axis with the largest fraction first. */
vec3 lut_3d (vec3 at)
{
  const ivec3 base = min (ivec3 (at), LUT_SIZE - 2);
  const vec3 f = at - vec3 (base);
  const ivec3 first = f.x >= f.y && f.x >= f.z ? ivec3 (1, 0, 0)
                      : f.y >= f.z             ? ivec3 (0, 1, 0)
                                               : ivec3 (0, 0, 1);
  const ivec3 second
      = f.x < f.y && f.x < f.z ? ivec3 (0, 1, 1)
        : first.x == 1         ? (f.y >= f.z ? ivec3 (1, 1, 0) : ivec3 (1, 0, 1))
                               : first + ivec3 (1, 0, 0);
  const float hi = max (f.x, max (f.y, f.z));
  const float lo = min (f.x, min (f.y, f.z));
  const float mid = f.x + f.y + f.z - hi - lo;
  return lut_entry (base) * (1.0 - hi) + lut_entry (base + first) * (hi - mid)
         + lut_entry (base + second) * (mid - lo) + lut_entry (base + 1) * lo;
}

vec3 lut_1d (vec3 at)
{
  const ivec3 base = min (ivec3 (at), LUT_SIZE - 2);
  const vec3 f = at - vec3 (base);
  const ivec3 i = base * 3 + ivec3 (0, 1, 2);
  const vec3 low
      = vec3 (lut_values[i.x], lut_values[i.y], lut_values[i.z]);
  const vec3 high
      = vec3 (lut_values[i.x + 3], lut_values[i.y + 3], lut_values[i.z + 3]);
  return low + (high - low) * f;
}

vec3 lut_apply (vec3 x)
{
  const vec3 lowest = vec3 (LUT_MINX, LUT_MINY, LUT_MINZ);
  const vec3 scale = vec3 (LUT_SCALEX, LUT_SCALEY, LUT_SCALEZ);
  const vec3 at
      = clamp ((x - lowest) * scale, 0.0, 1.0) * float (LUT_SIZE - 1);
  return clamp (LUT == LUT_3D ? lut_3d (at) : lut_1d (at), 0.0, 1.0);
}
