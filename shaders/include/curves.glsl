/* The tone curves on the device, each the namesake of one in
 * gst/color/tonecurve.c. Light in cd/m2. */

/* As in enum color_curve. */
const int CURVE_CLIP = 0, CURVE_BT2390 = 1, CURVE_SPLINE = 2, CURVE_MOBIUS = 3,
          CURVE_REINHARD = 4, CURVE_HABLE = 5, CURVE_LINEAR = 6,
          CURVE_GAMMA = 7, CURVE_BT2446A = 8, CURVE_BT2446C = 9;

struct Tone
{
  int curve;
  float source, target, black;
  float average; /* of the scene, cd/m2 */
  float param;   /* the curve's, its default filled in */
};

float pq_of (float light)
{
  return pq_inverse_eotf (vec3 (light / 10000.0)).x;
}

float light_of (float e)
{
  return 10000.0 * pq_eotf (vec3 (e)).x;
}

float bt2390 (float e, float source, float target, float black, float offset)
{
  const float e1 = min (e / source, 1.0);
  const float most = target / source;
  const float ks = max ((1.0 + offset) * most - offset, 0.0);
  float e2 = e1;

  if (most < 1.0 && e1 >= ks) {
    const float slope = min (1.0 - ks, 3.0 * (most - ks));
    const float t = (e1 - ks) / (1.0 - ks);
    const float t2 = t * t, t3 = t2 * t;
    e2 = (2.0 * t3 - 3.0 * t2 + 1.0) * ks + (t3 - 2.0 * t2 + t) * slope
         + (3.0 * t2 - 2.0 * t3) * most;
  }
  const float lift = black / source;
  const float room = (1.0 - e2) * (1.0 - e2);
  return source
         * (e2
            + lift
                  * (lift > 0.25 ? pow (1.0 - e2, 1.0 / lift) : room * room));
}

float spline (float e, float source, float target, float scene)
{
  const float pivot
      = min (max (min (2.0 * target - source, scene), 0.1), 0.8 * target);
  const float secant = (target - pivot) / (source - pivot);
  const float slope = min (1.0, 2.0 * secant);
  const float u = min (e, source) - pivot;

  if (u < 0.0)
    return e * (2.0 - slope + (slope - 1.0) * e / pivot);
  return pivot + u * slope
         + u * u * (2.0 * secant - 2.0 * slope) / (2.0 * (source - pivot));
}

float mobius (float x, float peak, float knee)
{
  const float k2 = knee * knee;
  const float a = -k2 * (peak - 1.0) / (k2 - 2.0 * knee + peak);
  const float b = (k2 - 2.0 * knee * peak + peak) / max (peak - 1.0, 1e-6);

  if (x <= knee || peak <= 1.0)
    return x;
  return (b * b + 2.0 * b * knee + k2) / (b - a) * (x + a) / (x + b);
}

float filmic (float x)
{
  return (x * (0.15 * x + 0.05) + 0.004) / (x * (0.15 * x + 0.5) + 0.06)
         - 0.02 / 0.3;
}

float gamma_curve (float x, float peak, float exponent)
{
  const float bend = pow (0.05 / peak, 1.0 / exponent) / 0.05;
  return x > 0.05 ? pow (x / peak, 1.0 / exponent) : x * bend;
}

float bt2446a (float light, float source, float target)
{
  const float rho_source = 1.0 + 32.0 * pow (source / 10000.0, 1.0 / 2.4);
  const float rho_target = 1.0 + 32.0 * pow (target / 10000.0, 1.0 / 2.4);
  const float y = pow (light / source, 1.0 / 2.4);
  const float p = log (1.0 + (rho_source - 1.0) * y) / log (rho_source);
  const float joint = 0.7399, from = 0.68;
  const float step_up = (-1.1510 * joint + 1.7041) * joint - 0.6302;
  const float t = max ((p - from) / (joint - from), 0.0);
  const float c = p <= joint
                      ? 1.0770 * p + step_up * t * t * (3.0 - 2.0 * t)
                  : p < 0.9909 ? (-1.1510 * p + 2.7811) * p - 0.6302
                               : 0.5 * p + 0.5;
  return target
         * pow ((pow (rho_target, c) - 1.0) / (rho_target - 1.0), 2.4);
}

/* @a: of bt2446c_weight(). */
float bt2446c (float light, float source, float target, float a)
{
  const float bend = target * (58.5 / 118.36);
  const float slope = max (0.83802, 0.5 * (1.0 + target / source));
  const float x = light * slope / bend - 1.0;

  return x < 0.0 ? light * slope : bend * (1.0 + a * log (1.0 + x / a));
}

float bt2446c_weight (float source, float target)
{
  const float bend = target * (58.5 / 118.36);
  const float slope = max (0.83802, 0.5 * (1.0 + target / source));
  const float reach = source * slope / bend - 1.0;
  float low = 1e-4, high = 1e4;

  for (int i = 0; i < 40; i++) {
    const float a = sqrt (low * high);
    const bool less = a * log (1.0 + reach / a) < target / bend - 1.0;
    low = less ? a : low;
    high = less ? high : a;
  }
  return low;
}

/* @weight: bt2446c_weight(), once for all light. */
float tone_curve (Tone tone, float light, float weight)
{
  const float n = min (light, tone.source);
  const float x = n / tone.target;
  const float peak = max (tone.source / tone.target, 1.0);

  switch (tone.curve) {
  case CURVE_BT2390:
    return light_of (bt2390 (pq_of (n), pq_of (tone.source),
                             pq_of (tone.target),
                             tone.black > 0.0 ? pq_of (tone.black) : 0.0,
                             tone.param));
  case CURVE_MOBIUS:
    return tone.target * mobius (x, peak, tone.param);
  case CURVE_REINHARD: {
    const float offset = (1.0 - tone.param) / tone.param;
    return tone.target * x / (x + offset) * (peak + offset) / peak;
  }
  case CURVE_HABLE:
    return tone.target * filmic (x) / filmic (peak);
  case CURVE_LINEAR:
    return tone.target * x / peak;
  case CURVE_GAMMA:
    return tone.target * gamma_curve (x, peak, tone.param);
  default:
    break;
  }
  if (tone.curve == CURVE_CLIP || tone.source <= tone.target)
    return min (n, tone.target);
  if (tone.curve == CURVE_BT2446A)
    return bt2446a (n, tone.source, tone.target);
  if (tone.curve == CURVE_BT2446C)
    return bt2446c (n, tone.source, tone.target, weight);
  return light_of (spline (pq_of (n), pq_of (tone.source), pq_of (tone.target),
                           pq_of (tone.param > 0.0 ? tone.param
                                                   : tone.average)));
}
