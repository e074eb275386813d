/* What a program keeps from frame to frame, on the device. Shared by reference
 * count; its images are used by one streaming thread, and read by any. */
#pragma once

#include "frameside.h"

struct compute_state
{
  guint64 n_frames; /* planned so far */
  guint n_history;  /* places in the ring: one more than are looked back */
  struct vkc_image *history[FRAME_MAX_HISTORY + 1];
  struct vkc_image *previous[2]; /* NULL unless it is asked for */
  guint n_buffers;
  struct vkc_image *buffers[PROGRAM_MAX_RESOURCES];
  struct vkc_image *pictures[PROGRAM_MAX_RESOURCES]; /* by image; or NULL */
  struct compute_program *program;                   /* a reference */
  GstVideoInfo source, target; /* the frames that are kept */
  gint ref_count;
};

/* @source and @target may be of other frames later on, but of the same form.
 * @before: the state of the same program and device whose buffers go on, and
 * whose frames, where they are like these ones; NULL: all start with zeros. */
struct compute_state *compute_state_new (struct vkc_device *device,
                                         struct compute_program *program,
                                         const struct frame_side *source,
                                         const struct frame_side *target,
                                         const struct compute_state *before,
                                         GError **error);
struct compute_state *compute_state_ref (struct compute_state *state);

/* Accepts NULL. */
void compute_state_unref (struct compute_state *state);

/* The input @back frames ago (0: where this frame's goes). */
struct vkc_image *compute_state_history (const struct compute_state *state,
                                         guint back);

/* Where this frame's output goes, or the one of the frame before. */
struct vkc_image *compute_state_output (const struct compute_state *state,
                                        gboolean before);

/* The bytes of buffer @name after all frames that were planned so far, which
 * are waited for. */
GBytes *compute_state_read (const struct compute_state *state,
                            const gchar *name, GError **error);
