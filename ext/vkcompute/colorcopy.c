/* From formats to planes that are the same, and to copies of them. */
#include "colorcopy.h"

#include "framecopy.h"
#include "gst/base/gstvkccaps.h"

/* The plane of @from that has the samples of @plane where it has them, or -1.
 * Bits that no sample has would be copied, too: there are none, or it is not
 * the same. */
static gint
find_plane (const struct color_format *from, const struct color_format *to,
            gint plane)
{
  gint bits = 0, step = 0, found = -1;

  for (guint c = 0; c < 4; c++) {
    const struct color_component *a = &from->component[c];
    const struct color_component *b = &to->component[c];

    if (!color_format_has (to, c) || b->plane != plane)
      continue;
    if (!color_format_has (from, c) || (found >= 0 && found != a->plane)
        || a->step != b->step || a->offset != b->offset || a->shift != b->shift
        || a->bits != b->bits)
      return -1;
    found = a->plane;
    step = 8 * b->step;
    bits += b->bits;
  }
  return bits == step ? found : -1;
}

static gboolean
is_chroma (const struct color_format *format, gint plane)
{
  return format->component[1].plane == plane
         || format->component[2].plane == plane;
}

/* The kernel fills a row's last word: no copy leaves it to chance. */
static gboolean
is_whole_words (const GstVideoInfo *info, guint plane)
{
  return gst_vkc_plane_row_bytes (info, plane) % 4 == 0;
}

guint
color_copy_find (const struct colorside *in, const struct colorside *out)
{
  const struct color_format *from = &in->color.format;
  const struct color_format *to = &out->color.format;
  const struct color_site a = in->color.description.site;
  const struct color_site b = out->color.description.site;
  const gboolean same_chroma = from->hsub == to->hsub && from->vsub == to->vsub
                               && (!from->hsub || a.left == b.left)
                               && (!from->vsub || a.top == b.top);
  guint planes = 0;

  if (from->packing != PACKING_BYTES || to->packing != PACKING_BYTES
      || !color_description_same_codes (&in->color.description,
                                        &out->color.description))
    return 0;
  for (gint plane = 0; plane < to->n_planes; plane++)
    if (find_plane (from, to, plane) >= 0 && is_whole_words (&out->info, plane)
        && (same_chroma || !is_chroma (to, plane)))
      planes |= 1u << plane;
  return planes;
}

/* All rows at once where nothing is between them: a driver takes as long for
 * one row as for many. */
static struct vkc_copy
copy_of (const GstVkcFrame *in, guint from, const GstVkcFrame *out, guint to)
{
  const guint row = gst_vkc_plane_row_bytes (out->info, to);
  const guint rows = gst_vkc_plane_rows (out->info, to);
  struct vkc_copy copy = { .from = frame_copy_side (in, from),
                           .to = frame_copy_side (out, to),
                           .width = row,
                           .height = rows,
                           .texel_size = 1 };

  if (in->stride[from] == row && out->stride[to] == row) {
    copy.width = row * rows;
    copy.height = 1;
  }
  return copy;
}

void
color_copy_add (struct vkc_job *job, guint planes,
                const struct color_format *from, const GstVkcFrame *in,
                const struct color_format *to, const GstVkcFrame *out)
{
  struct vkc_copy copies[MAX_PLANES];
  guint n = 0;

  for (gint plane = 0; plane < to->n_planes; plane++)
    if (planes >> plane & 1)
      copies[n++] = copy_of (in, find_plane (from, to, plane), out, plane);
  if (n > 0)
    vkc_job_add_copies (job, in->image, out->image, n, copies);
}
