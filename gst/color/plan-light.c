/* The light's part of a plan: peaks, the tone curve, primaries, gamut. */
#include <math.h>

#include "gst/color/plan-private.h"
#include "shaders/include/curve_constants.h"
#include "shaders/include/peak_ids.h"

#define DEFAULT_PEAK  1000.0
#define DEFAULT_WHITE 203.0

/* Codes that a fitted gain may be off: what a lifted black needs near black is
 * no rational function of few terms. */
#define MOST_GAIN_ERROR 0.5

/* Darker than this, cd/m2, is no display: its maximum was written in other units.
 * Nor does it matter for a clip that is as dark: curves begin above it. */
#define LEAST_PEAK 10.0

static bool
plausible (double light)
{
  return light >= LEAST_PEAK && light <= 10000;
}

double
color_source_peak (const struct color_settings *settings,
                   enum color_transfer transfer,
                   const struct color_light *light)
{
  if (settings->source_peak > 0)
    return settings->source_peak;
  if (transfer == COLOR_TRANSFER_HLG && settings->hlg_peak > 0)
    return settings->hlg_peak;
  if (transfer == COLOR_TRANSFER_PQ && plausible (light->max_cll))
    return light->max_cll;
  if (transfer == COLOR_TRANSFER_PQ && plausible (light->mastering_max))
    return light->mastering_max;
  return DEFAULT_PEAK;
}

static double
exposure_of (const struct color_work *w)
{
  return exp2 (w->settings->exposure);
}

static double
black_below (struct color_plan *plan, double black, double white)
{
  const double most = COLOR_MOST_BLACK * white;

  if (black <= most)
    return black;
  plan->black_limited = true;
  return most;
}

static void
resolve_peaks (struct color_work *w, const struct color_light *light)
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
    plan->target_peak = color_transfer_is_hdr (from) || !s->inverse
                            ? plan->source_peak
                            : DEFAULT_PEAK;
  else
    plan->target_peak = to == COLOR_TRANSFER_HLG ? DEFAULT_PEAK : white;
  /* What metadata say changes nothing then, so that it clips nothing where it is
   * not true. */
  if (from == COLOR_TRANSFER_PQ && to != COLOR_TRANSFER_PQ
      && s->source_peak <= 0)
    plan->source_peak
        = fmax (plan->source_peak, plan->target_peak / exposure_of (w));

  w->source_unit = from == COLOR_TRANSFER_PQ ? 10000
                   : from != COLOR_TRANSFER_HLG
                       ? white
                       : (s->hlg_peak > 0 ? s->hlg_peak : plan->source_peak);
  w->target_unit = to == COLOR_TRANSFER_PQ    ? 10000
                   : to == COLOR_TRANSFER_HLG ? plan->target_peak
                                              : white;
  plan->target_black = black_below (
      plan, s->contrast > 0 ? white / s->contrast : s->target_black,
      fmin (white, plan->target_peak));
  if (from == COLOR_TRANSFER_HLG)
    plan->hlg_black = black_below (plan, s->hlg_black, w->source_unit);
}

/* Whether light goes through the curve. */
static bool
needs_curve (const struct color_work *w)
{
  const struct color_settings *s = w->settings;
  const enum color_transfer from = w->source->description.transfer;
  const enum color_transfer to = w->target->description.transfer;
  const struct color_plan *plan = w->plan;

  if (!s->tone_map || s->curve == COLOR_CURVE_NONE
      || (s->cube && s->cube_instead))
    return false;
  if (!color_transfer_is_hdr (from))
    return s->inverse && color_transfer_is_hdr (to);
  return !color_transfer_is_hdr (to)
         || plan->target_peak < plan->source_peak * exposure_of (w)
         || (from != to && to == COLOR_TRANSFER_HLG);
}

