/* How the frames of one negotiated format go through one kernel. */
#include "computeplan-private.h"

#include "computecaps.h"
#include "framevalues.h"
#include "imageformat.h"
#include "keptimage.h"
#include "parameters.h"

static gboolean
refuse_size (const struct compute_plan *plan, GError **error)
{
  g_autofree gchar *what
      = compute_program_describe (plan->program, FRAME_ROLE_TARGET);

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
                 plan->program->name, gst_video_format_to_string (format));
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
  compute_caps_work_formats (plan->program, settings,
                             GST_VIDEO_INFO_FORMAT (&in),
                             GST_VIDEO_INFO_FORMAT (&out), &work_in, &work_out);
  return init_conversion (plan, plan->in, GST_VIDEO_INFO_FORMAT (&in), work_in,
                          TRUE, &plan->work_in, error)
         && init_conversion (plan, plan->out, GST_VIDEO_INFO_FORMAT (&out),
                             work_out, FALSE, &plan->work_out, error);
}

/* Whether all passes that use the frame cope with any layout of it. */
static gboolean
take_any_layout (const struct compute_program *program, enum frame_role role)
{
  for (guint i = 0; i < program->n_passes; i++) {
    const struct compute_kernel *kernel = program->passes[i].kernel;

    if (frame_bindings_have (&kernel->bindings, role)
        && !(role == FRAME_ROLE_SOURCE
                 ? frame_values_has_source_layout (kernel->reflection)
                 : frame_values_has_target_layout (kernel->reflection)))
      return FALSE;
  }
  return TRUE;
}

static gboolean
init_sides (struct compute_plan *plan, VkFilter filter, GError **error)
{
  const struct compute_program *program = plan->program;
  const GstVideoInfo *in = &plan->work_in, *out = &plan->work_out;

  if (compute_program_is_in_place (program)
      && (GST_VIDEO_INFO_WIDTH (in) != GST_VIDEO_INFO_WIDTH (out)
          || GST_VIDEO_INFO_HEIGHT (in) != GST_VIDEO_INFO_HEIGHT (out)))
    return refuse_size (plan, error);
  plan->has_source = compute_program_has (program, FRAME_ROLE_SOURCE)
                     || program->history > 0;
  if (plan->has_source
      && !frame_side_init (
          &plan->source, plan->device, program, FRAME_ROLE_SOURCE, in,
          take_any_layout (program, FRAME_ROLE_SOURCE), filter, error))
    return FALSE;
  return frame_side_init (
      &plan->target, plan->device, program, FRAME_ROLE_TARGET, out,
      take_any_layout (program, FRAME_ROLE_TARGET), filter, error);
}

static gboolean
init_image (struct compute_plan *plan, guint index, GError **error)
{
  const struct program_image *image = &plan->program->images[index];
  const guint largest = plan->device->limits.maxImageDimension2D;
  struct vkc_image_params params;
  guint width, height;

  compute_plan_image_size (plan, index, &width, &height);
  if (width > largest || height > largest
      || !vkc_device_can_store (plan->device, image->format)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "image `%s`: %s cannot store %ux%u texels of %s", image->name,
                 plan->device->name, width, height,
                 image_format_from_vulkan (image->format)->name);
    return FALSE;
  }
  if (image->content != NULL)
    return TRUE;
  kept_image_texel_params (&params, image->format, width, height);
  plan->images[index] = scratch_pool_new (plan->device, &params);
  return TRUE;
}

/* What lies between passes, then the passes. */
static gboolean
init_passes (struct compute_plan *plan, const struct compute_settings *settings,
             GError **error)
{
  for (guint i = 0; i < plan->program->n_images; i++)
    if (!init_image (plan, i, error))
      return FALSE;
  for (; plan->n_passes < plan->program->n_passes; plan->n_passes++)
    if (!compute_pass_init (plan, plan->n_passes, settings, error)) {
      compute_pass_clear (&plan->passes[plan->n_passes]);
      return FALSE;
    }
  for (guint i = 0; i < plan->n_passes; i++)
    plan->has_state |= plan->passes[i].writes_state;
  plan->has_state |= plan->program->history > 0;
  return TRUE;
}

static gboolean
init_state (struct compute_plan *plan, const struct compute_plan *before,
            GError **error)
{
  const gboolean goes_on = before != NULL && before->program == plan->program
                           && before->device == plan->device;

  plan->state = compute_state_new (plan->device, plan->program, &plan->source,
                                   &plan->target,
                                   goes_on ? before->state : NULL, error);
  return plan->state != NULL;
}

struct compute_plan *
compute_plan_new (struct compute_program *program, struct vkc_device *device,
                  GstCaps *in, GstCaps *out,
                  const struct compute_settings *settings,
                  const struct compute_plan *before, GError **error)
{
  struct compute_plan *plan = g_new0 (struct compute_plan, 1);

  plan->program = compute_program_ref (program);
  plan->device = device;
  plan->in = gst_caps_ref (in);
  plan->out = gst_caps_ref (out);
  compute_plan_set_parameters (plan, settings->parameters);
  if (compute_program_check_parameters (program, plan->parameters, error)
      && init_conversions (plan, settings, error)
      && init_sides (plan, settings->filter, error)
      && init_passes (plan, settings, error)
      && init_state (plan, before, error))
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
  for (guint i = 0; i < plan->n_passes; i++)
    compute_pass_clear (&plan->passes[i]);
  for (guint i = 0; i < plan->program->n_images; i++)
    scratch_pool_unref (plan->images[i]);
  compute_state_unref (plan->state);
  conversion_free (plan->to_work);
  conversion_free (plan->from_work);
  gst_caps_unref (plan->in);
  gst_caps_unref (plan->out);
  frame_side_clear (&plan->source);
  frame_side_clear (&plan->target);
  compute_program_unref (plan->program);
  g_free (plan);
}

struct compute_program *
compute_plan_program (const struct compute_plan *plan)
{
  return plan->program;
}

struct compute_state *
compute_plan_state (const struct compute_plan *plan)
{
  return plan->state;
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
  GString *names = g_string_new (NULL);

  for (guint k = 0; k < plan->n_passes; k++) {
    const struct reflection *reflection = plan->passes[k].kernel->reflection;

    add_unset (plan, &reflection->push_constants, names);
    for (guint i = 0; i < reflection->n_bindings; i++)
      if (reflection->bindings[i].type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER)
        add_unset (plan, &reflection->bindings[i].block, names);
  }
  return g_string_free (names, names->len == 0);
}
