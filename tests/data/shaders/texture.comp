/* The frame as a texture, moved by a uniform block's numbers, which are texels.
 * The sampler is apart, in a set of its own. */
#version 450
layout (local_size_x = 8, local_size_y = 8) in;
layout (set = 0, binding = 0) uniform texture2D source;
layout (set = 1, binding = 0) uniform sampler taps;
layout (set = 0, binding = 1, rgba8) writeonly uniform image2D target;
layout (set = 2, binding = 4) uniform Block { vec2 size; vec2 shift; float gain; } block;
void main ()
{
  const vec2 at = vec2 (gl_GlobalInvocationID.xy) + 0.5 + block.shift;
  const vec4 c = textureLod (sampler2D (source, taps), at / block.size, 0.0);
  imageStore (target, ivec2 (gl_GlobalInvocationID.xy), c * block.gain);
}
