/* One side of a kernel. */
#include "frameside.h"

#include "gst/base/gstvkccaps.h"
#include "gst/vk/recorder.h"
#include "keptimage.h"

static gboolean refuse (const struct frame_side *side, GError **error,
                        const gchar *format, ...) G_GNUC_PRINTF (3, 4);

static gboolean
refuse (const struct frame_side *side, GError **error, const gchar *format, ...)
{
  g_autofree gchar *what = compute_program_describe (side->program, side->role);
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

  if (!side->in_images)
    return GST_VIDEO_INFO_SIZE (info) <= device->limits.maxStorageBufferRange
           || refuse (side, error, "a frame has more bytes than %s allows",
                      device->name);
  return ((guint)GST_VIDEO_INFO_WIDTH (info) <= largest
          && (guint)GST_VIDEO_INFO_HEIGHT (info) <= largest)
         || refuse (side, error, "images of %dx%d; %s allows %u",
                    GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info),
                    device->name, largest);
}

/* The one format of all planes of @binding; UNDEFINED if they differ. */
static VkFormat
view_of (const struct frame_side *side, const struct frame_binding *binding)
{
  const GstVideoFormatInfo *info = side->info.finfo;
  const guint first = frame_binding_plane (binding, info);
  const VkFormat view = frame_binding_view_format (binding, info, first);

  for (guint i = 1; i < binding->declared->count; i++)
    if (frame_binding_view_format (binding, info, first + i) != view)
      return VK_FORMAT_UNDEFINED;
  return view;
}

static gboolean
check_format (const struct frame_side *side, const struct vkc_device *device,
              const struct frame_binding *binding, VkFormat view,
              VkFilter filter, GError **error)
{
  const VkDescriptorType type = binding->declared->type;

  if (type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE)
    return vkc_device_can_store (device, view)
           || refuse (side, error, "%s cannot store such texels", device->name);
  /* Whole numbers are not interpolated. */
  if (type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE
      || binding->declared->sampled_type != REFLECTED_FLOAT)
    filter = VK_FILTER_NEAREST;
  return vkc_device_can_sample (device, view, filter)
         || refuse (side, error, "%s cannot sample such texels%s", device->name,
                    filter == VK_FILTER_LINEAR ? " interpolated" : "");
}

/* Gives the planes of the work frames the formats that @binding sees. */
static gboolean
set_formats (struct frame_side *side, const struct vkc_device *device,
             const struct frame_binding *binding, VkFilter filter,
             struct vkc_image_params *params, GError **error)
{
  const guint first = frame_binding_plane (binding, side->info.finfo);

  for (guint i = first; i < first + binding->declared->count; i++) {
    const VkFormat view
        = frame_binding_view_format (binding, side->info.finfo, i);

    if (!check_format (side, device, binding, view, filter, error))
      return FALSE;
    params->planes[i].format = view;
  }
  side->is_mixed |= view_of (side, binding) == VK_FORMAT_UNDEFINED;
  return TRUE;
}

static gboolean
set_pass_formats (struct frame_side *side, const struct vkc_device *device,
                  const struct frame_bindings *bindings, VkFilter filter,
                  struct vkc_image_params *params, GError **error)
{
  const enum frame_role kept = side->role == FRAME_ROLE_SOURCE
                                   ? FRAME_ROLE_HISTORY
                                   : FRAME_ROLE_PREVIOUS;

  for (guint i = 0; i < bindings->n; i++)
    if ((bindings->all[i].role == side->role || bindings->all[i].role == kept)
        && !set_formats (side, device, &bindings->all[i], filter, params,
                         error))
      return FALSE;
  return TRUE;
}

/* The form that the shader wants, as storage. */
static gboolean
work_params (struct frame_side *side, const struct vkc_device *device,
             VkFilter filter, struct vkc_image_params *params, GError **error)
{
  if (!gst_vkc_image_params_from_info (params, &side->info,
                                       side->in_images ? VKC_STORAGE_IMAGE
                                                       : VKC_STORAGE_BUFFER))
    return refuse (side, error, "%s frames have no such form",
                   GST_VIDEO_INFO_NAME (&side->info));
  for (guint i = 0; side->in_images && i < side->program->n_passes; i++)
    if (!set_pass_formats (side, device,
                           &side->program->passes[i].kernel->bindings, filter,
                           params, error))
      return FALSE;
  return TRUE;
}

gboolean
frame_side_init (struct frame_side *side, struct vkc_device *device,
                 const struct compute_program *program, enum frame_role role,
                 const GstVideoInfo *info, gboolean takes_any_layout,
                 VkFilter filter, GError **error)
{
  struct vkc_image_params work, linear;

  *side = (struct frame_side){
    .program = program,
    .role = role,
    .info = *info,
    .in_images = !compute_program_wants_buffer (program, role),
    .takes_any_layout = takes_any_layout,
  };
  if (!compute_program_accepts (program, role, info->finfo))
    refuse (side, error, "no %s frames", GST_VIDEO_INFO_NAME (info));
  else if (check_size (side, device, error)
           && work_params (side, device, filter, &work, error)
           && gst_vkc_image_params_from_info (&linear, info,
                                              VKC_STORAGE_BUFFER)) {
    side->work_params = work;
    side->device = device;
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
           && is_whole_images (side, frame);
  return frame->storage == VKC_STORAGE_BUFFER
         && (side->takes_any_layout ? is_in_words (side, frame)
                                    : has_default_layout (side, frame));
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
                     const GstVkcFrame *to, struct vkc_job *last,
                     GError **error)
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
  if (ok && last != NULL) {
    if (read != NULL)
      scratch_pin (read, last);
    ok = frame_copy_fill (last, from, to, error);
  } else if (ok) {
    ok = append_step (job, from, read, to, error);
  }
  scratch_planned (between);
  return ok;
}

gboolean
frame_side_bind (const struct frame_side *side,
                 const struct frame_binding *binding, struct vkc_job *job,
                 const GstVkcFrame *frame, GError **error)
{
  const guint number
      = VKC_BINDING (binding->declared->set, binding->declared->binding);

  if (!side->in_images)
    return vkc_job_bind (job, number, frame->image, 0, 1, error);
  return vkc_job_bind_view (job, number, frame->image,
                            frame_binding_plane (binding, side->info.finfo),
                            binding->declared->count, view_of (side, binding),
                            error);
}

struct vkc_image *
frame_side_new_kept (const struct frame_side *side, GError **error)
{
  return kept_image_new (side->device, &side->work_params, NULL, error);
}

void
frame_side_frame (const struct frame_side *side, struct vkc_image *image,
                  GstVkcFrame *frame)
{
  frame_from_image (frame, &side->info, image);
}
