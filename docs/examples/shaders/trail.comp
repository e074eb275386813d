/* What moves leaves a trail: bright things stay and fade.
 *   parameters="p, decay=0.92" */
#version 450

layout (local_size_x = 16, local_size_y = 8) in;
layout (binding = 0, rgba8) readonly uniform image2D source;
layout (binding = 1, rgba8) writeonly uniform image2D target;
/* By its name: what came out for the frame before. */
layout (binding = 2, rgba8) readonly uniform image2D previous;
layout (push_constant) uniform Params { float decay; } params;

void main ()
{
  const ivec2 at = ivec2 (gl_GlobalInvocationID.xy);
  if (any (greaterThanEqual (at, imageSize (target))))
    return;
  const vec4 now = imageLoad (source, at);
  const vec3 before = imageLoad (previous, at).rgb * params.decay;
  imageStore (target, at, vec4 (max (now.rgb, before), now.a));
}
