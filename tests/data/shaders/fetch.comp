/* A texture without a sampler, as HLSL compilers make of an input. */
#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout (local_size_x = 8, local_size_y = 8) in;
layout (set = 0, binding = 0) uniform texture2D source;
layout (set = 3, binding = 7, rgba8) uniform image2D target;
void main ()
{
  const ivec2 at = ivec2 (gl_GlobalInvocationID.xy);
  imageStore (target, at, texelFetch (source, at, 0).bgra);
}
