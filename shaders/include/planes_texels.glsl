/* Planes in images, for resample.comp and polyphase.comp: units are texels, seen
 * through UINT views, and SOURCE_STEP is 4 as if they were words. A component's
 * offset is its channel. */

#ifdef SOURCE_IMAGE
#define UNIT uvec4

layout (constant_id = RESAMPLE_ID_SOURCE_PLANE) const int PLANE_0 = 0;
layout (constant_id = RESAMPLE_ID_SOURCE_PLANE + 1) const int PLANE_1 = 0;
layout (constant_id = RESAMPLE_ID_SOURCE_PLANE + 2) const int PLANE_2 = 0;
layout (constant_id = RESAMPLE_ID_SOURCE_PLANE + 3) const int PLANE_3 = 0;

layout (set = 0, binding = RESAMPLE_SOURCE) uniform utexture2D
    source_planes[RESAMPLE_MOST_PLANES];

UNIT units[RESAMPLE_MOST_UNITS]; /* of a source row, in the block's reach */

float sample_of (Component c, int i)
{
  const uint texel = units[i][c.source_offset];
  return float (int ((texel >> c.source_shift) & ((1u << c.source_bits) - 1)));
}

/* Unit @at of a row of component @c; beyond the edges that of the edge. */
UNIT edge_unit_at (int c, uint row, int at)
{
  const int plane = c == 0   ? PLANE_0
                    : c == 1 ? PLANE_1
                    : c == 2 ? PLANE_2
                             : PLANE_3;
  const int x = clamp (at, 0, int (params.row_units) - 1);
  const uint y = min (row, params.last_row) * params.row_steps.x;

  return texelFetch (source_planes[plane],
                     ivec2 (params.source[c] + uvec2 (x, y)), 0);
}

/* The same: an image has nothing else that could be read. */
UNIT unit_at (int c, uint row, int at)
{
  return edge_unit_at (c, row, at);
}

/* Pairs are of words. */
void load_pair (int c, uint row, int at, int to)
{
}
#endif

#ifdef TARGET_IMAGE
layout (set = 0, binding = RESAMPLE_TARGET) writeonly uniform uimage2D
    target_plane;

/* Stores block @block of open row @row as that of row @y of the target. */
void store_block (uint block, int row, uint y)
{
  [[unroll]] for (int i = 0; i < PIXELS; i++) {
    const uint x = block * PIXELS + i;
    uvec4 texel = uvec4 (0);

    [[unroll]] for (int c = 0; c < COMPONENTS; c++) {
      const Component here = component (c);

      texel[here.target_offset] |= code_at (block, row, i, c)
                                   << here.target_shift;
    }
    if (WHOLE || x < params.width)
      imageStore (target_plane,
                  ivec2 (params.target + uvec2 (x, y * params.row_steps.y)),
                  texel);
  }
}
#endif
