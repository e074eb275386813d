/* One frame on its way through a plan. */
#include "computeplan-private.h"
#include "framevalues.h"
#include "jobstep.h"
#include "parameters.h"

struct passage
{
  struct compute_plan *plan;
  struct vkc_job *job;         /* makes the frame that goes out */
  const GstVkcFrame *in, *out; /* of the stream */
  guint64 number;
  GstVkcFrame source, target; /* as the shader sees them */

  /* What those lie in; NULL: in the stream's own frames. */
  struct scratch *source_work, *target_work;
  /* Between those and the stream, where the formats differ. */
  GstVkcFrame to_work, from_work;
  struct scratch *to_scratch, *from_scratch;
  struct scratch *images[PROGRAM_MAX_RESOURCES]; /* between passes */
};

/* The input in the format that the shader takes. */
static gboolean
convert_source (struct passage *passage, GError **error)
{
  struct conversion *conversion = passage->plan->to_work;
  struct vkc_job *step;

  if (conversion == NULL)
    return TRUE;
  passage->to_scratch
      = conversion_new_target (conversion, &passage->to_work, error);
  if (passage->to_scratch == NULL)
    return FALSE;
  step = vkc_job_new_step (passage->job);
  if (!job_step_append (passage->plan->device, step,
                        conversion_plan (conversion, passage->in,
                                         &passage->to_work, step, error),
                        error))
    return FALSE;
  passage->to_work.buffer = passage->in->buffer;
  passage->in = &passage->to_work;
  return TRUE;
}

/* A dropped frame must not take with it what later ones need. */
static gboolean
must_stay (const struct compute_plan *plan)
{
  return plan->passes[plan->n_passes - 1].writes_state;
}

/* Where the shader writes: to the frame itself if it has the right form. */
static gboolean
place_target (struct passage *passage, GError **error)
{
  struct compute_plan *plan = passage->plan;

  passage->target = *passage->out;
  if (plan->from_work != NULL) {
    passage->from_scratch
        = conversion_new_source (plan->from_work, &passage->from_work, error);
    if (passage->from_scratch == NULL)
      return FALSE;
    passage->target = passage->from_work;
  }
  if (plan->program->feedback) {
    frame_side_frame (&plan->target, compute_state_output (plan->state, FALSE),
                      &passage->target);
    return TRUE;
  }
  if (!must_stay (plan) && frame_side_fits (&plan->target, &passage->target))
    return TRUE;
  passage->target_work
      = frame_side_new_work (&plan->target, &passage->target, error);
  return passage->target_work != NULL;
}

/* The input goes to its place in the ring, and is read there. */
static gboolean
keep_source (struct passage *passage, GError **error)
{
  struct compute_plan *plan = passage->plan;
  struct vkc_job *step = vkc_job_new_state (passage->job);

  frame_side_frame (&plan->source, compute_state_history (plan->state, 0),
                    &passage->source);
  return job_step_append (passage->plan->device, step,
                          frame_side_transfer (&plan->source, passage->job,
                                               passage->in, passage->to_scratch,
                                               &passage->source, step, error),
                          error);
}

static gboolean
place_source (struct passage *passage, GError **error)
{
  const struct compute_plan *plan = passage->plan;
  const struct frame_side *side = &plan->source;

  if (compute_program_is_in_place (plan->program))
    return frame_side_transfer (&plan->target, passage->job, passage->in,
                                passage->to_scratch, &passage->target, NULL,
                                error);
  if (plan->program->history > 0)
    return keep_source (passage, error);
  passage->source = *passage->in;
  if (!plan->has_source || frame_side_fits (side, passage->in))
    return TRUE;
  passage->source_work = frame_side_new_work (side, &passage->source, error);
  return passage->source_work != NULL
         && frame_side_transfer (side, passage->job, passage->in,
                                 passage->to_scratch, &passage->source, NULL,
                                 error);
}

