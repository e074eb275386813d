/* What the files of a plan share: computeplan.c and computepass.c make it,
 * passage.c takes one frame through it. */
#pragma once

#include "computeplan.h"
#include "computestate.h"
#include "conversion.h"
#include "frameside.h"
#include "uniforms.h"

/* One dispatch of each frame. */
struct compute_pass
{
  const struct compute_kernel *kernel;
  struct vkc_pipeline *pipeline;
  struct uniforms *uniforms;
  guint width, height; /* pixels of what it writes */
  guint groups[3];
  gboolean writes_state; /* what later frames need */
};

struct compute_plan
{
  struct compute_program *program;
  struct vkc_device *device; /* the pipelines' */
  GstStructure *parameters;  /* NULL: none */
  GstCaps *in, *out;         /* of the stream */
  /* As the shader sees the frames; NULL: that is how they are. */
  GstVideoInfo work_in, work_out;
  struct conversion *to_work, *from_work;
  gboolean has_source;
  struct frame_side source, target;
  /* Between passes; NULL for pictures of files, which the state has. */
  struct scratch_pool *images[PROGRAM_MAX_RESOURCES];
  guint n_passes;
  struct compute_pass passes[PROGRAM_MAX_PASSES];
  struct compute_state *state;
  gboolean has_state; /* some pass writes it */
};

/* In computepass.c. The size of an image of the program. */
void compute_plan_image_size (const struct compute_plan *plan, guint image,
                              guint *width, guint *height);

/* Makes pass @index, whose sides and images are there. */
gboolean compute_pass_init (struct compute_plan *plan, guint index,
                            const struct compute_settings *settings,
                            GError **error);
void compute_pass_clear (struct compute_pass *pass);
