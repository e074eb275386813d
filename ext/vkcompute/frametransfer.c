/* Frames on their way from the stream to a side of a kernel, and back. */
#include "frameside.h"

#include "gst/base/gstvkccaps.h"
#include "jobstep.h"

static gboolean
has_default_layout (const struct frame_side *side, const GstVkcFrame *frame)
{
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (&side->info); i++)
    if (frame->offset[i] != GST_VIDEO_INFO_PLANE_OFFSET (&side->info, i)
        || (gint)frame->stride[i]
               != GST_VIDEO_INFO_PLANE_STRIDE (&side->info, i))
      return FALSE;
  return TRUE;
}

/* Shaders count in words. */
static gboolean
is_in_words (const struct frame_side *side, const GstVkcFrame *frame)
{
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (&side->info); i++)
    if (frame->offset[i] % 4 != 0 || frame->stride[i] % 4 != 0)
      return FALSE;
  return TRUE;
}

/* The images are the frame, no less and no more: imageSize() is right. */
static gboolean
is_whole_images (const struct frame_side *side, const GstVkcFrame *frame)
{
  const struct vkc_image_params *have = vkc_image_params (frame->image);
  struct vkc_image_params want;

  if (!gst_vkc_image_params_from_info (&want, &side->info, VKC_STORAGE_IMAGE)
      || have->n_planes != want.n_planes)
    return FALSE;
  for (guint i = 0; i < want.n_planes; i++)
    if (frame->origin_x[i] != 0 || frame->origin_y[i] != 0
        || have->planes[i].width != want.planes[i].width
        || have->planes[i].height != want.planes[i].height)
      return FALSE;
  return TRUE;
}

gboolean
frame_side_fits (const struct frame_side *side, const GstVkcFrame *frame)
{
  if (side->in_images)
    return frame->storage == VKC_STORAGE_IMAGE && !side->is_mixed
           && side->recode == NULL && is_whole_images (side, frame);
  return frame->storage == VKC_STORAGE_BUFFER
         && (side->takes_any_layout ? is_in_words (side, frame)
                                    : has_default_layout (side, frame));
}

struct scratch *
frame_side_new_work (const struct frame_side *side, GstVkcFrame *frame,
                     GError **error)
{
  return frame_new_scratch (frame, &side->info, side->work, error);
}

/* What brings @from to @to in one go. */
static gboolean
fill (const struct frame_side *side, struct vkc_job *job,
      const GstVkcFrame *from, const GstVkcFrame *to, gboolean recodes,
      GError **error)
{
  return recodes ? recode_fill (side->recode, job, from, to, error)
                 : frame_copy_fill (job, from, to, error);
}

/* The same as @last, or as a further step of @job. */
static gboolean
move (const struct frame_side *side, struct vkc_job *job,
      const GstVkcFrame *from, struct scratch *read, const GstVkcFrame *to,
      gboolean recodes, struct vkc_job *last, GError **error)
{
  struct vkc_job *step = last != NULL ? last : vkc_job_new_step (job);
  gboolean ok;

  if (read != NULL)
    scratch_pin (read, step);
  ok = fill (side, step, from, to, recodes, error);
  if (last != NULL)
    return ok;
  return job_step_append (side->device, step, ok, error);
}

/* As frame_side_transfer(), with the same numbers. */
static gboolean
copy (const struct frame_side *side, struct vkc_job *job,
      const GstVkcFrame *from, struct scratch *read, const GstVkcFrame *to,
      struct vkc_job *last, GError **error)
{
  struct scratch *between;
  GstVkcFrame linear;
  gboolean ok;

  if (frame_copy_in_one_step (from, to))
    return move (side, job, from, read, to, FALSE, last, error);
  between = frame_new_scratch (&linear, &side->info, side->linear, error);
  if (between == NULL)
    return FALSE;
  ok = move (side, job, from, read, &linear, FALSE, NULL, error)
       && move (side, job, &linear, between, to, FALSE, last, error);
  scratch_planned (between);
  return ok;
}

/* Codes of the stream that the kernel can read or write where they are. */
static gboolean
has_codes_in_place (const struct frame_side *side, const GstVkcFrame *frame)
{
  return frame->storage == VKC_STORAGE_IMAGE && is_whole_images (side, frame)
         && recode_takes_any (side->recode);
}

/* From or to floats, through images of codes where the stream has others. */
static gboolean
change_numbers (const struct frame_side *side, struct vkc_job *job,
                const GstVkcFrame *from, struct scratch *read,
                const GstVkcFrame *to, struct vkc_job *last, GError **error)
{
  const gboolean to_floats = recode_is_floats (vkc_image_params (to->image));
  struct scratch *between;
  GstVkcFrame codes;
  gboolean ok;

  if (has_codes_in_place (side, to_floats ? from : to))
    return move (side, job, from, read, to, TRUE, last, error);
  between = recode_new_codes (side->recode, &codes, error);
  if (between == NULL)
    return FALSE;
  ok = to_floats
           ? copy (side, job, from, read, &codes, NULL, error)
                 && move (side, job, &codes, between, to, TRUE, last, error)
           : move (side, job, from, read, &codes, TRUE, NULL, error)
                 && copy (side, job, &codes, between, to, last, error);
  scratch_planned (between);
  return ok;
}

gboolean
frame_side_transfer (const struct frame_side *side, struct vkc_job *job,
                     const GstVkcFrame *from, struct scratch *read,
                     const GstVkcFrame *to, struct vkc_job *last,
                     GError **error)
{
  return side->recode != NULL
             ? change_numbers (side, job, from, read, to, last, error)
             : copy (side, job, from, read, to, last, error);
}
