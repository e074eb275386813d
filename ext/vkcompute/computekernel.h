/* A user's shader, ready to be planned with: source, reflection and what its
 * bindings mean. Constant, shared by reference count. */
#pragma once

#include "framebindings.h"
#include "kernelsource.h"
#include "reflection.h"

struct compute_kernel
{
  struct reflection *reflection;
  struct frame_bindings bindings;
  struct vkc_kernel kernel; /* borrows from @reflection */
  gint ref_count;
};

/* @bindings: what the user says they are, or NULL. @names as of
 * frame_bindings_choose(). Errors are
 * GST_RESOURCE_ERROR and say what is wrong with the shader. */
struct compute_kernel *
compute_kernel_new (const struct kernel_source_params *params,
                    const GstStructure *bindings,
                    const struct frame_names *names, GError **error);
struct compute_kernel *compute_kernel_ref (struct compute_kernel *kernel);

/* Accepts NULL. */
void compute_kernel_unref (struct compute_kernel *kernel);
