/* What a kernel declares is bound, and refused by name otherwise. */
#include "gst/vk/job-private.h"

#include "gst/vk/format.h"
#include "gst/vk/result.h"

static const char *
type_name (VkDescriptorType type)
{
  switch (type) {
  case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    return "storage buffer";
  case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    return "storage image";
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    return "uniform buffer";
  case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    return "sampled image";
  case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    return "texture with its sampler";
  case VK_DESCRIPTOR_TYPE_SAMPLER:
    return "sampler";
  default:
    return "descriptor of another kind";
  }
}

/* The name that the shader gives it, else its number. */
static char *
binding_name (const struct vkc_binding_info *info)
{
  return info->name && *info->name ? g_strdup (info->name)
                                   : g_strdup_printf ("%u", info->binding);
}

static bool
refuse (const struct vkc_binding_info *info, GError **error, const char *format,
        ...) G_GNUC_PRINTF (3, 4);

static bool
refuse (const struct vkc_binding_info *info, GError **error, const char *format,
        ...)
{
  g_autofree char *name = binding_name (info);
  g_autofree char *reason = NULL;
  va_list args;

  va_start (args, format);
  reason = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, VKC_ERROR, VKC_ERROR_REFUSED,
               "binding `%s` (the shader declares a %s): %s", name,
               type_name (info->type), reason);
  return false;
}

static struct vkc_job_image *
find_image (struct vkc_job *job, struct vkc_image *image)
{
  for (uint32_t i = 0; i < job->n_images; i++)
    if (job->images[i].image == image)
      return &job->images[i];
  return NULL;
}

/* The image owns the job that writes it, until that is submitted. */
static void
hold_what_is_read (struct vkc_job_image *use)
{
  const bool was_held = use->held;

  use->held = !use->writes;
  if (use->held && !was_held)
    vkc_image_ref (use->image);
  else if (was_held && !use->held)
    vkc_image_unref (use->image);
}

/* One image, one layout: it cannot be sampled and stored to in one dispatch. */
static bool
add_image (struct vkc_job *job, struct vkc_image *image,
           const struct vkc_binding_info *info, GError **error)
{
  const bool sampled
      = info->type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE
        || info->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  struct vkc_job_image *use = find_image (job, image);

  if (use && use->sampled != sampled
      && image->params.storage == VKC_STORAGE_IMAGE) {
    for (uint32_t i = 0; i < job->pipeline->kernel.n_bindings; i++)
      if (job->bindings[i].image == image) {
        g_autofree char *other
            = binding_name (&job->pipeline->kernel.bindings[i]);

        return refuse (info, error,
                       "the same image is bound at `%s` in another way",
                       other);
      }
  }
  if (!use) {
    use = &job->images[job->n_images++];
    *use = (struct vkc_job_image){ .image = image, .sampled = sampled };
  }
  use->uniform |= info->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  use->reads |= info->reads;
  use->writes |= info->writes;
  hold_what_is_read (use);
  return true;
}

static int
find_binding (const struct vkc_kernel *kernel, uint32_t binding)
{
  for (uint32_t i = 0; i < kernel->n_bindings; i++)
    if (VKC_BINDING (kernel->bindings[i].set, kernel->bindings[i].binding)
        == binding)
      return (int) i;
  return -1;
}

static bool
check_storage (const struct vkc_binding_info *info,
               const struct vkc_image *image, uint32_t first_plane,
               uint32_t n_planes, GError **error)
{
  const bool wants_buffer = info->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
                            || info->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;

  if (info->type == VK_DESCRIPTOR_TYPE_SAMPLER)
    return refuse (info, error, "it takes no image");
  if (wants_buffer != (image->params.storage == VKC_STORAGE_BUFFER))
    return refuse (info, error, "the frame is in %s",
                   wants_buffer ? "images" : "a buffer");
  if (!wants_buffer
      && (n_planes == 0 || n_planes > info->count
          || first_plane + n_planes > image->params.n_planes))
    return refuse (info, error, "it takes %u planes, got %u from plane %u",
                   info->count, n_planes, first_plane);
  return true;
}

static bool
make_views (struct vkc_job_binding *bound, const struct vkc_binding_info *info,
            VkFormat format, GError **error)
{
  for (uint32_t i = 0; i < bound->n_planes; i++) {
    const uint32_t plane = bound->first_plane + i;
    const VkFormat own = bound->image->params.planes[plane].format;

    if (format
        && vkc_format_texel_size (format) != vkc_format_texel_size (own))
      return refuse (info, error,
                     "its format has %u bytes a texel, the frame's plane %u "
                     "has %u",
                     vkc_format_texel_size (format), plane,
                     vkc_format_texel_size (own));
    bound->views[i] = vkc_image_view (bound->image, plane, format, error);
    if (!bound->views[i])
      return false;
  }
  return true;
}

bool
vkc_job_bind_view (struct vkc_job *job, uint32_t binding,
                   struct vkc_image *image, uint32_t first_plane,
                   uint32_t n_planes, VkFormat format, GError **error)
{
  const struct vkc_kernel *kernel = &job->pipeline->kernel;
  const int index = find_binding (kernel, binding);
  const struct vkc_binding_info *info;
  struct vkc_job_binding bound = {
    .image = image,
    .first_plane = first_plane,
    .n_planes = n_planes,
  };

  if (index < 0) {
    g_set_error (error, VKC_ERROR, VKC_ERROR_REFUSED,
                 "binding `%u`: %s declares no such binding", binding,
                 kernel->name);
    return false;
  }
  info = &kernel->bindings[index];
  if (job->bindings[index].image)
    return refuse (info, error, "it is bound twice");
  if (!check_storage (info, image, first_plane, n_planes, error)
      || (image->params.storage == VKC_STORAGE_IMAGE
          && !make_views (&bound, info, format, error))
      || !add_image (job, image, info, error))
    return false;
  job->bindings[index] = bound;
  return true;
}

bool
vkc_job_bind (struct vkc_job *job, uint32_t binding, struct vkc_image *image,
              uint32_t first_plane, uint32_t n_planes, GError **error)
{
  return vkc_job_bind_view (job, binding, image, first_plane, n_planes,
                            VK_FORMAT_UNDEFINED, error);
}

static bool
writes_something (const struct vkc_job *job)
{
  for (uint32_t i = 0; i < job->n_images; i++)
    if (job->images[i].writes)
      return true;
  return false;
}

bool
vkc_job_check (const struct vkc_job *job, GError **error)
{
  const struct vkc_kernel *kernel;

  if (!job->pipeline) {
    g_assert (job->copies);
    return true;
  }
  kernel = &job->pipeline->kernel;
  for (uint32_t i = 0; i < kernel->n_bindings; i++)
    if (!job->bindings[i].image
        && kernel->bindings[i].type != VK_DESCRIPTOR_TYPE_SAMPLER)
      return refuse (&kernel->bindings[i], error, "nothing is bound to it");
  if (kernel->push_constants_size && !job->has_push_constants) {
    g_set_error (error, VKC_ERROR, VKC_ERROR_REFUSED,
                 "%s declares %u bytes of push constants, got none",
                 kernel->name, kernel->push_constants_size);
    return false;
  }
  /* It would be pending for ever: images own the jobs that write them. */
  g_assert (writes_something (job));
  return true;
}
