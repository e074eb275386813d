/* Decides how a conversion is done, and works out its constants in double. */
#include "gst/color/plan.h"

#include <math.h>
#include <string.h>

#include "gst/color/matrix.h"
#include "gst/color/transfer.h"
#include "shaders/include/curve_constants.h"

#define DEFAULT_PEAK  1000.0
#define DEFAULT_WHITE 203.0

/* What color_plan_init() works with. */
struct work
{
  const struct color_side *source, *target;
  const struct color_settings *settings;
  struct color_plan *plan;
  double source_unit, target_unit; /* cd/m2 of light 1 */
  bool pq_root;                    /* the kernel takes the root of PQ's light */
};

static void
put_int (struct color_plan *plan, int id, int value)
{
  plan->constants[id] = (uint32_t)value;
}

static void
put_float (struct color_plan *plan, int id, double value)
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
    put_float (plan, id + i, clean (m->at[i / 4][i % 4]));
}

static void
put_matrix3 (struct color_plan *plan, int id, const struct color_matrix3 *m,
             double scale)
{
  for (int i = 0; i < 9; i++)
    put_float (plan, id + i, clean (m->at[i / 3][i % 3] * scale));
}

static bool
plausible (double light)
{
  return light > 0 && light <= 10000;
}

double
color_source_peak (const struct color_settings *settings,
                   enum color_transfer transfer,
                   const struct color_light *light)
{
  if (settings->source_peak > 0)
    return settings->source_peak;
  if (transfer == COLOR_TRANSFER_PQ && plausible (light->max_cll))
    return light->max_cll;
  if (transfer == COLOR_TRANSFER_PQ && plausible (light->mastering_max))
    return light->mastering_max;
  return DEFAULT_PEAK;
}

static void
resolve_light (struct work *w, const struct color_light *light)
{
  const struct color_settings *s = w->settings;
  const enum color_transfer from = w->source->description.transfer;
  const enum color_transfer to = w->target->description.transfer;
  struct color_plan *plan = w->plan;
  const double white
      = s->reference_white > 0 ? s->reference_white : DEFAULT_WHITE;

  plan->reference_white = white;
  plan->source_peak = color_transfer_is_hdr (from)
                          ? color_source_peak (s, from, light)
                          : white;
  if (s->target_peak > 0)
    plan->target_peak = s->target_peak;
  else if (to == COLOR_TRANSFER_PQ)
    plan->target_peak = plan->source_peak;
  else
    plan->target_peak = to == COLOR_TRANSFER_HLG ? DEFAULT_PEAK : white;

  w->source_unit = from == COLOR_TRANSFER_PQ    ? 10000
                   : from == COLOR_TRANSFER_HLG ? plan->source_peak
                                                : white;
  w->target_unit = to == COLOR_TRANSFER_PQ    ? 10000
                   : to == COLOR_TRANSFER_HLG ? plan->target_peak
                                              : white;
  plan->tone_mapped
      = s->tone_map && color_transfer_is_hdr (from)
        && (!color_transfer_is_hdr (to) || plan->target_peak < plan->source_peak
            || (from != to && to == COLOR_TRANSFER_HLG));
  plan->affine
      = !plan->tone_mapped && from == to
        && w->source->description.primaries == w->target->description.primaries
        && (to != COLOR_TRANSFER_HLG || plan->source_peak == plan->target_peak);
}

static const double exponents[COLOR_N_TRANSFERS] = {
  [COLOR_TRANSFER_BT1886] = 2.4,  [COLOR_TRANSFER_GAMMA18] = 1.8,
  [COLOR_TRANSFER_GAMMA20] = 2.0, [COLOR_TRANSFER_GAMMA22] = 2.2,
  [COLOR_TRANSFER_GAMMA28] = 2.8, [COLOR_TRANSFER_ADOBERGB] = 563.0 / 256,
};

static const int kernel_transfers[COLOR_N_TRANSFERS] = {
  [COLOR_TRANSFER_LINEAR] = TRANSFER_LINEAR,
  [COLOR_TRANSFER_BT1886] = TRANSFER_BT1886,
  [COLOR_TRANSFER_GAMMA18] = TRANSFER_GAMMA,
  [COLOR_TRANSFER_GAMMA20] = TRANSFER_GAMMA,
  [COLOR_TRANSFER_GAMMA22] = TRANSFER_GAMMA,
  [COLOR_TRANSFER_GAMMA28] = TRANSFER_GAMMA,
  [COLOR_TRANSFER_ADOBERGB] = TRANSFER_GAMMA,
  [COLOR_TRANSFER_BT709_SCENE] = TRANSFER_BT709,
  [COLOR_TRANSFER_SMPTE240M_SCENE] = TRANSFER_SMPTE240M,
  [COLOR_TRANSFER_SRGB] = TRANSFER_SRGB,
  [COLOR_TRANSFER_LOG100] = TRANSFER_LOG100,
  [COLOR_TRANSFER_LOG316] = TRANSFER_LOG316,
  [COLOR_TRANSFER_PQ] = TRANSFER_PQ,
  [COLOR_TRANSFER_HLG] = TRANSFER_HLG,
  [COLOR_TRANSFER_ST428] = TRANSFER_ST428,
};

