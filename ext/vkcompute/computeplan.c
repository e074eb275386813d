/* How the frames of one negotiated format go through one kernel. */
#include "computeplan.h"

#include "devicecheck.h"
#include "frameside.h"
#include "framevalues.h"
#include "gst/vk/recorder.h"
#include "parameters.h"
#include "uniforms.h"

struct compute_plan
{
  struct compute_kernel *kernel;
  struct vkc_device *device; /* the pipeline's */
  struct vkc_pipeline *pipeline;
  GstStructure *parameters; /* NULL: none */
  GstVideoInfo in, out;
  gboolean has_source;
  struct frame_side source, target;
  struct uniforms *uniforms;
  guint groups[3];
};

/* One frame on its way. */
struct passage
{
  struct compute_plan *plan;
  struct vkc_job *job;                       /* makes the frame that goes out */
  GstVkcFrame source, target;                /* as the shader sees them */
  struct scratch *source_work, *target_work; /* NULL: used in place */
};

static gboolean
init_sides (struct compute_plan *plan, const GstVideoInfo *in,
            const GstVideoInfo *out, VkFilter filter, GError **error)
{
  const struct frame_bindings *bindings = &plan->kernel->bindings;
  const struct reflection *reflection = plan->kernel->reflection;

  if (bindings->in_place
      && GST_VIDEO_INFO_FORMAT (in) != GST_VIDEO_INFO_FORMAT (out)) {
    g_autofree gchar *what
        = frame_bindings_describe (bindings, FRAME_ROLE_TARGET);

    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "%s is changed in place and stays %s", what,
                 GST_VIDEO_INFO_NAME (in));
    return FALSE;
  }
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
init_groups (struct compute_plan *plan, const GstVideoInfo *out,
             const guint local_size[3], GError **error)
{
  const guint pixels[]
      = { GST_VIDEO_INFO_WIDTH (out), GST_VIDEO_INFO_HEIGHT (out), 1 };

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
init_pipeline (struct compute_plan *plan, const GstVideoInfo *out,
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
      || !init_groups (plan, out, local_size, error))
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
                  const GstVideoInfo *in, const GstVideoInfo *out,
                  const struct compute_settings *settings, GError **error)
{
  struct compute_plan *plan = g_new0 (struct compute_plan, 1);

  plan->kernel = compute_kernel_ref (kernel);
  plan->device = device;
  plan->in = *in;
  plan->out = *out;
  plan->uniforms = uniforms_new (device, &kernel->bindings);
  compute_plan_set_parameters (plan, settings->parameters);
  if (parameters_check (plan->parameters, kernel->reflection, error)
      && init_sides (plan, in, out, settings->filter, error)
      && init_pipeline (plan, out, settings, error))
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
compute_plan_is_for (const struct compute_plan *plan, const GstVideoInfo *in,
                     const GstVideoInfo *out)
{
  return gst_video_info_is_equal (&plan->in, in)
         && gst_video_info_is_equal (&plan->out, out);
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

/* Where the shader writes: to the frame itself if it has the right form. */
static gboolean
place_target (struct passage *passage, const GstVkcFrame *out, GError **error)
{
  const struct frame_side *side = &passage->plan->target;

  passage->target = *out;
  if (frame_side_fits (side, out))
    return TRUE;
  passage->target_work = frame_side_new_work (side, &passage->target, error);
  return passage->target_work != NULL;
}

static gboolean
place_source (struct passage *passage, const GstVkcFrame *in, GError **error)
{
  const struct frame_side *side = &passage->plan->source;

  if (passage->plan->kernel->bindings.in_place)
    return frame_side_transfer (&passage->plan->target, passage->job, in, NULL,
                                &passage->target, FALSE, error);
  passage->source = *in;
  if (!passage->plan->has_source || frame_side_fits (side, in))
    return TRUE;
  passage->source_work = frame_side_new_work (side, &passage->source, error);
  return passage->source_work != NULL
         && frame_side_transfer (side, passage->job, in, NULL, &passage->source,
                                 FALSE, error);
}

static struct frame_values
get_values (const struct passage *passage, const GstVkcFrame *in,
            guint64 number)
{
  const GstVideoInfo *info = &passage->plan->target.info;
  const GstVkcFrame *source = passage->plan->kernel->bindings.in_place
                                  ? &passage->target
                                  : &passage->source;
  struct frame_values values = {
    .width = GST_VIDEO_INFO_WIDTH (info),
    .height = GST_VIDEO_INFO_HEIGHT (info),
    .frame = number,
    .time = GST_BUFFER_PTS_IS_VALID (in->buffer)
                ? GST_BUFFER_PTS (in->buffer) / (gdouble)GST_SECOND
                : 0,
  };

  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    values.offset[i] = GST_VIDEO_INFO_PLANE_OFFSET (info, i);
    values.stride[i] = GST_VIDEO_INFO_PLANE_STRIDE (info, i);
  }
  memcpy (values.source_offset, source->offset, sizeof source->offset);
  memcpy (values.source_stride, source->stride, sizeof source->stride);
  memcpy (values.target_offset, passage->target.offset,
          sizeof passage->target.offset);
  memcpy (values.target_stride, passage->target.stride,
          sizeof passage->target.stride);
  return values;
}

static gboolean
set_values (struct passage *passage, const GstVkcFrame *in, guint64 number,
            struct vkc_job *dispatch, GError **error)
{
  const struct compute_plan *plan = passage->plan;
  const struct reflected_block *block
      = &plan->kernel->reflection->push_constants;
  const struct frame_values values = get_values (passage, in, number);
  guint8 data[VKC_MAX_PUSH_CONSTANTS];

  if (!uniforms_bind (plan->uniforms, &values, plan->parameters, dispatch,
                      error))
    return FALSE;
  if (block->size == 0)
    return TRUE;
  frame_values_write (&values, block, data);
  parameters_write_block (plan->parameters, block, data);
  return vkc_job_set_push_constants (dispatch, data, block->size, error);
}

static gboolean
fill_dispatch (struct passage *passage, const GstVkcFrame *in, guint64 number,
               struct vkc_job *dispatch, GError **error)
{
  const struct compute_plan *plan = passage->plan;

  vkc_job_set_pipeline (dispatch, plan->pipeline);
  vkc_job_set_groups (dispatch, plan->groups[0], plan->groups[1],
                      plan->groups[2]);
  if (passage->source_work != NULL)
    scratch_pin (passage->source_work, dispatch);
  return set_values (passage, in, number, dispatch, error)
         && (!plan->has_source
             || frame_side_bind (&plan->source, dispatch, &passage->source,
                                 error))
         && frame_side_bind (&plan->target, dispatch, &passage->target, error);
}

/* The dispatch is the last job, unless its result has to be copied. */
static gboolean
plan_dispatch (struct passage *passage, const GstVkcFrame *in,
               const GstVkcFrame *out, guint64 number, GError **error)
{
  struct vkc_job *step;

  if (passage->target_work == NULL)
    return fill_dispatch (passage, in, number, passage->job, error);
  step = vkc_job_new_step (passage->job);
  if (!fill_dispatch (passage, in, number, step, error)) {
    vkc_job_unref (step);
    return FALSE;
  }
  return vkc_recorder_append (passage->plan->device->recorder, step, error)
         && frame_side_transfer (&passage->plan->target, passage->job,
                                 &passage->target, passage->target_work, out,
                                 TRUE, error);
}

gboolean
compute_plan_frame (struct compute_plan *plan, const GstVkcFrame *in,
                    const GstVkcFrame *out, guint64 number, struct vkc_job *job,
                    GError **error)
{
  struct passage passage = { .plan = plan, .job = job };
  const gboolean ok = place_target (&passage, out, error)
                      && place_source (&passage, in, error)
                      && plan_dispatch (&passage, in, out, number, error);

  scratch_planned (passage.source_work);
  scratch_planned (passage.target_work);
  return ok;
}
