/* The walk of modules with ALONG_ROWS: a subgroup's lanes are row pairs below
 * each other and go along their rows together, block by block. The pixel left
 * of a block was the last one of the block before, the row above is the lane's
 * before, and chroma around a block was loaded for other blocks. Only what
 * comes from outside of the band of rows is loaded or made for that alone; the
 * row above the band for as many blocks at a time as there are lanes. */

const uint LANES = gl_WorkGroupSize.x;

struct Walk
{
  uint block, pair, top; /* the next block; the lane's pair and the first's */
  Chroma chroma;         /* the pair's at that block, without what is around */
  vec2 last;             /* of the block before */
  vec3 left[2];          /* R'G'B' left of the block, of both rows */
  vec3 corner;           /* and of the row above the band: in the first lane */
};

uint lane_beside (int step)
{
  return (gl_SubgroupInvocationID + step) & (LANES - 1);
}

uint count_pairs ()
{
  return params.height / 2;
}

/* Source chroma of any row, out of the rows that it lies between. */
Chroma chroma_at (uint block, uint row)
{
  Chroma chroma;

  if (SOURCE_VSUB == 1)
    return chroma_between (source_chroma (block, (max (row, 1) - 1) / 2),
                           source_chroma (block, min ((row + 1) / 2,
                                                      count_pairs () - 1)),
                           (row & 1) == 1 ? UP_V_ODD : 1.0 - UP_V_EVEN);
  if (!SOURCE_FULL)
    return source_chroma (block, row);
  return chroma;
}

/* The lane's first block of a walk. */
Walk start_walk (uint block, uint top)
{
  Walk walk;

  walk.block = block;
  walk.top = top;
  walk.pair = top + gl_SubgroupInvocationID;
  if (SOURCE_VSUB == 1) {
    walk.chroma = source_chroma (block, walk.pair);
    walk.last = walk.chroma.at[0];
  }
  return walk;
}

/* The pair's chroma at its block, with what is around. Loads the next block's.
 */
Chroma next_chroma (inout Walk walk)
{
  const uint last_block = count_blocks () - 1;
  Chroma own = walk.chroma;

  walk.chroma = source_chroma (min (walk.block + 1, last_block), walk.pair);
  own.at[0] = walk.last;
  own.at[SOURCE_SAMPLES + 1] = walk.block < last_block
                                   ? walk.chroma.at[1]
                                   : own.at[SOURCE_SAMPLES];
  walk.last = own.at[SOURCE_SAMPLES];
  return own;
}

/* The same of the pair above (@step -1) or below (1). */
Chroma chroma_beside (Walk walk, Chroma own, int step)
{
  Chroma chroma;

  [[unroll]] for (int i = 0; i < SAMPLES + 2; i++)
    chroma.at[i] = subgroupShuffle (own.at[i], lane_beside (step));
  if (gl_SubgroupInvocationID == (step < 0 ? 0 : LANES - 1))
    chroma = source_chroma (walk.block, uint (clamp (int (walk.pair) + step, 0,
                                                     int (count_pairs ()) - 1)));
  return chroma;
}

/* What is made outside of the lanes' rows and blocks. A driver compiles each
 * place where rows are made, so there is one for all of it. */
const uint LEFT_EVEN = 0, LEFT_ODD = 1; /* of the walk's first block */
const uint LEFT_ABOVE = 2;              /* of the row above the band */
const uint ABOVE = 3;                   /* that row: each lane has a block */
const uint OUTSIDE = HALO_TOP ? 4 : 2;

void make_outside (inout Walk walk, inout Filtered over, uint what)
{
  const uint lane = gl_SubgroupInvocationID;
  const uint block = HALO_TOP && what == ABOVE
                         ? min (walk.block + lane, count_blocks () - 1)
                         : max (walk.block, 1) - 1;
  const uint row = HALO_TOP && what >= LEFT_ABOVE ? max (2 * walk.top, 1) - 1
                                                  : 2 * walk.pair + what;
  const Chroma chroma = chroma_at (block, row);
  Pixels pixels = make_row (block, row, chroma);
  /* Left of the frame is what it starts with. */
  const vec3 left
      = walk.block > 0 ? pixels.at[BLOCK].xyz : pixels.at[1].xyz;

  if (what == LEFT_EVEN) {
    walk.left[0] = left;
  } else if (what == LEFT_ODD) {
    walk.left[1] = left;
  } else if (HALO_TOP && what == LEFT_ABOVE) {
    walk.corner = left;
  } else if (HALO_TOP) {
    const vec3 end = subgroupShuffle (pixels.at[BLOCK].xyz, lane_beside (-1));

    pixels.at[0].xyz = lane > 0 ? end : walk.corner;
    walk.corner = end;
    over = filter_made (pixels, chroma);
  }
}

/* What the rows above the lanes' pairs give. @over: above the band, in lane
 * @turn. */
Filtered take_above (Filtered over, uint turn, Filtered odd)
{
  Filtered above;

  [[unroll]] for (int i = 0; i < SAMPLES; i++) {
    const vec3 lane = subgroupShuffle (odd.at[i], lane_beside (-1));
    const vec3 first = subgroupBroadcast (over.at[i], turn);
    above.at[i] = gl_SubgroupInvocationID > 0 ? lane : first;
  }
  return above;
}

/* Converts the walk's block of both rows. @over, @turn: as above. */
void convert_pair (inout Walk walk, Filtered over, uint turn)
{
  Chroma upper, own, lower;
  Filtered rows[2], above;

  if (SOURCE_VSUB == 1) {
    own = next_chroma (walk);
    if (UP_V_EVEN != 0.0)
      upper = chroma_beside (walk, own, -1);
    if (UP_V_ODD != 0.0)
      lower = chroma_beside (walk, own, 1);
  }
  [[unroll]] for (int k = 0; k < 2; k++) {
    const uint row = 2 * walk.pair + k;
    const Chroma chroma = chroma_of (walk.block, row, k, upper, own, lower);
    Pixels pixels = make_row (walk.block, row, chroma);

    pixels.at[0].xyz = walk.left[k];
    walk.left[k] = pixels.at[BLOCK].xyz;
    rows[k] = filter_made (pixels, chroma);
    store_row (walk.block, row, pixels, rows[k]);
  }
  if (HALO_TOP)
    above = take_above (over, turn, rows[1]);
  store_chroma (walk.block, walk.pair,
                CHROMA_DIRECT ? direct (own)
                              : filter_pair (above, rows[0], rows[1]));
}

void main ()
{
  const uint steps = uint (WALK);
  const uint start = min (gl_WorkGroupID.x * steps, count_blocks () - steps);
  Walk walk = start_walk (
      start, min (gl_WorkGroupID.y * LANES, count_pairs () - LANES));
  Filtered over;
  uint what = LEFT_EVEN;

  /* Conditions come last: a CPU would go through an inner loop once more,
   * without any lane. */
  do {
    const uint stop
        = HALO_TOP ? min (walk.block + LANES, start + steps) : start + steps;
    uint turn = 0;

    do {
      make_outside (walk, over, what);
      what++;
    } while (what < OUTSIDE);
    what = ABOVE;
    do {
      convert_pair (walk, over, turn);
      turn++;
      walk.block++;
    } while (walk.block < stop);
  } while (walk.block < start + steps);
}
