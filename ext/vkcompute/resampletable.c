/* Filters to the order in which source rows come. */
#include "resampletable.h"

#include <string.h>

#include "shaders/include/resample_ids.h"

/* A filter without the zeros around the weights of a sample: it needs the
 * source samples from first[i] to last[i]. */
struct reach
{
  struct color_filter filter;
  gint *first, *last;
};

static gfloat
weight_of (const struct reach *reach, gint i, gint sample)
{
  const gint k = sample - reach->filter.first[i];

  return k >= 0 && k < reach->filter.taps
             ? reach->filter.weight[i * reach->filter.taps + k]
             : 0;
}

static void
reach_find (struct reach *reach)
{
  const struct color_filter *filter = &reach->filter;

  reach->first = g_new (gint, filter->n);
  reach->last = g_new (gint, filter->n);
  for (gint i = 0; i < filter->n; i++) {
    gint first = filter->first[i], last = first + filter->taps - 1;

    while (first < last && weight_of (reach, i, first) == 0)
      first++;
    while (last > first && weight_of (reach, i, last) == 0)
      last--;
    reach->first[i] = first;
    reach->last[i] = last;
  }
}

static void
reach_clear (struct reach *reach)
{
  color_filter_clear (&reach->filter);
  g_clear_pointer (&reach->first, g_free);
  g_clear_pointer (&reach->last, g_free);
}

static void
add_word (struct resample_table *table, guint32 word)
{
  g_array_append_val (table->words, word);
}

static void
add_float (struct resample_table *table, gfloat value)
{
  g_array_append_val (table->words, value);
}

static guint
align (struct resample_table *table)
{
  while (table->words->len % 4 != 0)
    add_word (table, 0);
  return table->words->len / 4;
}

/* The sample of the scaled row that column @x of the target shows, or -1. */
static gint
sample_at (const struct resample_table *table, const struct shape_job *job,
           gint x)
{
  if (x < table->left || x >= table->right)
    return -1;
  return job->shape.flip_x ? table->right - 1 - x : x - table->left;
}

/* How far pixel @i of a block begins behind the block. */
static gint
base_of (const struct resample_table *table, const struct resample_plane *plane,
         gint i)
{
  if (plane->job->shape.flip_x)
    i = plane->pixels - 1 - i;
  return i * table->step >> 16;
}

static gint
floor_to (gint value, gint unit)
{
  return value - ((value % unit) + unit) % unit;
}

/* Samples that blocks must begin at multiples of to begin with whole words. */
static gint
samples_per_word (gint step)
{
  return step % 4 == 0 ? 1 : step % 2 == 0 ? 2 : 4;
}

/* The first source sample of a block; grows the taps as it needs them. */
static gint
start_block (struct resample_table *table, const struct resample_plane *plane,
             const struct reach *reach, gint x)
{
  gint start = G_MAXINT;

  for (gint i = 0; i < plane->pixels; i++) {
    const gint s = sample_at (table, plane->job, x + i);

    if (s >= 0)
      start = MIN (start, reach->first[s] - base_of (table, plane, i));
  }
  if (start == G_MAXINT)
    return 0;
  start = floor_to (start, samples_per_word (plane->source_step));
  for (gint i = 0; i < plane->pixels; i++) {
    const gint s = sample_at (table, plane->job, x + i);

    if (s >= 0)
      table->taps = MAX (table->taps, reach->last[s] + 1 - start
                                          - base_of (table, plane, i));
  }
  return start;
}

static void
add_block (struct resample_table *table, const struct resample_plane *plane,
           const struct reach *reach, gint x, gint start)
{
  add_word (table, (guint32)(start * plane->unit_step / 4));
  align (table);
  for (gint i = 0; i < plane->pixels; i++) {
    const gint s = sample_at (table, plane->job, x + i);
    const gint first = start + base_of (table, plane, i);

    for (gint k = 0; k < table->taps; k++)
      add_float (table, s >= 0 ? weight_of (reach, s, first + k) : 0);
  }
  align (table);
}

static gboolean
add_blocks (struct resample_table *table, const struct resample_plane *plane)
{
  const gint n = (plane->width + plane->pixels - 1) / plane->pixels;
  struct reach reach = { .first = NULL };
  g_autofree gint *starts = g_new (gint, n);
  guint first_column, columns;

  if (!shape_filter_across (plane->job, plane->component, &reach.filter,
                            &first_column, &columns))
    return FALSE;
  reach_find (&reach);
  table->taps = 1;
  for (gint b = 0; b < n; b++)
    starts[b] = start_block (table, plane, &reach, b * plane->pixels);
  table->blocks = align (table);
  for (gint b = 0; b < n && table->taps <= RESAMPLE_MOST_TAPS; b++)
    add_block (table, plane, &reach, b * plane->pixels, starts[b]);
  reach_clear (&reach);
  return table->taps <= RESAMPLE_MOST_TAPS;
}

/* Rows of the scaled picture: [from, to). */
struct strip
{
  gint from, to;
  gint first; /* source row */
};

static struct strip
make_strip (const struct reach *reach, gint from, gint to)
{
  struct strip strip = { from, to, reach->first[from] };

  for (gint i = from; i < to; i++)
    strip.first = MIN (strip.first, reach->first[i]);
  return strip;
}

