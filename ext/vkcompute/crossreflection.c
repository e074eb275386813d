/* What SPIRV-Cross says about a module. */
#include "crossreflection.h"

#include "imageformat.h"
#include "spirv.h"

/* One call of cross_reflect(). */
struct cross
{
  struct reflection *reflection;
  spvc_context context;
  spvc_compiler compiler;
  spvc_resources resources;
  guint8 *uses; /* enum spirv_use, by id */
};

static const struct
{
  spvc_resource_type resource;
  VkDescriptorType type;
} kinds[] = {
  { SPVC_RESOURCE_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE },
  { SPVC_RESOURCE_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER },
  { SPVC_RESOURCE_TYPE_UNIFORM_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER },
  { SPVC_RESOURCE_TYPE_SAMPLED_IMAGE,
    VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER },
  { SPVC_RESOURCE_TYPE_SEPARATE_IMAGE, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE },
  { SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS, VK_DESCRIPTOR_TYPE_SAMPLER },
  { SPVC_RESOURCE_TYPE_ACCELERATION_STRUCTURE, VK_DESCRIPTOR_TYPE_MAX_ENUM },
};

static void
ignore_message (void *data, const char *message)
{
  /* Fetched where it matters; the default would print it. */
}

static gboolean
fail (const struct cross *cross, GError **error)
{
  const char *words = cross->context != NULL
                          ? spvc_context_get_last_error_string (cross->context)
                          : NULL;

  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
               "%s cannot be reflected: %s", cross->reflection->name,
               words != NULL && *words != '\0' ? words : "no reason given");
  return FALSE;
}

static gboolean
open_module (struct cross *cross)
{
  const struct reflection *reflection = cross->reflection;
  spvc_parsed_ir ir = NULL;
  spvc_set active = NULL;

  if (spvc_context_create (&cross->context) != SPVC_SUCCESS)
    return FALSE;
  spvc_context_set_error_callback (cross->context, ignore_message, NULL);
  return spvc_context_parse_spirv (cross->context, reflection->code,
                                   reflection->n_words, &ir)
             == SPVC_SUCCESS
         && spvc_context_create_compiler (cross->context, SPVC_BACKEND_NONE, ir,
                                          SPVC_CAPTURE_MODE_TAKE_OWNERSHIP,
                                          &cross->compiler)
                == SPVC_SUCCESS
         && spvc_compiler_set_entry_point (cross->compiler,
                                           reflection->entry_point,
                                           SpvExecutionModelGLCompute)
                == SPVC_SUCCESS
         && spvc_compiler_get_active_interface_variables (cross->compiler,
                                                          &active)
                == SPVC_SUCCESS
         && spvc_compiler_create_shader_resources_for_active_variables (
                cross->compiler, &cross->resources, active)
                == SPVC_SUCCESS;
}

/* Where the name was stripped, SPIRV-Cross answers "" or an invented one. */
static gchar *
resource_name (const struct cross *cross,
               const spvc_reflected_resource *resource,
               const struct reflected_binding *binding)
{
  const char *name = spvc_compiler_get_name (cross->compiler, resource->id);

  if (name == NULL || *name == '\0')
    name = spvc_compiler_get_name (cross->compiler, resource->base_type_id);
  if (name == NULL || *name == '\0')
    return reflected_number_name (binding->set, binding->binding);
  return g_strdup (name);
}

