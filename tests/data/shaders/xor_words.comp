/* Every word of the frame inverted: needs the frame's bytes from the start of
 * the buffer, in the default layout. */
#version 450
layout (local_size_x = 8, local_size_y = 8) in;
layout (binding = 0) readonly buffer Source { uint words[]; } source;
layout (binding = 1) writeonly buffer Target { uint words[]; } target;
layout (push_constant) uniform Frame { uint width, height; } frame;
void main ()
{
  const uint i = gl_GlobalInvocationID.y * frame.width + gl_GlobalInvocationID.x;
  if (gl_GlobalInvocationID.x < frame.width && i < source.words.length ())
    target.words[i] = ~source.words[i];
}