void
color_plan_resolve_light (struct color_work *w, const struct color_light *light)
{
  const struct color_settings *s = w->settings;
  const struct color_description *from = &w->source->description;
  const struct color_description *to = &w->target->description;
  struct color_plan *plan = w->plan;

  resolve_peaks (w, light);
  plan->tone_mapped = needs_curve (w);
  plan->curve = s->curve == COLOR_CURVE_AUTO ? COLOR_CURVE_SPLINE : s->curve;
  plan->mode = s->mode;
  if (s->mode == COLOR_TONE_AUTO)
    plan->mode = s->native_log ? COLOR_TONE_ICTCP : COLOR_TONE_MAX;
  plan->gamut
      = s->gamut == COLOR_GAMUT_AUTO ? COLOR_GAMUT_PERCEPTUAL : s->gamut;
  plan->affine
      = !plan->tone_mapped && from->transfer == to->transfer
        && from->primaries == to->primaries && s->exposure == 0
        && s->saturation == 0 && !s->cube
        && (to->transfer != COLOR_TRANSFER_HLG
            || (w->source_unit == w->target_unit && s->hlg_black == 0));
  w->pq_root = from->transfer == COLOR_TRANSFER_PQ
               && !(plan->tone_mapped && plan->mode == COLOR_TONE_ICTCP);
}

static void
put_luma (struct color_plan *plan, int id, enum color_primaries primaries)
{
  const struct color_matrix3 m = color_rgb_to_xyz (primaries);

  for (int i = 0; i < 3; i++)
    color_plan_put_float (plan, id + i, m.at[1][i]);
}

/* Before @m, or behind it: distance from grey of the same luminance grows. */
static struct color_matrix3
saturate (const struct color_work *w, const struct color_matrix3 *m)
{
  const double s = 1 + w->settings->saturation;
  const struct color_matrix3 xyz
      = color_rgb_to_xyz (w->target->description.primaries);
  struct color_matrix3 around;

  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      around.at[i][j] = (1 - s) * xyz.at[1][j] + (i == j ? s : 0);
  return s == 1 ? *m : color_matrix3_multiply (&around, m);
}

/* Light into LMS, where ICtCp maps it, and out of it. */
static void
put_ictcp (struct color_work *w)
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
  const struct color_matrix3 saturated = saturate (w, &back);

  const bool pq = w->source->description.transfer == COLOR_TRANSFER_PQ;
  const bool hdr = color_transfer_is_hdr (w->target->description.transfer);
  const double fitted
      = w->settings->native_log && hdr ? 1 : PQ_ROOT_SCALE * PQ_ROOT_SCALE;

  color_plan_put_matrix3 (w->plan, ID_LMS_MATRIX, &lms,
                          w->source_unit / 10000 * (pq ? fitted : 1));
  color_plan_put_matrix3 (w->plan, ID_LIGHT_MATRIX, &saturated,
                          10000 / w->target_unit * fitted);
}

static void
put_gain (struct color_work *w)
{
  const struct color_settings *s = w->settings;
  struct color_plan *plan = w->plan;
  const double exposure = exposure_of (w);
  const struct color_tone tone
      = { .curve = plan->curve,
          .source_peak = plan->source_peak * exposure,
          .target_peak = plan->target_peak,
          .target_black = plan->target_black,
          .inverse = !color_transfer_is_hdr (w->source->description.transfer),
          .params = s->curve_params };
  struct color_gain_units units
      = { .source = w->source_unit,
          .target = w->target_unit,
          .hdr = color_transfer_is_hdr (w->target->description.transfer),
          .exposure = exposure };
  enum color_gain_domain domain = COLOR_GAIN_DOMAIN_ROOT;

  if (plan->mode == COLOR_TONE_ICTCP)
    units.source = units.target = 10000;
  else if (w->pq_root)
    units.source *= PQ_ROOT_SCALE * PQ_ROOT_SCALE;
  if (plan->mode == COLOR_TONE_ICTCP)
    plan->gain_error = color_gain_fit (&tone, domain = COLOR_GAIN_DOMAIN_PQ,
                                       &units, &plan->gain);
  else if (w->pq_root && plan->mode != COLOR_TONE_LUMA)
    plan->gain_error
        = color_gain_fit_best (&tone, &units, &domain, &plan->gain);
  else
    plan->gain_error = color_gain_fit (&tone, domain, &units, &plan->gain);
  plan->needs_table = plan->gain_error > MOST_GAIN_ERROR;
  plan->tone = tone;
  plan->units = units;
  plan->domain = domain;
  plan->source_unit = w->source_unit;
  plan->domain_length
      = domain == COLOR_GAIN_DOMAIN_PQ
            ? 1
            : pow ((w->pq_root ? 10000 : w->source_unit) / units.source, 0.25);
  color_plan_put_int (plan, ID_TONE_MODE, (int)plan->mode);
  color_plan_put_int (plan, ID_TONE_DOMAIN, domain);
}

