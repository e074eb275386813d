/* .cube files: what they say, and what is wrong with them. */
#include <gst/check/gstcheck.h>
#include <math.h>

#include "gst/color/cube.h"

#define IDENTITY_3D(domain)                                                    \
  "TITLE \"identity\"\n# a comment\n" domain                                   \
  "LUT_3D_SIZE 2\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n"

static struct color_cube
parsed (const char *text)
{
  struct color_cube_error error = { 0 };
  struct color_cube cube;

  fail_unless (color_cube_parse (&cube, text, strlen (text), &error),
               "line %d: %s", error.line, error.reason);
  return cube;
}

static void
assert_maps (const struct color_cube *cube, const float in[3],
             const float expected[3])
{
  float out[3];

  color_cube_apply (cube, in, out);
  for (int i = 0; i < 3; i++)
    fail_unless (fabsf (out[i] - expected[i]) < 1e-6f, "%g, not %g", out[i],
                 expected[i]);
}

GST_START_TEST (identity_is_identity)
{
  struct color_cube cube = parsed (IDENTITY_3D (""));

  for (int n = 0; n < 1000; n++) {
    const float at[3]
        = { (float)(n % 10) / 9, (float)(n / 10 % 10) / 9, (float)n / 999 };

    assert_maps (&cube, at, at);
  }
  color_cube_clear (&cube);
}
GST_END_TEST;

/* The table spans 0 to 2, and its values 0 to 1. */
GST_START_TEST (domain_counts)
{
  struct color_cube cube = parsed ("DOMAIN_MIN 0 0 0\r\nDOMAIN_MAX 2 2 2\r\n"
                                   "LUT_1D_SIZE 3\r\n0 0 0\r\n.5 .5 .5\r\n"
                                   "1 1 1\r\n");

  assert_maps (&cube, (float[]){ 0.5f, 1, 2 }, (float[]){ 0.25f, 0.5f, 1 });
  assert_maps (&cube, (float[]){ -1, 3, 0 }, (float[]){ 0, 1, 0 });
  color_cube_clear (&cube);
  cube = parsed ("LUT_3D_INPUT_RANGE 0.0 2.0\nLUT_3D_SIZE 2\n0 0 0\n2 0 0\n"
                 "0 2 0\n2 2 0\n0 0 2\n2 0 2\n0 2 2\n2 2e0 +2\n");
  assert_maps (&cube, (float[]){ 0.5f, 0.5f, 0.5f },
               (float[]){ 0.5f, 0.5f, 0.5f });
  color_cube_clear (&cube);
}
GST_END_TEST;

/* Only the two ends of the diagonal are grey: with trilinear interpolation the
 * greys between would take colour from the other corners. */
GST_START_TEST (greys_stay_grey)
{
  struct color_cube cube
      = parsed ("LUT_3D_SIZE 2\n0 0 0\n1 0.3 0\n0 0.9 0.1\n0.2 1 0\n"
                "0.4 0 0.7\n1 0 0.1\n0 0.6 1\n1 1 1\n");

  for (int i = 0; i <= 64; i++) {
    const float grey[3] = { i / 64.0f, i / 64.0f, i / 64.0f };

    assert_maps (&cube, grey, grey);
  }
  color_cube_clear (&cube);
}
GST_END_TEST;

static const struct
{
  const char *text;
  int line;
  const char *reason;
} broken[] = {
  { "", 1, "LUT_1D_SIZE or" },
  { "0 0 0\n", 1, "numbers come before" },
  { "LUT_3D_SIZE 1\n", 1, "between 2 and 129" },
  { "LUT_3D_SIZE 130\n", 1, "between 2 and 129" },
  { "LUT_1D_SIZE 65537\n", 1, "between 2 and 65536" },
  { "LUT_1D_SIZE two\n", 1, "whole number" },
  { "LUT_1D_SIZE 2.5\n", 1, "whole number" },
  { "LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n", 2, "twice" },
  { "LUT_1D_SIZE 2\n0 0\n1 1 1\n", 2, "three numbers" },
  { "LUT_1D_SIZE 2\n0 0 0 0\n1 1 1\n", 2, "more than the numbers" },
  { "LUT_1D_SIZE 2\n0 0 0\n1 1 nan\n", 3, "three numbers" },
  { "LUT_1D_SIZE 2\n0 0 0\n1 1 1,0\n", 3, "three numbers" },
  { "LUT_1D_SIZE 2\n0 0 0\n1 1 1e999\n", 3, "three numbers" },
  { "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n\n2 2 2\n", 5, "more entries" },
  { "LUT_1D_SIZE 2\n0 0 0\n", 3, "ends before" },
  { "DOMAIN_MAX 0 0 0\nLUT_1D_SIZE 2\n0 0 0\n1 1 1\n", 5, "DOMAIN_MAX" },
  { "LUT_1D_SIZES 2\n", 1, "nor a keyword" },
};

/* __i__: row. */
GST_START_TEST (malformed_file_says_line_and_reason)
{
  const char *text = broken[__i__].text;
  struct color_cube_error error = { 0 };
  struct color_cube cube;

  fail_unless (!color_cube_parse (&cube, text, strlen (text), &error));
  fail_unless (cube.values == NULL);
  fail_unless (error.line == broken[__i__].line
                   && strstr (error.reason, broken[__i__].reason) != NULL,
               "line %d: %s", error.line, error.reason);
}
GST_END_TEST;

static Suite *
color_cube_suite (void)
{
  Suite *suite = suite_create ("color_cube");
  TCase *cases = tcase_create ("files");

  suite_add_tcase (suite, cases);
  tcase_add_test (cases, identity_is_identity);
  tcase_add_test (cases, domain_counts);
  tcase_add_test (cases, greys_stay_grey);
  tcase_add_loop_test (cases, malformed_file_says_line_and_reason, 0,
                       G_N_ELEMENTS (broken));
  return suite;
}

GST_CHECK_MAIN (color_cube);
