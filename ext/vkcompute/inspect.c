/* Looking into a module, in the only safe order: SPIRV-Cross crashes on invalid
 * modules and ends the process on a missing entry point. */
#include "inspect.h"

#include "crossreflection.h"
#include "probe.h"
#include "spirv.h"

static void
read_capabilities (struct reflection *reflection)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint32));
  struct spirv_iter iter;

  spirv_iter_init (&iter, reflection->code, reflection->n_words);
  while (spirv_iter_next (&iter))
    if (iter.op == SpvOpCapability && iter.n_words >= 2)
      g_array_append_val (found, iter.words[1]);
  reflection->n_capabilities = found->len;
  reflection->capabilities = (guint32 *)(gpointer)g_array_free (found, FALSE);
}

gboolean
inspect_unchecked (struct reflection *reflection, GError **error)
{
  if (!spirv_check_entry_point (reflection->name, reflection->code,
                                reflection->n_words, reflection->entry_point,
                                error)
      || !spirv_check_indices (reflection->name, reflection->code,
                               reflection->n_words, error))
    return FALSE;
  read_capabilities (reflection);
  reflection->shared_memory
      = spirv_shared_memory (reflection->code, reflection->n_words);
  return cross_reflect (reflection, error);
}

/* A module of a newer compiler than the validator is not wrong for that. */
static gboolean
validate (struct reflection *reflection, GError **error)
{
  gchar *words = NULL;

  if (spirv_validate (reflection->code, reflection->n_words, &words))
    return TRUE;
  if (spirv_is_newer (reflection->code, reflection->n_words, words)) {
    const gboolean ok = probe_unknown (reflection->name, reflection->code,
                                       reflection->n_words,
                                       reflection->entry_point, words, error);

    g_free (words);
    reflection->was_tried = ok;
    return ok;
  }
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
               "%s is no valid SPIR-V module: %s", reflection->name, words);
  g_free (words);
  return FALSE;
}

gboolean
inspect_module (struct reflection *reflection, GError **error)
{
  return validate (reflection, error) && inspect_unchecked (reflection, error);
}

gboolean
inspect_compiles (const struct reflection *reflection, GError **error)
{
  return reflection->was_tried
         || probe_valid (reflection->name, reflection->code,
                         reflection->n_words, reflection->entry_point, error);
}
