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

/* @owner: whose error a failure is. */
VKC_API struct vkc_job *vkc_job_new (struct vkc_owner *owner);

/* A step towards @job's frame: another job of the same owner, intermediate
 * (vkc_job_set_intermediate()). */
VKC_API struct vkc_job *vkc_job_new_step (const struct vkc_job *job);

/* The same, a state update (vkc_job_set_state()). Takes over the fences of
 * dmabufs that @job was to wait for: it may run without it. */
VKC_API struct vkc_job *vkc_job_new_state (struct vkc_job *job);

/* What submits @job takes @state along, if that is pending then: it is appended
 * before @job, and nothing that @job reads. Takes its own reference. */
VKC_API void vkc_job_take_along (struct vkc_job *job, struct vkc_job *state);

/* What was pinned to @job so far is kept until the steps and states that are
 * made of it from now on are over, too. */
VKC_API void vkc_job_share_pins (struct vkc_job *job);
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

/* The number of a binding in a descriptor set other than 0. */
#define VKC_BINDING(set, binding) ((uint32_t) (set) << 16 | (binding))

/* Binds @image at @binding. A storage or uniform buffer binding takes the
 * image's whole buffer; an image binding takes @n_planes planes from
 * @first_plane (the array elements that are left repeat the last one). Takes a
 * reference to images that are only read; one that is written owns the job,
 * until a batch has collected it. Refused, by the binding's name: unknown or
 * taken binding, wrong storage kind. */
VKC_API bool vkc_job_bind (struct vkc_job *job, uint32_t binding,
                           struct vkc_image *image, uint32_t first_plane,
                           uint32_t n_planes, GError **error);

/* As vkc_job_bind() for an image binding, but through views of @format: one of
 * the same texel size as the plane's own (a kernel that declares rgba8 wants
 * UNORM where our own kernels want UINT). */
VKC_API bool vkc_job_bind_view (struct vkc_job *job, uint32_t binding,
                                struct vkc_image *image, uint32_t first_plane,
                                uint32_t n_planes, VkFormat format,
                                GError **error);

/* One rectangle of a copy. A buffer's side uses @offset and @stride (bytes), an
 * image's side uses @plane, @x and @y (texels). */
struct vkc_copy_side
{
  uint32_t plane;
  size_t offset;
  uint32_t stride;
  uint32_t x, y;
};

struct vkc_copy
{
  struct vkc_copy_side from, to;
  uint32_t width, height; /* texels */
  uint32_t texel_size;    /* bytes */
};

/* Makes @job a copy of @n rectangles from @source to @target, which is its
 * output, in place of a dispatch. At least one of the two has BUFFER storage.
 * Refused: a buffer side next to an image whose offset or stride is no multiple
 * of the texel size (between buffers any will do). */
VKC_API bool vkc_job_set_copy (struct vkc_job *job, struct vkc_image *source,
                               struct vkc_image *target, uint32_t n,
                               const struct vkc_copy *copies, GError **error);

/* Adds @n rectangles, from @source to @target, to @job's dispatch, which is to
 * leave them out. They are buffers, and what is bound first and second. A fused
 * job's kernel leaves nothing out: then nothing is copied. */
VKC_API void vkc_job_add_copies (struct vkc_job *job, struct vkc_image *source,
                                 struct vkc_image *target, uint32_t n,
                                 const struct vkc_copy *copies);

/* The output is no frame of the stream but a step towards one: it does not
 * count as pending, is submitted only as an ancestor, and is discarded when its
 * image loses the last reference. Before vkc_recorder_append(). */
VKC_API void vkc_job_set_intermediate (struct vkc_job *job);

/* The job updates state that later frames need: it counts as no frame of the
 * stream, and runs even if the frame that it was planned with is dropped, with
 * the owner's next flush. Before vkc_recorder_append(). */
VKC_API void vkc_job_set_state (struct vkc_job *job);

/* Keeps @object until the job is over or discarded, then calls @release on the
 * completion thread (never under a lock). For the input's GstBuffer: a memory
 * reference alone would not stop its pool from reusing it. */
VKC_API void vkc_job_pin (struct vkc_job *job, void *object,
                          GDestroyNotify release);

/* Whether @n references to @object are all that there are, and nothing else
 * names the frame in @image. Looks and does nothing: the recorder's lock is
 * held. */
typedef bool (*vkc_is_sole) (const void *object, const struct vkc_image *image,
                             unsigned n);

/* The same as vkc_job_pin() for an object that names the frame in @image. */
VKC_API void vkc_job_pin_frame (struct vkc_job *job, void *object,
                                GDestroyNotify release,
                                const struct vkc_image *image,
                                vkc_is_sole is_sole);
