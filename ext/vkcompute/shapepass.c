/* Pipelines and tables of shapes. */
#include "shapepass.h"

#include "databuffer.h"
#include "shaders/embedded.h"
#include "shaders/include/shape_ids.h"

struct vkc_binding_info
shape_pass_binding (const gchar *name, guint binding, gboolean writes)
{
  return (struct vkc_binding_info){
    .name = name,
    .binding = binding,
    .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
    .count = 1,
    .reads = !writes,
    .writes = writes,
  };
}

static struct vkc_pipeline *
make_pipeline (struct vkc_device *device, const gchar *name,
               const struct embedded_code *code,
               const uint32_t values[SHAPE_ID_COUNT], GError **error)
{
  const struct vkc_kernel kernel = {
    .name = name,
    .code = code->words,
    .code_size = code->size,
    .n_bindings = 3,
    .bindings = { shape_pass_binding ("source", SHAPE_SOURCE, FALSE),
                  shape_pass_binding ("target", SHAPE_TARGET, TRUE),
                  shape_pass_binding ("table", SHAPE_TABLE, FALSE) },
  };
  static const uint32_t ids[SHAPE_ID_COUNT] = { 0, 1, 2, 3, 4, 5 };
  const struct vkc_specialization specialization
      = { .n = SHAPE_ID_COUNT, .ids = ids, .values = values };

  return vkc_pipeline_get (device, &kernel, &specialization, error);
}

struct vkc_pipeline *
shape_pass_scale (struct vkc_device *device, const struct shape_traits *traits,
                  GError **error)
{
  const uint32_t values[SHAPE_ID_COUNT] = {
    [SHAPE_ID_PREMULTIPLY] = traits->premultiply,
    [SHAPE_ID_SQUARE] = traits->square,
  };

  return make_pipeline (device, "scale", embedded_scale, values, error);
}

struct vkc_pipeline *
shape_pass_place (struct vkc_device *device, const struct shape_traits *traits,
                  GError **error)
{
  const uint32_t values[SHAPE_ID_COUNT] = {
    [SHAPE_ID_PREMULTIPLY] = traits->premultiply,
    [SHAPE_ID_SQUARE] = traits->square,
    [SHAPE_ID_SCALED] = traits->scaled,
    [SHAPE_ID_TRANSPOSE] = traits->shape->transpose,
    [SHAPE_ID_FLIP_X] = traits->shape->flip_x,
    [SHAPE_ID_FLIP_Y] = traits->shape->flip_y,
  };

  return make_pipeline (device, "place", embedded_place, values, error);
}

struct vkc_image *
shape_pass_upload (struct vkc_device *device, const GArray *words,
                   GError **error)
{
  return data_buffer_new (device, words->data, words->len * sizeof (guint32),
                          error);
}
