/* Filters and geometry. */
#include <gst/check/gstcheck.h>
#include <math.h>

#include "gst/color/phases.h"
#include "gst/color/shape.h"

#define N_METHODS (COLOR_FILTER_AREA + 1)

static const int sizes[][2]
    = { { 1, 1 },  { 1, 7 },  { 7, 1 },   { 2, 3 },    { 16, 16 }, { 16, 4 },
        { 4, 16 }, { 5, 13 }, { 70, 69 }, { 321, 40 }, { 3, 1366 } };

static struct color_axis
plain_axis (int from, int to)
{
  const struct color_span span = { 0, from };
  const struct color_grid grid = { 0, false };

  return color_shape_axis (&span, &grid, to, &grid, COLOR_ROWS_FRAME);
}

/* Mutation seen to fail this: weights that are not divided by their sum. */
GST_START_TEST (weights_sum_to_one_inside_the_source)
{
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const struct color_axis axis = plain_axis (sizes[i][0], sizes[i][1]);
    struct color_filter f;

    fail_unless (color_filter_init (&f, __i__, &axis));
    fail_unless (f.n == sizes[i][1] && f.taps >= 1);
    for (int k = 0; k < f.n; k++) {
      double sum = 0;

      for (int t = 0; t < f.taps; t++)
        sum += f.weight[k * f.taps + t];
      fail_unless (fabs (sum - 1) < 1e-6, "%d: %g", k, sum);
      fail_unless (f.first[k] >= 0 && f.first[k] + f.taps <= sizes[i][0]);
    }
    color_filter_clear (&f);
  }
}
GST_END_TEST;

GST_START_TEST (same_size_is_one_tap_at_the_sample)
{
  const struct color_axis axis = plain_axis (33, 33);
  struct color_filter f;

  fail_unless (color_filter_init (&f, __i__, &axis));
  fail_unless_equals_int (f.taps, 1);
  for (int k = 0; k < 33; k++)
    fail_unless (f.first[k] == k && f.weight[k] == 1);
  color_filter_clear (&f);
}
GST_END_TEST;

/* One sample on, one off, four times smaller: grey. */
GST_START_TEST (support_grows_so_that_nothing_aliases)
{
  const struct color_axis axis = plain_axis (64, 16);
  struct color_filter f;

  fail_unless (color_filter_init (&f, __i__, &axis));
  for (int k = 3; k < 13; k++) {
    double sum = 0;

    for (int t = 0; t < f.taps; t++)
      sum += f.weight[k * f.taps + t] * ((f.first[k] + t) & 1);
    fail_unless (fabs (sum - 0.5) < 1e-6, "%d: %g", k, sum);
  }
  color_filter_clear (&f);
}
GST_END_TEST;

/* A ramp stays that ramp at every size: samples are where they belong. */
GST_START_TEST (ramps_keep_their_place)
{
  for (int to = 20; to <= 160; to += 35) {
    const struct color_axis axis = plain_axis (80, to);
    struct color_filter f;

    fail_unless (color_filter_init (&f, __i__, &axis));
    for (int k = to / 4; k < to * 3 / 4; k++) {
      const double x = (k + 0.5) * 80 / to - 0.5;
      double sum = 0;

      for (int t = 0; t < f.taps; t++)
        sum += f.weight[k * f.taps + t] * (f.first[k] + t);
      fail_unless (fabs (sum - x) < 0.05, "%d of %d: %g, not %g", k, to, sum,
                   x);
    }
    color_filter_clear (&f);
  }
}
GST_END_TEST;

GST_START_TEST (chroma_lies_where_its_site_says)
{
  const struct color_grid full = { 0, false }, left = { 1, true },
                          middle = { 1, false };
  const struct color_span all = { 0, 16 }, odd = { 3, 10 };
  struct color_axis a;

  a = color_shape_axis (&all, &left, 16, &full, COLOR_ROWS_FRAME);
  fail_unless (a.origin == 0 && a.step == 0.5 && a.n == 16 && a.last == 7);
  a = color_shape_axis (&all, &middle, 16, &full, COLOR_ROWS_FRAME);
  fail_unless (a.origin == -0.25 && a.step == 0.5);
  a = color_shape_axis (&all, &full, 16, &left, COLOR_ROWS_FRAME);
  fail_unless (a.origin == 0 && a.step == 2 && a.n == 8);
  a = color_shape_axis (&all, &middle, 32, &middle, COLOR_ROWS_FRAME);
  fail_unless (a.origin == -0.25 && a.step == 0.5 && a.n == 16);
  a = color_shape_axis (&odd, &left, 10, &left, COLOR_ROWS_FRAME);
  fail_unless (a.origin == 1.5 && a.step == 1 && a.first == 1 && a.last == 6);
}
GST_END_TEST;

/* Row j of the top field is row 2j of the frame, of the bottom field 2j + 1. */
GST_START_TEST (rows_of_fields_lie_where_the_frame_has_them)
{
  const struct color_grid full = { 0, false };
  const struct color_span field = { 0, 8 };

  for (int f = 0; f < 2; f++) {
    const struct color_axis a = color_shape_axis (
        &field, &full, 16, &full, f == 0 ? COLOR_ROWS_TOP : COLOR_ROWS_BOTTOM);

    for (int j = 0; j < 16; j++) {
      const double row = (2 * j + f + 0.5) / 2 - 0.5; /* of 16 in 32 rows */

      fail_unless (fabs (a.origin + j * a.step - (row - f) / 2) < 1e-9);
    }
  }
}
GST_END_TEST;

