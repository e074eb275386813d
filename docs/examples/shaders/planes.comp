/* Works on the planes of I420 (or Y42B, Y444, GBR...) as they are: luma is
 * inverted, both chroma planes are halved towards grey. */
#version 450

layout (local_size_x = 16, local_size_y = 8) in;
layout (binding = 0, r8) readonly uniform image2D source[3];
layout (binding = 1, r8) writeonly uniform image2D target[3];

const float GREY = 128.0 / 255.0;

void main ()
{
  const ivec2 at = ivec2 (gl_GlobalInvocationID.xy);
  if (all (lessThan (at, imageSize (target[0])))) {
    const float y = imageLoad (source[0], at).r;
    imageStore (target[0], at, vec4 (1.0 - y));
  }
  /* The chroma planes are smaller: fewer invocations have work there. */
  if (any (greaterThanEqual (at, imageSize (target[1]))))
    return;
  const float u = imageLoad (source[1], at).r;
  const float v = imageLoad (source[2], at).r;
  imageStore (target[1], at, vec4 (mix (GREY, u, 0.5)));
  imageStore (target[2], at, vec4 (mix (GREY, v, 0.5)));
}