static gboolean
place_images (struct passage *passage, GError **error)
{
  for (guint i = 0; i < passage->plan->program->n_images; i++) {
    if (passage->plan->images[i] == NULL)
      continue;
    passage->images[i] = scratch_new (passage->plan->images[i], error);
    if (passage->images[i] == NULL)
      return FALSE;
  }
  return TRUE;
}

static struct frame_values
get_values (const struct passage *passage, const struct compute_pass *pass)
{
  const GstVideoInfo *info = &passage->plan->target.info;
  const GstVkcFrame *target = &passage->target;
  const GstVkcFrame *source
      = pass->kernel->bindings.in_place ? target : &passage->source;
  const GstClockTime pts = GST_BUFFER_PTS (passage->in->buffer);
  struct frame_values values = {
    .width = pass->width,
    .height = pass->height,
    .frame = passage->number,
    .time = GST_CLOCK_TIME_IS_VALID (pts) ? pts / (gdouble)GST_SECOND : 0,
  };

  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    values.offset[i] = GST_VIDEO_INFO_PLANE_OFFSET (info, i);
    values.stride[i] = GST_VIDEO_INFO_PLANE_STRIDE (info, i);
  }
  memcpy (values.source_offset, source->offset, sizeof source->offset);
  memcpy (values.source_stride, source->stride, sizeof source->stride);
  memcpy (values.target_offset, target->offset, sizeof target->offset);
  memcpy (values.target_stride, target->stride, sizeof target->stride);
  return values;
}

static gboolean
set_values (struct passage *passage, const struct compute_pass *pass,
            struct vkc_job *dispatch, GError **error)
{
  const struct compute_plan *plan = passage->plan;
  const struct reflected_block *block
      = &pass->kernel->reflection->push_constants;
  const struct frame_values values = get_values (passage, pass);
  guint8 data[VKC_MAX_PUSH_CONSTANTS];

  if (!uniforms_bind (pass->uniforms, &values, plan->parameters, dispatch,
                      error))
    return FALSE;
  if (block->size == 0)
    return TRUE;
  frame_values_write (&values, block, data);
  parameters_write_block (plan->parameters, block, data);
  return vkc_job_set_push_constants (dispatch, data, block->size, error);
}

static gboolean
bind_kept (struct passage *passage, const struct frame_binding *binding,
           struct vkc_job *dispatch, GError **error)
{
  const struct compute_plan *plan = passage->plan;
  const gboolean is_input = binding->role == FRAME_ROLE_HISTORY;
  const struct frame_side *side = is_input ? &plan->source : &plan->target;
  GstVkcFrame frame;

  frame_side_frame (side,
                    is_input
                        ? compute_state_history (plan->state, binding->index)
                        : compute_state_output (plan->state, TRUE),
                    &frame);
  return frame_side_bind (side, binding, dispatch, &frame, error);
}

static gboolean
bind_image (struct passage *passage, const struct frame_binding *binding,
            struct vkc_job *dispatch, GError **error)
{
  struct scratch *scratch = passage->images[binding->index];
  struct vkc_image *image
      = scratch != NULL ? scratch_image (scratch)
                        : passage->plan->state->pictures[binding->index];
  const struct reflected_binding *declared = binding->declared;
  const VkFormat format
      = declared->format != VK_FORMAT_UNDEFINED
            ? declared->format
            : passage->plan->program->images[binding->index].format;

  if (scratch != NULL && !declared->writes)
    scratch_pin (scratch, dispatch);
  return vkc_job_bind_view (dispatch,
                            VKC_BINDING (declared->set, declared->binding),
                            image, 0, 1, format, error);
}

static gboolean
bind (struct passage *passage, const struct frame_binding *binding,
      struct vkc_job *dispatch, GError **error)
{
  const struct compute_plan *plan = passage->plan;
  const struct reflected_binding *declared = binding->declared;

