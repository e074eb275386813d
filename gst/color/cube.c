/* Reads .cube files without the locale's help, and looks colours up. */
#include "gst/color/cube.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct parser
{
  const char *at, *end;
  int line;
  size_t n, wanted; /* entries */
  struct color_cube *cube;
  const char *failure;
};

static bool
fail (struct parser *p, const char *reason)
{
  p->failure = reason;
  return false;
}

static void
skip_blanks (struct parser *p)
{
  while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\r'))
    p->at++;
}

static bool
at_line_end (struct parser *p)
{
  skip_blanks (p);
  return p->at == p->end || *p->at == '\n' || *p->at == '#';
}

static bool
is_digit (const struct parser *p)
{
  return p->at < p->end && *p->at >= '0' && *p->at <= '9';
}

static bool
take_sign (struct parser *p)
{
  if (p->at == p->end || (*p->at != '-' && *p->at != '+'))
    return false;
  return *p->at++ == '-';
}

/* strtod() would want the locale's decimal point. */
static bool
take_number (struct parser *p, float *value)
{
  bool minus, any = false;
  double mantissa = 0;
  int exponent = 0, power = 0;

  skip_blanks (p);
  minus = take_sign (p);
  for (; is_digit (p); any = true)
    mantissa = mantissa * 10 + (*p->at++ - '0');
  if (p->at < p->end && *p->at == '.') {
    for (p->at++; is_digit (p); any = true, exponent--)
      mantissa = mantissa * 10 + (*p->at++ - '0');
  }
  if (!any)
    return false;
  if (p->at < p->end && (*p->at == 'e' || *p->at == 'E')) {
    bool down;
    p->at++;
    down = take_sign (p);
    if (!is_digit (p))
      return false;
    while (is_digit (p) && power < 1000)
      power = power * 10 + (*p->at++ - '0');
    exponent += down ? -power : power;
  }
  if (p->at < p->end && !isspace ((unsigned char)*p->at) && *p->at != '#')
    return false;
  *value = (float)((minus ? -mantissa : mantissa) * pow (10, exponent));
  return isfinite (*value);
}

static bool
take_numbers (struct parser *p, float *values, int n)
{
  for (int i = 0; i < n; i++)
    if (!take_number (p, &values[i]))
      return fail (p, n == 3 ? "three numbers are wanted"
                             : "two numbers are wanted");
  return at_line_end (p) || fail (p, "there is more than the numbers");
}

static bool
take_size (struct parser *p, bool is_3d)
{
  const int most = is_3d ? COLOR_CUBE_LARGEST_3D : COLOR_CUBE_LARGEST_1D;
  struct color_cube *cube = p->cube;
  float size;

  if (cube->values)
    return fail (p, "the size is given twice");
  if (!take_number (p, &size) || size != floorf (size) || !at_line_end (p))
    return fail (p, "the size is no whole number");
  if (size < 2 || size > most)
    return fail (p, is_3d ? "the size is not between 2 and 129"
                          : "the size is not between 2 and 65536");
  cube->is_3d = is_3d;
  cube->size = (int)size;
  p->wanted = color_cube_entries (cube);
  cube->values = malloc (p->wanted * 3 * sizeof *cube->values);
  return cube->values || fail (p, "there is no memory for the table");
}

static bool
take_range (struct parser *p)
{
  float range[2];

  if (!take_numbers (p, range, 2))
    return false;
  for (int i = 0; i < 3; i++) {
    p->cube->min[i] = range[0];
    p->cube->max[i] = range[1];
  }
  return true;
}

static bool
is_keyword (struct parser *p, const char *word)
{
  const size_t n = strlen (word);

  if ((size_t)(p->end - p->at) < n || memcmp (p->at, word, n) != 0
      || ((size_t)(p->end - p->at) > n && !isspace ((unsigned char)p->at[n])))
    return false;
  p->at += n;
  return true;
}

static bool
take_keyword (struct parser *p)
{
  if (is_keyword (p, "TITLE")) {
    while (p->at < p->end && *p->at != '\n')
      p->at++;
    return true;
  }
  if (is_keyword (p, "LUT_1D_SIZE"))
    return take_size (p, false);
  if (is_keyword (p, "LUT_3D_SIZE"))
    return take_size (p, true);
  if (is_keyword (p, "DOMAIN_MIN"))
    return take_numbers (p, p->cube->min, 3);
  if (is_keyword (p, "DOMAIN_MAX"))
    return take_numbers (p, p->cube->max, 3);
  if (is_keyword (p, "LUT_1D_INPUT_RANGE")
      || is_keyword (p, "LUT_3D_INPUT_RANGE"))
    return take_range (p);
  return fail (p, "neither numbers nor a keyword of .cube files");
}

