/* How the frames of one negotiated format go through one kernel. */
#include "computeplan-private.h"

#include "computecaps.h"
#include "devicecheck.h"
#include "framevalues.h"
#include "parameters.h"

static gboolean
refuse_size (const struct compute_plan *plan, GError **error)
{
  g_autofree gchar *what
      = frame_bindings_describe (&plan->kernel->bindings, FRAME_ROLE_TARGET);

  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
               "%s is changed in place and keeps its size", what);
  return FALSE;
}

/* The caps of the stream at @caps as the shader sees them, and the conversion
 * between the two, which is left out where both are one format. */
static gboolean
init_conversion (struct compute_plan *plan, GstCaps *caps,
                 GstVideoFormat format, GstVideoFormat work, gboolean is_source,
                 GstVideoInfo *info, GError **error)
{
  struct conversion **conversion
      = is_source ? &plan->to_work : &plan->from_work;
  GstCaps *work_caps;

  if (work == GST_VIDEO_FORMAT_UNKNOWN) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "%s: %s frames cannot be converted for it",
                 plan->kernel->reflection->name,
                 gst_video_format_to_string (format));
    return FALSE;
  }
  if (work == format)
    return gst_video_info_from_caps (info, caps);
  work_caps = conversion_caps (caps, work);
  *conversion = is_source
                    ? conversion_new (plan->device, caps, work_caps, error)
                    : conversion_new (plan->device, work_caps, caps, error);
  gst_video_info_from_caps (info, work_caps);
  gst_caps_unref (work_caps);
  return *conversion != NULL;
}

static gboolean
init_conversions (struct compute_plan *plan,
                  const struct compute_settings *settings, GError **error)
{
  GstVideoInfo in, out;
  GstVideoFormat work_in, work_out;

  gst_video_info_from_caps (&in, plan->in);
  gst_video_info_from_caps (&out, plan->out);
  compute_caps_work_formats (plan->kernel, settings,
                             GST_VIDEO_INFO_FORMAT (&in),
                             GST_VIDEO_INFO_FORMAT (&out), &work_in, &work_out);
  return init_conversion (plan, plan->in, GST_VIDEO_INFO_FORMAT (&in), work_in,
                          TRUE, &plan->work_in, error)
         && init_conversion (plan, plan->out, GST_VIDEO_INFO_FORMAT (&out),
                             work_out, FALSE, &plan->work_out, error);
}

static gboolean
init_sides (struct compute_plan *plan, VkFilter filter, GError **error)
{
  const struct frame_bindings *bindings = &plan->kernel->bindings;
  const struct reflection *reflection = plan->kernel->reflection;
  const GstVideoInfo *in = &plan->work_in, *out = &plan->work_out;

  if (bindings->in_place
      && (GST_VIDEO_INFO_WIDTH (in) != GST_VIDEO_INFO_WIDTH (out)
          || GST_VIDEO_INFO_HEIGHT (in) != GST_VIDEO_INFO_HEIGHT (out)))
    return refuse_size (plan, error);
  plan->has_source = frame_bindings_have (bindings, FRAME_ROLE_SOURCE);
  if (plan->has_source
      && !frame_side_init (
          &plan->source, plan->device, bindings, FRAME_ROLE_SOURCE, in,
          frame_values_has_source_layout (reflection), filter, error))
    return FALSE;
  return frame_side_init (
      &plan->target, plan->device, bindings, FRAME_ROLE_TARGET, out,
      frame_values_has_target_layout (reflection), filter, error);
}

