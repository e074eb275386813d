/* What is over is let go of: pins, images, owners.
 *
 * The completion thread does it, at once. Pins are foreign and go nowhere else;
 * images are ours, and whoever flushes destroys those of finished submissions
 * itself when there are more than $VKC_MAX_RELEASES or $VKC_MAX_RELEASE_BYTES
 * of them. */
#pragma once

#include "gst/vk/recorder-private.h"

/* Lets go of everything that is over. On the completion thread. */
void vkc_release_run (struct vkc_recorder *recorder);

/* Under the lock: nothing is to be let go of. */
bool vkc_release_is_empty (const struct vkc_recorder *recorder);

/* Accepts NULL. */
void vkc_releases_free (struct vkc_releases *releases);

/* Before a flush, under the lock, which it may drop meanwhile: keeps what nobody
 * but the recorder holds within the bounds; waits for the oldest submission if
 * need be, counted as waits-release. A failing wait is another's to report. */
void vkc_release_bound (struct vkc_recorder *recorder);

/* Before a job is added, under the lock, which it drops meanwhile: waits,
 * bounded, while the completion thread is too far behind. */
void vkc_release_wait_for_thread (struct vkc_recorder *recorder);

/* Under the lock: @slot's submission was accepted, or is over. */
void vkc_release_note_held (struct vkc_slot *slot);
void vkc_release_note_over (struct vkc_slot *slot);
