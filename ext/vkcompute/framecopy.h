/* A frame from one place to another, as jobs. */
#pragma once

#include "gst/base/gstvkcframe.h"

#include "scratch.h"

/* Where a plane of @frame begins. */
struct vkc_copy_side frame_copy_side (const GstVkcFrame *frame, guint plane);

/* Makes @job a copy of all planes. FALSE where one step cannot do it: from
 * images to images, or with offsets that are no whole texels. */
gboolean frame_copy_in_one_step (const GstVkcFrame *from,
                                 const GstVkcFrame *to);
gboolean frame_copy_fill (struct vkc_job *job, const GstVkcFrame *from,
                          const GstVkcFrame *to, GError **error);

/* @image or @scratch as a frame of @info in its default layout. */
void frame_from_image (GstVkcFrame *frame, const GstVideoInfo *info,
                       struct vkc_image *image);
void frame_from_scratch (GstVkcFrame *frame, const GstVideoInfo *info,
                         struct scratch *scratch);

/* The same of a new one of @pool; NULL with @error. */
struct scratch *frame_new_scratch (GstVkcFrame *frame,
                                   const GstVideoInfo *info,
                                   struct scratch_pool *pool, GError **error);
