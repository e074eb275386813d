/* Where one pass is enough. */
#include "gst/color/compose.h"

#include <math.h>
#include <string.h>

/* How far codes may differ before they are rounded: a whole one, but for ties.
 */
#define MOST 0.95

static float
constant (const struct color_plan *plan, int id)
{
  float f;
  memcpy (&f, &plan->constants[id], sizeof f);
  return f;
}

static int
bits_of (const struct color_side *side, int component)
{
  return side->format.component[component].bits;
}

static bool
same_chroma (const struct color_side *a, const struct color_side *b)
{
  const struct color_site p = a->description.site, q = b->description.site;

  return a->format.hsub == b->format.hsub && a->format.vsub == b->format.vsub
         && (!a->format.hsub || p.left == q.left)
         && (!a->format.vsub || p.top == q.top);
}

/* Samples move to another place and keep their codes. */
static bool
is_repack (const struct color_conversion *c)
{
  const struct color_description *a = &c->source.description;
  const struct color_description *b = &c->target.description;

  for (int i = 0; i < 3; i++)
    if (bits_of (&c->source, i) != bits_of (&c->target, i))
      return false;
  return c->plan.affine && a->matrix == b->matrix && a->range == b->range
         && same_chroma (&c->source, &c->target);
}

/* Alpha that the frame between has lost, in part or whole, would be back. */
static bool
keeps_alpha (const struct color_side *source, const struct color_side *between,
             const struct color_side *target)
{
  const int from = bits_of (source, 3), to = bits_of (target, 3);

  if (!source->format.has_alpha || !target->format.has_alpha)
    return true;
  return between->format.has_alpha
         && bits_of (between, 3) >= (from < to ? from : to);
}

static bool
is_direct (const struct color_conversion *c)
{
  return c->plan.constants[ID_CHROMA_DIRECT];
}

/* Chroma that is subsampled between must have been so before, or stay so; then
 * luma must not come of it. */
static bool
keeps_chroma (const struct color_conversion *first,
              const struct color_conversion *second)
{
  const struct color_plan *plan = &second->plan;

  if (!first->target.format.hsub || is_direct (first))
    return true;
  return is_direct (second)
         && fabsf (constant (plan, ID_OUT_MATRIX + 1)) < 1e-6f
         && fabsf (constant (plan, ID_OUT_MATRIX + 2)) < 1e-6f;
}

/* Codes that the first one clips would not be clipped without it. */
static bool
keeps_codes (const struct color_conversion *c)
{
  return !c->plan.affine || !c->plan.constants[ID_CLAMP_CODES];
}

/* By how many codes the target's component can differ before it is rounded. The
 * frame between moves its own by up to half a code, and by its dither's
 * threshold; one pass adds that to the target instead. */
static double
difference (const struct color_conversion *first,
            const struct color_conversion *second, int component)
{
  const bool is_chroma = component > 0 && second->target.format.hsub > 0;
  double reach = 0, sum = 0;

  for (int k = 0; k < 3; k++) {
    const double m
        = constant (&second->plan, ID_OUT_MATRIX + 4 * component + k);

    reach += fabs (m) / 2;
    sum += m;
  }
  if (!first->plan.dithered)
    return reach;
  if (second->plan.dithered)
    return reach + fabs (sum) / 2;
  /* Subsampled chroma has other thresholds than what it is filtered from. */
  return reach + (is_chroma ? 1 + fabs (sum) : fabs (1 - sum)) / 2;
}

/* Whether the rounding of the frame between is lost in the target's. Behind
 * a tone curve it is not: those are as steep as they like near black. */
static bool
is_fine_enough (const struct color_conversion *first,
                const struct color_conversion *second)
{
  if (!second->plan.affine
      || (first->plan.dithered && first->target.format.hsub > 0))
    return false;
  for (int i = 0; i < 3; i++)
    if (bits_of (&second->target, i) > 0
        && difference (first, second, i) > MOST)
      return false;
  return true;
}

static bool
has_chroma (const struct color_side *side)
{
  return bits_of (side, 1) > 0 && bits_of (side, 2) > 0;
}

/* Settings may say that codes mean another light than the caps did. */
static bool
same_codes (const struct color_side *a, const struct color_side *b)
{
  return a->description.matrix == b->description.matrix
         && a->description.range == b->description.range && same_chroma (a, b);
}

static enum color_composition
choose (const struct color_conversion *first,
        const struct color_conversion *second)
{
  if (!same_codes (&first->target, &second->source)
      || !keeps_alpha (&first->source, &first->target, &second->target))
    return COLOR_COMPOSITION_NONE;
  if (is_repack (first))
    return COLOR_COMPOSITION_SECOND;
  if (is_repack (second))
    return COLOR_COMPOSITION_FIRST;
  if (!has_chroma (&first->target) || !keeps_chroma (first, second)
      || !keeps_codes (first) || !is_fine_enough (first, second))
    return COLOR_COMPOSITION_NONE;
  return first->plan.affine ? COLOR_COMPOSITION_SECOND
                            : COLOR_COMPOSITION_FIRST;
}

/* The affine one of the two does not know what its codes mean. */
static void
take_light (struct color_description *to, const struct color_description *from)
{
  to->transfer = from->transfer;
  to->primaries = from->primaries;
}

/* Even if it could stay where it is. */
static void
filter_chroma (struct color_conversion *c)
{
  c->plan.constants[ID_CHROMA_DIRECT] = 0;
  if (c->source.format.hsub || c->target.format.hsub)
    c->plan.constants[ID_MULTIPLE] = 0;
}

enum color_composition
color_compose (const struct color_conversion *first,
               const struct color_conversion *second,
               struct color_conversion *whole)
{
  const enum color_composition result = choose (first, second);
  const bool dithered = first->plan.dithered || second->plan.dithered;

  if (result == COLOR_COMPOSITION_NONE)
    return result;
  *whole = result == COLOR_COMPOSITION_FIRST ? *first : *second;
  whole->source = first->source;
  whole->target = second->target;
  if (result == COLOR_COMPOSITION_SECOND)
    take_light (&whole->source.description, &second->source.description);
  else
    take_light (&whole->target.description, &first->target.description);
  whole->settings.dither = dithered ? COLOR_DITHER_ORDERED : COLOR_DITHER_NONE;
  color_plan_init (&whole->plan, &whole->source, &whole->light, &whole->target,
                   &whole->settings);
  if (!is_direct (first) || !is_direct (second))
    filter_chroma (whole);
  return whole->plan.affine == (first->plan.affine && second->plan.affine)
                 && whole->plan.dithered == dithered
             ? result
             : COLOR_COMPOSITION_NONE;
}
