/* The texels of a frame as numbers of another kind: codes as floats, or the
 * reverse. Formats do the arithmetic; one invocation is one place in all
 * planes. */
#version 450
#extension GL_EXT_samplerless_texture_functions : require

#define MAX_PLANES 4

layout (local_size_x = 8, local_size_y = 8) in;
layout (constant_id = 0) const int PLANES = 1;
layout (binding = 0) uniform texture2D source_planes[MAX_PLANES];
layout (binding = 1) writeonly uniform image2D target_planes[MAX_PLANES];

/* Constant indices: not every device takes others. */
#define RECODE(plane)                                                          \
  if (plane < PLANES                                                           \
      && all (lessThan (at, imageSize (target_planes[plane]))))                \
    imageStore (target_planes[plane], at,                                      \
                texelFetch (source_planes[plane], at, 0));

void main ()
{
  const ivec2 at = ivec2 (gl_GlobalInvocationID.xy);

  RECODE (0)
  RECODE (1)
  RECODE (2)
  RECODE (3)
}
