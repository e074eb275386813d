/* What the files of a plan share: computeplan.c makes it, passage.c takes one
 * frame through it. */
#pragma once

#include "computeplan.h"
#include "conversion.h"
#include "frameside.h"
#include "uniforms.h"

struct compute_plan
{
  struct compute_kernel *kernel;
  struct vkc_device *device; /* the pipeline's */
  struct vkc_pipeline *pipeline;
  GstStructure *parameters; /* NULL: none */
  GstCaps *in, *out;        /* of the stream */
  /* As the shader sees the frames; NULL: that is how they are. */
  GstVideoInfo work_in, work_out;
  struct conversion *to_work, *from_work;
  gboolean has_source;
  struct frame_side source, target;
  struct uniforms *uniforms;
  guint groups[3];
};
