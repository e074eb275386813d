/* Colours that the target's primaries cannot make. @l: light in the target's
 * primaries, 1 is white. What is inside stays as it is. */

float min3 (vec3 v)
{
  return min (v.x, min (v.y, v.z));
}

/* Towards grey of the same luminance, as far as the border: 0 below,
 * @ceiling above. */
vec3 gamut_desaturate (vec3 l, float ceiling)
{
  const float y = clamp (
      dot (l, vec3 (TARGET_LUMAX, TARGET_LUMAY, TARGET_LUMAZ)), 0.0, 1.0);
  const vec3 from = l - y;
  const vec3 room
      = mix (vec3 (ceiling - y), vec3 (y), lessThan (from, vec3 (0.0)));
  const vec3 k = room / max (abs (from), 1e-9);
  return y + from * min (min (k.x, min (k.y, k.z)), 1.0);
}

vec3 oklab_light (float grey, vec3 from, float k)
{
  const vec3 root = grey + from * k;
  return oklab_inverse (root * root * root);
}

/* Along a straight line in Oklab, so the hue stays: to grey of the same
 * lightness. Where that costs much of the colour, as of blue, some of the hue
 * is given up for it: the clipped colour is mixed in. */
vec3 gamut_oklab (vec3 l)
{
  const vec3 lms = oklab_matrix (l);
  const vec3 root = sign (lms) * pow (abs (lms), vec3 (1.0 / 3.0));
  const float grey = clamp (dot (root, vec3 (OKLAB_L, OKLAB_M, OKLAB_S)), 0.0, 1.0);
  float low = 0.0, high = 1.0;
  [[dont_unroll]] for (int i = 0; i < GAMUT_STEPS; i++) {
    const float k = 0.5 * (low + high);
    const vec3 there = oklab_light (grey, root - grey, k);
    const bool outside = min3 (there) < 0.0 || max3 (there) > 1.0;
    high = outside ? k : high;
    low = outside ? low : k;
  }
  return mix (oklab_light (grey, root - grey, low), clamp (l, 0.0, 1.0),
              1.0 - low);
}

bool gamut_outside (vec3 l)
{
  return GAMUT != GAMUT_CLIP
         && (min3 (l) < -GAMUT_SLACK * max3 (l) || max3 (l) > 1.0 + GAMUT_SLACK);
}

/* Of a colour that is outside. */
vec3 gamut_pull (vec3 l)
{
  switch (GAMUT) {
  case GAMUT_DESATURATE:
    return gamut_desaturate (l, 1.0);
  case GAMUT_PERCEPTUAL:
    return gamut_oklab (l);
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
