/* Ratios to rounds. */
#include "resamplephases.h"

#include <string.h>

#include "shaders/include/resample_ids.h"

G_STATIC_ASSERT (POLYPHASE_MOST_PHASES == COLOR_PHASES_MOST);
G_STATIC_ASSERT (RESAMPLE_MOST_TAPS >= COLOR_PHASES_MOST_TAPS);

/* Source samples are counted from @first on. */
static gboolean
find (struct color_phases *phases, struct color_filter *filter, guint first,
      guint n)
{
  const gboolean ok
      = color_phases_init (phases, filter, (gint)first, (gint)(first + n) - 1);

  color_filter_clear (filter);
  for (gint i = 0; ok && i < phases->to; i++)
    phases->first[i] -= (gint)first;
  return ok;
}

/* Of the source samples that a round needs. */
static void
find_range (const struct color_phases *phases, gint *first, gint *last)
{
  *first = *last = phases->first[0];
  for (gint i = 1; i < phases->to; i++) {
    *first = MIN (*first, phases->first[i]);
    *last = MAX (*last, phases->first[i]);
  }
  *last += phases->taps - 1;
}

/* As many again: what a round keeps for the next one is blended by a mask. */
static void
double_phases (struct color_phases *p)
{
  for (gint i = 0; i < p->to; i++) {
    p->first[p->to + i] = p->first[i] + p->from;
    memcpy (p->weight[p->to + i], p->weight[i], sizeof p->weight[i]);
  }
  p->from *= 2;
  p->to *= 2;
}

static gboolean
is_plain (const struct resample_plane *plane)
{
  const struct color_shape *shape = &plane->job->shape;
  const GstVideoInfo *to = &plane->job->to->info;

  return !shape->flip_x && !shape->flip_y
         && shape->picture.width == GST_VIDEO_INFO_WIDTH (to)
         && shape->picture.height == GST_VIDEO_INFO_HEIGHT (to);
}

static gint
ceil_div (gint value, gint unit)
{
  return value > 0 ? (value + unit - 1) / unit : 0;
}

/* Whether blocks of @pixels are words on both sides, and their neighbours have
 * all else that they need. */
static gboolean
set_block (struct resample_phases *p, const struct resample_plane *plane,
           gint pixels)
{
  const struct color_phases *across = &p->across;
  const gint own = pixels / across->to * across->from;
  gint first, last;

  if (pixels % across->to != 0 || own * plane->source_step % 4 != 0
      || pixels * plane->target_step % 4 != 0)
    return FALSE;
  p->pixels = pixels;
  find_range (across, &first, &last);
  p->left = ceil_div (-first * plane->unit_step, 4);
  p->right = ceil_div ((last + 1 - across->from) * plane->unit_step, 4);
  p->pairs = own * plane->source_step % 8 == 0
             && pixels * plane->target_step % 8 == 0
             && plane->width % (pixels * RESAMPLE_LANES) == 0;
  return MAX (p->left, p->right) <= own * plane->unit_step / 4;
}

static gboolean
choose_block (struct resample_phases *p, const struct resample_plane *plane,
              gint n)
{
  /* Threes make pairs of words in 24 samples, others do in 16. */
  const gint most = p->across.to == 3 ? POLYPHASE_SAMPLES : 16;

  for (gint pixels = most / n; pixels >= p->across.to; pixels--)
    if (p->across.taps * pixels * n * p->down.from <= POLYPHASE_MOST_TERMS
        && p->open * pixels * n <= RESAMPLE_MOST_SUMS
        && set_block (p, plane, pixels))
      return TRUE;
  return FALSE;
}

/* Rounds end with the source row that completes their last target row. */
static void
set_rounds (struct resample_phases *p)
{
  const struct color_phases *down = &p->down;
  gint first, last;

  find_range (down, &first, &last);
  p->start = last - (down->from - 1);
  p->lead = ceil_div (p->start - first, down->from);
  for (gint i = 0; i < down->to; i++)
    p->open = MAX (p->open,
                   (last - down->first[i]) / down->from * down->to + i + 1);
}

gboolean
resample_phases_init (struct resample_phases *phases,
                      const struct resample_plane *plane, gint n)
{
  const gint step = plane->source_step;
  struct color_filter across, down;

  *phases = (struct resample_phases){ .open = 0 };
  if (!is_plain (plane) || step > 4 || (step & (step - 1)) != 0
      || !shape_filter_across (plane->job, plane->component, &across,
                               &phases->first_column, &phases->columns)
      || !find (&phases->across, &across, phases->first_column, phases->columns)
      || !shape_filter_down (plane->job, plane->component, &down,
                             &phases->first_row, &phases->rows)
      || !find (&phases->down, &down, phases->first_row, phases->rows))
    return FALSE;
  if (phases->down.from == 1 && 2 * phases->down.to <= COLOR_PHASES_MOST
      && plane->height % (2 * phases->down.to) == 0)
    double_phases (&phases->down);
  set_rounds (phases);
  return plane->height % phases->down.to == 0 && phases->columns * step % 4 == 0
         && choose_block (phases, plane, n);
}

static void
add_weights (GArray *words, const struct color_phases *phases)
{
  for (gint i = 0; i < phases->to; i++)
    g_array_append_vals (words, phases->weight[i], phases->taps);
}

GArray *
resample_phases_table (const struct resample_phases *phases)
{
  GArray *words = g_array_new (FALSE, TRUE, sizeof (guint32));

  add_weights (words, &phases->across);
  add_weights (words, &phases->down);
  return words;
}
