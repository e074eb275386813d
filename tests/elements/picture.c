/* The codes of pictures. */
#include "tests/elements/picture.h"

#include <gst/check/gstcheck.h>
#include <math.h>

#include "gst/color/matrix.h"

static gboolean
has_component (const GstVideoFormatInfo *format, guint k)
{
  const guint n = GST_VIDEO_FORMAT_INFO_N_COMPONENTS (format);

  return k == 3 ? n == 4 : k < n;
}

guint
picture_columns (const struct picture *picture, guint k)
{
  return has_component (picture->info.finfo, k)
             ? GST_VIDEO_INFO_COMP_WIDTH (&picture->info, k)
             : 0;
}

guint
picture_rows (const struct picture *picture, guint k)
{
  return has_component (picture->info.finfo, k)
             ? GST_VIDEO_INFO_COMP_HEIGHT (&picture->info, k)
             : 0;
}

guint
picture_bits (const struct picture *picture, guint k)
{
  return has_component (picture->info.finfo, k)
             ? GST_VIDEO_INFO_COMP_DEPTH (&picture->info, k)
             : 0;
}

static gsize
n_codes (const struct picture *picture, guint k)
{
  return (gsize)picture_columns (picture, k) * picture_rows (picture, k);
}

void
picture_init (struct picture *picture, const GstVideoInfo *info,
              const struct color_description *description)
{
  picture->info = *info;
  picture->description = *description;
  for (guint k = 0; k < 4; k++)
    picture->codes[k] = g_new0 (guint, n_codes (picture, k));
}

void
picture_clear (struct picture *picture)
{
  for (guint k = 0; k < 4; k++)
    g_clear_pointer (&picture->codes[k], g_free);
}

void
picture_fill_randomly (struct picture *picture, guint32 seed)
{
  for (guint k = 0; k < 4; k++) {
    for (gsize i = 0; i < n_codes (picture, k); i++) {
      seed = seed * 1664525 + 1013904223;
      picture->codes[k][i] = seed >> (32 - picture_bits (picture, k));
    }
  }
}

/* A row of the packers' form: A, Y, Cb, Cr or A, R, G, B, of 8 or 16 bits with
 * each component's bits on top. */
static gboolean
is_wide (const GstVideoFormatInfo *format)
{
  return GST_VIDEO_FORMAT_INFO_DEPTH (
             gst_video_format_get_info (format->unpack_format), 0)
         == 16;
}

static void
set_unpacked (gpointer row, gboolean wide, guint x, guint k, guint value)
{
  const guint at = 4 * x + (k + 1) % 4;

  if (wide)
    ((guint16 *)row)[at] = (guint16)value;
  else
    ((guint8 *)row)[at] = (guint8)value;
}

static guint
get_unpacked (gconstpointer row, gboolean wide, guint x, guint k)
{
  const guint at = 4 * x + (k + 1) % 4;

  return wide ? ((const guint16 *)row)[at] : ((const guint8 *)row)[at];
}

/* Where the sample of component @k is that pixel @x, @y takes part in. */
static gsize
sample_at (const struct picture *picture, guint k, guint x, guint y)
{
  const GstVideoFormatInfo *format = picture->info.finfo;

  return (gsize) (y >> GST_VIDEO_FORMAT_INFO_H_SUB (format, k))
             * picture_columns (picture, k)
         + (x >> GST_VIDEO_FORMAT_INFO_W_SUB (format, k));
}

GstBuffer *
picture_to_buffer (const struct picture *picture)
{
  const GstVideoFormatInfo *format = picture->info.finfo;
  const guint width = GST_VIDEO_INFO_WIDTH (&picture->info);
  const gboolean wide = is_wide (format);
  const guint room = wide ? 16 : 8;
  GstBuffer *buffer = gst_buffer_new_and_alloc (picture->info.size);
  g_autofree gpointer row = g_malloc0 (width * 8);
  GstVideoFrame frame;

  gst_buffer_memset (buffer, 0, 0, picture->info.size);
  fail_unless (
      gst_video_frame_map (&frame, &picture->info, buffer, GST_MAP_WRITE));
  for (guint y = 0; y < (guint)GST_VIDEO_INFO_HEIGHT (&picture->info); y++) {
    for (guint k = 0; k < 4; k++) {
      const guint bits = picture_bits (picture, k);

      for (guint x = 0; bits > 0 && x < width; x++)
        set_unpacked (row, wide, x, k,
                      picture->codes[k][sample_at (picture, k, x, y)]
                          << (room - bits));
    }
    format->pack_func (format, GST_VIDEO_PACK_FLAG_TRUNCATE_RANGE, row, 0,
                       frame.data, frame.info.stride,
                       GST_VIDEO_CHROMA_SITE_UNKNOWN, y, width);
  }
  gst_video_frame_unmap (&frame);
  return buffer;
}

