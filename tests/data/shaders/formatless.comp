#version 450
#extension GL_EXT_shader_image_load_formatted : require
layout (local_size_x = 8, local_size_y = 8) in;
layout (binding = 0) readonly uniform image2D source[2];
layout (binding = 1) writeonly uniform image2D target[2];
void main ()
{
  const ivec2 at = ivec2 (gl_GlobalInvocationID.xy);
  for (int i = 0; i < 2; i++)
    imageStore (target[i], at, 1 - imageLoad (source[i], at));
}