static void
put_source_transfer (struct work *w)
{
  const enum color_transfer t = w->source->description.transfer;
  struct color_plan *plan = w->plan;

  put_int (plan, ID_SOURCE_TRANSFER, kernel_transfers[t]);
  put_float (plan, ID_SOURCE_PARAM2, 1);
  if (t == COLOR_TRANSFER_HLG)
    put_float (plan, ID_SOURCE_PARAM0, color_hlg_gamma (w->source_unit) - 1);
  else
    put_float (plan, ID_SOURCE_PARAM0, exponents[t]);
}

/* Returns what the kernel's result has to be multiplied by. */
static double
put_target_transfer (struct work *w)
{
  const enum color_transfer t = w->target->description.transfer;
  struct color_plan *plan = w->plan;

  put_int (plan, ID_TARGET_TRANSFER, kernel_transfers[t]);
  if (t == COLOR_TRANSFER_HLG) {
    const double gamma = color_hlg_gamma (w->target_unit);
    put_float (plan, ID_TARGET_PARAM0, (1 - gamma) / gamma);
  } else if (t == COLOR_TRANSFER_BT1886) {
    const double black
        = pow (w->settings->target_black / plan->reference_white, 1 / 2.4);
    put_float (plan, ID_TARGET_PARAM0, black / BT1886_SCALE);
    return BT1886_SCALE / (1 - black);
  } else if (exponents[t] > 0) {
    put_float (plan, ID_TARGET_PARAM0, 1 / exponents[t]);
  }
  return 1;
}

static void
put_luma (struct color_plan *plan, int id, enum color_primaries primaries)
{
  const struct color_matrix3 m = color_rgb_to_xyz (primaries);

  for (int i = 0; i < 3; i++)
    put_float (plan, id + i, m.at[1][i]);
}

/* Light into LMS, where ICtCp maps it, and out of it. */
static void
put_ictcp (struct work *w)
{
  const enum color_primaries from = w->source->description.primaries;
  const enum color_primaries to = w->target->description.primaries;
  const struct color_matrix3 in
      = color_convert_primaries (from, COLOR_PRIMARIES_BT2020);
  const struct color_matrix3 out
      = color_convert_primaries (COLOR_PRIMARIES_BT2020, to);
  const struct color_matrix3 inverse
      = color_matrix3_invert (&color_bt2020_to_lms);
  const struct color_matrix3 lms
      = color_matrix3_multiply (&color_bt2020_to_lms, &in);
  const struct color_matrix3 back = color_matrix3_multiply (&out, &inverse);

  put_matrix3 (w->plan, ID_LMS_MATRIX, &lms, w->source_unit / 10000);
  put_matrix3 (w->plan, ID_LIGHT_MATRIX, &back, 10000 / w->target_unit);
}

static void
put_gain (struct work *w)
{
  const struct color_settings *s = w->settings;
  struct color_plan *plan = w->plan;
  const bool hdr = color_transfer_is_hdr (w->target->description.transfer);
  const struct color_tone tone = { .curve = s->curve,
                                   .source_peak = plan->source_peak,
                                   .target_peak = plan->target_peak,
                                   .target_black = s->target_black };
  struct color_gain_units units
      = { .source = w->source_unit, .target = w->target_unit, .hdr = hdr };
  int domain = COLOR_GAIN_DOMAIN_ROOT;

  if (s->mode == COLOR_TONE_ICTCP)
    units.source = units.target = 10000;
  else if (w->pq_root)
    units.source *= PQ_ROOT_SCALE * PQ_ROOT_SCALE;
  if (s->mode == COLOR_TONE_ICTCP || (w->pq_root && s->mode != COLOR_TONE_LUMA))
    domain = COLOR_GAIN_DOMAIN_PQ;
  put_int (plan, ID_TONE_MODE, (int)s->mode);
  put_int (plan, ID_TONE_DOMAIN, domain);
  plan->gain_error = color_gain_fit (&tone, domain, &units, &plan->gain);
}

static void
put_light (struct work *w)
{
  const enum color_primaries from = w->source->description.primaries;
  const enum color_primaries to = w->target->description.primaries;
  const struct color_matrix3 m = color_convert_primaries (from, to);
  struct color_plan *plan = w->plan;
  double scale = w->source_unit / w->target_unit;

  put_luma (plan, ID_SOURCE_LUMA, from);
  put_luma (plan, ID_TARGET_LUMA, to);
  put_int (plan, ID_GAMUT, (int)w->settings->gamut);
  put_int (plan, ID_TONE_MODE, TONE_NONE);
  if (plan->tone_mapped) {
    put_gain (w);
    scale = 1;
  } else if (w->pq_root) {
    scale *= PQ_ROOT_SCALE * PQ_ROOT_SCALE;
  }
  if (plan->tone_mapped && w->settings->mode == COLOR_TONE_ICTCP)
    put_ictcp (w);
  else
    put_matrix3 (plan, ID_LIGHT_MATRIX, &m, scale);
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
              const int bits[3])
{
  for (int i = 0; i < 3; i++) {
    double low = m->at[i][3], high = low;
    for (int j = 0; j < 3; j++) {
      low += fmin (m->at[i][j], 0) * limits[j];
      high += fmax (m->at[i][j], 0) * limits[j];
    }
    if (low < -0.1 || high > (1 << bits[i]) - 1 + 0.4)
      return true;
  }
  return false;
}

