/* One direction of a Gaussian blur; gaussian.vkc runs it across, then down. A
 * workgroup fetches its texels and their neighbours once, to shared memory:
 *   parameters="p, sigma=2.5" */
#version 450

#ifndef RADIUS
#define RADIUS 6
#endif
#define SIZE 64

#ifdef ACROSS
layout (local_size_x = SIZE, local_size_y = 1) in;
layout (binding = 0, rgba8) readonly uniform image2D source;
layout (binding = 1, rgba16f) writeonly uniform image2D between;
#define FROM source
#define TO between
const ivec2 along = ivec2 (1, 0);
#else
layout (local_size_x = 1, local_size_y = SIZE) in;
layout (binding = 0, rgba16f) readonly uniform image2D between;
layout (binding = 1, rgba8) writeonly uniform image2D target;
#define FROM between
#define TO target
const ivec2 along = ivec2 (0, 1);
#endif
layout (push_constant) uniform Params { float sigma; /* pixels */ } params;

shared vec4 line[SIZE + 2 * RADIUS];

void main ()
{
  const ivec2 at = ivec2 (gl_GlobalInvocationID.xy);
  const int own = int (gl_LocalInvocationIndex);
  const ivec2 last = imageSize (FROM) - 1;

  for (int i = own; i < SIZE + 2 * RADIUS; i += SIZE) {
    const ivec2 from = at + along * (i - own - RADIUS);
    line[i] = imageLoad (FROM, clamp (from, ivec2 (0), last));
  }
  barrier ();

  vec4 sum = vec4 (0.0);
  float weights = 0.0;
  for (int k = -RADIUS; k <= RADIUS; k++) {
    const float weight = exp (-0.5 * float (k * k) / (params.sigma * params.sigma));
    sum += weight * line[own + RADIUS + k];
    weights += weight;
  }
  if (all (lessThanEqual (at, last)))
    imageStore (TO, at, sum / weights);
}
