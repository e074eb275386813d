/* Colours that the target's primaries cannot make. @l: light in the target's
 * primaries, 1 is white. What is inside stays as it is, or within 2 codes. */

float min3 (vec3 v)
{
  return min (v.x, min (v.y, v.z));
}

/* Of numbers that are not all above 0, the one furthest below: as integers,
 * which a CPU compares with one instruction. */
float furthest_below (vec3 v)
{
  const uvec3 bits = floatBitsToUint (v);
  return uintBitsToFloat (max (bits.x, max (bits.y, bits.z)));
}

/* Towards grey of the same luminance, as far as the border: 0 below,
 * @ceiling above. That is y / low or (ceiling - y) / high of the way, whichever
 * is less; cheap enough for every colour. */
vec3 gamut_desaturate (vec3 l, float ceiling)
{
  const float y = clamp (
      dot (l, vec3 (TARGET_LUMAX, TARGET_LUMAY, TARGET_LUMAZ)), 0.0, 1.0);
  const vec3 from = l - y;
  const float low = furthest_below (from), high = greatest (from);
  const float room = y * (ceiling - y);
  const float need = greater (low * (y - ceiling), high * y);
  const float reach
      = greater (need * (1.0 - GAMUT_SHORT), greater (room, 1e-30));
  return y + from * (room / reach);
}

/* A guess out of the bits, and two of Halley's steps: all that a float has,
 * which a channel that is nearly 0 needs. */
vec3 cube_root (vec3 x)
{
  const vec3 a = max (abs (x), 1e-12);
  const vec3 bits = vec3 (floatBitsToInt (a)) * (1.0 / 3.0) + CUBE_ROOT_BIAS;
  vec3 y = intBitsToFloat (ivec3 (bits));
  [[unroll]] for (int i = 0; i < 2; i++) {
    const vec3 y3 = y * y * y;
    y *= (y3 + 2.0 * a) / (2.0 * y3 + a);
  }
  return sign (x) * y;
}

/* Light along a line in Oklab, from grey (0) to a colour (1) and on. */
struct Line
{
  float start;
  vec3 c1, c2, c3;
};

vec3 line_at (Line line, float k)
{
  return line.start + k * (line.c1 + k * (line.c2 + k * line.c3));
}

vec3 line_slope (Line line)
{
  return line.c1 + 2.0 * line.c2 + 3.0 * line.c3;
}

Line line_to (vec3 l)
{
  const vec3 root = cube_root (oklab_matrix (l));
  const float grey
      = clamp (dot (root, vec3 (OKLAB_L, OKLAB_M, OKLAB_S)), 0.0, 1.0);
  const vec3 from = root - grey, from2 = from * from;
  return Line (grey * grey * grey, 3.0 * grey * grey * oklab_inverse (from),
               3.0 * grey * oklab_inverse (from2),
               oklab_inverse (from2 * from));
}

/* Where a line that ends outside leaves the gamut: each channel that is
 * outside by itself, and the nearest of them. */
float line_border (Line line, vec3 l)
{
  const vec3 target = mix (vec3 (0.0), vec3 (1.0), greaterThan (l, vec3 (0.5)));
  const vec3 side = 1.0 - 2.0 * target;
  const vec3 c0 = side * (line.start - target);
  const vec3 c1 = side * line.c1, c2 = side * line.c2, c3 = side * line.c3;
  const vec3 end = c0 + c1 + c2 + c3;
  const vec3 least = c0 * -GAMUT_SLOPE;
  vec3 k = c0 / max (c0 - end, 1e-9);
  [[unroll]] for (int i = 0; i < GAMUT_STEPS; i++) {
    const vec3 f = c0 + k * (c1 + k * (c2 + k * c3));
    const vec3 slope = min (c1 + k * (2.0 * c2 + k * 3.0 * c3), least);
    k = clamp (k - f / min (slope, -1e-9), 0.0, 1.0);
  }
  k = mix (k, vec3 (1.0), greaterThan (end, vec3 (0.0)));
  return min (k.x, min (k.y, k.z));
}

/* How far along the line the border is behind a colour that fits, or within
 * the slack before it, as far as that is where a channel ends at 0. */
float line_room (Line line, vec3 l)
{
  const vec3 slope = line_slope (line);
  const vec3 room = mix (l / max (-slope, 1e-9), vec3 (1.0),
                         greaterThanEqual (slope, vec3 (0.0)));
  return min (room.x, min (room.y, room.z));
}

/* Distances from the border, below 0 outside: what is well inside stays, what
 * is well outside goes to the border, between them it bends. */
float gamut_knee (float distance)
{
  const float v = sign (distance) * sqrt (abs (distance));
  const float u = clamp (v + GAMUT_KNEE, 0.0, 2.0 * GAMUT_KNEE);
  const float bent = u * u * (1.0 / (4.0 * GAMUT_KNEE));
  return v > GAMUT_KNEE ? distance : bent * bent;
}

bool gamut_fits (vec3 l)
{
  const float most = greatest (l);
  return all (greaterThanEqual (l, vec3 (-GAMUT_SLACK * most)))
         && most <= 1.0 + GAMUT_SLACK;
}

/* Along a straight line in Oklab, so the hue stays: to grey of the same
 * lightness, by a soft knee. Where that costs much of the colour, as of blue,
 * some of the hue is given up for it: the clipped colour is mixed in. */
vec3 gamut_perceptual (vec3 l)
{
  const Line line = line_to (l);
  const float distance = gamut_fits (l) ? line_room (line, l)
                                        : line_border (line, l) - 1.0;
  const float k = 1.0 + distance - gamut_knee (distance) + GAMUT_SHORT;
  return k < 1.0 ? mix (line_at (line, k), clamp (l, 0.0, 1.0), 1.0 - k) : l;
}

/* Whether gamut_pull() has something to do. */
bool gamut_outside (vec3 l)
{
  const float most = greatest (l);
  if (GAMUT == GAMUT_PERCEPTUAL)
    return any (lessThan (l, vec3 (GAMUT_NEAR * most)))
           || most > 1.0 + GAMUT_SLACK;
  return GAMUT != GAMUT_CLIP && !gamut_fits (l);
}

/* Of a colour that gamut_outside(); GAMUT_DESATURATE is for all. */
vec3 gamut_pull (vec3 l)
{
  switch (GAMUT) {
  case GAMUT_PERCEPTUAL:
    return gamut_perceptual (l);
  case GAMUT_RELATIVE:
    return gamut_desaturate (l, 1e9);
  case GAMUT_SATURATION:
    l = max (l, 0.0);
    break;
  case GAMUT_DARKEN:
    l = gamut_desaturate (l, 1e9);
    break;
  default:
    return l;
  }
  return l / max (max3 (l), 1.0);
}
