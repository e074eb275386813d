/* Brightness, contrast and a tint, set by name and while it runs:
 *   parameters="p, gain=1.2, lift=0.05, tint=<1.0,0.9,0.8>" */
#version 450

layout (local_size_x_id = 0, local_size_y = 8) in;
/* Fixed when the shader is compiled for the device; by name as well. */
layout (constant_id = 1) const bool INVERT = false;
layout (binding = 0, rgba8) readonly uniform image2D source;
layout (binding = 1, rgba8) writeonly uniform image2D target;
layout (push_constant) uniform Params { vec3 tint; float gain, lift; } params;

void main ()
{
  const ivec2 at = ivec2 (gl_GlobalInvocationID.xy);
  if (any (greaterThanEqual (at, imageSize (target))))
    return;
  const vec4 colour = imageLoad (source, at);
  vec3 c = colour.rgb * params.tint * params.gain + params.lift;
  if (INVERT)
    c = 1.0 - c;
  imageStore (target, at, vec4 (c, colour.a));
}
