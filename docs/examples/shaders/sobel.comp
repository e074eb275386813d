/* Edges: the gradient of luma by Sobel's two 3x3 kernels. Neighbours beyond the
 * border are those at the border. */
#version 450

layout (local_size_x = 16, local_size_y = 8) in;
layout (binding = 0, rgba8) readonly uniform image2D source;
layout (binding = 1, rgba8) writeonly uniform image2D target;

float luma (ivec2 at)
{
  const ivec2 last = imageSize (source) - 1;
  const vec3 colour = imageLoad (source, clamp (at, ivec2 (0), last)).rgb;

  return dot (colour, vec3 (0.2126, 0.7152, 0.0722));
}

void main ()
{
  const ivec2 at = ivec2 (gl_GlobalInvocationID.xy);
  if (any (greaterThanEqual (at, imageSize (target))))
    return;

  float sums[2] = float[] (0.0, 0.0);
  for (int k = -1; k <= 1; k++) {
    const float weight = 2.0 - abs (float (k));
    sums[0] += weight * (luma (at + ivec2 (1, k)) - luma (at + ivec2 (-1, k)));
    sums[1] += weight * (luma (at + ivec2 (k, 1)) - luma (at + ivec2 (k, -1)));
  }
  const float edge = min (length (vec2 (sums[0], sums[1])), 1.0);
  imageStore (target, at, vec4 (edge, edge, edge, 1.0));
}
