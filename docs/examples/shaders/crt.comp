/* An old tube: a bulging picture, scanlines and a mask of coloured stripes. Reads
 * the frame as a texture, so that any output size will do:
 *   parameters="p, bulge=0.08, lines=90, depth=0.5, mask=0.25" */
#version 450

layout (local_size_x = 16, local_size_y = 8) in;
layout (binding = 0) uniform sampler2D source;
layout (binding = 1, rgba8) writeonly uniform image2D target;
layout (push_constant) uniform Params {
  vec2 resolution; /* filled by name */
  float bulge, lines, depth, mask; /* lines: scanlines of the picture */
} params;

const float PI = 3.14159265;

void main ()
{
  const ivec2 at = ivec2 (gl_GlobalInvocationID.xy);
  if (any (greaterThanEqual (at, imageSize (target))))
    return;
  /* From the middle, -1 to 1. */
  const vec2 flat_place = (vec2 (at) + 0.5) / params.resolution * 2.0 - 1.0;
  const vec2 bent
      = flat_place * (1.0 + params.bulge * flat_place.yx * flat_place.yx);
  const vec2 place = bent * 0.5 + 0.5;
  vec3 colour = vec3 (0.0);

  if (all (lessThan (abs (bent), vec2 (1.0)))) {
    const float dark = 0.5 + 0.5 * cos (2.0 * PI * place.y * params.lines);
    const vec3 stripe = vec3 (equal (ivec3 (at.x % 3), ivec3 (0, 1, 2)));
    colour = textureLod (source, place, 0.0).rgb;
    colour *= 1.0 - params.depth * dark;
    colour *= 1.0 - params.mask * (1.0 - stripe);
  }
  imageStore (target, at, vec4 (colour, 1.0));
}
