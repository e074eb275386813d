/* target = source + increment, word by word. */
#version 450

layout (local_size_x = 64) in;
layout (binding = 0, std430) readonly buffer Source { uint source[]; };
layout (binding = 1, std430) writeonly buffer Target { uint target[]; };
layout (push_constant) uniform Params { uint width, height, increment; };

void main ()
{
  const uint i = gl_GlobalInvocationID.x;

  if (i < width * height)
    target[i] = source[i] + increment;
}
