/* Upside down, on the bytes of a frame with four bytes a pixel. The layout
 * comes by push constants, so that frames are used wherever they lie. */
#version 450

layout (local_size_x = 64) in;
layout (binding = 0, std430) readonly buffer Source { uint pixels[]; } source;
layout (binding = 1, std430) writeonly buffer Target { uint pixels[]; } target;
layout (push_constant) uniform Frame {
  uint width, height;
  uint source_offset, source_stride; /* bytes */
  uint target_offset, target_stride;
} frame;

void main ()
{
  const uvec2 at = gl_GlobalInvocationID.xy;
  if (at.x >= frame.width)
    return;
  const uint from = frame.source_offset
                    + (frame.height - 1 - at.y) * frame.source_stride;
  const uint to = frame.target_offset + at.y * frame.target_stride;
  target.pixels[to / 4 + at.x] = source.pixels[from / 4 + at.x];
}
