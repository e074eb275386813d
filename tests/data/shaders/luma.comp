#version 450
layout (local_size_x = 8, local_size_y = 8) in;
layout (binding = 0, rgba8ui) readonly uniform uimage2D source;
layout (binding = 1, r8ui) writeonly uniform uimage2D target;
void main ()
{
  const ivec2 at = ivec2 (gl_GlobalInvocationID.xy);
  const uvec4 c = imageLoad (source, at);
  imageStore (target, at, uvec4 ((c.r + 2 * c.g + c.b) / 4));
}
