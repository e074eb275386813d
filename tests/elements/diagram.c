/* What the diagram of `view=curve` shows. */
#include "tests/elements/diagram.h"

#include <gst/check/gstcheck.h>

#include "gst/color/transfer.h"

enum drawn
diagram_at (const struct picture *out, guint x, guint y)
{
  const guint i = (DIAGRAM_BOTTOM - y) * DIAGRAM_FRAME_WIDTH + DIAGRAM_LEFT + x;
  const guint r = out->codes[0][i], g = out->codes[1][i], b = out->codes[2][i];

  if (r == 255 && g == 255)
    return b == 255 ? CURVE : AVERAGE;
  if (r == 255)
    return PEAK;
  if (r == 0 && g == 255 && b == 255)
    return TARGET;
  return r == 64 && g == 89 && b == 153 ? BAR : OTHER;
}

static gdouble
curve_at (const struct color_tone *tone, guint x)
{
  return DIAGRAM_HEIGHT
         * color_pq_inverse_eotf (
             color_tone_map (tone, color_pq_eotf ((gdouble)x / DIAGRAM_WIDTH)));
}

void
diagram_assert_curve (const struct picture *out, const struct color_tone *tone)
{
  for (guint x = 0; x < DIAGRAM_WIDTH; x++) {
    const gdouble from = curve_at (tone, x) - 1.5;
    const gdouble to = MAX (curve_at (tone, x + 1), from + 1.5) + 1.5;
    guint n = 0;

    for (guint y = 0; y < DIAGRAM_HEIGHT; y++) {
      const gboolean white = diagram_at (out, x, y) == CURVE;

      n += white;
      fail_unless (!white || (y > from && y < to),
                   "white at %u x %u, the curve goes from %g to %g", x, y, from,
                   to);
    }
    fail_unless (n > 0, "no curve in column %u", x);
  }
}

guint
diagram_line (const struct picture *out, enum drawn what, gboolean upright)
{
  const guint n = upright ? DIAGRAM_WIDTH : DIAGRAM_HEIGHT,
              length = upright ? DIAGRAM_HEIGHT : DIAGRAM_WIDTH;
  guint found = G_MAXUINT;

  for (guint i = 0; i < n; i++) {
    guint count = 0;

    for (guint k = 0; k < length; k++)
      count += diagram_at (out, upright ? i : k, upright ? k : i) == what;
    if (count == 0)
      continue;
    fail_unless (found == G_MAXUINT && count > length / 3,
                 "line %u: %u pixels of %d", i, count, (int)what);
    found = i;
  }
  return found;
}

guint
diagram_bar (const struct picture *out, guint x)
{
  guint top = 0;

  for (guint y = 0; y < DIAGRAM_HEIGHT; y++)
    if (diagram_at (out, x, y) == BAR)
      top = y + 1;
  return top;
}
