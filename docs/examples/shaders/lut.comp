/* A 3-D lookup table from a file of n * n * n vec4 (float32, red fastest), read
 * with interpolation; n follows from the file:
 *   buffers="b, table=(string)file:warm.lut" */
#version 450

layout (local_size_x = 16, local_size_y = 8) in;
layout (binding = 0, rgba8) readonly uniform image2D source;
layout (binding = 1, rgba8) writeonly uniform image2D target;
layout (binding = 2, std430) readonly buffer Table { vec4 entries[]; } table;

void main ()
{
  const ivec2 at = ivec2 (gl_GlobalInvocationID.xy);
  if (any (greaterThanEqual (at, imageSize (target))))
    return;
  const int n = int (round (pow (float (table.entries.length ()), 1.0 / 3.0)));
  const vec4 colour = imageLoad (source, at);
  const vec3 place = colour.rgb * float (n - 1);
  const ivec3 low = min (ivec3 (place), ivec3 (n - 2));
  const vec3 part = place - vec3 (low);

  vec3 sum = vec3 (0.0);
  for (int corner = 0; corner < 8; corner++) {
    const ivec3 up = ivec3 (corner & 1, corner >> 1 & 1, corner >> 2);
    const vec3 w = mix (1.0 - part, part, vec3 (up));
    const ivec3 p = low + up;
    sum += w.r * w.g * w.b * table.entries[p.r + n * (p.g + n * p.b)].rgb;
  }
  imageStore (target, at, vec4 (sum, colour.a));
}
