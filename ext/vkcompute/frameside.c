/* One side of a kernel. */
#include "frameside.h"

#include "gst/base/gstvkccaps.h"
#include "gst/vk/recorder.h"

static gboolean refuse (const struct frame_side *side, GError **error,
                        const gchar *format, ...) G_GNUC_PRINTF (3, 4);

static gboolean
refuse (const struct frame_side *side, GError **error, const gchar *format, ...)
{
  g_autofree gchar *what = frame_binding_describe (side->binding);
  g_autofree gchar *words = NULL;
  va_list arguments;

  va_start (arguments, format);
  words = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "%s: %s",
               what, words);
  return FALSE;
}

static gboolean
check_size (const struct frame_side *side, const struct vkc_device *device,
            GError **error)
{
  const GstVideoInfo *info = &side->info;
  const guint largest = device->limits.maxImageDimension2D;

  if (side->binding->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
    return GST_VIDEO_INFO_SIZE (info) <= device->limits.maxStorageBufferRange
           || refuse (side, error, "a frame has more bytes than %s allows",
                      device->name);
  return ((guint)GST_VIDEO_INFO_WIDTH (info) <= largest
          && (guint)GST_VIDEO_INFO_HEIGHT (info) <= largest)
         || refuse (side, error, "images of %dx%d; %s allows %u",
                    GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info),
                    device->name, largest);
}

/* The form that the shader wants, as storage. */
static gboolean
work_params (struct frame_side *side, const struct vkc_device *device,
             struct vkc_image_params *params, GError **error)
{
  const gboolean in_images
      = side->binding->type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;

  if (!gst_vkc_image_params_from_info (params, &side->info,
                                       in_images ? VKC_STORAGE_IMAGE
                                                 : VKC_STORAGE_BUFFER))
    return refuse (side, error, "%s frames have no such form",
                   GST_VIDEO_INFO_NAME (&side->info));
  for (guint i = 0; in_images && i < params->n_planes; i++) {
    const VkFormat view
        = frame_binding_view_format (side->binding, side->info.finfo, i);

    if (!vkc_device_can_store (device, view))
      return refuse (side, error, "%s cannot store such texels", device->name);
    params->planes[i].format = view;
    side->view = i == 0 || view == side->view ? view : VK_FORMAT_UNDEFINED;
  }
  return TRUE;
}

gboolean
frame_side_init (struct frame_side *side, struct vkc_device *device,
                 const struct reflected_binding *binding,
                 const GstVideoInfo *info, gboolean takes_any_layout,
                 GError **error)
{
  struct vkc_image_params work, linear;

  *side = (struct frame_side){ .binding = binding,
                               .info = *info,
                               .takes_any_layout = takes_any_layout };
  if (!frame_binding_accepts (binding, info->finfo))
    refuse (side, error, "it takes no %s frames", GST_VIDEO_INFO_NAME (info));
  else if (check_size (side, device, error)
           && work_params (side, device, &work, error)
           && gst_vkc_image_params_from_info (&linear, info,
                                              VKC_STORAGE_BUFFER)) {
    side->work = scratch_pool_new (device, &work);
    side->linear = scratch_pool_new (device, &linear);
    return TRUE;
  }
  *side = (struct frame_side){ 0 };
  return FALSE;
}

void
frame_side_clear (struct frame_side *side)
{
  scratch_pool_unref (side->work);
  scratch_pool_unref (side->linear);
  *side = (struct frame_side){ 0 };
}

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
  if (side->binding->type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE)
    return frame->storage == VKC_STORAGE_IMAGE
           && side->view != VK_FORMAT_UNDEFINED
           && is_whole_images (side, frame);
  return frame->storage == VKC_STORAGE_BUFFER
         && (side->takes_any_layout || has_default_layout (side, frame));
}

struct scratch *
frame_side_new_work (const struct frame_side *side, GstVkcFrame *frame,
                     GError **error)
{
  struct scratch *scratch = scratch_new (side->work, error);

  if (scratch != NULL)
    frame_from_scratch (frame, &side->info, scratch);
  return scratch;
}

/* One copy, as a further step of @job. */
static gboolean
append_step (struct vkc_job *job, const GstVkcFrame *from, struct scratch *read,
             const GstVkcFrame *to, GError **error)
{
  struct vkc_recorder *recorder = vkc_image_device (to->image)->recorder;
  struct vkc_job *step = vkc_job_new_step (job);

  if (read != NULL)
    scratch_pin (read, step);
  if (frame_copy_fill (step, from, to, error))
    return vkc_recorder_append (recorder, step, error);
  vkc_job_unref (step);
  return FALSE;
}

gboolean
frame_side_transfer (const struct frame_side *side, struct vkc_job *job,
                     const GstVkcFrame *from, struct scratch *read,
                     const GstVkcFrame *to, gboolean is_last, GError **error)
{
  struct scratch *between = NULL;
  GstVkcFrame linear;
  gboolean ok = TRUE;

  if (!frame_copy_in_one_step (from, to)) {
    between = scratch_new (side->linear, error);
    if (between == NULL)
      return FALSE;
    frame_from_scratch (&linear, &side->info, between);
    ok = append_step (job, from, read, &linear, error);
    from = &linear;
    read = between;
  }
  if (ok && is_last) {
    if (read != NULL)
      scratch_pin (read, job);
    ok = frame_copy_fill (job, from, to, error);
  } else if (ok) {
    ok = append_step (job, from, read, to, error);
  }
  scratch_planned (between);
  return ok;
}

gboolean
frame_side_bind (const struct frame_side *side, struct vkc_job *job,
                 const GstVkcFrame *frame, GError **error)
{
  return vkc_job_bind_view (job, side->binding->binding, frame->image, 0,
                            GST_VIDEO_INFO_N_PLANES (&side->info), side->view,
                            error);
}
