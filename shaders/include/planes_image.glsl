/* Frames as one image a plane, seen through UINT views: a texel holds the
 * samples of its components, at channel and shift. */

#ifdef SOURCE_IMAGE
layout (set = 0, binding = BINDING_SOURCE) uniform utexture2D
    source_planes[MAX_PLANES];

float lone_sample (int c, int x, uint row)
{
  const Component k = source_component (c);
  const int last = int (plane_width (source_hsub (c))) - 1;
  const ivec2 at = ivec2 (clamp (x, 0, last), row * SOURCE_ROW_STEP);
  const uvec4 texel = texelFetch (
      source_planes[k.plane], at + ivec2 (params.source[k.plane]), 0);
  const uint mask = k.bits == 32 ? ~0u : (1u << k.bits) - 1;
  return kept_code ((texel[k.channel] >> k.shift) & mask);
}

Pixels source_pixels (uint block, uint row)
{
  return lone_pixels (block, row);
}

Chroma source_chroma (uint block, uint row)
{
  return lone_chroma (block, row);
}
#endif

#ifdef TARGET_IMAGE
layout (set = 0, binding = BINDING_TARGET) writeonly uniform uimage2D
    target_planes[MAX_PLANES];

void add_channel (inout uvec4 texel, int plane, int k, uint code)
{
  const Component c = target_component (k);
  if (c.plane == plane)
    texel[c.channel] |= code << c.shift;
}

/* Stores texel @x of the plane of component @k, unless that was done. */
void store_texel (uint x, uint row, int k, uvec4 codes, inout int stored)
{
  const int plane = target_component (k).plane;
  const bool visible = WHOLE_BLOCKS || x < plane_width (target_hsub (k));
  if (plane == stored || !visible)
    return;
  stored = plane;

  uvec4 texel = uvec4 (0);
  add_channel (texel, plane, 0, codes.x);
  add_channel (texel, plane, 1, codes.y);
  add_channel (texel, plane, 2, codes.z);
  if (ALPHA != ALPHA_NONE)
    add_channel (texel, plane, 3, codes.w);
  imageStore (target_planes[plane],
              ivec2 (params.target[plane] + uvec2 (x, row * TARGET_ROW_STEP)),
              texel);
}

void target_chroma (uint block, uint row, ChromaCodes codes)
{
  [[unroll]] for (int i = 0; i < TARGET_SAMPLES; i++) {
    const uvec4 texel = uvec4 (0, codes.at[i], 0);
    int stored = -1;
    store_texel (block * TARGET_SAMPLES + i, row, 2, texel, stored);
    store_texel (block * TARGET_SAMPLES + i, row, 1, texel, stored);
  }
}

void target_pixels (uint block, uint row, Codes codes, ChromaCodes chroma)
{
  [[unroll]] for (int i = 0; i < BLOCK; i++) {
    const uint x = block * BLOCK + i;
    int stored = -1;
    if (ALPHA != ALPHA_NONE)
      store_texel (x, row, 3, codes.at[i], stored);
    if (TARGET_FULL) {
      store_texel (x, row, 2, codes.at[i], stored);
      store_texel (x, row, 1, codes.at[i], stored);
    }
    store_texel (x, row, 0, codes.at[i], stored);
  }
  if (!TARGET_FULL && TARGET_VSUB == 0)
    target_chroma (block, row, chroma);
}
#endif