static gboolean
has_decoration (const struct cross *cross,
                const spvc_reflected_resource *resource, VkDescriptorType type,
                SpvDecoration wanted)
{
  const SpvDecoration *found = NULL;
  size_t n = 0;

  if (type != VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
    return spvc_compiler_has_decoration (cross->compiler, resource->id, wanted);
  if (spvc_compiler_get_buffer_block_decorations (cross->compiler, resource->id,
                                                  &found, &n)
      != SPVC_SUCCESS)
    return FALSE;
  for (size_t i = 0; i < n; i++)
    if (found[i] == wanted)
      return TRUE;
  return FALSE;
}

static void
read_access (const struct cross *cross, const spvc_reflected_resource *resource,
             struct reflected_binding *binding)
{
  const guint uses = cross->uses[resource->id];

  binding->reads = (uses & SPIRV_READS) != 0
                   && !has_decoration (cross, resource, binding->type,
                                       SpvDecorationNonReadable);
  binding->writes = (uses & SPIRV_WRITES) != 0
                    && !has_decoration (cross, resource, binding->type,
                                        SpvDecorationNonWritable);
}

static gboolean
read_image (const struct cross *cross, const spvc_reflected_resource *resource,
            struct reflected_binding *binding)
{
  const spvc_type type
      = spvc_compiler_get_type_handle (cross->compiler, resource->type_id);
  const struct image_format *format;
  spvc_type sampled;

  binding->format_name = "";
  if (type == NULL)
    return FALSE;
  if (binding->type == VK_DESCRIPTOR_TYPE_SAMPLER)
    return TRUE;
  sampled = spvc_compiler_get_type_handle (
      cross->compiler, spvc_type_get_image_sampled_type (type));
  if (sampled == NULL)
    return FALSE;
  binding->sampled_type = cross_reflect_type (sampled);
  binding->is_plain_2d = spvc_type_get_image_dimension (type) == SpvDim2D
                         && !spvc_type_get_image_arrayed (type)
                         && !spvc_type_get_image_multisampled (type);
  format = image_format_from_spirv (spvc_type_get_image_storage_format (type));
  if (format != NULL) {
    binding->format = format->format;
    binding->format_name = format->name;
  }
  return TRUE;
}

/* The number of descriptors; 0 where the array is open. */
static guint
array_count (const struct cross *cross, spvc_type_id id)
{
  const spvc_type type = spvc_compiler_get_type_handle (cross->compiler, id);
  guint64 count = 1;

  if (type == NULL)
    return 0;
  for (guint i = 0; i < spvc_type_get_num_array_dimensions (type); i++) {
    if (!spvc_type_array_dimension_is_literal (type, i))
      return 0;
    count *= spvc_type_get_array_dimension (type, i);
    if (count > G_MAXINT)
      return 0;
  }
  return count;
}

static gboolean
read_binding (const struct cross *cross,
              const spvc_reflected_resource *resource, VkDescriptorType type,
              struct reflected_binding *binding)
{
  *binding = (struct reflected_binding){
    .set = spvc_compiler_get_decoration (cross->compiler, resource->id,
                                         SpvDecorationDescriptorSet),
    .binding = spvc_compiler_get_decoration (cross->compiler, resource->id,
                                             SpvDecorationBinding),
    .type = type,
    .count = array_count (cross, resource->type_id),
    .format_name = "",
  };
  binding->name = resource_name (cross, resource, binding);
  read_access (cross, resource, binding);
  if (type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
      || type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER) {
    g_autofree gchar *prefix = g_strconcat (binding->name, ".", NULL);

    binding->block.name = g_strdup (binding->name);
    return cross_reflect_block (cross->compiler, resource->base_type_id, prefix,
                                &binding->block);
  }
  if (type == VK_DESCRIPTOR_TYPE_MAX_ENUM)
    return TRUE;
  return read_image (cross, resource, binding);
}

static gint
compare_bindings (gconstpointer a, gconstpointer b)
{
  const struct reflected_binding *left = a, *right = b;

  if (left->set != right->set)
    return left->set < right->set ? -1 : 1;
  if (left->binding != right->binding)
    return left->binding < right->binding ? -1 : 1;
  return 0;
}

static gboolean
read_bindings (const struct cross *cross)
{
  struct reflection *reflection = cross->reflection;
  GArray *bindings
      = g_array_new (FALSE, TRUE, sizeof (struct reflected_binding));
  gboolean ok = TRUE;

  for (gsize kind = 0; ok && kind < G_N_ELEMENTS (kinds); kind++) {
    const spvc_reflected_resource *list = NULL;
    size_t n = 0;

    ok = spvc_resources_get_resource_list_for_type (
             cross->resources, kinds[kind].resource, &list, &n)
         == SPVC_SUCCESS;
    for (size_t i = 0; ok && i < n; i++) {
      struct reflected_binding binding;

      ok = read_binding (cross, &list[i], kinds[kind].type, &binding);
      g_array_append_val (bindings, binding);
    }
  }
  g_array_sort (bindings, compare_bindings);
  reflection->n_bindings = bindings->len;
  reflection->bindings
      = (struct reflected_binding *)(gpointer)g_array_free (bindings, FALSE);
  return ok;
}

static gboolean
read_push_constants (const struct cross *cross)
{
  struct reflected_block *block = &cross->reflection->push_constants;
  const spvc_reflected_resource *list = NULL;
  size_t n = 0;

  if (spvc_resources_get_resource_list_for_type (
          cross->resources, SPVC_RESOURCE_TYPE_PUSH_CONSTANT, &list, &n)
      != SPVC_SUCCESS)
    return FALSE;
  if (n == 0)
    return TRUE;
  block->name = g_strdup (
      spvc_compiler_get_name (cross->compiler, list[0].base_type_id));
  return cross_reflect_block (cross->compiler, list[0].base_type_id, "", block);
}

static gint
compare_constants (gconstpointer a, gconstpointer b)
{
  const struct reflected_constant *left = a, *right = b;

  return (left->id > right->id) - (left->id < right->id);
}

static gchar *
constant_name (const struct cross *cross,
               const spvc_specialization_constant *constant)
{
  const char *name = spvc_compiler_get_name (cross->compiler, constant->id);

  return name != NULL && *name != '\0'
             ? g_strdup (name)
             : g_strdup_printf ("constant-%u", constant->constant_id);
}

static gboolean
read_constants (const struct cross *cross)
{
  struct reflection *reflection = cross->reflection;
  const spvc_specialization_constant *list = NULL;
  size_t n = 0;

  if (spvc_compiler_get_specialization_constants (cross->compiler, &list, &n)
      != SPVC_SUCCESS)
    return FALSE;
  reflection->constants = g_new0 (struct reflected_constant, n);
  for (; reflection->n_constants < n; reflection->n_constants++) {
    const guint i = reflection->n_constants;
    const spvc_constant constant
        = spvc_compiler_get_constant_handle (cross->compiler, list[i].id);
    spvc_type type;

    if (constant == NULL)
      return FALSE;
    type = spvc_compiler_get_type_handle (cross->compiler,
                                          spvc_constant_get_type (constant));
    if (type == NULL)
      return FALSE;
    reflection->constants[i] = (struct reflected_constant){
      .name = constant_name (cross, &list[i]),
      .id = list[i].constant_id,
      .type = cross_reflect_type (type),
      .value = spvc_constant_get_scalar_u32 (constant, 0, 0),
    };
  }
  if (n > 0)
    qsort (reflection->constants, n, sizeof *reflection->constants,
           compare_constants);
  return TRUE;
}

/* The WorkgroupSize constant wins over the execution mode. */
static gboolean
read_local_size (const struct cross *cross)
{
  struct reflection *reflection = cross->reflection;
  spvc_specialization_constant spec[3] = { { 0 } };
  const spvc_constant_id whole
      = spvc_compiler_get_work_group_size_specialization_constants (
          cross->compiler, &spec[0], &spec[1], &spec[2]);

  for (guint i = 0; i < 3; i++) {
    const spvc_constant_id id = spec[i].id != 0 ? spec[i].id : whole;
    const spvc_constant constant
        = id != 0 ? spvc_compiler_get_constant_handle (cross->compiler, id)
                  : NULL;

    reflection->local_size_id[i]
        = spec[i].id != 0 ? spec[i].constant_id : G_MAXUINT;
    if (constant != NULL)
      reflection->local_size[i]
          = spvc_constant_get_scalar_u32 (constant, 0, spec[i].id != 0 ? 0 : i);
    else
      reflection->local_size[i]
          = spvc_compiler_get_execution_mode_argument_by_index (
              cross->compiler, SpvExecutionModeLocalSize, i);
    if (reflection->local_size[i] == 0)
      return FALSE;
  }
  return TRUE;
}

gboolean
cross_reflect (struct reflection *reflection, GError **error)
{
  struct cross cross = { .reflection = reflection };
  gboolean ok;

  cross.uses = spirv_find_uses (reflection->code, reflection->n_words);
  ok = open_module (&cross) && read_local_size (&cross)
       && read_bindings (&cross) && read_push_constants (&cross)
       && read_constants (&cross);
  if (!ok)
    fail (&cross, error);
  if (cross.context != NULL)
    spvc_context_destroy (cross.context);
  g_free (cross.uses);
  return ok;
}
