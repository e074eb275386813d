/* target = source + amount, component by component, plane by plane (z). */
#version 450
#extension GL_EXT_samplerless_texture_functions : require

layout (local_size_x = 64) in;
layout (binding = 0) uniform utexture2D source[3];
layout (binding = 1) writeonly uniform uimage2D target[3];

/* from: origin, size, all in texels. to: unused. */
layout (push_constant) uniform Params
{
  uvec4 from[3];
  uvec2 to[3];
  uint amount;
};

void main ()
{
  const uvec3 at = gl_GlobalInvocationID;
  const uvec4 plane = from[at.z];
  const ivec2 here = ivec2 (at.xy), there = here + ivec2 (plane.xy);

  if (at.x >= plane.z || at.y >= plane.w)
    return;
  if (at.z == 0)
    imageStore (target[0], here,
                (texelFetch (source[0], there, 0) + amount) & 0xffu);
  else if (at.z == 1)
    imageStore (target[1], here,
                (texelFetch (source[1], there, 0) + amount) & 0xffu);
  else
    imageStore (target[2], here,
                (texelFetch (source[2], there, 0) + amount) & 0xffu);
}
