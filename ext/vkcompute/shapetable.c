/* Geometry and filters to words. */
#include "shapetable.h"

#include <string.h>

#include "gst/base/gstvkccaps.h"
#include "shaders/include/shape_ids.h"

static guint32 *
header (const struct shape_table *table, guint plane)
{
  return &g_array_index (table->words, guint32, plane * SHAPE_WORDS);
}

/* Taps of @filter if all begin at even samples. */
static gint
count_even_taps (const struct color_filter *filter)
{
  gint taps = 0;

  for (gint i = 0; i < filter->n; i++)
    taps = MAX (taps, (filter->first[i] & 1) + filter->taps);
  return (taps + 1) & ~1;
}

/* Puts @filter down with @taps taps from samples that are multiples of @align
 * on, all of them before @end: what is more than the filter's weighs nothing.
 * Returns where it begins. */
static guint
add_filter (struct shape_table *table, const struct color_filter *filter,
            gint taps, gint align, gint end)
{
  const guint start = table->words->len;

  for (gint i = 0; i < filter->n; i++) {
    const gint own = filter->first[i];
    const guint32 first = MIN (own - own % align, end - taps);

    g_array_append_val (table->words, first);
    for (gint k = 0; k < taps; k++) {
      const gint tap = (gint)first + k - own;
      const gfloat weight = tap >= 0 && tap < filter->taps
                                ? filter->weight[i * filter->taps + tap]
                                : 0;

      g_array_append_val (table->words, weight);
    }
  }
  return start;
}

/* Filters are the same for both chroma planes, and for luma and alpha. */
static gboolean
add_filters (struct shape_table *table, const struct shape_job *job,
             guint plane, gboolean scale)
{
  const gint stride = GST_VIDEO_INFO_PLANE_STRIDE (&job->from->info, plane) / 2;
  struct color_filter across = { 0 }, down = { 0 };
  guint first_column, columns, first_row, rows, start;
  const gboolean ok
      = shape_filter_across (job, plane, &across, &first_column, &columns)
        && shape_filter_down (job, plane, &down, &first_row, &rows);

  if (ok) {
    const gint taps = scale ? count_even_taps (&across) : 1;

    start = add_filter (table, &across, taps, scale ? 2 : 1, stride);
    header (table, plane)[SHAPE_ACROSS] = start;
    start = add_filter (table, &down, down.taps, 1, G_MAXINT);
    header (table, plane)[SHAPE_DOWN] = start;
    header (table, plane)[SHAPE_ACROSS_TAPS] = taps;
    header (table, plane)[SHAPE_DOWN_TAPS] = down.taps;
    header (table, plane)[SHAPE_BETWEEN_WIDTH] = across.n;
    header (table, plane)[SHAPE_BETWEEN_ROW] = first_row;
    header (table, plane)[SHAPE_BETWEEN_ROWS] = rows;
  }
  color_filter_clear (&across);
  color_filter_clear (&down);
  return ok;
}

static void
share_filters (struct shape_table *table, guint plane, guint with)
{
  memcpy (header (table, plane), header (table, with),
          SHAPE_WORDS * sizeof (guint32));
}

static void
place_plane (struct shape_table *table, const struct shape_job *job,
             guint plane)
{
  const GstVideoInfo *from = &job->from->info, *to = &job->to->info;
  const struct color_rect *picture = &job->shape.picture;
  const gint hsub = workform_hsub (job->to, plane);
  const gint vsub = workform_vsub (job->to, plane);
  guint32 *h = header (table, plane);

  h[SHAPE_FROM] = GST_VIDEO_INFO_PLANE_OFFSET (from, plane) / 2;
  h[SHAPE_FROM_STRIDE] = GST_VIDEO_INFO_PLANE_STRIDE (from, plane) / 2;
  h[SHAPE_TO] = GST_VIDEO_INFO_PLANE_OFFSET (to, plane) / 2;
  h[SHAPE_TO_STRIDE] = GST_VIDEO_INFO_PLANE_STRIDE (to, plane) / 2;
  h[SHAPE_TO_WIDTH] = gst_vkc_plane_row_bytes (to, plane) / 2;
  h[SHAPE_TO_HEIGHT] = gst_vkc_plane_rows (to, plane);
  h[SHAPE_X] = picture->x >> hsub;
  h[SHAPE_Y] = picture->y >> vsub;
  h[SHAPE_WIDTH] = (picture->width + hsub) >> hsub;
  h[SHAPE_HEIGHT] = (picture->height + vsub) >> vsub;
  h[SHAPE_BORDER] = job->border[plane];
}

/* Filters along rows need scale.comp; columns place.comp can pick. */
static gboolean
needs_scale (const struct shape_job *job, gboolean *needed)
{
  *needed = FALSE;
  for (guint plane = 0; plane < 2; plane++) {
    struct color_filter across;
    guint first_column, columns;

    if (!shape_filter_across (job, plane, &across, &first_column, &columns))
      return FALSE;
    *needed |= across.taps > 1;
    color_filter_clear (&across);
  }
  return TRUE;
}

/* The floats between both kernels. */
static void
place_between (struct shape_table *table, guint n)
{
  guint width = 0, rows = 0;

  for (guint i = 0; i < n; i++) {
    guint32 *h = header (table, i);

    h[SHAPE_BETWEEN] = table->between;
    table->between += (gsize)h[SHAPE_BETWEEN_WIDTH] * h[SHAPE_BETWEEN_ROWS];
    width = MAX (width, h[SHAPE_BETWEEN_WIDTH]);
    rows = MAX (rows, h[SHAPE_BETWEEN_ROWS]);
  }
  table->scale_groups[0] = (width + SHAPE_LOCAL_SIZE - 1) / SHAPE_LOCAL_SIZE;
  table->scale_groups[1] = (rows + SHAPE_ROWS - 1) / SHAPE_ROWS;
}

gboolean
shape_table_init (struct shape_table *table, const struct shape_job *job)
{
  const guint n = GST_VIDEO_INFO_N_PLANES (&job->to->info);
  const guint step = SHAPE_LOCAL_SIZE * SHAPE_SAMPLES;
  gboolean scale;

  *table = (struct shape_table){ .words = g_array_new (FALSE, TRUE,
                                                       sizeof (guint32)) };
  g_array_set_size (table->words, n * SHAPE_WORDS);
  if (!needs_scale (job, &scale) || !add_filters (table, job, 0, scale)
      || !add_filters (table, job, 1, scale)) {
    shape_table_clear (table);
    return FALSE;
  }
  share_filters (table, 2, 1);
  if (n > SHAPE_ALPHA)
    share_filters (table, SHAPE_ALPHA, 0);
  for (guint i = 0; i < n; i++)
    place_plane (table, job, i);
  if (scale)
    place_between (table, n);
  table->place_groups[0]
      = (GST_VIDEO_INFO_WIDTH (&job->to->info) + step - 1) / step;
  table->place_groups[1] = GST_VIDEO_INFO_HEIGHT (&job->to->info);
  return TRUE;
}

void
shape_table_clear (struct shape_table *table)
{
  g_clear_pointer (&table->words, g_array_unref);
}