static bool
take_line (struct parser *p)
{
  if (at_line_end (p))
    return true;
  if (isalpha ((unsigned char)*p->at))
    return take_keyword (p);
  if (!p->cube->values)
    return fail (p, "numbers come before LUT_1D_SIZE or LUT_3D_SIZE");
  if (p->n == p->wanted)
    return fail (p, "there are more entries than the size says");
  return take_numbers (p, p->cube->values + 3 * p->n++, 3);
}

static bool
parse (struct parser *p)
{
  for (; p->at < p->end; p->line++) {
    if (!take_line (p))
      return false;
    while (p->at < p->end && *p->at != '\n')
      p->at++;
    if (p->at < p->end)
      p->at++;
  }
  if (!p->cube->values)
    return fail (p, "there is no LUT_1D_SIZE or LUT_3D_SIZE");
  if (p->n < p->wanted)
    return fail (p, "the file ends before the table does");
  for (int i = 0; i < 3; i++)
    if (!(p->cube->max[i] > p->cube->min[i]))
      return fail (p, "DOMAIN_MAX is not above DOMAIN_MIN");
  return true;
}

bool
color_cube_parse (struct color_cube *cube, const char *text, size_t length,
                  struct color_cube_error *error)
{
  struct parser p
      = { .at = text, .end = text + length, .line = 1, .cube = cube };

  *cube = (struct color_cube){ .max = { 1, 1, 1 } };
  if (parse (&p))
    return true;
  *error = (struct color_cube_error){ p.line, p.failure };
  color_cube_clear (cube);
  return false;
}

void
color_cube_clear (struct color_cube *cube)
{
  free (cube->values);
  *cube = (struct color_cube){ 0 };
}

size_t
color_cube_entries (const struct color_cube *cube)
{
  const size_t n = (size_t)cube->size;

  return cube->is_3d ? n * n * n : n;
}

static const float *
entry (const struct color_cube *cube, const int base[3], int steps)
{
  const int n = cube->size;
  const int r = base[0] + (steps & 1), g = base[1] + (steps >> 1 & 1),
            b = base[2] + (steps >> 2);

  return cube->values + 3 * (r + (size_t)n * (g + (size_t)n * b));
}

/* Bits of the first and of the first two axes that the walk through the
 * tetrahedron takes: those with the larger fractions. */
static void
choose_walk (const float f[3], int *first, int *second)
{
  if (f[0] >= f[1] && f[0] >= f[2])
    *first = 1;
  else
    *first = f[1] >= f[2] ? 2 : 4;
  if (f[0] < f[1] && f[0] < f[2])
    *second = 6;
  else if (*first == 1)
    *second = f[1] >= f[2] ? 3 : 5;
  else
    *second = *first | 1;
}

static void
apply_3d (const struct color_cube *cube, const float at[3], float out[3])
{
  int base[3], first, second;
  float f[3], hi, lo, mid;

  for (int i = 0; i < 3; i++) {
    base[i] = (int)at[i] < cube->size - 2 ? (int)at[i] : cube->size - 2;
    f[i] = at[i] - (float)base[i];
  }
  choose_walk (f, &first, &second);
  hi = fmaxf (f[0], fmaxf (f[1], f[2]));
  lo = fminf (f[0], fminf (f[1], f[2]));
  mid = f[0] + f[1] + f[2] - hi - lo;
  for (int i = 0; i < 3; i++)
    out[i] = entry (cube, base, 0)[i] * (1 - hi)
             + entry (cube, base, first)[i] * (hi - mid)
             + entry (cube, base, second)[i] * (mid - lo)
             + entry (cube, base, 7)[i] * lo;
}

void
color_cube_apply (const struct color_cube *cube, const float in[3],
                  float out[3])
{
  float at[3];

  for (int i = 0; i < 3; i++)
    at[i]
        = fminf (
              fmaxf ((in[i] - cube->min[i]) / (cube->max[i] - cube->min[i]), 0),
              1)
          * (float)(cube->size - 1);
  if (cube->is_3d) {
    apply_3d (cube, at, out);
    return;
  }
  for (int i = 0; i < 3; i++) {
    const int k = (int)at[i] < cube->size - 2 ? (int)at[i] : cube->size - 2;
    const float *v = cube->values + 3 * k + i;
    out[i] = v[0] + (v[3] - v[0]) * (at[i] - (float)k);
  }
}
