/* Makes its picture itself: the frame that comes in only gives size and time. */
#version 450

layout (local_size_x = 16, local_size_y = 8) in;
layout (binding = 0, rgba8) writeonly uniform image2D target;
layout (push_constant) uniform Params { vec2 resolution; float time; } params;

void main ()
{
  const ivec2 at = ivec2 (gl_GlobalInvocationID.xy);
  if (any (greaterThanEqual (at, imageSize (target))))
    return;
  const vec2 p = vec2 (at) / params.resolution;
  const float wave = sin (8.0 * p.x + params.time)
                     + sin (6.0 * p.y - 0.7 * params.time)
                     + sin (9.0 * length (p - 0.5) + 1.3 * params.time);
  const vec3 colour = 0.5 + 0.5 * cos (wave * 2.0 + vec3 (0.0, 2.1, 4.2));
  imageStore (target, at, vec4 (colour, 1.0));
}
