/* Decides how a conversion is done, and works out its constants in double. */
#include "gst/color/plan-private.h"

#include <math.h>
#include <string.h>

void
color_plan_put_int (struct color_plan *plan, int id, int value)
{
  plan->constants[id] = (uint32_t)value;
}

void
color_plan_put_float (struct color_plan *plan, int id, double value)
{
  const float f = (float)value;
  memcpy (&plan->constants[id], &f, sizeof f);
}

/* Products of inverse matrices leave dust where zeros should be; zeros are
 * folded away by the compiler. */
static double
clean (double value)
{
  return fabs (value) < 1e-9 ? 0 : value;
}

static void
put_affine (struct color_plan *plan, int id, const struct color_affine *m)
{
  for (int i = 0; i < 12; i++)
    color_plan_put_float (plan, id + i, clean (m->at[i / 4][i % 4]));
}

void
color_plan_put_matrix3 (struct color_plan *plan, int id,
                        const struct color_matrix3 *m, double scale)
{
  for (int i = 0; i < 9; i++)
    color_plan_put_float (plan, id + i, clean (m->at[i / 3][i % 3] * scale));
}

static void
component_bits (const struct color_side *side, int bits[3])
{
  for (int i = 0; i < 3; i++)
    bits[i] = side->format.component[i].bits;
}

/* Whether the matrix can make codes that do not exist out of components
 * between 0 and @limits. */
static bool
leaves_codes (const struct color_affine *m, const double limits[3],
              const int bits[3], bool dithered)
{
  const double room = dithered ? -0.5 : 0.1;

  for (int i = 0; i < 3; i++) {
    double low = m->at[i][3], high = low;
    for (int j = 0; j < 3; j++) {
      low += fmin (m->at[i][j], 0) * limits[j];
      high += fmax (m->at[i][j], 0) * limits[j];
    }
    if (low < -room || high > (1 << bits[i]) - 1 + room)
      return true;
  }
  return false;
}

/* How many times as large @to's samples are as @from's, all of them alike, and
 * whole. 0: that is not all, or one of them is grey. */
static int
find_multiple (const struct color_affine *m, const struct color_format *from,
               const struct color_format *to)
{
  int multiple = 0;

  for (int i = 0; i < 3; i++) {
    const int here = (int)lround (m->at[i][i]);

    if (from->component[i].bits == 0 || to->component[i].bits == 0)
      return 0;
    for (int j = 0; j < 4; j++)
      if (fabs (m->at[i][j] - (j == i ? here : 0)) > 1e-9)
        return 0;
    if (here < 1 || (multiple > 0 && here != multiple))
      return 0;
    multiple = here;
  }
  return multiple;
}

static void
put_codes (struct color_work *w)
{
  const struct color_description *from = &w->source->description;
  const struct color_description *to = &w->target->description;
  struct color_plan *plan = w->plan;
  double limits[3] = { 1, 1, 1 };
  struct color_affine in, out;
  int from_bits[3], to_bits[3];

  component_bits (w->source, from_bits);
  component_bits (w->target, to_bits);
  in = color_codes_to_rgb (from->matrix, from->range, from_bits);
  out = color_rgb_to_codes (to->matrix, to->range, to_bits);
  if (plan->affine) {
    out = color_affine_multiply (&out, &in);
    color_plan_put_int (
        plan, ID_MULTIPLE,
        find_multiple (&out, &w->source->format, &w->target->format));
    for (int i = 0; i < 3; i++) {
      /* Ties go up, as the standards round; the kernel's rounding sends them
       * to the even code. The last two bits of the largest code outweigh what
       * the arithmetic errs by; beyond 10 bits that would cost more of what
       * lies just below a tie than there are ties. */
      out.at[i][3] += ldexp (1, to_bits[i] - (to_bits[i] > 10 ? 24 : 23));
      limits[i] = (1 << from_bits[i]) - 1;
    }
    color_plan_put_int (plan, ID_CLAMP_CODES,
                        leaves_codes (&out, limits, to_bits, plan->dithered));
  } else {
    const double scale = color_plan_put_target_transfer (w);
    color_plan_put_float (plan, ID_LUT_UNIT, scale);
    color_plan_put_int (plan, ID_CLAMP_CODES,
                        leaves_codes (&out, limits, to_bits, plan->dithered));
    for (int i = 0; i < 9; i++)
      out.at[i / 3][i % 3] *= scale;
    put_affine (plan, ID_IN_MATRIX, &in);
    color_plan_put_source_transfer (w);
  }
  put_affine (plan, ID_OUT_MATRIX, &out);
}

bool
color_format_loses_depth (const struct color_format *from,
                          const struct color_format *to)
{
  for (int k = 0; k < 3; k++) {
    if (to->component[k].bits > 0
        && to->component[k].bits < from->component[k].bits)
      return true;
  }
  return false;
}

bool
color_format_needs_bits (const struct color_format *format)
{
  return format->packing == PACKING_TEN;
}

