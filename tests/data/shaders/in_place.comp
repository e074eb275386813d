#version 450
layout (local_size_x = 8, local_size_y = 8) in;
layout (binding = 5, rgba8ui) uniform uimage2D frame;
void main ()
{
  const ivec2 at = ivec2 (gl_GlobalInvocationID.xy);
  imageStore (frame, at, imageLoad (frame, at).bgra);
}
