/* target = source + amount, byte by byte, plane by plane (z); the source may
 * start at any byte. */
#version 450

layout (local_size_x = 64) in;
layout (binding = 0, std430) readonly buffer Source { uint source[]; };
layout (binding = 1, std430) writeonly buffer Target { uint target[]; };

/* from: offset, stride, bytes of a row, rows. to: offset, stride. */
layout (push_constant) uniform Params
{
  uvec4 from[3];
  uvec2 to[3];
  uint amount;
};

uint byte_at (uint i)
{
  return (source[i >> 2] >> ((i & 3) * 8)) & 0xff;
}

void main ()
{
  const uvec3 at = gl_GlobalInvocationID;
  const uvec4 plane = from[at.z];
  uint word = 0;

  if (at.x * 4 >= plane.z || at.y >= plane.w)
    return;
  for (uint i = 0; i < 4; i++) {
    const uint x = at.x * 4 + i;
    if (x < plane.z)
      word |= ((byte_at (plane.x + at.y * plane.y + x) + amount) & 0xff)
              << (i * 8);
  }
  target[(to[at.z].x + at.y * to[at.z].y) / 4 + at.x] = word;
}