GstBuffer *
picture_mask_new (const GstVideoInfo *info)
{
  static const struct color_description none = { 0 };
  struct picture picture;
  GstBuffer *buffer;

  picture_init (&picture, info, &none);
  for (guint k = 0; k < 4; k++)
    for (gsize i = 0; i < n_codes (&picture, k); i++)
      picture.codes[k][i] = (1u << picture_bits (&picture, k)) - 1;
  buffer = picture_to_buffer (&picture);
  picture_clear (&picture);
  return buffer;
}

void
picture_from_buffer (struct picture *picture, GstBuffer *buffer)
{
  const GstVideoFormatInfo *format = picture->info.finfo;
  const guint width = GST_VIDEO_INFO_WIDTH (&picture->info);
  const gboolean wide = is_wide (format);
  const guint room = wide ? 16 : 8;
  g_autofree gpointer row = g_malloc0 (width * 8);
  GstVideoFrame frame;

  fail_unless (
      gst_video_frame_map (&frame, &picture->info, buffer, GST_MAP_READ));
  for (guint y = 0; y < (guint)GST_VIDEO_INFO_HEIGHT (&picture->info); y++) {
    format->unpack_func (format, GST_VIDEO_PACK_FLAG_TRUNCATE_RANGE, row,
                         frame.data, frame.info.stride, 0, y, width);
    for (guint k = 0; k < 4; k++) {
      const guint bits = picture_bits (picture, k);

      for (guint x = 0; bits > 0 && x < width; x++)
        picture->codes[k][sample_at (picture, k, x, y)]
            = get_unpacked (row, wide, x, k) >> (room - bits);
    }
  }
  gst_video_frame_unmap (&frame);
}

/* The neighbour that pixel @i takes part of its chroma from, and how much; @sub:
 * log2 of the pixels that share a sample. */
static gint
neighbour (guint i, guint sub, gboolean cosited, gdouble *weight)
{
  const gint n = 1 << sub, here = (gint) (i >> sub);
  const gdouble centre = cosited ? 0 : (n - 1) / 2.0;
  const gdouble from = ((gint)i % n - centre) / n;

  *weight = fabs (from);
  return from < 0 ? here - 1 : here + 1;
}

static gdouble
code_at (const struct picture *picture, guint k, gint i, gint j)
{
  const gint w = (gint)picture_columns (picture, k);
  const gint h = (gint)picture_rows (picture, k);

  return picture->codes[k][(gsize)CLAMP (j, 0, h - 1) * w + CLAMP (i, 0, w - 1)];
}

/* Component @k at a pixel. */
static gdouble
interpolate (const struct picture *picture, guint k, guint x, guint y)
{
  const guint hsub = GST_VIDEO_FORMAT_INFO_W_SUB (picture->info.finfo, k);
  const guint vsub = GST_VIDEO_FORMAT_INFO_H_SUB (picture->info.finfo, k);
  const struct color_site site = picture->description.site;
  const gint i = (gint) (x >> hsub), j = (gint) (y >> vsub);
  gdouble wx, wy;
  const gint i2 = neighbour (x, hsub, site.left, &wx);
  const gint j2 = neighbour (y, vsub, site.top, &wy);

  return (1 - wy)
             * ((1 - wx) * code_at (picture, k, i, j)
                + wx * code_at (picture, k, i2, j))
         + wy
               * ((1 - wx) * code_at (picture, k, i, j2)
                  + wx * code_at (picture, k, i2, j2));
}

/* From codes to codes. */
static struct color_affine
conversion (const struct picture *source, const struct picture *target)
{
  const struct color_description *from = &source->description;
  const struct color_description *to = &target->description;
  gint from_bits[3], to_bits[3];
  struct color_affine in, out;

  for (guint k = 0; k < 3; k++) {
    from_bits[k] = (gint)picture_bits (source, k);
    to_bits[k] = (gint)picture_bits (target, k);
  }
  in = color_codes_to_rgb (from->matrix, from->range, from_bits);
  out = color_rgb_to_codes (to->matrix, to->range, to_bits);
  return color_affine_multiply (&out, &in);
}

/* @target's codes of a pixel of @source. Beyond the edges it is the pixel of the
 * edge, but to the right samples are repeated one by one: the last one of chroma
 * may lie there itself. */
