/* What a compute shader declares. */
#include "reflection.h"

#include "inspect.h"

static void
clear_block (struct reflected_block *block)
{
  for (guint i = 0; i < block->n_members; i++)
    g_free (block->members[i].name);
  g_free (block->members);
  g_free (block->name);
}

static void
reflection_free (struct reflection *reflection)
{
  for (guint i = 0; i < reflection->n_bindings; i++) {
    g_free (reflection->bindings[i].name);
    clear_block (&reflection->bindings[i].block);
  }
  for (guint i = 0; i < reflection->n_constants; i++)
    g_free (reflection->constants[i].name);
  clear_block (&reflection->push_constants);
  g_free (reflection->bindings);
  g_free (reflection->constants);
  g_free (reflection->capabilities);
  g_free (reflection->code);
  g_free (reflection->entry_point);
  g_free (reflection->name);
  g_free (reflection);
}

static struct reflection *
make (const gchar *name, const guint32 *words, gsize n_words,
      const gchar *entry_point,
      gboolean (*inspect) (struct reflection *reflection, GError **error),
      GError **error)
{
  struct reflection *reflection = g_new0 (struct reflection, 1);

  reflection->ref_count = 1;
  reflection->name = g_strdup (name);
  reflection->entry_point
      = g_strdup (entry_point != NULL ? entry_point : "main");
  reflection->code = g_memdup2 (words, n_words * sizeof *words);
  reflection->n_words = n_words;
  if (!inspect (reflection, error)) {
    reflection_free (reflection);
    return NULL;
  }
  return reflection;
}

struct reflection *
reflection_new (const gchar *name, const guint32 *words, gsize n_words,
                const gchar *entry_point, GError **error)
{
  return make (name, words, n_words, entry_point, inspect_module, error);
}

struct reflection *
reflection_new_unchecked (const gchar *name, const guint32 *words,
                          gsize n_words, const gchar *entry_point,
                          GError **error)
{
  return make (name, words, n_words, entry_point, inspect_unchecked, error);
}

struct reflection *
reflection_ref (struct reflection *reflection)
{
  g_atomic_int_inc (&reflection->ref_count);
  return reflection;
}

void
reflection_unref (struct reflection *reflection)
{
  if (reflection != NULL && g_atomic_int_dec_and_test (&reflection->ref_count))
    reflection_free (reflection);
}

gboolean
reflection_refuse (const struct reflection *reflection, GError **error,
                   const gchar *format, ...)
{
  g_autofree gchar *words = NULL;
  va_list arguments;

  va_start (arguments, format);
  words = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "%s: %s",
               reflection->name, words);
  return FALSE;
}

static gboolean
has_sampler (VkDescriptorType type)
{
  return type == VK_DESCRIPTOR_TYPE_SAMPLER
         || type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

static gboolean
check_binding (const struct reflection *reflection,
               const struct reflected_binding *binding, GError **error)
{
  if (binding->set >= VKC_MAX_SETS)
    return reflection_refuse (
        reflection, error,
        "binding `%s` is in descriptor set %u; sets below %d are "
        "used",
        binding->name, binding->set, VKC_MAX_SETS);
  if (binding->count == 0)
    return reflection_refuse (reflection, error,
                              "binding `%s` is an array without a size",
                              binding->name);
  if (has_sampler (binding->type) && binding->count > VKC_MAX_SAMPLERS)
    return reflection_refuse (
        reflection, error,
        "binding `%s` is an array of %u samplers; at most %d are "
        "used",
        binding->name, binding->count, VKC_MAX_SAMPLERS);
  if (binding->type == VK_DESCRIPTOR_TYPE_MAX_ENUM)
    return reflection_refuse (
        reflection, error,
        "binding `%s` is declared as a resource that is not used "
        "here",
        binding->name);
  return TRUE;
}

gboolean
reflection_fill_kernel (const struct reflection *reflection,
                        struct vkc_kernel *kernel, GError **error)
{
  *kernel = (struct vkc_kernel){
    .name = reflection->name,
    .entry_point = reflection->entry_point,
    .code = reflection->code,
    .code_size = reflection->n_words * sizeof (guint32),
    .push_constants_size = reflection->push_constants.size,
  };
  if (reflection->n_bindings > VKC_MAX_BINDINGS)
    return reflection_refuse (reflection, error,
                              "%u bindings; at most %d are used",
                              reflection->n_bindings, VKC_MAX_BINDINGS);
  if (reflection->push_constants.size > VKC_MAX_PUSH_CONSTANTS)
    return reflection_refuse (
        reflection, error,
        "push constants `%s` have %u bytes; at most %d are sure",
        reflection->push_constants.name, reflection->push_constants.size,
        VKC_MAX_PUSH_CONSTANTS);
  for (guint i = 0; i < reflection->n_bindings; i++) {
    const struct reflected_binding *binding = &reflection->bindings[i];

    if (!check_binding (reflection, binding, error))
      return FALSE;
    if (i > 0 && binding[-1].set == binding->set
        && binding[-1].binding == binding->binding)
      return reflection_refuse (
          reflection, error, "`%s` (%s) and `%s` (%s) share binding %u",
          binding[-1].name, reflected_kind_name (binding[-1].type),
          binding->name, reflected_kind_name (binding->type), binding->binding);
    kernel->bindings[kernel->n_bindings++] = (struct vkc_binding_info){
      .name = binding->name,
      .set = binding->set,
      .binding = binding->binding,
      .type = binding->type,
      .count = binding->count,
      .reads = binding->reads,
      .writes = binding->writes,
    };
  }
  return TRUE;
}

const struct reflected_member *
reflected_block_find (const struct reflected_block *block, const gchar *name)
{
  for (guint i = 0; i < block->n_members; i++)
    if (g_str_equal (block->members[i].name, name))
      return &block->members[i];
  return NULL;
}

gchar *
reflected_number_name (guint set, guint binding)
{
  return set > 0 ? g_strdup_printf ("set-%u-binding-%u", set, binding)
                 : g_strdup_printf ("binding-%u", binding);
}

const gchar *
reflected_kind_name (VkDescriptorType type)
{
  switch (type) {
  case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    return "a storage image";
  case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    return "a storage buffer";
  case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    return "a sampled image";
  case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    return "a texture with its sampler";
  case VK_DESCRIPTOR_TYPE_SAMPLER:
    return "a sampler";
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    return "a uniform buffer";
  default:
    return "a resource of another kind";
  }
}
