/* One planned dispatch: plain data until a flush records it. Built by one
 * thread, then handed to vkc_recorder_append() and constant from there on.
 *
 * All refusals happen here, in the element that asked: a job that was accepted
 * can be recorded. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "gst/vk/image.h"
#include "gst/vk/owner.h"
#include "gst/vk/pipeline.h"

struct vkc_job;

/* @owner: whose error a failure is. @label: for messages and debuggers. */
VKC_API struct vkc_job *vkc_job_new (struct vkc_owner *owner,
                                     const char *label);
VKC_API struct vkc_job *vkc_job_ref (struct vkc_job *job);

/* Accepts NULL. */
VKC_API void vkc_job_unref (struct vkc_job *job);

/* Takes its own reference. Must come before bindings and constants. */
VKC_API void vkc_job_set_pipeline (struct vkc_job *job,
                                   struct vkc_pipeline *pipeline);

/* @size: bytes, exactly what the kernel declares. Refused otherwise. */
VKC_API bool vkc_job_set_push_constants (struct vkc_job *job, const void *data,
                                         size_t size, GError **error);

/* Workgroups. */
VKC_API void vkc_job_set_groups (struct vkc_job *job, uint32_t x, uint32_t y,
                                 uint32_t z);

/* Binds @image at @binding. A storage buffer binding takes the image's whole
 * buffer; an image binding takes @n_planes planes from @first_plane (the array
 * elements that are left repeat the last one). Takes a reference. Refused, by
 * the binding's name: unknown or taken binding, wrong storage kind. */
VKC_API bool vkc_job_bind (struct vkc_job *job, uint32_t binding,
                           struct vkc_image *image, uint32_t first_plane,
                           uint32_t n_planes, GError **error);

/* Keeps @object until the job is over or discarded, then calls @release on the
 * completion thread (never under a lock). For the input's GstBuffer: a memory
 * reference alone would not stop its pool from reusing it. */
VKC_API void vkc_job_pin (struct vkc_job *job, void *object,
                          GDestroyNotify release);
