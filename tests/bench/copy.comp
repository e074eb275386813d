/* What any kernel from a frame of 16-bit samples to one of 8 bits has to do,
 * and nothing else: two words in, one out. Run as one group a 1024 words of the
 * target, on frames whose planes lie one behind the other. */
#version 450

layout (local_size_x = 256) in;
layout (binding = 0) readonly buffer Source { uvec2 source[]; };
layout (binding = 1) writeonly buffer Target { uint target[]; };
layout (push_constant) uniform Inputs { uint source_offset, target_offset, source_stride, target_stride; };

void main ()
{
  const uint at = gl_GlobalInvocationID.x;
  if (at >= target.length ())
    return;
  const uvec2 words = source[source_offset / 8 + at];
  target[target_offset / 4 + at] = words.x ^ words.y;
}
