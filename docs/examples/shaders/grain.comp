/* Film grain: noise that is new in every frame, strongest in the mid-tones.
 *   parameters="p, strength=0.15" */
#version 450

layout (local_size_x = 16, local_size_y = 8) in;
layout (binding = 0, rgba8) readonly uniform image2D source;
layout (binding = 1, rgba8) writeonly uniform image2D target;
layout (push_constant) uniform Params {
  uint frame; /* filled by name */
  float strength;
} params;

uint scramble (uint v)
{
  v = (v ^ (v >> 15)) * 0x9e3779b1u;
  v = (v ^ (v >> 13)) * 0x85ebca77u;
  return v ^ (v >> 16);
}

/* Two numbers from 0 to 1 out of one seed. */
vec2 dice (uint seed)
{
  const uint bits = scramble (seed);
  return vec2 (bits & 0xffffu, bits >> 16) / 65535.0;
}

void main ()
{
  const ivec2 at = ivec2 (gl_GlobalInvocationID.xy);
  if (any (greaterThanEqual (at, imageSize (target))))
    return;
  const vec4 colour = imageLoad (source, at);
  const float luma = dot (colour.rgb, vec3 (0.2126, 0.7152, 0.0722));
  const vec2 rolled
      = dice (uint (at.x) + 7919u * uint (at.y) + 104729u * params.frame);
  /* The sum of two dice: small deviations are the usual ones. */
  const float noise = rolled.x + rolled.y - 1.0;
  const float amount = params.strength * 4.0 * luma * (1.0 - luma);
  imageStore (target, at, vec4 (colour.rgb + amount * noise, colour.a));
}
