/* Chroma key: what has the key's hue gives way to the background colour. By the
 * distance of the colour differences, so that shadows on the screen go too:
 *   parameters="p, key=<0.0,1.0,0.0>, background=<0.1,0.1,0.3>,
 *               inner=0.15, outer=0.3" */
#version 450

layout (local_size_x = 16, local_size_y = 8) in;
layout (binding = 0, rgba8) readonly uniform image2D source;
layout (binding = 1, rgba8) writeonly uniform image2D target;
layout (binding = 2, std140) uniform Settings {
  vec3 key;
  vec3 background;
  float inner, outer; /* distances: all gone, nothing gone */
} settings;

vec2 chroma (vec3 colour)
{
  const float luma = dot (colour, vec3 (0.2126, 0.7152, 0.0722));
  return vec2 ((colour.b - luma) / 1.8556, (colour.r - luma) / 1.5748);
}

void main ()
{
  const ivec2 at = ivec2 (gl_GlobalInvocationID.xy);
  if (any (greaterThanEqual (at, imageSize (target))))
    return;
  const vec4 colour = imageLoad (source, at);
  const float away = distance (chroma (colour.rgb), chroma (settings.key));
  const float kept
      = clamp ((away - settings.inner) / (settings.outer - settings.inner), 0.0, 1.0);
  imageStore (target, at,
              vec4 (mix (settings.background, colour.rgb, kept), colour.a));
}
