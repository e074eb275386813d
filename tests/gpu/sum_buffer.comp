/* target = first + second, word by word. */
#version 450

layout (local_size_x = 64) in;
layout (binding = 0, std430) readonly buffer First { uint first[]; };
layout (binding = 1, std430) readonly buffer Second { uint second[]; };
layout (binding = 2, std430) writeonly buffer Target { uint target[]; };
layout (push_constant) uniform Params { uint width, height, increment; };

void main ()
{
  const uint i = gl_GlobalInvocationID.x;

  if (i < width * height)
    target[i] = first[i] + second[i] + increment;
}
