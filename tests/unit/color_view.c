/* What `view` adds to a plan. */
#include <gst/check/gstcheck.h>

#include "tests/unit/sides.h"

static void
plan_of (struct color_plan *plan, enum color_view view,
         enum color_transfer from)
{
  const struct color_side source
      = side_of (COLOR_MATRIX_BT2020, COLOR_PRIMARIES_BT2020, from, 10);
  const struct color_side target = side_of (
      COLOR_MATRIX_BT709, COLOR_PRIMARIES_BT709, COLOR_TRANSFER_BT1886, 8);
  const struct color_light light = { .max_cll = 1000 };
  const struct color_settings settings
      = { .tone_map = true, .curve = COLOR_CURVE_AUTO, .view = view };

  color_plan_init (plan, &source, &light, &target, &settings);
}

/* So kernels of usual frames are the same whatever `view` would need. */
GST_START_TEST (normal_view_has_no_constants)
{
  struct color_plan plan;

  plan_of (&plan, COLOR_VIEW_NORMAL, COLOR_TRANSFER_PQ);
  for (int id = ID_VIEW; id < ID_COUNT; id++)
    assert_equals_int (plan.constants[id], 0);
}
GST_END_TEST;

/* __i__: view. The rest of the plan is the same. */
GST_START_TEST (view_leaves_the_mapping_alone)
{
  static const enum color_transfer sources[]
      = { COLOR_TRANSFER_PQ, COLOR_TRANSFER_HLG };
  struct color_plan usual, shown;

  for (int s = 0; s < 2; s++) {
    plan_of (&usual, COLOR_VIEW_NORMAL, sources[s]);
    plan_of (&shown, (enum color_view)__i__, sources[s]);
    assert_equals_int (shown.view, __i__);
    fail_unless (memcmp (usual.constants, shown.constants,
                         ID_VIEW * sizeof *usual.constants)
                 == 0);
    fail_unless (memcmp (&usual.gain, &shown.gain, sizeof usual.gain) == 0);
  }
}
GST_END_TEST;

static Suite *
color_view_suite (void)
{
  Suite *suite = suite_create ("color_view");
  TCase *cases = tcase_create ("plan");

  suite_add_tcase (suite, cases);
  tcase_add_test (cases, normal_view_has_no_constants);
  tcase_add_loop_test (cases, view_leaves_the_mapping_alone, VIEW_SPLIT,
                       VIEW_CURVE + 1);
  return suite;
}

GST_CHECK_MAIN (color_view);
