#version 450
layout (local_size_x = 8, local_size_y = 8) in;
layout (binding = 0, r16) readonly uniform image2D source;
layout (binding = 1, r16) writeonly uniform image2D target;
void main ()
{
  const ivec2 at = ivec2 (gl_GlobalInvocationID.xy);
  imageStore (target, at, 1 - imageLoad (source, at));
}
