/* A plan's passes: sizes, pipelines, workgroups. */
#include "computeplan-private.h"

#include <math.h>

#include "devicecheck.h"
#include "parameters.h"

void
compute_plan_image_size (const struct compute_plan *plan, guint image,
                         guint *width, guint *height)
{
  const struct program_image *declared = &plan->program->images[image];
  const gdouble out_width = GST_VIDEO_INFO_WIDTH (&plan->work_out);
  const gdouble out_height = GST_VIDEO_INFO_HEIGHT (&plan->work_out);

  *width = declared->width > 0 ? declared->width
                               : MAX (1, ceil (out_width * declared->scale));
  *height = declared->height > 0 ? declared->height
                                 : MAX (1, ceil (out_height * declared->scale));
}

/* One invocation a pixel of the first image that is written; where only buffers
 * are, of the frame that comes in. */
static void
init_size (struct compute_plan *plan, struct compute_pass *pass)
{
  const struct frame_bindings *bindings = &pass->kernel->bindings;

  pass->width = GST_VIDEO_INFO_WIDTH (&plan->work_in);
  pass->height = GST_VIDEO_INFO_HEIGHT (&plan->work_in);
  for (guint i = 0; i < bindings->n; i++) {
    const struct frame_binding *binding = &bindings->all[i];

    if (!binding->declared->writes)
      continue;
    if (binding->role == FRAME_ROLE_IMAGE) {
      compute_plan_image_size (plan, binding->index, &pass->width,
                               &pass->height);
      return;
    }
    if (binding->role == FRAME_ROLE_TARGET) {
      pass->width = GST_VIDEO_INFO_WIDTH (&plan->work_out);
      pass->height = GST_VIDEO_INFO_HEIGHT (&plan->work_out);
      return;
    }
  }
}

static gboolean
init_groups (struct compute_plan *plan, struct compute_pass *pass,
             const guint given[3], const guint local_size[3], GError **error)
{
  const guint pixels[] = { pass->width, pass->height, 1 };

  for (guint i = 0; i < 3; i++) {
    pass->groups[i] = given[0] > 0
                          ? given[i]
                          : (pixels[i] + local_size[i] - 1) / local_size[i];
    if (pass->groups[i] <= plan->device->limits.maxComputeWorkGroupCount[i])
      continue;
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "%s: %u workgroups; %s allows %u",
                 pass->kernel->reflection->name, pass->groups[i],
                 plan->device->name,
                 plan->device->limits.maxComputeWorkGroupCount[i]);
    return FALSE;
  }
  return TRUE;
}

/* The kernel with the samplers that the user wants. */
static void
set_samplers (struct vkc_kernel *kernel, const struct reflection *reflection,
              const struct compute_settings *settings)
{
  for (guint i = 0; i < kernel->n_bindings; i++) {
    const struct reflected_binding *declared = &reflection->bindings[i];
    const gboolean is_whole
        = declared->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
          && declared->sampled_type != REFLECTED_FLOAT;

    kernel->bindings[i].filter
        = is_whole ? VK_FILTER_NEAREST : settings->filter;
    kernel->bindings[i].wrap = settings->wrap;
  }
}

static gboolean
was_written (const struct compute_plan *plan, guint index, guint image)
{
  for (guint i = 0; i < index; i++) {
    const struct frame_bindings *bindings = &plan->passes[i].kernel->bindings;

    for (guint k = 0; k < bindings->n; k++)
      if (bindings->all[k].role == FRAME_ROLE_IMAGE
          && bindings->all[k].index == image
          && bindings->all[k].declared->writes)
        return TRUE;
  }
  return FALSE;
}

/* What a pass leaves alone of an image that another one wrote is still there:
 * for the recorder that is reading. So it is for a state. */
static void
set_reads (const struct compute_plan *plan, guint index,
           struct vkc_kernel *kernel)
{
  const struct frame_bindings *bindings = &plan->passes[index].kernel->bindings;

  for (guint i = 0; i < bindings->n; i++) {
    const struct frame_binding *binding = &bindings->all[i];

    if (binding->role == FRAME_ROLE_BUFFER
        || (binding->role == FRAME_ROLE_IMAGE
            && was_written (plan, index, binding->index)))
      kernel->bindings[i].reads = TRUE;
  }
}

static gboolean
check_images (const struct compute_plan *plan, const struct compute_pass *pass,
              VkFilter filter, GError **error)
{
  const struct frame_bindings *bindings = &pass->kernel->bindings;

  for (guint i = 0; i < bindings->n; i++) {
    const struct frame_binding *binding = &bindings->all[i];
    const struct reflected_binding *declared = binding->declared;
    const VkFilter used
        = declared->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
                  && declared->sampled_type == REFLECTED_FLOAT
              ? filter
              : VK_FILTER_NEAREST;
    g_autofree gchar *what = NULL;
    VkFormat format;

    if (binding->role != FRAME_ROLE_IMAGE)
      continue;
    format = plan->program->images[binding->index].format;
    if (declared->type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
        || vkc_device_can_sample (plan->device, format, used))
      continue;
    what = frame_binding_describe (declared);
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "%s: %s cannot sample such texels%s", what, plan->device->name,
                 used == VK_FILTER_LINEAR ? " interpolated" : "");
    return FALSE;
  }
  return TRUE;
}

static void
init_state (struct compute_plan *plan, struct compute_pass *pass)
{
  const struct frame_bindings *bindings = &pass->kernel->bindings;

  for (guint i = 0; i < bindings->n; i++) {
    const struct frame_binding *binding = &bindings->all[i];

    pass->writes_state |= binding->declared->writes
                          && (binding->role == FRAME_ROLE_BUFFER
                              || (binding->role == FRAME_ROLE_TARGET
                                  && plan->program->feedback));
  }
}

/* The checks that need the device, then its compiler. */
gboolean
compute_pass_init (struct compute_plan *plan, guint index,
                   const struct compute_settings *settings, GError **error)
{
  struct compute_pass *pass = &plan->passes[index];
  const struct program_pass *declared = &plan->program->passes[index];
  const struct reflection *reflection = declared->kernel->reflection;
  struct vkc_kernel kernel = declared->kernel->kernel;
  struct parameters_constants constants;
  guint local_size[3];

  pass->kernel = declared->kernel;
  init_size (plan, pass);
  init_state (plan, pass);
  parameters_get_constants (plan->parameters, reflection, &constants);
  parameters_get_local_size (&constants, reflection, local_size);
  if (!device_check_capabilities (reflection, plan->device, error)
      || !device_check_bindings (reflection, plan->device, error)
      || !device_check_workgroup (reflection, local_size, plan->device, error)
      || !init_groups (plan, pass, declared->groups, local_size, error)
      || !check_images (plan, pass, settings->filter, error))
    return FALSE;
  set_samplers (&kernel, reflection, settings);
  set_reads (plan, index, &kernel);
  pass->uniforms = uniforms_new (plan->device, &pass->kernel->bindings);
  pass->pipeline = vkc_pipeline_get (
      plan->device, &kernel,
      &(struct vkc_specialization){
          .n = constants.n, .ids = constants.ids, .values = constants.values },
      error);
  return pass->pipeline != NULL;
}

void
compute_pass_clear (struct compute_pass *pass)
{
  uniforms_free (pass->uniforms);
  vkc_pipeline_unref (pass->pipeline);
  *pass = (struct compute_pass){ 0 };
}