static void
put_alpha (struct color_work *w)
{
  const struct color_format *from = &w->source->format;
  const struct color_format *to = &w->target->format;
  const int opaque = (1 << to->component[3].bits) - 1;
  const int full = (1 << from->component[3].bits) - 1;
  struct color_plan *plan = w->plan;

  color_plan_put_int (plan, ID_ALPHA,
                      !to->has_alpha     ? ALPHA_NONE
                      : !from->has_alpha ? ALPHA_MAKE
                      : full == opaque   ? ALPHA_COPY
                                         : ALPHA_RESCALE);
  color_plan_put_float (plan, ID_ALPHA_OPAQUE, (double)opaque);
  color_plan_put_int (plan, ID_ALPHA_SOURCE, full);
}

static void
put_chroma (struct color_work *w)
{
  const struct color_format *from = &w->source->format;
  const struct color_format *to = &w->target->format;
  const struct color_site a = w->source->description.site;
  const struct color_site b = w->target->description.site;
  struct color_plan *plan = w->plan;
  const bool same = from->hsub == to->hsub && from->vsub == to->vsub
                    && a.left == b.left && (!from->vsub || a.top == b.top);

  color_plan_put_int (plan, ID_SOURCE_PACKING, from->packing);
  color_plan_put_int (plan, ID_TARGET_PACKING, to->packing);
  color_plan_put_int (plan, ID_SOURCE_HSUB, from->hsub);
  color_plan_put_int (plan, ID_SOURCE_VSUB, from->vsub);
  color_plan_put_int (plan, ID_TARGET_HSUB, to->hsub);
  color_plan_put_int (plan, ID_TARGET_VSUB, to->vsub);
  color_plan_put_float (plan, ID_UP_H_EVEN, !from->hsub || a.left ? 0 : 0.25);
  color_plan_put_float (plan, ID_UP_H_ODD,
                        !from->hsub ? 0
                        : a.left    ? 0.5
                                    : 0.25);
  color_plan_put_float (plan, ID_UP_V_EVEN, !from->vsub || a.top ? 0 : 0.25);
  color_plan_put_float (plan, ID_UP_V_ODD,
                        !from->vsub ? 0
                        : a.top     ? 0.5
                                    : 0.25);
  color_plan_put_int (plan, ID_DOWN_LEFT, b.left);
  color_plan_put_int (plan, ID_DOWN_TOP, b.top);
  color_plan_put_int (plan, ID_CHROMA_DIRECT,
                      plan->affine && from->hsub && same);
}

/* Takes MULTIPLE back where samples are mixed or rounded, too. */
static void
check_multiple (struct color_work *w)
{
  const struct color_format *from = &w->source->format;
  const struct color_format *to = &w->target->format;
  const bool full = !from->hsub && !from->vsub && !to->hsub && !to->vsub;
  const int opaque = (1 << to->component[3].bits) - 1;
  const int most = (1 << from->component[3].bits) - 1;
  struct color_plan *plan = w->plan;

  if (plan->dithered || (!full && !plan->constants[ID_CHROMA_DIRECT])
      || (plan->constants[ID_ALPHA] == ALPHA_RESCALE && opaque % most != 0))
    color_plan_put_int (plan, ID_MULTIPLE, 0);
}

static void
put_components (struct color_plan *plan, int id,
                const struct color_format *format)
{
  for (int k = 0; k < 4; k++, id += COMPONENT_FIELDS) {
    const struct color_component *c = &format->component[k];
    color_plan_put_int (plan, id + COMPONENT_PLANE, c->plane);
    color_plan_put_int (plan, id + COMPONENT_STEP, c->step);
    color_plan_put_int (plan, id + COMPONENT_OFFSET, c->offset);
    color_plan_put_int (plan, id + COMPONENT_SHIFT, c->shift);
    color_plan_put_int (plan, id + COMPONENT_BITS, c->bits);
    color_plan_put_int (plan, id + COMPONENT_CHANNEL, c->channel);
  }
}

void
color_plan_init (struct color_plan *plan, const struct color_side *source,
                 const struct color_light *light,
                 const struct color_side *target,
                 const struct color_settings *settings)
{
  struct color_work w = {
    .source = source, .target = target, .settings = settings, .plan = plan
  };

  memset (plan, 0, sizeof *plan);
  color_plan_resolve_light (&w, light);
  plan->dithered = settings->dither == COLOR_DITHER_ORDERED
                   && color_format_loses_depth (&source->format, &target->format);
  color_plan_put_int (plan, ID_PATH, plan->affine ? PATH_AFFINE : PATH_LIGHT);
  color_plan_put_int (plan, ID_NATIVE_LOG, settings->native_log);
  color_plan_put_int (plan, ID_ALIGNED, 4);
  color_plan_put_int (plan, ID_SOURCE_ROW_STEP, 1);
  color_plan_put_int (plan, ID_TARGET_ROW_STEP, 1);
  put_codes (&w);
  color_plan_put_light (&w);
  put_alpha (&w);
  put_chroma (&w);
  check_multiple (&w);
  put_components (plan, ID_SOURCE_COMPONENT, &source->format);
  put_components (plan, ID_TARGET_COMPONENT, &target->format);
  color_plan_put_view (&w, light);
}