/* Linear BT.709 RGB to the LMS of Oklab (Ottosson, 2020), and the weights of
 * their roots in its lightness. Near grey they are those of LMS, too. */
static const struct color_matrix3 bt709_to_oklab
    = { { { 0.4122214708, 0.5363325363, 0.0514459929 },
          { 0.2119034982, 0.6806995451, 0.1073969566 },
          { 0.0883024619, 0.2817188376, 0.6299787005 } } };
static const double oklab_lightness[3]
    = { 0.2104542553, 0.7936177850, -0.0040720468 };

static void
put_gamut (struct color_work *w)
{
  const struct color_matrix3 in = color_convert_primaries (
      w->target->description.primaries, COLOR_PRIMARIES_BT709);
  const struct color_matrix3 lms
      = color_matrix3_multiply (&bt709_to_oklab, &in);
  const struct color_matrix3 back = color_matrix3_invert (&lms);

  color_plan_put_int (w->plan, ID_GAMUT, (int)w->plan->gamut);
  for (int i = 0; i < 3; i++) {
    double grey = 0;

    for (int k = 0; k < 3; k++)
      grey += oklab_lightness[k] * lms.at[k][i];
    color_plan_put_float (w->plan, ID_HUE_GREY + i, grey);
    color_plan_put_float (w->plan, ID_HUE_APART + i, grey - lms.at[2][i]);
    color_plan_put_float (w->plan, ID_HUE_BEND + i, HUE_BEND * back.at[i][2]);
  }
}

static void
put_cube (struct color_work *w)
{
  const struct color_cube *cube = w->settings->cube;
  struct color_plan *plan = w->plan;

  plan->cube = cube;
  if (!cube)
    return;
  color_plan_put_int (plan, ID_LUT, cube->is_3d ? LUT_3D : LUT_1D);
  color_plan_put_int (plan, ID_LUT_SIZE, cube->size);
  color_plan_put_int (plan, ID_LUT_INSTEAD, w->settings->cube_instead);
  for (int i = 0; i < 3; i++) {
    color_plan_put_float (plan, ID_LUT_MIN + i, cube->min[i]);
    color_plan_put_float (plan, ID_LUT_SCALE + i,
                          1 / (cube->max[i] - cube->min[i]));
  }
}

void
color_plan_put_light (struct color_work *w)
{
  const enum color_primaries from = w->source->description.primaries;
  const enum color_primaries to = w->target->description.primaries;
  const struct color_matrix3 m = color_convert_primaries (from, to);
  const struct color_matrix3 saturated = saturate (w, &m);
  struct color_plan *plan = w->plan;
  double scale = w->source_unit / w->target_unit * exposure_of (w);

  put_luma (plan, ID_SOURCE_LUMA, from);
  put_luma (plan, ID_TARGET_LUMA, to);
  put_gamut (w);
  put_cube (w);
  color_plan_put_int (plan, ID_TONE_MODE, TONE_NONE);
  if (plan->tone_mapped) {
    put_gain (w);
    scale = 1;
  } else if (w->pq_root) {
    scale *= PQ_ROOT_SCALE * PQ_ROOT_SCALE;
  }
  if (plan->tone_mapped && plan->mode == COLOR_TONE_ICTCP)
    put_ictcp (w);
  else
    color_plan_put_matrix3 (plan, ID_LIGHT_MATRIX, &saturated, scale);
}

void
color_plan_gain_step (const struct color_plan *plan, int i, float step[2])
{
  const double length = plan->domain_length / GAIN_STEPS;
  const double here
      = color_gain_exact (&plan->tone, plan->domain, &plan->units, i * length);

  step[0] = (float)here;
  step[1] = (float)(color_gain_exact (&plan->tone, plan->domain, &plan->units,
                                      (i + 1) * length)
                    - here);
}
