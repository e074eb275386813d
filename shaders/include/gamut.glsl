/* Colours that the target's primaries cannot make. @l: light in the target's
 * primaries, 1 is white. */

vec3 gamut_desaturate (vec3 l)
{
  /* Towards grey of the same luminance, as far as the border. */
  const float y = clamp (
      dot (l, vec3 (TARGET_LUMAX, TARGET_LUMAY, TARGET_LUMAZ)), 0.0, 1.0);
  const vec3 from = l - y;
  const vec3 room = mix (vec3 (1.0 - y), vec3 (y), lessThan (from, vec3 (0.0)));
  const vec3 k = room / max (abs (from), 1e-9);
  return y + from * min (min (k.x, min (k.y, k.z)), 1.0);
}

vec3 gamut_map (vec3 l)
{
  if (GAMUT == GAMUT_DESATURATE)
    l = gamut_desaturate (l);
  return clamp (l, 0.0, 1.0);
}
