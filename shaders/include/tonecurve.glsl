/* Tone mapping: light is multiplied by a gain that the host fitted as
 * a rational function (gst/color/gain.c). All on the root of light, so the
 * gain here is the root of that of light. */

float max3 (vec3 v)
{
  return max (v.x, max (v.y, v.z));
}

/* Of numbers that are not below 0: as integers, which a CPU compares with one
 * instruction. Floats take it three, because of NaN. */
float greater (float a, float b)
{
  return intBitsToFloat (max (floatBitsToInt (a), floatBitsToInt (b)));
}

float lesser (float a, float b)
{
  return intBitsToFloat (min (floatBitsToInt (a), floatBitsToInt (b)));
}

float greatest (vec3 v)
{
  return greater (v.x, greater (v.y, v.z));
}

/* @m: where on the curve, in the domain of the fit; @h: the root of light
 * there. Below the knee the gain is P(0). Above the peak cap / h is less than
 * P / Q and holds the pixel at the peak: min (P / Q, cap / h) with one
 * division, that black survives. */
float fitted_gain (float m, float h)
{
  const float z = clamp (m * params.scale + params.shift, 0.0, 1.0);
  const float z2 = z * z;
  const float p
      = NATIVE_LOG ? (((params.p4 * z + params.p3) * z + params.p2) * z
                      + params.p1)
                             * z
                         + params.p0
                   : (params.p4 * z2 + (params.p3 * z + params.p2)) * z2
                         + (params.p1 * z + params.p0);
  const float q = (params.q2 * z + params.q1) * z + 1.0;
  return lesser (p * h, params.cap * q) / (q * h + 1e-20);
}

#ifdef GAIN_TABLE
/* Made on the device, for what was found in the frame. */
layout (std430, set = 0, binding = BINDING_GAIN) readonly restrict buffer Gain
{
  PeakState peak_state;
};

/* A number of [0, 1) as the fraction of one of [1, 2): its upper bits are the
 * entry, the others how far the next one is. A CPU would convert to integers
 * lane by lane. */
const uint GAIN_REST = 0x800000 / GAIN_STEPS;

float tone_gain (float m, float h)
{
  if (!FROM_TABLE)
    return fitted_gain (m, h);
  const float z = clamp (m * params.scale + params.shift, 0.0, 1.0);
  const uint at = min (floatBitsToUint (1.0 + z), 0x3fffffff) & 0x7fffff;
  const vec2 gain = peak_state.gain[at / GAIN_REST];
  return gain.x + gain.y * (float (at % GAIN_REST) * (1.0 / float (GAIN_REST)));
}
#else
float tone_gain (float m, float h)
{
  return fitted_gain (m, h);
}
#endif

/* @x: the signal, @h: its root of light. */
float tone_gain_of (float x, float h)
{
  return tone_gain (TONE_DOMAIN == DOMAIN_PQ ? x : sqrt (h), h);
}

/* By logarithms, where they are cheap and codes of HDR near black need them; else
 * by the fits, whose light is in units that the matrices know. */
const bool TARGET_HDR
    = TARGET_TRANSFER == TRANSFER_PQ || TARGET_TRANSFER == TRANSFER_HLG;
const bool ICTCP_BY_LOG = NATIVE_LOG && TARGET_HDR;

/* Light of 10000 cd/m2 to its PQ signal, the square root of light to the same,
 * and back. */
vec3 ictcp_signal (vec3 l)
{
  return ICTCP_BY_LOG ? pq_inverse_eotf (l) : pq_signal (sqrt (sqrt (l)));
}

float ictcp_signal_of_root (float h)
{
  return ICTCP_BY_LOG ? pq_inverse_eotf (vec3 (h * h)).x
                    : pq_signal (vec3 (sqrt (h))).x;
}

float ictcp_root (float x)
{
  return ICTCP_BY_LOG ? sqrt (pq_eotf (vec3 (x)).x)
                    : pq_root (vec3 (x)).x * PQ_ROOT_SCALE;
}

vec3 ictcp_light (vec3 x)
{
  if (ICTCP_BY_LOG)
    return pq_eotf (x);
  const vec3 root = pq_root (x);
  return root * root;
}

/* BT.2390, 5.4.2: the curve on I of ICtCp, chroma shrinks with the change.
 * @x: the source's signal. Returns mapped LMS; LIGHT_MATRIX goes on from
 * there. */
vec3 tone_map_ictcp (vec3 x)
{
  const vec3 l
      = SOURCE_TRANSFER == TRANSFER_PQ ? ictcp_light (x) : source_light (x);
  const vec3 lms = ictcp_signal (max (lms_matrix (l), 0.0));
  const float i = 0.5 * (lms.x + lms.y);
  const float ct = (6610.0 * lms.x - 13613.0 * lms.y + 7003.0 * lms.z) / 4096.0;
  const float cp = (17933.0 * lms.x - 17390.0 * lms.y - 543.0 * lms.z) / 4096.0;
  const float h = ictcp_root (i);
  const float mapped = h * tone_gain (i, h);
  const float j = ictcp_signal_of_root (mapped);
  const float k = lesser (i, j) / greater (greater (i, j), 1e-9);
  const vec3 back
      = j + vec3 (ICTCP_L_CT, -ICTCP_L_CT, ICTCP_S_CT) * (ct * k)
        + vec3 (ICTCP_L_CP, -ICTCP_L_CP, ICTCP_S_CP) * (cp * k);
  return ictcp_light (clamp (back, 0.0, 1.0));
}
