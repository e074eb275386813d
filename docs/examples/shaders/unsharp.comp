/* Sharper: what a blur takes away is added. Reads the frame as a texture, whose
 * border repeats, and its settings from a uniform block:
 *   parameters="p, amount=0.8, radius=1.5" */
#version 450

layout (local_size_x = 16, local_size_y = 8) in;
layout (binding = 0) uniform sampler2D source;
layout (binding = 1, rgba8) writeonly uniform image2D target;
layout (binding = 2, std140) uniform Settings {
  vec2 size; /* filled by name */
  float amount;
  float radius; /* pixels */
} settings;

void main ()
{
  const ivec2 at = ivec2 (gl_GlobalInvocationID.xy);
  if (any (greaterThanEqual (at, imageSize (target))))
    return;
  const vec2 centre = (vec2 (at) + 0.5) / settings.size;
  const vec2 step_by = settings.radius / settings.size;
  const vec4 here = textureLod (source, centre, 0.0);
  vec3 blurred = here.rgb * 4.0;
  for (int k = -1; k <= 1; k += 2) {
    blurred += 2.0 * textureLod (source, centre + vec2 (k, 0) * step_by, 0.0).rgb;
    blurred += 2.0 * textureLod (source, centre + vec2 (0, k) * step_by, 0.0).rgb;
    blurred += textureLod (source, centre + vec2 (k, k) * step_by, 0.0).rgb;
    blurred += textureLod (source, centre + vec2 (k, -k) * step_by, 0.0).rgb;
  }
  blurred /= 16.0;
  imageStore (target, at, vec4 (here.rgb + settings.amount * (here.rgb - blurred), here.a));
}
