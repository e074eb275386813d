/* Conversions that compute nothing: samples stay integers. */
#include <gst/check/gstcheck.h>

#include "tests/unit/sides.h"

#define SIDE(matrix, range, bits)                                              \
  side_in_range (COLOR_MATRIX_##matrix, COLOR_RANGE_##range,                   \
                 COLOR_PRIMARIES_BT709, COLOR_TRANSFER_BT1886, bits)

static int
multiple (const struct color_side *source, const struct color_side *target,
          enum color_dither dither)
{
  const struct color_light light = { 0 };
  const struct color_settings settings = { .dither = dither };
  struct color_plan plan;

  color_plan_init (&plan, source, &light, target, &settings);
  return (int)plan.constants[ID_MULTIPLE];
}

static void
assert_multiple (int expected, struct color_side source,
                 struct color_side target)
{
  assert_equals_int (multiple (&source, &target, COLOR_DITHER_ORDERED),
                     expected);
}

static struct color_side
subsampled (struct color_side side, int vsub, bool left)
{
  side.format.hsub = 1;
  side.format.vsub = vsub;
  side.description.site.left = left;
  return side;
}

static struct color_side
with_alpha (struct color_side side, int bits)
{
  side.format.has_alpha = true;
  side.format.component[3].bits = bits;
  return side;
}

GST_START_TEST (whole_multiples_are_found)
{
  assert_multiple (1, SIDE (RGB, FULL, 8), SIDE (RGB, FULL, 8));
  assert_multiple (257, SIDE (RGB, FULL, 8), SIDE (RGB, FULL, 16));
  assert_multiple (1, SIDE (BT709, LIMITED, 10), SIDE (BT709, LIMITED, 10));
  assert_multiple (4, SIDE (BT709, LIMITED, 8), SIDE (BT709, LIMITED, 10));
  assert_multiple (256, SIDE (BT709, LIMITED, 8), SIDE (BT709, LIMITED, 16));
}
GST_END_TEST;

GST_START_TEST (what_is_computed_has_none)
{
  assert_multiple (0, SIDE (RGB, FULL, 8), SIDE (RGB, FULL, 10));
  assert_multiple (0, SIDE (RGB, FULL, 8), SIDE (RGB, LIMITED, 8));
  assert_multiple (0, SIDE (BT709, LIMITED, 8), SIDE (BT601, LIMITED, 8));
  assert_multiple (0, SIDE (BT709, FULL, 8), SIDE (BT709, FULL, 10));
  assert_multiple (0, SIDE (BT709, LIMITED, 8), SIDE (RGB, FULL, 8));
}
GST_END_TEST;

GST_START_TEST (depth_that_is_lost_is_rounded)
{
  const struct color_side deep = SIDE (BT709, LIMITED, 10);
  const struct color_side shallow = SIDE (BT709, LIMITED, 8);

  assert_equals_int (multiple (&deep, &shallow, COLOR_DITHER_ORDERED), 0);
  assert_equals_int (multiple (&deep, &shallow, COLOR_DITHER_NONE), 0);
}
GST_END_TEST;

/* Mutation seen to fail this: no look at CHROMA_DIRECT. */
GST_START_TEST (chroma_must_stay_where_it_is)
{
  const struct color_side side = SIDE (BT709, LIMITED, 8);

  assert_multiple (1, subsampled (side, 1, true), subsampled (side, 1, true));
  assert_multiple (0, subsampled (side, 1, true), subsampled (side, 1, false));
  assert_multiple (0, subsampled (side, 1, true), subsampled (side, 0, true));
  assert_multiple (0, subsampled (side, 0, true), side);
  assert_multiple (0, side, subsampled (side, 0, true));
}
GST_END_TEST;

/* Mutation seen to fail this: no look at alpha. */
GST_START_TEST (alpha_is_a_multiple_too)
{
  const struct color_side a = SIDE (RGB, FULL, 8), b = SIDE (RGB, FULL, 16);

  assert_multiple (257, with_alpha (a, 8), with_alpha (b, 16));
  assert_multiple (257, with_alpha (a, 2), with_alpha (b, 16));
  assert_multiple (0, with_alpha (a, 8), with_alpha (b, 10));
  assert_multiple (257, a, with_alpha (b, 16));
}
GST_END_TEST;

static struct color_side
grey (struct color_side side)
{
  side.format.component[1].bits = side.format.component[2].bits = 0;
  return side;
}

/* Fails where components that are not there are passed over. */
GST_START_TEST (grey_has_none)
{
  const struct color_side side = SIDE (BT709, LIMITED, 8);

  assert_multiple (0, grey (side), side);
  assert_multiple (0, side, grey (side));
  assert_multiple (0, grey (side), grey (side));
}
GST_END_TEST;

static Suite *
color_multiple_suite (void)
{
  Suite *suite = suite_create ("color_multiple");
  TCase *tests = tcase_create ("multiple");

  suite_add_tcase (suite, tests);
  tcase_add_test (tests, whole_multiples_are_found);
  tcase_add_test (tests, what_is_computed_has_none);
  tcase_add_test (tests, depth_that_is_lost_is_rounded);
  tcase_add_test (tests, chroma_must_stay_where_it_is);
  tcase_add_test (tests, alpha_is_a_multiple_too);
  tcase_add_test (tests, grey_has_none);
  return suite;
}

GST_CHECK_MAIN (color_multiple);
