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
 * gets its share. @columns: workgroups side by side. */
static unsigned
choose_row_pairs (const struct color_plan *plan, unsigned pairs,
                  unsigned columns, bool cpu)
{
  const bool halo = plan->constants[ID_TARGET_VSUB]
                    && plan->constants[ID_DOWN_TOP]
                    && !plan->constants[ID_CHROMA_DIRECT];
  const unsigned share = columns * pairs / 32;
  const unsigned most = !cpu         ? (halo ? 2 : 1)
                        : share < 2  ? 2
                        : share > 16 ? 16
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

void
color_plan_set_size (struct color_plan *plan, unsigned width, unsigned height,
                     unsigned block, bool cpu, uint32_t groups[2])
{
  const unsigned blocks = (width + block - 1) / block;
  const unsigned pairs = (height + 1) / 2;
  const unsigned unit = cpu ? 8 : 32; /* lanes that run together */
  const unsigned n = (blocks + 127) / 128;
  const unsigned local = ((blocks + n - 1) / n + unit - 1) / unit * unit;
  const unsigned columns = (blocks + local - 1) / local;
  const unsigned rows = choose_row_pairs (plan, pairs, columns, cpu);

  put_int (plan, ID_LOCAL_SIZE_X, (int)local);
  put_int (plan, ID_ROW_PAIRS, (int)rows);
  put_int (plan, ID_WHOLE_BLOCKS, width % block == 0);
  put_int (plan, ID_EVEN_HEIGHT, height % 2 == 0);
  groups[0] = columns;
  groups[1] = (pairs + rows - 1) / rows;
}

void
color_plan_fill_params (const struct color_plan *plan,
                        struct kernel_params *params)
{
  const struct color_gain *gain = &plan->gain;

  params->lo = gain->lo;
  params->inv = gain->inv;
  memcpy (params->p, gain->p, sizeof params->p);
  memcpy (params->q, gain->q, sizeof params->q);
  params->cap = gain->cap;
}
