/* target = first + second, texel by texel. */
#version 450
#extension GL_EXT_samplerless_texture_functions : require

layout (local_size_x = 8, local_size_y = 8) in;
layout (binding = 0) uniform utexture2D first;
layout (binding = 1) uniform utexture2D second;
layout (binding = 2) writeonly uniform uimage2D target;
layout (push_constant) uniform Params { uint width, height, increment; };

void main ()
{
  const ivec2 at = ivec2 (gl_GlobalInvocationID.xy);

  if (at.x < width && at.y < height)
    imageStore (target, at,
                texelFetch (first, at, 0) + texelFetch (second, at, 0)
                    + increment);
}