static void
put_codes (struct work *w)
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
    for (int i = 0; i < 3; i++) {
      /* Ties go up, as the standards round; the kernel's rounding sends them
       * to the even code. */
      out.at[i][3] += 1.0 / 2048;
      limits[i] = (1 << from_bits[i]) - 1;
    }
    put_int (plan, ID_CLAMP_CODES, leaves_codes (&out, limits, to_bits));
  } else {
    const double scale = put_target_transfer (w);
    put_int (plan, ID_CLAMP_CODES, leaves_codes (&out, limits, to_bits));
    for (int i = 0; i < 9; i++)
      out.at[i / 3][i % 3] *= scale;
    put_affine (plan, ID_IN_MATRIX, &in);
    put_source_transfer (w);
  }
  put_affine (plan, ID_OUT_MATRIX, &out);
}

static void
put_alpha (struct work *w)
{
  const struct color_format *from = &w->source->format;
  const struct color_format *to = &w->target->format;
  const double opaque = ((int64_t)1 << to->component[3].bits) - 1;
  const double full = ((int64_t)1 << from->component[3].bits) - 1;
  struct color_plan *plan = w->plan;

  put_int (plan, ID_ALPHA,
           !to->has_alpha    ? ALPHA_NONE
           : from->has_alpha ? ALPHA_COPY
                             : ALPHA_MAKE);
  put_float (plan, ID_ALPHA_OPAQUE, opaque);
  put_float (plan, ID_ALPHA_SCALE, from->has_alpha ? opaque / full : 1);
}

static void
put_chroma (struct work *w)
{
  const struct color_format *from = &w->source->format;
  const struct color_format *to = &w->target->format;
  const struct color_site a = w->source->description.site;
  const struct color_site b = w->target->description.site;
  struct color_plan *plan = w->plan;
  const bool same = from->hsub == to->hsub && from->vsub == to->vsub
                    && a.left == b.left && (!from->vsub || a.top == b.top);

  put_int (plan, ID_SOURCE_HSUB, from->hsub);
  put_int (plan, ID_SOURCE_VSUB, from->vsub);
  put_int (plan, ID_TARGET_HSUB, to->hsub);
  put_int (plan, ID_TARGET_VSUB, to->vsub);
  put_float (plan, ID_UP_H_EVEN, !from->hsub || a.left ? 0 : 0.25);
  put_float (plan, ID_UP_H_ODD, !from->hsub ? 0 : a.left ? 0.5 : 0.25);
  put_float (plan, ID_UP_V_EVEN, !from->vsub || a.top ? 0 : 0.25);
  put_float (plan, ID_UP_V_ODD, !from->vsub ? 0 : a.top ? 0.5 : 0.25);
  put_int (plan, ID_DOWN_LEFT, b.left);
  put_int (plan, ID_DOWN_TOP, b.top);
  put_int (plan, ID_CHROMA_DIRECT, plan->affine && from->hsub && same);
}

static void
put_components (struct color_plan *plan, int id,
                const struct color_format *format)
{
  for (int k = 0; k < 4; k++, id += COMPONENT_FIELDS) {
    const struct color_component *c = &format->component[k];
    put_int (plan, id + COMPONENT_PLANE, c->plane);
    put_int (plan, id + COMPONENT_STEP, c->step);
    put_int (plan, id + COMPONENT_OFFSET, c->offset);
    put_int (plan, id + COMPONENT_SHIFT, c->shift);
    put_int (plan, id + COMPONENT_BITS, c->bits);
    put_int (plan, id + COMPONENT_CHANNEL, c->channel);
  }
}

void
color_plan_init (struct color_plan *plan, const struct color_side *source,
                 const struct color_light *light,
                 const struct color_side *target,
                 const struct color_settings *settings)
{
  struct work w = {
    .source = source, .target = target, .settings = settings, .plan = plan
  };

  memset (plan, 0, sizeof *plan);
  resolve_light (&w, light);
  w.pq_root = source->description.transfer == COLOR_TRANSFER_PQ
              && !(plan->tone_mapped && settings->mode == COLOR_TONE_ICTCP);
  put_int (plan, ID_PATH, plan->affine ? PATH_AFFINE : PATH_LIGHT);
  put_int (plan, ID_NATIVE_LOG, settings->native_log);
  put_int (plan, ID_SOURCE_ALIGNED, 1);
  put_codes (&w);
  put_light (&w);
  put_alpha (&w);
  put_chroma (&w);
  put_components (plan, ID_SOURCE_COMPONENT, &source->format);
  put_components (plan, ID_TARGET_COMPONENT, &target->format);
}
