/* The kernel's matrices. Zeros among the constants are folded away; what is
 * added comes first, so that all is multiply-adds. */

vec3 in_matrix (vec3 v)
{
  return vec3 (IN_0W + IN_0X * v.x + IN_0Y * v.y + IN_0Z * v.z,
               IN_1W + IN_1X * v.x + IN_1Y * v.y + IN_1Z * v.z,
               IN_2W + IN_2X * v.x + IN_2Y * v.y + IN_2Z * v.z);
}

vec3 light_matrix (vec3 l)
{
  return vec3 (LIGHT_0X * l.x + LIGHT_0Y * l.y + LIGHT_0Z * l.z,
               LIGHT_1X * l.x + LIGHT_1Y * l.y + LIGHT_1Z * l.z,
               LIGHT_2X * l.x + LIGHT_2Y * l.y + LIGHT_2Z * l.z);
}

vec3 lms_matrix (vec3 l)
{
  return vec3 (LMS_0X * l.x + LMS_0Y * l.y + LMS_0Z * l.z,
               LMS_1X * l.x + LMS_1Y * l.y + LMS_1Z * l.z,
               LMS_2X * l.x + LMS_2Y * l.y + LMS_2Z * l.z);
}

/* Rows of OUT_MATRIX: Y or R, Cb or G, Cr or B. What is added in whole codes is
 * left to their rounding. @share: what there is of a sum to take, in chroma. */
float out_luma (vec3 v)
{
  if (MULTIPLE > 0)
    return v.x;
  return fract (OUT_0W) + OUT_0X * v.x + OUT_0Y * v.y + OUT_0Z * v.z;
}

vec2 out_chroma (vec3 v, const float share)
{
  if (MULTIPLE > 0)
    return v.yz;
  return vec2 (fract (OUT_1W) + (share * OUT_1X) * v.x
                   + (share * OUT_1Y) * v.y + (share * OUT_1Z) * v.z,
               fract (OUT_2W) + (share * OUT_2X) * v.x
                   + (share * OUT_2Y) * v.y + (share * OUT_2Z) * v.z);
}

/* The code nearest to @v + @whole. Adding 2^23 leaves no bits behind the point,
 * so the sum's mantissa is the rounded value: much cheaper than a conversion.
 * `precise` keeps compilers from moving constants across it. */
uint round_code (float v, const float whole, int bits)
{
  if (CLAMP_CODES)
    v = clamp (v, -whole, float ((1u << bits) - 1) - whole);
  precise const float rounded = v + (8388608.0 + whole);
  return floatBitsToUint (rounded) & ((1u << bits) - 1);
}

/* The code that a sample becomes where the dither's threshold is @threshold:
 * the same, with THRESHOLD_BITS left behind the point. */
uint dither_code (float v, const float whole, int bits, uint threshold)
{
  if (MULTIPLE > 0)
    return floatBitsToUint (v) * uint (MULTIPLE);
#ifdef DITHER
  if (CLAMP_CODES)
    v = clamp (v, -whole, float ((1u << bits) - 1) - whole);
  precise const float fixed_point
      = v + (float (8388608 >> THRESHOLD_BITS) + whole);
  return ((floatBitsToUint (fixed_point) + threshold) >> THRESHOLD_BITS)
         & ((1u << bits) - 1);
#else
  return round_code (v, whole, bits);
#endif
}

/* Alpha of the target out of the source's code; whole codes become the exact
 * ones, ties go up. */
uint alpha_code (float alpha)
{
  const uint from = uint (ALPHA_SOURCE);
  if (MULTIPLE > 0 && ALPHA != ALPHA_MAKE)
    return floatBitsToUint (alpha) * (uint (ALPHA_OPAQUE) / from);
  if (ALPHA == ALPHA_RESCALE)
    return (uint (alpha + 0.5) * (2 * uint (ALPHA_OPAQUE)) + from) / (2 * from);
  return round_code (ALPHA == ALPHA_COPY ? alpha : ALPHA_OPAQUE, 0.0,
                     TARGET_3BITS);
}
