/* Colours that the target's primaries cannot make. @l: light in the target's
 * primaries, 1 is white. What is inside stays as it is, or within 2 codes. */

/* Of numbers that are not all above 0, the one furthest below: as integers,
 * which a CPU compares with one instruction. */
float furthest_below (vec3 v)
{
  const uvec3 bits = floatBitsToUint (v);
  return uintBitsToFloat (max (bits.x, max (bits.y, bits.z)));
}

/* Where the way from grey, @y, by @from leaves the gamut: 1 is its end. That is
 * y / low or (ceiling - y) / high of it, whichever is less, and GAMUT_SHORT
 * more; cheap enough for every colour. */
float gamut_border (float y, vec3 from, float ceiling)
{
  const float low = furthest_below (from), high = greatest (from);
  const float need = greater (low * (y - ceiling), high * y);
  return y * (ceiling - y) / greater (need * (1.0 - GAMUT_SHORT), 1e-30);
}

/* Towards grey of the same luminance, as far as the border: 0 below, @ceiling
 * above. */
vec3 gamut_desaturate (vec3 l, float ceiling)
{
  const float y = clamp (
      dot (l, vec3 (TARGET_LUMAX, TARGET_LUMAY, TARGET_LUMAZ)), 0.0, 1.0);
  const vec3 from = l - y;
  return y + from * lesser (gamut_border (y, from, ceiling), 1.0);
}

/* How much of its way to grey a colour goes, if the border is at @t of it, below
 * 0 for one inside: well inside it stays, well outside it goes to the border,
 * between them it bends. */
float gamut_knee (float t)
{
  const float root = sqrt (abs (t));
  const float u = greater (GAMUT_KNEE + (t > 0.0 ? -root : root), 0.0);
  const float bent = u * u * (1.0 / (4.0 * GAMUT_KNEE));
  return greater (bent * bent + t, 0.0);
}

/* To grey of the same lightness in Oklab, by a soft knee. Lines of the same hue
 * are about straight in light, but where the short-wave cone sees less than the
 * others they bend. That of blue is taken to be straight, too: it would cost most
 * of the colour. */
vec3 gamut_perceptual (vec3 l)
{
  const float grey = clamp (
      dot (l, vec3 (HUE_GREYX, HUE_GREYY, HUE_GREYZ)), 0.0, 1.0);
  const float apart = greater (
      dot (l, vec3 (HUE_APARTX, HUE_APARTY, HUE_APARTZ)), 0.0);
  const vec3 from = l - grey;
  const float border = lesser (gamut_border (grey, from, 1.0),
                               1.0 + GAMUT_KNEE * GAMUT_KNEE);
  const float k = gamut_knee (1.0 - border);
  return l - k * from
         - k * k * apart * vec3 (HUE_BENDX, HUE_BENDY, HUE_BENDZ);
}

bool gamut_fits (vec3 l)
{
  const float most = greatest (l);
  return all (greaterThanEqual (l, vec3 (-GAMUT_SLACK * most)))
         && most <= 1.0 + GAMUT_SLACK;
}

/* Whether gamut_pull() has something to do. */
bool gamut_outside (vec3 l)
{
  return GAMUT != GAMUT_CLIP && !gamut_fits (l);
}

/* Of a colour that gamut_outside(). */
vec3 gamut_pull (vec3 l)
{
  switch (GAMUT) {
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
