/* Who planned a job: an element instance, as plain data that outlives it. It
 * collects the element's counters and its first error.
 *
 * Threads: any. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "gst/vk/api.h"

/* Why a flush happened. */
enum vkc_flush_reason
{
  VKC_FLUSH_TAIL,  /* the element's peer is not one of ours */
  VKC_FLUSH_MAP,   /* somebody mapped or exported a pending frame */
  VKC_FLUSH_LIMIT, /* too many frames were pending for too long */
  VKC_FLUSH_DRAIN, /* drain, or an input that goes to a foreign peer */
  VKC_N_FLUSH_REASONS
};

struct vkc_owner_counters
{
  uint64_t planned;
  uint64_t refused;
  uint64_t discarded;
  uint64_t fused; /* jobs that a later one's dispatch did */
  uint64_t flushes[VKC_N_FLUSH_REASONS];
};

struct vkc_owner;

/* Called once, for the first error, on the thread that learnt of it and
 * without any lock of this layer held. */
typedef void (*vkc_owner_failed) (const GError *error, void *data);

/* @name: the element's name, for messages and labels. @free_data may be NULL;
 * it runs when the last reference goes. */
VKC_API struct vkc_owner *vkc_owner_new (const char *name,
                                         vkc_owner_failed failed, void *data,
                                         GDestroyNotify free_data);
VKC_API struct vkc_owner *vkc_owner_ref (struct vkc_owner *owner);
VKC_API void vkc_owner_unref (struct vkc_owner *owner);
VKC_API const char *vkc_owner_name (const struct vkc_owner *owner);

/* Keeps @error if it is the owner's first and tells the owner. Returns whether
 * it was; either way the owner has been told by then. Not under the recorder's
 * lock. */
VKC_API bool vkc_owner_fail (struct vkc_owner *owner, const GError *error);

/* A copy of the first error, or NULL. */
VKC_API GError *vkc_owner_error (struct vkc_owner *owner);

/* If so, it has been told. Not under the recorder's lock. */
VKC_API bool vkc_owner_has_failed (struct vkc_owner *owner);

VKC_API void vkc_owner_count_refused (struct vkc_owner *owner);
VKC_API struct vkc_owner_counters
vkc_owner_counters (struct vkc_owner *owner);

/* Frames pending, not yet submitted or discarded. */
VKC_API unsigned vkc_owner_pending (struct vkc_owner *owner);

/* Most frames that may be pending before vkc_recorder_append() waits. */
VKC_API void vkc_owner_set_limit (struct vkc_owner *owner, unsigned limit);

/* While interrupted (FLUSH_START, a state change), vkc_recorder_append() does not
 * wait, nor vkc_recorder_drain_owner() for pins; a thread that waits there now is
 * woken. */
VKC_API void vkc_owner_set_interrupted (struct vkc_owner *owner,
                                        bool interrupted);

/* Whether the CPU mapped a frame of this owner before it was submitted, since
 * the last call of vkc_owner_clear_mapped(): its peer is not one of ours,
 * whatever it said. */
VKC_API bool vkc_owner_was_mapped (struct vkc_owner *owner);
VKC_API void vkc_owner_clear_mapped (struct vkc_owner *owner);
