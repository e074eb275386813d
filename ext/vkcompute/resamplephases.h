/* A plane that is scaled by a ratio of small numbers, for polyphase.comp. */
#pragma once

#include "gst/color/phases.h"
#include "resampletable.h"

G_BEGIN_DECLS

struct resample_phases
{
  struct color_phases across, down; /* from the source's part's corner on */
  gint pixels;                      /* in a block */
  gint left, right;                 /* RESAMPLE_ID_... */
  gint open, start, lead;
  guint columns, rows; /* of the source's part, and its corner */
  guint first_column, first_row;
  gboolean pairs; /* RESAMPLE_ID_PAIRS may be */
};

/* FALSE: the kernel is not made for that, or no memory. @n: components of
 * @plane. */
gboolean resample_phases_init (struct resample_phases *phases,
                               const struct resample_plane *plane, gint n);

/* The table, guint32. Transfer full. */
GArray *resample_phases_table (const struct resample_phases *phases);

G_END_DECLS
