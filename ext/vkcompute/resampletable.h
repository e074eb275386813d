/* The table that tells resample.comp what to do with a plane, and how its code
 * must be specialized for that. */
#pragma once

#include "shapefilter.h"

G_BEGIN_DECLS

/* One plane of a target. */
struct resample_plane
{
  const struct shape_job *job;
  guint component; /* one that it has: all are filtered alike */
  gint width, height;
  gint pixels;                   /* in a block */
  gint source_step, target_step; /* bytes from sample to sample */
  gint unit_step;                /* of the source; of images 4: a texel */
  guint strips;     /* into which its picture is to be cut, at the most */
};

struct resample_table
{
  GArray *words;                    /* guint32 */
  gint taps, step, open, most_done; /* RESAMPLE_ID_... */
  guint strips;
  guint blocks;     /* where they are, in fours of words */
  gint left, right; /* of the picture */
  gboolean bordered;
};

/* FALSE: no memory, or more than the kernel is made for (taps, open and
 * most_done tell). */
gboolean resample_table_init (struct resample_table *table,
                              const struct resample_plane *plane);

/* Accepts a zeroed one. */
void resample_table_clear (struct resample_table *table);

G_END_DECLS
