/* Parts of frames. */
#include "framepart.h"

/* Pixels from which on all planes go on at whole words, and whole chroma
 * samples; how far chroma reaches. */
#define COLUMNS 32
#define ROWS    4
#define REACH   4

/* @n of @all, from @start on, in steps of @step. */
static struct color_span
widen (gint start, gint n, gint all, gint step)
{
  const gint first = MAX (start - REACH, 0) / step * step;
  const gint end = (start + n + REACH + step - 1) / step * step;

  return (struct color_span){ first, MIN (end, all) - first };
}

/* Samples that are whole bytes. */
static gboolean
has_columns (const GstVideoFormatInfo *info)
{
  for (guint i = 0; i < GST_VIDEO_FORMAT_INFO_N_COMPONENTS (info); i++) {
    if (GST_VIDEO_FORMAT_INFO_PSTRIDE (info, i) == 0)
      return FALSE;
  }
  return TRUE;
}

struct color_rect
frame_part_around (const GstVideoInfo *info, const struct color_rect *seen)
{
  const gint width = GST_VIDEO_INFO_WIDTH (info);
  const struct color_span rows
      = widen (seen->y, seen->height, GST_VIDEO_INFO_HEIGHT (info), ROWS);
  struct color_span columns = { 0, width };

  if (has_columns (info->finfo))
    columns = widen (seen->x, seen->width, width, COLUMNS);
  return (struct color_rect){ columns.start, rows.start, columns.n, rows.n };
}

void
frame_part_info (GstVideoInfo *part, const GstVideoInfo *info,
                 const struct color_rect *rect)
{
  *part = *info;
  part->width = rect->width;
  part->height = rect->height;
}

void
frame_part_place (GstVkcFrame *part, const GstVkcFrame *whole,
                  const GstVideoInfo *info, const struct color_rect *rect,
                  guint row_step)
{
  *part = *whole;
  part->info = info;
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    gint components[GST_VIDEO_MAX_COMPONENTS];
    guint x, y;

    gst_video_format_info_component (info->finfo, i, components);
    x = GST_VIDEO_FORMAT_INFO_SCALE_WIDTH (info->finfo, components[0], rect->x);
    y = GST_VIDEO_FORMAT_INFO_SCALE_HEIGHT (info->finfo, components[0],
                                            rect->y);
    part->offset[i]
        += (gsize)y * part->stride[i]
           + (gsize)x * GST_VIDEO_INFO_COMP_PSTRIDE (info, components[0]);
    part->origin_x[i] += x;
    part->origin_y[i] += y * row_step;
  }
}
