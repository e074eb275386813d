/* One side of a kernel, its source or its target: in what form the shader wants
 * the frame, and how a frame in another form gets there. */
#pragma once

#include "computeprogram.h"
#include "framecopy.h"
#include "recode.h"
#include "scratch.h"

struct frame_side
{
  const struct compute_program *program; /* borrowed */
  enum frame_role role;
  GstVideoInfo info;
  gboolean in_images;
  gboolean takes_any_layout; /* buffers: the shader asks for it */
  gboolean is_mixed; /* images: an array has planes of several formats */
  struct vkc_device *device; /* borrowed */
  struct vkc_image_params work_params;
  struct scratch_pool *work;   /* frames in the form that the shader wants */
  struct scratch_pool *linear; /* the step between two sets of images */
  struct recode *recode;       /* images of floats; NULL: of the codes */
};

/* @program must outlive @side. @filter: with which textures are read. Errors
 * are GST_RESOURCE_ERROR_SETTINGS and name the bindings; @side is {0} then. */
gboolean frame_side_init (struct frame_side *side, struct vkc_device *device,
                          const struct compute_program *program,
                          enum frame_role role, const GstVideoInfo *info,
                          gboolean takes_any_layout, VkFilter filter,
                          GError **error);
void frame_side_clear (struct frame_side *side);

/* In frametransfer.c. Whether the shader can use @frame where it is. */
gboolean frame_side_fits (const struct frame_side *side,
                          const GstVkcFrame *frame);

/* A new work frame in *@frame. */
struct scratch *frame_side_new_work (const struct frame_side *side,
                                     GstVkcFrame *frame, GError **error);

/* An image in the form that the shader wants, filled with zeros, that is kept
 * from frame to frame. */
struct vkc_image *frame_side_new_kept (const struct frame_side *side,
                                       GError **error);

/* @image, in that form, as a frame. */
void frame_side_frame (const struct frame_side *side, struct vkc_image *image,
                       GstVkcFrame *frame);

/* In frametransfer.c. Plans the copies, and the change of numbers, that bring
 * @from to @to as steps of @job; the last of them as @last, which the caller
 * appends, if that is not NULL. @read: what @from lies in, NULL if that is
 * pinned already. */
gboolean frame_side_transfer (const struct frame_side *side,
                              struct vkc_job *job, const GstVkcFrame *from,
                              struct scratch *read, const GstVkcFrame *to,
                              struct vkc_job *last, GError **error);

/* Binds @frame to @binding, which is of the side. */
gboolean frame_side_bind (const struct frame_side *side,
                          const struct frame_binding *binding,
                          struct vkc_job *job, const GstVkcFrame *frame,
                          GError **error);