  switch (binding->role) {
  case FRAME_ROLE_SOURCE:
    if (passage->source_work != NULL)
      scratch_pin (passage->source_work, dispatch);
    else if (passage->to_scratch != NULL && plan->program->history == 0)
      scratch_pin (passage->to_scratch, dispatch);
    return frame_side_bind (&plan->source, binding, dispatch, &passage->source,
                            error);
  case FRAME_ROLE_TARGET:
    return frame_side_bind (&plan->target, binding, dispatch, &passage->target,
                            error);
  case FRAME_ROLE_HISTORY:
  case FRAME_ROLE_PREVIOUS:
    return bind_kept (passage, binding, dispatch, error);
  case FRAME_ROLE_IMAGE:
    return bind_image (passage, binding, dispatch, error);
  case FRAME_ROLE_BUFFER:
    return vkc_job_bind (dispatch,
                         VKC_BINDING (declared->set, declared->binding),
                         plan->state->buffers[binding->index], 0, 1, error);
  default:
    return TRUE;
  }
}

static gboolean
fill_dispatch (struct passage *passage, const struct compute_pass *pass,
               struct vkc_job *dispatch, GError **error)
{
  const struct frame_bindings *bindings = &pass->kernel->bindings;

  vkc_job_set_pipeline (dispatch, pass->pipeline);
  vkc_job_set_groups (dispatch, pass->groups[0], pass->groups[1],
                      pass->groups[2]);
  if (!set_values (passage, pass, dispatch, error))
    return FALSE;
  for (guint i = 0; i < bindings->n; i++)
    if (!bind (passage, &bindings->all[i], dispatch, error))
      return FALSE;
  return TRUE;
}

/* What the shader made becomes the frame that goes out. */
static gboolean
plan_end (struct passage *passage, GError **error)
{
  struct compute_plan *plan = passage->plan;
  const GstVkcFrame *to
      = plan->from_work != NULL ? &passage->from_work : passage->out;

  if ((passage->target_work != NULL || plan->program->feedback)
      && !frame_side_transfer (
          &plan->target, passage->job, &passage->target, passage->target_work,
          to, plan->from_work == NULL ? passage->job : NULL, error))
    return FALSE;
  if (plan->from_work == NULL)
    return TRUE;
  scratch_pin (passage->from_scratch, passage->job);
  return conversion_plan (plan->from_work, &passage->from_work, passage->out,
                          passage->job, error);
}

/* The last dispatch is the last job, unless its result is not the frame yet. */
static gboolean
plan_passes (struct passage *passage, GError **error)
{
  struct compute_plan *plan = passage->plan;
  const gboolean is_direct = passage->target_work == NULL
                             && !plan->program->feedback
                             && plan->from_work == NULL;

  for (guint i = 0; i < plan->n_passes; i++) {
    const struct compute_pass *pass = &plan->passes[i];
    struct vkc_job *step;

    if (is_direct && i + 1 == plan->n_passes)
      return fill_dispatch (passage, pass, passage->job, error);
    step = pass->writes_state ? vkc_job_new_state (passage->job)
                              : vkc_job_new_step (passage->job);
    if (!job_step_append (passage->plan->device, step,
                          fill_dispatch (passage, pass, step, error), error))
      return FALSE;
  }
  return plan_end (passage, error);
}

gboolean
compute_plan_frame (struct compute_plan *plan, const GstVkcFrame *in,
                    const GstVkcFrame *out, guint64 number, struct vkc_job *job,
                    GError **error)
{
  struct passage passage
      = { .plan = plan, .job = job, .in = in, .out = out, .number = number };
  gboolean ok;

  /* What updates a state reads the input, also of a frame that is dropped. */
  if (plan->has_state)
    vkc_job_share_pins (job);
  ok = convert_source (&passage, error) && place_target (&passage, error)
       && place_source (&passage, error) && place_images (&passage, error)
       && plan_passes (&passage, error);

  scratch_planned (passage.to_scratch);
  scratch_planned (passage.source_work);
  scratch_planned (passage.target_work);
  scratch_planned (passage.from_scratch);
  for (guint i = 0; i < plan->program->n_images; i++)
    scratch_planned (passage.images[i]);
  plan->state->n_frames++;
  return ok;
}
