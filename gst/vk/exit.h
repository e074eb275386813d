/* The end of the process: work on a device must not go on while its driver's
 * own exit handlers take it apart, so the process waits for it, bounded. */
#pragma once

#include "gst/vk/recorder-private.h"

/* @recorder's device was opened, and its thread is about to start. */
void vkc_exit_watch (struct vkc_recorder *recorder);

/* @recorder is about to be freed, or its thread could not be started. */
void vkc_exit_unwatch (struct vkc_recorder *recorder);

/* A device that nobody holds any more, from before its recorder stops being
 * watched until it is destroyed. */
void vkc_exit_closing (void);
void vkc_exit_closed (void);
