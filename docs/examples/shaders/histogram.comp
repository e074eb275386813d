/* A histogram of luma, counted in a buffer and drawn over the picture:
 * histogram.vkc runs it as three passes. `read-buffer` or buffer-messages=true
 * give the numbers to an application. */
#version 450

layout (binding = 2, std430) buffer Bins { uint count[256]; } bins;

#if defined CLEAR

layout (local_size_x = 256) in;

void main ()
{
  bins.count[gl_LocalInvocationIndex] = 0;
}

#elif defined COUNT

layout (local_size_x = 16, local_size_y = 16) in;
layout (binding = 0, rgba8) readonly uniform image2D source;

/* Counted within the workgroup first: less contention. */
shared uint part[256];

void main ()
{
  const ivec2 at = ivec2 (gl_GlobalInvocationID.xy);
  const uint own = gl_LocalInvocationIndex;

  part[own] = 0;
  barrier ();
  if (all (lessThan (at, imageSize (source)))) {
    const vec3 codes = floor (imageLoad (source, at).rgb * 255.0 + 0.5);
    atomicAdd (part[uint (dot (codes, vec3 (54.0, 183.0, 19.0))) / 256u], 1u);
  }
  barrier ();
  if (part[own] > 0)
    atomicAdd (bins.count[own], part[own]);
}

#else

layout (local_size_x = 16, local_size_y = 8) in;
layout (binding = 0, rgba8) readonly uniform image2D source;
layout (binding = 1, rgba8) writeonly uniform image2D target;

void main ()
{
  const ivec2 at = ivec2 (gl_GlobalInvocationID.xy);
  const ivec2 size = imageSize (target);
  if (any (greaterThanEqual (at, size)))
    return;
  vec4 colour = imageLoad (source, at);
  const uint count = bins.count[at.x * 256 / size.x];
  /* A bin that has a 32nd of all pixels fills the height. */
  const int bar = int (32.0 * float (count) / float (size.x));
  if (size.y - 1 - at.y < bar)
    colour.rgb = mix (colour.rgb, vec3 (1.0, 0.8, 0.2), 0.75);
  imageStore (target, at, colour);
}

#endif
