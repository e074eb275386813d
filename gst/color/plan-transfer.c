/* The transfers' part of a plan. */
#include <math.h>

#include "gst/color/plan-private.h"
#include "gst/color/transfer.h"
#include "shaders/include/curve_constants.h"

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

void
color_plan_put_source_transfer (struct color_work *w)
{
  const enum color_transfer t = w->source->description.transfer;
  struct color_plan *plan = w->plan;

  color_plan_put_int (plan, ID_SOURCE_TRANSFER, kernel_transfers[t]);
  color_plan_put_float (plan, ID_SOURCE_PARAM2, 1);
  if (t == COLOR_TRANSFER_HLG) {
    const double gamma = color_hlg_gamma (w->source_unit);
    const double lift
        = sqrt (3 * pow (plan->hlg_black / w->source_unit, 1 / gamma));

    color_plan_put_float (plan, ID_SOURCE_PARAM0, gamma - 1);
    color_plan_put_float (plan, ID_SOURCE_PARAM1, lift);
    color_plan_put_float (plan, ID_SOURCE_PARAM2, 1 - lift);
  } else {
    color_plan_put_float (plan, ID_SOURCE_PARAM0, exponents[t]);
  }
}

double
color_plan_put_target_transfer (struct color_work *w)
{
  const enum color_transfer t = w->target->description.transfer;
  struct color_plan *plan = w->plan;

  color_plan_put_int (plan, ID_TARGET_TRANSFER, kernel_transfers[t]);
  if (t == COLOR_TRANSFER_HLG) {
    const double gamma = color_hlg_gamma (w->target_unit);
    color_plan_put_float (plan, ID_TARGET_PARAM0, (1 - gamma) / gamma);
  } else if (t == COLOR_TRANSFER_BT1886) {
    const double black
        = pow (plan->target_black / plan->reference_white, 1 / 2.4);
    color_plan_put_float (plan, ID_TARGET_PARAM0, black / BT1886_SCALE);
    return BT1886_SCALE / (1 - black);
  } else if (exponents[t] > 0) {
    color_plan_put_float (plan, ID_TARGET_PARAM0, 1 / exponents[t]);
  }
  return 1;
}