/* Walks down the source rows of @strip, and behind them for what is not complete
 * yet: at the edge a row may be the last one of more than there is time for.
 * With @adds what is to be done with them is put down, else only counted.
 * Returns how many there are. */
static gint
walk_strip (struct resample_table *table, const struct reach *reach,
            const struct strip *strip, gboolean adds)
{
  gint oldest = strip->from, row;

  for (row = strip->first; oldest < strip->to; row++) {
    gint done = 0;

    for (gint i = oldest; i < strip->to && reach->filter.first[i] <= row; i++)
      if (weight_of (reach, i, row) != 0)
        table->open = MAX (table->open, i - oldest + 1);
    for (gint i = 0; adds && i < table->open; i++)
      add_float (table, oldest + i < strip->to
                            ? weight_of (reach, oldest + i, row)
                            : 0);
    while (done < table->most_done && oldest < strip->to
           && reach->last[oldest] <= row) {
      oldest++;
      done++;
    }
    if (adds) {
      add_word (table, done);
      align (table);
    }
  }
  return row - strip->first;
}

static guint32 *
strip_words (struct resample_table *table, guint strip)
{
  return &g_array_index (table->words, guint32, strip * RESAMPLE_STRIP_WORDS);
}

static void
add_strip (struct resample_table *table, const struct resample_plane *plane,
           const struct reach *reach, const struct strip *strip, guint index,
           gint top)
{
  const guint at = align (table);
  const gint rows = walk_strip (table, reach, strip, TRUE);
  guint32 *words = strip_words (table, index);

  words[RESAMPLE_STRIP_FROM] = strip->first;
  words[RESAMPLE_STRIP_ROWS] = rows;
  words[RESAMPLE_STRIP_TABLE] = at;
  words[RESAMPLE_STRIP_TO]
      = top
        + (plane->job->shape.flip_y ? reach->filter.n - 1 - strip->from
                                    : strip->from);
}

/* Border that no picture is next to. */
static void
add_border (struct resample_table *table, guint index, gint from, gint to)
{
  guint32 *words = strip_words (table, index);

  words[RESAMPLE_STRIP_TO] = from;
  words[RESAMPLE_STRIP_FILL] = to - from;
}

static gboolean
add_strips (struct resample_table *table, const struct resample_plane *plane)
{
  const gint sub = workform_vsub (plane->job->to, plane->component);
  const gint top = plane->job->shape.picture.y >> sub;
  struct reach reach = { .first = NULL };
  guint first_row, rows, n;

  if (!shape_filter_down (plane->job, plane->component, &reach.filter,
                          &first_row, &rows))
    return FALSE;
  reach_find (&reach);
  n = MIN (plane->strips, (guint)reach.filter.n);
  table->strips = n + (table->bordered ? 2 : 0);
  g_array_set_size (table->words, table->strips * RESAMPLE_STRIP_WORDS);
  table->open = 1;
  table->most_done = (reach.filter.n + (gint)rows - 1) / (gint)rows;
  for (gint adds = 0; adds < 2 && table->open <= RESAMPLE_MOST_OPEN; adds++) {
    for (guint i = 0; i < n; i++) {
      const struct strip strip
          = make_strip (&reach, (guint64)reach.filter.n * i / n,
                        (guint64)reach.filter.n * (i + 1) / n);

      if (adds)
        add_strip (table, plane, &reach, &strip, i, top);
      else
        walk_strip (table, &reach, &strip, FALSE);
    }
  }
  if (table->bordered) {
    add_border (table, n, 0, top);
    add_border (table, n + 1, top + reach.filter.n, plane->height);
  }
  reach_clear (&reach);
  return table->open <= RESAMPLE_MOST_OPEN;
}

/* Where the picture's columns are, and about how far apart in the source. */
static void
place_picture (struct resample_table *table, const struct resample_plane *plane)
{
  const struct color_shape *shape = &plane->job->shape;
  const gint from_sub = workform_hsub (plane->job->from, plane->component);
  const gint sub = workform_hsub (plane->job->to, plane->component);
  const gint vsub = workform_vsub (plane->job->to, plane->component);
  const gint width = (shape->picture.width + (1 << sub) - 1) >> sub;
  const gint height = (shape->picture.height + (1 << vsub) - 1) >> vsub;

  table->left = shape->picture.x >> sub;
  table->right = table->left + width;
  table->bordered = width < plane->width || height < plane->height;
  table->step = ((gint64)shape->crop.width << (16 + sub))
                / ((gint64)shape->picture.width << from_sub);
}

gboolean
resample_table_init (struct resample_table *table,
                     const struct resample_plane *plane)
{
  *table = (struct resample_table){ .words = g_array_new (FALSE, TRUE,
                                                          sizeof (guint32)) };
  place_picture (table, plane);
  if (add_strips (table, plane) && add_blocks (table, plane))
    return TRUE;
  resample_table_clear (table);
  return FALSE;
}

void
resample_table_clear (struct resample_table *table)
{
  g_clear_pointer (&table->words, g_array_unref);
}
