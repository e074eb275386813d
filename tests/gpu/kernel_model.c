/* The colour kernel's model: plain loops, one sample at a time. */
#include "tests/gpu/kernel_model.h"

#include <stdlib.h>
#include <string.h>

static bool
is_chroma (int k)
{
  return k == 1 || k == 2;
}

int
model_columns (const struct model_frame *frame, int k)
{
  const int sub = is_chroma (k) ? frame->format->hsub : 0;
  return (frame->width + sub) >> sub;
}

int
model_rows (const struct model_frame *frame, int k)
{
  const int sub = is_chroma (k) ? frame->format->vsub : 0;
  return (frame->height + sub) >> sub;
}

static uint8_t *
sample (const struct model_frame *frame, int k, int x, int y)
{
  const struct color_component *c = &frame->format->component[k];
  return frame->plane[c->plane] + (ptrdiff_t)y * frame->stride[c->plane]
         + x * c->step + c->offset;
}

/* Bytes that the component's bits reach over. */
static int
container (const struct color_component *c)
{
  return (c->shift + c->bits + 7) / 8;
}

uint32_t
model_get (const struct model_frame *frame, int k, int x, int y)
{
  const struct color_component *c = &frame->format->component[k];
  uint32_t word = 0;

  memcpy (&word, sample (frame, k, x, y), container (c));
  return (word >> c->shift) & (((uint64_t)1 << c->bits) - 1);
}

void
model_set (const struct model_frame *frame, int k, int x, int y, uint32_t code)
{
  const struct color_component *c = &frame->format->component[k];
  const uint32_t mask = (((uint64_t)1 << c->bits) - 1) << c->shift;
  uint32_t word = 0;

  memcpy (&word, sample (frame, k, x, y), container (c));
  word = (word & ~mask) | code << c->shift;
  memcpy (sample (frame, k, x, y), &word, container (c));
}

static int
clamp (int v, int n)
{
  return v < 0 ? 0 : v >= n ? n - 1 : v;
}

/* The neighbour that pixel @i takes part of its chroma from, and how much. */
static void
neighbour (int i, bool sub, bool cosited, int *other, float *weight)
{
  const int here = i >> sub;

  *other = here;
  *weight = 0;
  if (!sub || (cosited && i % 2 == 0))
    return;
  *other = i % 2 == 0 ? here - 1 : here + 1;
  *weight = cosited ? 0.5f : 0.25f;
}

static float
chroma_at (const struct model_frame *frame, const struct color_site *site,
           int k, int x, int y)
{
  const int w = model_columns (frame, k), h = model_rows (frame, k);
  const int i = x >> frame->format->hsub, j = y >> frame->format->vsub;
  int i2, j2;
  float wx, wy, a, b;

  neighbour (x, frame->format->hsub, site->left, &i2, &wx);
  neighbour (y, frame->format->vsub, site->top, &j2, &wy);
  i2 = clamp (i2, w);
  j2 = clamp (j2, h);
  a = model_get (frame, k, i, j);
  a += ((float)model_get (frame, k, i, j2) - a) * wy;
  b = model_get (frame, k, i2, j);
  b += ((float)model_get (frame, k, i2, j2) - b) * wy;
  return a + (b - a) * wx;
}

/* The target's R'G'B' of a pixel; beyond the edges that of the edge. */
static void
signal_at (const struct color_plan *plan, const struct model_frame *source,
           const struct color_site *site, int x, int y, float out[3])
{
  float in[3];

  x = clamp (x, source->width);
  y = clamp (y, source->height);
  in[0] = model_get (source, 0, x, y);
  in[1] = chroma_at (source, site, 1, x, y);
  in[2] = chroma_at (source, site, 2, x, y);
  color_kernel_signal (plan, in, out);
}

/* Taps of the filter that makes sample @i of every second pixel. */
static int
taps (int i, bool sub, bool cosited, int at[3], float weight[3])
{
  if (!sub) {
    at[0] = i;
    weight[0] = 1;
    return 1;
  }
  if (!cosited) {
    at[0] = 2 * i;
    at[1] = 2 * i + 1;
    weight[0] = weight[1] = 0.5f;
    return 2;
  }
  for (int k = 0; k < 3; k++) {
    at[k] = 2 * i - 1 + k;
    weight[k] = k == 1 ? 0.5f : 0.25f;
  }
  return 3;
}

static void
filter_at (const struct color_plan *plan, const struct model_frame *source,
           const struct color_site *source_site, const struct color_format *to,
           const struct color_site *site, int i, int j, float out[3])
{
  int x[3], y[3];
  float wx[3], wy[3];
  const int nx = taps (i, to->hsub, site->left, x, wx);
  const int ny = taps (j, to->vsub, site->top, y, wy);

  memset (out, 0, 3 * sizeof *out);
  for (int a = 0; a < ny; a++) {
    for (int b = 0; b < nx; b++) {
      float v[3];
      signal_at (plan, source, source_site, x[b], y[a], v);
      for (int c = 0; c < 3; c++)
        out[c] += v[c] * wx[b] * wy[a];
    }
  }
}

/* Of the dither for sample @i, @j of a component that is subsampled by @hsub and
 * @vsub. */
static float
threshold (const struct color_plan *plan, unsigned hsub, unsigned vsub, int i,
           int j)
{
  const unsigned x = hsub || vsub ? COLOR_DITHER_CHROMA_X : 0;
  const unsigned y = hsub || vsub ? COLOR_DITHER_CHROMA_Y : 0;

  return plan->dithered
             ? color_dither_threshold ((unsigned)i + x, (unsigned)j + y)
             : 0;
}

static void
convert_pixel (const struct color_plan *plan, const struct model_frame *source,
               const struct color_site *site, const struct model_frame *target,
               int x, int y)
{
  float v[3];

  signal_at (plan, source, site, x, y, v);
  model_set (target, 0, x, y,
             color_kernel_dithered_code (plan, 0, v,
                                         threshold (plan, 0, 0, x, y)));
  if (target->format->has_alpha)
    model_set (target, 3, x, y,
               color_kernel_alpha (plan, source->format->has_alpha
                                             ? model_get (source, 3, x, y)
                                             : 0));
}

static void
convert_chroma (const struct color_plan *plan, const struct model_frame *source,
                const struct color_site *source_site,
                const struct model_frame *target,
                const struct color_site *target_site, int i, int j)
{
  float v[3], t;

  if (plan->constants[ID_CHROMA_DIRECT]) {
    v[0] = 0;
    v[1] = model_get (source, 1, i, j);
    v[2] = model_get (source, 2, i, j);
  } else {
    filter_at (plan, source, source_site, target->format, target_site, i, j, v);
  }
  t = threshold (plan, plan->constants[ID_TARGET_HSUB],
                 plan->constants[ID_TARGET_VSUB], i, j);
  model_set (target, 1, i, j, color_kernel_dithered_code (plan, 1, v, t));
  model_set (target, 2, i, j, color_kernel_dithered_code (plan, 2, v, t));
}

void
model_convert (const struct color_plan *plan, const struct model_frame *source,
               const struct color_site *source_site,
               const struct model_frame *target,
               const struct color_site *target_site)
{
  for (int y = 0; y < target->height; y++) {
    for (int x = 0; x < target->width; x++)
      convert_pixel (plan, source, source_site, target, x, y);
  }
  for (int j = 0; j < model_rows (target, 1); j++) {
    for (int i = 0; i < model_columns (target, 1); i++)
      convert_chroma (plan, source, source_site, target, target_site, i, j);
  }
}
