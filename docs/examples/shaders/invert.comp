/* The negative of an RGBA picture: the smallest shader that does something. */
#version 450

layout (local_size_x = 16, local_size_y = 8) in;
layout (binding = 0, rgba8) readonly uniform image2D source;
layout (binding = 1, rgba8) writeonly uniform image2D target;

void main ()
{
  const ivec2 at = ivec2 (gl_GlobalInvocationID.xy);
  if (any (greaterThanEqual (at, imageSize (target))))
    return;
  const vec4 colour = imageLoad (source, at);
  imageStore (target, at, vec4 (1.0 - colour.rgb, colour.a));
}
