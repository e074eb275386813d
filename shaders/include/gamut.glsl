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

/* With y about x^(-1/3), by its bits, t = x y^3 is about 1, and the root is
 * x y^2 t^(-2/3). No more than 7e-6 of it off. */
vec3 cube_root (vec3 x)
{
  const vec3 a = max (abs (x), 1e-12);
  const vec3 bits
      = CUBE_ROOT_GUESS - vec3 (floatBitsToInt (a)) * (1.0 / (3.0 * 256.0));
  const vec3 y = uintBitsToFloat (floatBitsToUint (bits) << 8);
  const vec3 root = a * (y * y), t = root * y;
  const vec3 whole = root
                     * ((CUBE_ROOT_C0 - CUBE_ROOT_C1 * t)
                        + (CUBE_ROOT_C2 - CUBE_ROOT_C3 * t) * (t * t));
  return uintBitsToFloat (floatBitsToUint (whole)
                          | (floatBitsToUint (x) & 0x80000000));
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

/* Ends at @l whatever the roots have lost. */
Line line_to (vec3 l)
{
  const vec3 root = cube_root (oklab_matrix (l));
  const float grey
      = clamp (dot (root, vec3 (OKLAB_L, OKLAB_M, OKLAB_S)), 0.0, 1.0);
  const vec3 from = root - grey;
  const float start = grey * grey * grey;
  const vec3 c1 = oklab_inverse (from * (3.0 * grey * grey));
  const vec3 c2 = oklab_inverse (from * from * (3.0 * grey));
  return Line (start, c1, c2, ((l - start) - c1) - c2);
}

/* A step of Newton's towards where a channel, @c0 + c1 k + c2 k^2 + c3 k^3 from
 * the border, leaves the gamut. From the line's end if @k is behind that. */
float border_step (vec4 c, float k)
{
  const float at = lesser (k, 1.0);
  const float f = c.x + at * (c.y + at * (c.z + at * c.w));
  const float fall = -c.y - at * (2.0 * c.z + at * (3.0 * c.w));
  const float step = f / greater (fall, greater (c.x * GAMUT_SLOPE, 1e-9));
  return lesser (greater (at + step, 0.0), 2.0);
}

/* The channel as its distance from the side that it may leave by. */
vec4 channel_of (float start, float c1, float c2, float c3, bool top)
{
  return top ? vec4 (1.0 - start, -c1, -c2, -c3) : vec4 (start, c1, c2, c3);
}

/* Where a line leaves the gamut: 1 is its end, 2 the furthest. Two steps tell
 * which channel is the first to do so, two more where; if the end @fits, one says
 * how far behind it. */
float line_border (Line line, vec3 l, bool fits)
{
  const vec4 x = channel_of (line.start, line.c1.x, line.c2.x, line.c3.x,
                             l.x > 0.5);
  const vec4 y = channel_of (line.start, line.c1.y, line.c2.y, line.c3.y,
                             l.y > 0.5);
  const vec4 z = channel_of (line.start, line.c1.z, line.c2.z, line.c3.z,
                             l.z > 0.5);
  const vec3 near = vec3 (border_step (x, 1.0), border_step (y, 1.0),
                          border_step (z, 1.0));
  const vec3 k = vec3 (border_step (x, near.x), border_step (y, near.y),
                       border_step (z, near.z));
  const float least = lesser (k.x, lesser (k.y, k.z));
  const vec4 first = mix (mix (x, y, bvec4 (k.y < k.x)), z,
                          bvec4 (k.z == least));
  const float there = border_step (first, border_step (first, least));
  return fits ? lesser (near.x, lesser (near.y, near.z)) : there;
}

/* Distances from the border, below 0 outside: what is well inside stays, what
 * is well outside goes to the border, between them it bends. */
float gamut_knee (float distance)
{
  const float root = sqrt (abs (distance));
  const float v = distance < 0.0 ? -root : root;
  const float u = lesser (greater (v + GAMUT_KNEE, 0.0), 2.0 * GAMUT_KNEE);
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
  const float distance = line_border (line, l, gamut_fits (l)) - 1.0;
  const float k = 1.0 + distance - gamut_knee (distance) + GAMUT_SHORT;
  const vec3 pulled = mix (line_at (line, k), clamp (l, 0.0, 1.0), 1.0 - k);
  return mix (l, pulled, bvec3 (k < 1.0));
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