/* One invocation a pixel of the frame that goes out. */
static gboolean
init_groups (struct compute_plan *plan, const guint local_size[3], GError **error)
{
  const guint pixels[]
      = { GST_VIDEO_INFO_WIDTH (&plan->work_out),
          GST_VIDEO_INFO_HEIGHT (&plan->work_out), 1 };

  for (guint i = 0; i < 3; i++) {
    plan->groups[i] = (pixels[i] + local_size[i] - 1) / local_size[i];
    if (plan->groups[i] <= plan->device->limits.maxComputeWorkGroupCount[i])
      continue;
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "%s: %u workgroups; %s allows %u",
                 plan->kernel->reflection->name, plan->groups[i],
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

/* The checks that need the device, then its compiler. */
static gboolean
init_pipeline (struct compute_plan *plan,
               const struct compute_settings *settings, GError **error)
{
  const struct reflection *reflection = plan->kernel->reflection;
  struct vkc_kernel kernel = plan->kernel->kernel;
  struct parameters_constants constants;
  guint local_size[3];

  parameters_get_constants (plan->parameters, reflection, &constants);
  parameters_get_local_size (&constants, reflection, local_size);
  if (!device_check_capabilities (reflection, plan->device, error)
      || !device_check_workgroup (reflection, local_size, plan->device, error)
      || !init_groups (plan, local_size, error))
    return FALSE;
  set_samplers (&kernel, reflection, settings);
  plan->pipeline = vkc_pipeline_get (
      plan->device, &kernel,
      &(struct vkc_specialization){
          .n = constants.n, .ids = constants.ids, .values = constants.values },
      error);
  return plan->pipeline != NULL;
}

struct compute_plan *
compute_plan_new (struct compute_kernel *kernel, struct vkc_device *device,
                  GstCaps *in, GstCaps *out,
                  const struct compute_settings *settings, GError **error)
{
  struct compute_plan *plan = g_new0 (struct compute_plan, 1);

  plan->kernel = compute_kernel_ref (kernel);
  plan->device = device;
  plan->in = gst_caps_ref (in);
  plan->out = gst_caps_ref (out);
  plan->uniforms = uniforms_new (device, &kernel->bindings);
  compute_plan_set_parameters (plan, settings->parameters);
  if (parameters_check (plan->parameters, kernel->reflection, error)
      && init_conversions (plan, settings, error)
      && init_sides (plan, settings->filter, error)
      && init_pipeline (plan, settings, error))
    return plan;
  compute_plan_free (plan);
  return NULL;
}

void
compute_plan_free (struct compute_plan *plan)
{
  if (plan == NULL)
    return;
  compute_plan_set_parameters (plan, NULL);
  uniforms_free (plan->uniforms);
  conversion_free (plan->to_work);
  conversion_free (plan->from_work);
  gst_caps_unref (plan->in);
  gst_caps_unref (plan->out);
  frame_side_clear (&plan->source);
  frame_side_clear (&plan->target);
  vkc_pipeline_unref (plan->pipeline);
  compute_kernel_unref (plan->kernel);
  g_free (plan);
}

struct compute_kernel *
compute_plan_kernel (const struct compute_plan *plan)
{
  return plan->kernel;
}

gboolean
compute_plan_is_for (const struct compute_plan *plan, GstCaps *in, GstCaps *out)
{
  return gst_caps_is_equal (plan->in, in) && gst_caps_is_equal (plan->out, out);
}

void
compute_plan_set_parameters (struct compute_plan *plan,
                             const GstStructure *parameters)
{
  g_clear_pointer (&plan->parameters, gst_structure_free);
  if (parameters != NULL)
    plan->parameters = gst_structure_copy (parameters);
}

static void
add_unset (const struct compute_plan *plan, const struct reflected_block *block,
           GString *names)
{
  for (guint i = 0; i < block->n_members; i++) {
    const struct reflected_member *member = &block->members[i];

    if (!frame_values_know (member)
        && !parameters_have (plan->parameters, member->name))
      g_string_append_printf (names, "%s`%s`", names->len > 0 ? ", " : "",
                              member->name);
  }
}

gchar *
compute_plan_get_unset (const struct compute_plan *plan)
{
  const struct reflection *reflection = plan->kernel->reflection;
  GString *names = g_string_new (NULL);

  add_unset (plan, &reflection->push_constants, names);
  for (guint i = 0; i < reflection->n_bindings; i++)
    if (reflection->bindings[i].type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER)
      add_unset (plan, &reflection->bindings[i].block, names);
  return g_string_free (names, names->len == 0);
}