GST_START_TEST (letterbox_keeps_the_aspect)
{
  struct color_rect r = color_shape_letterbox (640, 480, 16.0 / 9, 2, 2);

  fail_unless (r.x == 0 && r.y == 60 && r.width == 640 && r.height == 360);
  r = color_shape_letterbox (641, 480, 1, 2, 2);
  fail_unless (r.x == 80 && r.y == 0 && r.width == 480 && r.height == 480);
  r = color_shape_letterbox (10, 10, 1000, 1, 1);
  fail_unless (r.height == 1 && r.y == 4);
}
GST_END_TEST;

/* Through all eight directions. */
GST_START_TEST (points_go_there_and_back)
{
  for (int d = 0; d < 8; d++) {
    const struct color_shape shape
        = { { 3, 5, 40, 20 }, { 10, 20, 300, 100 }, d & 1, d & 2, d & 4 };
    double x = 13.25, y = 7.5;

    color_shape_to_target (&shape, &x, &y);
    fail_unless (x > 10 && x < 310 && y > 20 && y < 120);
    color_shape_to_source (&shape, &x, &y);
    fail_unless (fabs (x - 13.25) < 1e-9 && fabs (y - 7.5) < 1e-9);
    /* A quarter turn clockwise: the left top is at the right top. */
    if (shape.transpose && shape.flip_y && !shape.flip_x) {
      x = 310;
      y = 20;
      color_shape_to_source (&shape, &x, &y);
      fail_unless (fabs (x - 3) < 1e-9 && fabs (y - 5) < 1e-9);
    }
  }
}
GST_END_TEST;

/* What source sample @sample gives to target sample @i. */
static double
weight_at (const struct color_filter *f, int i, int sample)
{
  const int k = sample - f->first[i];

  return k >= 0 && k < f->taps ? f->weight[i * f->taps + k] : 0;
}

/* The same of the phases, of a source of @from samples. */
static double
phase_weight_at (const struct color_phases *p, int i, int sample, int from)
{
  const int first = i / p->to * p->from + p->first[i % p->to];
  double sum = 0;

  for (int k = 0; k < p->taps; k++)
    if (CLAMP (first + k, 0, from - 1) == sample)
      sum += p->weight[i % p->to][k];
  return sum;
}

static const int ratios[][2]
    = { { 3, 2 }, { 2, 3 }, { 2, 1 }, { 1, 2 }, { 4, 3 },
        { 3, 4 }, { 3, 1 }, { 1, 4 }, { 1, 1 }, { 9, 4 } };

/* Mutation seen to fail this: only the first samples compared. */
GST_START_TEST (small_ratios_have_few_phases)
{
  for (guint i = 0; i < G_N_ELEMENTS (ratios); i++) {
    const int from = 24 * ratios[i][0], to = 24 * ratios[i][1];
    const struct color_axis axis = plain_axis (from, to);
    struct color_filter f;
    struct color_phases p;

    fail_unless (color_filter_init (&f, __i__, &axis));
    fail_unless (color_phases_init (&p, &f, axis.first, axis.last));
    fail_unless (p.from * ratios[i][1] == p.to * ratios[i][0]);
    for (int k = 0; k < to; k++)
      for (int s = 0; s < from; s++)
        fail_unless (fabs (weight_at (&f, k, s) - phase_weight_at (&p, k, s, from))
                         < 1e-6,
                     "%d:%d, %d of %d", ratios[i][0], ratios[i][1], s, k);
    color_filter_clear (&f);
  }
}
GST_END_TEST;

/* Also what is almost such a ratio, and what is nothing but edges. */
GST_START_TEST (other_ratios_have_none)
{
  static const int others[][2] = { { 7, 5 }, { 1920, 1279 }, { 1366, 911 },
                                   { 3, 2 }, { 70, 61 },     { 9, 6 } };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
    const struct color_axis axis = plain_axis (others[i][0], others[i][1]);
    struct color_filter f;
    struct color_phases p;

    fail_unless (color_filter_init (&f, COLOR_FILTER_LANCZOS, &axis));
    fail_if (color_phases_init (&p, &f, axis.first, axis.last));
    color_filter_clear (&f);
  }
}
GST_END_TEST;

static Suite *
color_shape_suite (void)
{
  Suite *suite = suite_create ("color_shape");
  TCase *cases = tcase_create ("all");

  suite_add_tcase (suite, cases);
  tcase_add_loop_test (cases, weights_sum_to_one_inside_the_source, 0,
                       N_METHODS);
  tcase_add_loop_test (cases, same_size_is_one_tap_at_the_sample, 0, N_METHODS);
  /* Nearest takes what it meets. */
  tcase_add_loop_test (cases, support_grows_so_that_nothing_aliases,
                       COLOR_FILTER_BILINEAR, COLOR_FILTER_AREA + 1);
  tcase_add_loop_test (cases, ramps_keep_their_place, COLOR_FILTER_BILINEAR,
                       COLOR_FILTER_LANCZOS + 1);
  tcase_add_loop_test (cases, small_ratios_have_few_phases, 0, N_METHODS);
  tcase_add_test (cases, other_ratios_have_none);
  tcase_add_test (cases, chroma_lies_where_its_site_says);
  tcase_add_test (cases, rows_of_fields_lie_where_the_frame_has_them);
  tcase_add_test (cases, letterbox_keeps_the_aspect);
  tcase_add_test (cases, points_go_there_and_back);
  return suite;
}

GST_CHECK_MAIN (color_shape);
