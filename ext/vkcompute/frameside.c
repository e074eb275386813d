/* One side of a kernel. */
#include "frameside.h"

#include "gst/base/gstvkccaps.h"
#include "gst/vk/format.h"
#include "imageformat.h"
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

/* The format through which @binding sees plane @plane: its own word, or what
 * the plane has. */
static VkFormat
plane_view (const struct frame_side *side, const struct frame_binding *binding,
            guint plane)
{
  const VkFormat work = side->work_params.planes[plane].format;

  if (binding->declared->format == VK_FORMAT_UNDEFINED
      && image_format_is_float (work))
    return work;
  return frame_binding_view_format (binding, side->info.finfo, plane);
}

/* The one format of all planes of @binding; UNDEFINED if they differ. */
static VkFormat
view_of (const struct frame_side *side, const struct frame_binding *binding)
{
  const guint first = frame_binding_plane (binding, side->info.finfo);
  const VkFormat view = plane_view (side, binding, first);

  for (guint i = 1; i < binding->declared->count; i++)
    if (plane_view (side, binding, first + i) != view)
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

static gboolean
refuse_floats (const struct frame_side *side,
               const struct frame_binding *binding, VkFormat have,
               GError **error)
{
  g_autofree gchar *what = frame_binding_describe (binding->declared);

  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
               "%s: another binding declares the same frame as %s", what,
               image_format_from_vulkan (have)->name);
  return FALSE;
}

/* Gives the planes of the work frames the formats that @binding sees. */
static gboolean
set_formats (struct frame_side *side, const struct vkc_device *device,
             const struct frame_binding *binding, VkFilter filter,
             GError **error)
{
  const guint first = frame_binding_plane (binding, side->info.finfo);

  for (guint i = first; i < first + binding->declared->count; i++) {
    struct vkc_plane *plane = &side->work_params.planes[i];
    const VkFormat view = plane_view (side, binding, i);

    if (!check_format (side, device, binding, view, filter, error))
      return FALSE;
    if (image_format_is_float (plane->format) && view != plane->format)
      return refuse_floats (side, binding, plane->format, error);
    plane->format = view;
  }
  side->is_mixed |= view_of (side, binding) == VK_FORMAT_UNDEFINED;
  return TRUE;
}

/* The frame's bindings that declare floats, or those that do not. */
static gboolean
set_all_formats (struct frame_side *side, const struct vkc_device *device,
                 gboolean floats, VkFilter filter, GError **error)
{
  const enum frame_role kept = side->role == FRAME_ROLE_SOURCE
                                   ? FRAME_ROLE_HISTORY
                                   : FRAME_ROLE_PREVIOUS;

  for (guint p = 0; p < side->program->n_passes; p++) {
    const struct frame_bindings *bindings
        = &side->program->passes[p].kernel->bindings;

    for (guint i = 0; i < bindings->n; i++) {
      const struct frame_binding *binding = &bindings->all[i];

      if ((binding->role == side->role || binding->role == kept)
          && image_format_is_float (binding->declared->format) == floats
          && !set_formats (side, device, binding, filter, error))
        return FALSE;
    }
  }
  return TRUE;
}

/* Floats take more bytes than codes. */
static void
lay_out (struct vkc_image_params *params)
{
  gsize end = 0;

  for (guint i = 0; i < params->n_planes; i++) {
    struct vkc_plane *plane = &params->planes[i];

    plane->offset = end;
    plane->stride = plane->width * vkc_format_texel_size (plane->format);
    end += (gsize)plane->stride * plane->height;
    end = (end + 15) & ~(gsize)15;
  }
  params->size = end;
}

/* Planes that no binding names go along as they are. */
static gboolean
init_recode (struct frame_side *side, struct vkc_device *device, GError **error)
{
  struct vkc_image_params *params = &side->work_params;

  if (!recode_is_floats (params))
    return TRUE;
  for (guint i = 0; i < params->n_planes; i++)
    if (!image_format_is_float (params->planes[i].format))
      params->planes[i].format = image_format_of_plane (side->info.finfo, i);
  lay_out (params);
  side->recode = recode_new (device, &side->info, error);
  return side->recode != NULL;
}

/* The form that the shader wants, as storage. */
static gboolean
init_work (struct frame_side *side, struct vkc_device *device, VkFilter filter,
           GError **error)
{
  if (!gst_vkc_image_params_from_info (&side->work_params, &side->info,
                                       side->in_images ? VKC_STORAGE_IMAGE
                                                       : VKC_STORAGE_BUFFER))
    return refuse (side, error, "%s frames have no such form",
                   GST_VIDEO_INFO_NAME (&side->info));
  return !side->in_images
         || (set_all_formats (side, device, TRUE, filter, error)
             && set_all_formats (side, device, FALSE, filter, error)
             && init_recode (side, device, error));
}

gboolean
frame_side_init (struct frame_side *side, struct vkc_device *device,
                 const struct compute_program *program, enum frame_role role,
                 const GstVideoInfo *info, gboolean takes_any_layout,
                 VkFilter filter, GError **error)
{
  struct vkc_image_params linear;

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
           && init_work (side, device, filter, error)
           && gst_vkc_image_params_from_info (&linear, info,
                                              VKC_STORAGE_BUFFER)) {
    side->device = device;
    side->work = scratch_pool_new (device, &side->work_params);
    side->linear = scratch_pool_new (device, &linear);
    return TRUE;
  }
  frame_side_clear (side);
  return FALSE;
}

void
frame_side_clear (struct frame_side *side)
{
  recode_free (side->recode);
  scratch_pool_unref (side->work);
  scratch_pool_unref (side->linear);
  *side = (struct frame_side){ 0 };
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
