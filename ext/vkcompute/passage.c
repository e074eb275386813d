/* One frame on its way through a plan. */
#include "computeplan-private.h"
#include "framevalues.h"
#include "gst/vk/recorder.h"
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
};

/* Takes @step. */
static gboolean
append (struct passage *passage, struct vkc_job *step, gboolean is_filled,
        GError **error)
{
  if (is_filled)
    return vkc_recorder_append (passage->plan->device->recorder, step, error);
  vkc_job_unref (step);
  return FALSE;
}

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
  if (!append (passage, step,
               conversion_plan (conversion, passage->in, &passage->to_work,
                                step, error),
               error))
    return FALSE;
  passage->to_work.buffer = passage->in->buffer;
  passage->in = &passage->to_work;
  return TRUE;
}

/* Where the shader writes: to the frame itself if it has the right form. */
static gboolean
place_target (struct passage *passage, GError **error)
{
  struct compute_plan *plan = passage->plan;

  passage->target = *passage->out;
  if (plan->from_work != NULL) {
    passage->from_scratch = conversion_new_source (
        plan->from_work, &passage->from_work, error);
    if (passage->from_scratch == NULL)
      return FALSE;
    passage->target = passage->from_work;
  }
  if (frame_side_fits (&plan->target, &passage->target))
    return TRUE;
  passage->target_work
      = frame_side_new_work (&plan->target, &passage->target, error);
  return passage->target_work != NULL;
}

static gboolean
place_source (struct passage *passage, GError **error)
{
  const struct compute_plan *plan = passage->plan;
  const struct frame_side *side = &plan->source;

  if (plan->kernel->bindings.in_place)
    return frame_side_transfer (&plan->target, passage->job, passage->in,
                                passage->to_scratch, &passage->target, FALSE,
                                error);
  passage->source = *passage->in;
  if (!plan->has_source || frame_side_fits (side, passage->in))
    return TRUE;
  passage->source_work = frame_side_new_work (side, &passage->source, error);
  return passage->source_work != NULL
         && frame_side_transfer (side, passage->job, passage->in,
                                 passage->to_scratch, &passage->source, FALSE,
                                 error);
}

static struct frame_values
get_values (const struct passage *passage)
{
  const GstVideoInfo *info = &passage->plan->target.info;
  const GstVkcFrame *target = &passage->target;
  const GstVkcFrame *source = passage->plan->kernel->bindings.in_place
                                  ? target
                                  : &passage->source;
  const GstClockTime pts = GST_BUFFER_PTS (passage->in->buffer);
  struct frame_values values = {
    .width = GST_VIDEO_INFO_WIDTH (info),
    .height = GST_VIDEO_INFO_HEIGHT (info),
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
set_values (struct passage *passage, struct vkc_job *dispatch, GError **error)
{
  const struct compute_plan *plan = passage->plan;
  const struct reflected_block *block
      = &plan->kernel->reflection->push_constants;
  const struct frame_values values = get_values (passage);
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
fill_dispatch (struct passage *passage, struct vkc_job *dispatch,
               GError **error)
{
  const struct compute_plan *plan = passage->plan;

  vkc_job_set_pipeline (dispatch, plan->pipeline);
  vkc_job_set_groups (dispatch, plan->groups[0], plan->groups[1],
                      plan->groups[2]);
  if (passage->source_work != NULL)
    scratch_pin (passage->source_work, dispatch);
  else if (passage->to_scratch != NULL)
    scratch_pin (passage->to_scratch, dispatch);
  return set_values (passage, dispatch, error)
         && (!plan->has_source
             || frame_side_bind (&plan->source, dispatch, &passage->source,
                                 error))
         && frame_side_bind (&plan->target, dispatch, &passage->target, error);
}

/* What the shader made becomes the frame that goes out. */
static gboolean
plan_end (struct passage *passage, GError **error)
{
  struct compute_plan *plan = passage->plan;
  const GstVkcFrame *to
      = plan->from_work != NULL ? &passage->from_work : passage->out;

  if (passage->target_work != NULL
      && !frame_side_transfer (&plan->target, passage->job, &passage->target,
                               passage->target_work, to,
                               plan->from_work == NULL, error))
    return FALSE;
  if (plan->from_work == NULL)
    return TRUE;
  scratch_pin (passage->from_scratch, passage->job);
  return conversion_plan (plan->from_work, &passage->from_work, passage->out,
                          passage->job, error);
}

/* The dispatch is the last job, unless its result is not the frame yet. */
static gboolean
plan_dispatch (struct passage *passage, GError **error)
{
  struct vkc_job *step;

  if (passage->target_work == NULL && passage->plan->from_work == NULL)
    return fill_dispatch (passage, passage->job, error);
  step = vkc_job_new_step (passage->job);
  return append (passage, step, fill_dispatch (passage, step, error), error)
         && plan_end (passage, error);
}

gboolean
compute_plan_frame (struct compute_plan *plan, const GstVkcFrame *in,
                    const GstVkcFrame *out, guint64 number, struct vkc_job *job,
                    GError **error)
{
  struct passage passage = {
    .plan = plan, .job = job, .in = in, .out = out, .number = number
  };
  const gboolean ok
      = convert_source (&passage, error) && place_target (&passage, error)
        && place_source (&passage, error) && plan_dispatch (&passage, error);

  scratch_planned (passage.to_scratch);
  scratch_planned (passage.source_work);
  scratch_planned (passage.target_work);
  scratch_planned (passage.from_scratch);
  return ok;
}
