/* NV12 plane by plane: luma inverted, chroma swapped. */
#version 450
layout (local_size_x = 8, local_size_y = 8) in;
layout (binding = 0, r8) readonly uniform image2D luma_in;
layout (binding = 1, rg8) readonly uniform image2D chroma_in;
layout (binding = 2, r8) writeonly uniform image2D luma_out;
layout (binding = 3, rg8) writeonly uniform image2D chroma_out;
void main ()
{
  const ivec2 at = ivec2 (gl_GlobalInvocationID.xy);
  imageStore (luma_out, at, 1 - imageLoad (luma_in, at));
  if (all (lessThan (at, imageSize (chroma_out))))
    imageStore (chroma_out, at, imageLoad (chroma_in, at).grba);
}
