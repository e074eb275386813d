/* Uniform blocks. */
#include "uniforms.h"

#include "databuffer.h"
#include "gst/vk/image.h"
#include "parameters.h"

struct block
{
  const struct reflected_binding *declared;
  guint8 *bytes; /* what the newest image holds */
  guint8 *next;  /* for the frame that is planned */
  gsize size;
  struct vkc_image *current; /* one of @images, NULL at first */
  GPtrArray *images;
};

struct uniforms
{
  struct vkc_device *device;
  guint n;
  struct block blocks[VKC_MAX_BINDINGS];
};

struct uniforms *
uniforms_new (struct vkc_device *device, const struct frame_bindings *bindings)
{
  struct uniforms *uniforms = g_new0 (struct uniforms, 1);

  uniforms->device = vkc_device_ref (device);
  for (guint i = 0; i < bindings->n; i++) {
    const struct reflected_binding *declared = bindings->all[i].declared;
    struct block *block;

    if (bindings->all[i].role != FRAME_ROLE_UNIFORMS)
      continue;
    block = &uniforms->blocks[uniforms->n++];
    block->declared = declared;
    /* std140 rounds blocks up, and drivers read whole vectors. */
    block->size = (MAX (declared->block.size, 1) + 15) & ~(gsize)15;
    block->bytes = g_malloc0 (block->size);
    block->next = g_malloc0 (block->size);
    block->images
        = g_ptr_array_new_with_free_func ((GDestroyNotify)vkc_image_unref);
  }
  return uniforms;
}

void
uniforms_free (struct uniforms *uniforms)
{
  if (uniforms == NULL)
    return;
  for (guint i = 0; i < uniforms->n; i++) {
    g_free (uniforms->blocks[i].bytes);
    g_free (uniforms->blocks[i].next);
    g_ptr_array_unref (uniforms->blocks[i].images);
  }
  vkc_device_unref (uniforms->device);
  g_free (uniforms);
}

/* An image that the CPU may write: no job wants it, and the device is done. */
static struct vkc_image *
find_idle (struct uniforms *uniforms, struct block *block, GError **error)
{
  struct vkc_image_params params;
  struct vkc_image *image;

  for (guint i = 0; i < block->images->len; i++) {
    image = g_ptr_array_index (block->images, i);
    if (!vkc_image_is_planned (image) && vkc_image_is_idle (image))
      return image;
  }
  data_buffer_params (&params, block->size);
  image = vkc_image_new (uniforms->device, &params, error);
  if (image != NULL)
    g_ptr_array_add (block->images, image);
  return image;
}

static gboolean
renew (struct uniforms *uniforms, struct block *block, GError **error)
{
  struct vkc_image *image = find_idle (uniforms, block, error);
  void *bytes;

  if (image == NULL)
    return FALSE;
  bytes = vkc_image_map (image, VKC_MAP_WRITE, error);
  if (bytes == NULL)
    return FALSE;
  memcpy (bytes, block->next, block->size);
  vkc_image_unmap (image, VKC_MAP_WRITE);
  memcpy (block->bytes, block->next, block->size);
  block->current = image;
  return TRUE;
}

gboolean
uniforms_bind (struct uniforms *uniforms, const struct frame_values *values,
               const GstStructure *parameters, struct vkc_job *job,
               GError **error)
{
  for (guint i = 0; i < uniforms->n; i++) {
    struct block *block = &uniforms->blocks[i];
    const struct reflected_binding *declared = block->declared;

    frame_values_write (values, &declared->block, block->next);
    parameters_write_block (parameters, &declared->block, block->next);
    if ((block->current == NULL
         || memcmp (block->next, block->bytes, block->size) != 0)
        && !renew (uniforms, block, error))
      return FALSE;
    if (!vkc_job_bind (job, VKC_BINDING (declared->set, declared->binding),
                       block->current, 0, 1, error))
      return FALSE;
  }
  return TRUE;
}
