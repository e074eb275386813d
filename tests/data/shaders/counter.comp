#version 450
layout (local_size_x = 8, local_size_y = 8) in;
layout (binding = 0, rgba8ui) writeonly uniform uimage2D target;
layout (push_constant) uniform P { ivec2 size; uint frame; float time; } p;
void main ()
{
  imageStore (target, ivec2 (gl_GlobalInvocationID.xy),
              uvec4 (p.frame, uint (p.time * 10.0 + 0.5), p.size));
}