static gdouble
pixel_at (const struct picture *source, const struct color_affine *m, guint k,
          gint x, gint y)
{
  gdouble in[3] = { 0 }, out[3];

  x = MAX (x, 0);
  y = CLAMP (y, 0, GST_VIDEO_INFO_HEIGHT (&source->info) - 1);
  for (guint c = 0; c < 3; c++) {
    if (picture_bits (source, c) > 0)
      in[c] = interpolate (source, c, (guint)x, (guint)y);
  }
  color_affine_apply (m, in, out);
  return out[k];
}

/* Weights of the pixels -3 ... 4 around the first that shares the sample. The
 * triangle of four pixels a sample is as narrow as that of two. */
static void
taps (guint sub, gboolean cosited, gdouble weight[8])
{
  const gint n = 1 << sub;
  const gint reach = 2;

  for (gint i = -3; i <= 4; i++) {
    if (sub == 0)
      weight[i + 3] = i == 0;
    else if (cosited)
      weight[i + 3] = MAX (reach - ABS (i), 0) / (gdouble) (reach * reach);
    else
      weight[i + 3] = i >= 0 && i < n ? 1.0 / n : 0;
  }
}

static gdouble
filter (const struct picture *source, const struct color_affine *m,
        const struct picture *target, guint k, guint i, guint j)
{
  const guint hsub = GST_VIDEO_FORMAT_INFO_W_SUB (target->info.finfo, k);
  const guint vsub = GST_VIDEO_FORMAT_INFO_H_SUB (target->info.finfo, k);
  gdouble wx[8], wy[8], sum = 0;

  taps (hsub, target->description.site.left, wx);
  taps (vsub, target->description.site.top, wy);
  for (gint b = 0; b < 8; b++) {
    for (gint a = 0; a < 8; a++) {
      if (wx[a] * wy[b] > 0)
        sum += wx[a] * wy[b]
               * pixel_at (source, m, k, (gint) (i << hsub) + a - 3,
                           (gint) (j << vsub) + b - 3);
    }
  }
  return sum;
}

/* Chroma samples are in the same places: none is moved. */
static gboolean
same_places (const struct picture *a, const struct picture *b)
{
  const GstVideoFormatInfo *f = a->info.finfo, *g = b->info.finfo;

  return picture_bits (a, 1) > 0 && picture_bits (b, 1) > 0
         && GST_VIDEO_FORMAT_INFO_W_SUB (f, 1)
                == GST_VIDEO_FORMAT_INFO_W_SUB (g, 1)
         && GST_VIDEO_FORMAT_INFO_H_SUB (f, 1)
                == GST_VIDEO_FORMAT_INFO_H_SUB (g, 1)
         && a->description.site.left == b->description.site.left
         && (GST_VIDEO_FORMAT_INFO_H_SUB (f, 1) == 0
             || a->description.site.top == b->description.site.top);
}

static gdouble
convert_sample (const struct picture *source, const struct color_affine *m,
                const struct picture *target, guint k, guint i, guint j)
{
  const gboolean moved
      = k > 0 && GST_VIDEO_FORMAT_INFO_W_SUB (source->info.finfo, 1) > 0;

  if (k == 3)
    return picture_bits (source, 3) == 0
               ? (1 << picture_bits (target, 3)) - 1
               : code_at (source, 3, (gint)i, (gint)j)
                     * ((1 << picture_bits (target, 3)) - 1)
                     / ((1 << picture_bits (source, 3)) - 1);
  if (moved && same_places (source, target))
    /* Luma has no part in chroma. */
    return m->at[k][1] * code_at (source, 1, (gint)i, (gint)j)
           + m->at[k][2] * code_at (source, 2, (gint)i, (gint)j) + m->at[k][3];
  return filter (source, m, target, k, i, j);
}

void
picture_convert (const struct picture *source, const struct picture *target,
                 struct exact_picture *exact)
{
  const struct color_affine m = conversion (source, target);

  for (guint k = 0; k < 4; k++) {
    const guint w = picture_columns (target, k), h = picture_rows (target, k);

    exact->values[k] = g_new (gdouble, (gsize)w * h);
    for (guint j = 0; j < h; j++) {
      for (guint i = 0; i < w; i++)
        exact->values[k][(gsize)j * w + i]
            = convert_sample (source, &m, target, k, i, j);
    }
  }
}

void
exact_picture_clear (struct exact_picture *exact)
{
  for (guint k = 0; k < 4; k++)
    g_clear_pointer (&exact->values[k], g_free);
}
