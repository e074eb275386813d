/* The part of a plan that depends on the size of the frames. */
#include <string.h>

#include "gst/color/plan.h"

static void
put_int (struct color_plan *plan, int id, int value)
{
  plan->constants[id] = (uint32_t)value;
}

/* Row pairs an invocation walks down, of which a multiple should be the height.
 * A GPU wants many invocations; a long walk saves it the row above only where
 * the chroma filter needs one. A CPU likes walks as long as every core still
 * gets its share and memory is not read from too many rows at a time, which is
 * half as many where it does nothing else. @columns: workgroups side by side. */
static unsigned
choose_row_pairs (const struct color_plan *plan, unsigned pairs,
                  unsigned columns, const struct color_lanes *lanes)
{
  const bool halo = plan->constants[ID_TARGET_VSUB]
                    && plan->constants[ID_DOWN_TOP]
                    && !plan->constants[ID_CHROMA_DIRECT];
  const unsigned share = columns * pairs / 32;
  const unsigned limit = plan->constants[ID_MULTIPLE] ? 4 : 8;
  const unsigned most = !lanes->cpu     ? (halo ? 2 : 1)
                        : share < 2     ? 2
                        : share > limit ? limit
                                        : share;
  unsigned best = 1, least = UINT32_MAX;

  for (unsigned n = most; n >= (most + 1) / 2; n--) {
    const unsigned made = (pairs + n - 1) / n * n;
    if (n <= pairs && made < least) {
      best = n;
      least = made;
    }
  }
  return best;
}

/* Invocations of a workgroup, side by side: if there is a way, so that none is
 * idle. */
static unsigned
choose_local (unsigned blocks, unsigned unit)
{
  const unsigned least = (blocks + 127) / 128;

  for (unsigned n = least; n <= 2 * least; n++) {
    if (blocks % (n * unit) == 0)
      return blocks / n;
  }
  return ((blocks + least - 1) / least + unit - 1) / unit * unit;
}

/* The same where one of them has no block of its own. */
static unsigned
choose_edged_local (unsigned blocks, unsigned unit)
{
  return blocks + 1 < 128 ? (blocks + unit) / unit * unit : 128;
}

/* Whether blocks need the pixel left of them, which costs a curve. */
static bool
needs_edges (const struct color_plan *plan)
{
  return plan->constants[ID_PATH] == PATH_LIGHT
         && plan->constants[ID_TARGET_HSUB] && plan->constants[ID_DOWN_LEFT]
         && plan->view == COLOR_VIEW_NORMAL;
}

/* Whether lanes are row pairs that go along their rows together, which saves
 * the pixels and the chroma next to blocks, if they are looked at: each has its
 * own, few have another's too, and the start of a walk, which costs some steps,
 * does not count. More than 8 lanes take longer that way. */
static bool
goes_along (const struct color_plan *plan, unsigned width, unsigned height,
            const struct color_lanes *lanes)
{
  const unsigned pairs = height / 2, n = lanes->shuffled;
  const bool spreads
      = plan->constants[ID_SOURCE_VSUB] && !plan->constants[ID_MULTIPLE];

  return (needs_edges (plan) || spreads)
         && plan->view == COLOR_VIEW_NORMAL && lanes->cpu && lanes->block == 8
         && n >= 4 && n <= 8 && width % 8 == 0 && width >= 512
         && height % 2 == 0 && pairs >= n && (n - pairs % n) % n <= pairs / 8;
}

/* Walks along rows, as long as they may be so that every core gets its share.
 */
static void
set_walk (struct color_plan *plan, unsigned blocks, unsigned pairs,
          unsigned lanes, uint32_t groups[2])
{
  const unsigned bands = (pairs + lanes - 1) / lanes;
  const unsigned wanted = (40 + bands - 1) / bands;
  const unsigned most = blocks / 32;
  const unsigned walks = wanted < most ? wanted : most;
  const unsigned walk = (blocks + walks - 1) / walks;

  put_int (plan, ID_LOCAL_SIZE_X, (int)lanes);
  put_int (plan, ID_GROUP_EDGES, 0);
  put_int (plan, ID_ROW_PAIRS, 1);
  put_int (plan, ID_WALK, (int)walk);
  put_int (plan, ID_WHOLE_BLOCKS, true);
  put_int (plan, ID_EVEN_HEIGHT, true);
  groups[0] = walks;
  groups[1] = bands;
}

void
color_plan_set_size (struct color_plan *plan, unsigned width, unsigned height,
                     const struct color_lanes *lanes, uint32_t groups[2])
{
  const unsigned blocks = (width + lanes->block - 1) / lanes->block;
  const unsigned pairs = (height + 1) / 2;
  const unsigned unit = lanes->cpu ? 8 : 32; /* lanes that run together */
  const bool edges = needs_edges (plan);
  const unsigned extra = edges && !lanes->cpu ? 1 : 0;
  const unsigned local
      = extra ? choose_edged_local (blocks, unit) : choose_local (blocks, unit);
  const unsigned columns = (blocks + local - extra - 1) / (local - extra);
  const unsigned rows = choose_row_pairs (plan, pairs, columns, lanes);

  plan->along_rows = goes_along (plan, width, height, lanes);
  if (plan->along_rows) {
    set_walk (plan, blocks, pairs, lanes->shuffled, groups);
    return;
  }
  put_int (plan, ID_LOCAL_SIZE_X, (int)local);
  put_int (plan, ID_GROUP_EDGES, (int)extra);
  put_int (plan, ID_ROW_PAIRS, (int)rows);
  put_int (plan, ID_WHOLE_BLOCKS, width % lanes->block == 0);
  put_int (plan, ID_EVEN_HEIGHT, height % 2 == 0);
  groups[0] = columns;
  groups[1] = (pairs + rows - 1) / rows;
}

void
color_plan_fill_params (const struct color_plan *plan,
                        struct kernel_params *params)
{
  const struct color_gain *gain = &plan->gain;

  params->scale = gain->scale;
  params->shift = gain->shift;
  memcpy (params->p, gain->p, sizeof params->p);
  memcpy (params->q, gain->q, sizeof params->q);
  params->cap = gain->cap;
}
