/* SPIR-V modules, word by word, and what SPIRV-Tools' validator says. */
#include "spirv.h"

#include <spirv-tools/libspirv.h>

#define HEADER_WORDS 5

void
spirv_iter_init (struct spirv_iter *iter, const guint32 *words, gsize n_words)
{
  *iter = (struct spirv_iter){
    .words = words,
    .n_words = n_words < HEADER_WORDS ? n_words : HEADER_WORDS,
    .end = words + n_words,
  };
}

gboolean
spirv_iter_next (struct spirv_iter *iter)
{
  iter->words += iter->n_words;
  if (iter->words >= iter->end)
    return FALSE;
  iter->op = iter->words[0] & SpvOpCodeMask;
  iter->n_words = iter->words[0] >> SpvWordCountShift;
  return iter->n_words > 0 && iter->n_words <= (gsize)(iter->end - iter->words);
}

static spv_validator_options
make_options (void)
{
  spv_validator_options options = spvValidatorOptionsCreate ();

  /* What a device may allow; whether this one does, the features that a module
   * asks for and the driver say. */
  spvValidatorOptionsSetScalarBlockLayout (options, true);
  spvValidatorOptionsSetAllowLocalSizeId (options, true);
  return options;
}

gboolean
spirv_validate (const guint32 *words, gsize n_words, gchar **why)
{
  spv_context context = spvContextCreate (SPV_ENV_VULKAN_1_3);
  spv_validator_options options = make_options ();
  spv_const_binary_t binary = { .code = words, .wordCount = n_words };
  spv_diagnostic diagnostic = NULL;
  const spv_result_t result
      = spvValidateWithOptions (context, options, &binary, &diagnostic);

  if (result != SPV_SUCCESS)
    *why = g_strdup (diagnostic != NULL && diagnostic->error != NULL
                         ? diagnostic->error
                         : "the validator gives no reason");
  spvDiagnosticDestroy (diagnostic);
  spvValidatorOptionsDestroy (options);
  spvContextDestroy (context);
  return result == SPV_SUCCESS;
}

gboolean
spirv_is_newer (const guint32 *words, gsize n_words, const gchar *why)
{
  struct spirv_iter iter;

  if (!g_str_has_prefix (why, "Invalid opcode")
      && !g_str_has_prefix (why, "Invalid SPIR-V version")
      && !(g_str_has_prefix (why, "Invalid ")
           && strstr (why, " operand: ") != NULL))
    return FALSE;
  if (n_words <= HEADER_WORDS || words[0] != SpvMagicNumber)
    return FALSE;
  spirv_iter_init (&iter, words, n_words);
  while (spirv_iter_next (&iter))
    ;
  return iter.words == iter.end;
}

/* OpEntryPoint: model, function, name... */
static const gchar *
entry_point_name (const struct spirv_iter *iter)
{
  const gchar *name = (const gchar *)(iter->words + 3);
  const gsize room = (iter->n_words - 3) * sizeof (guint32);

  return memchr (name, '\0', room) != NULL ? name : NULL;
}

gboolean
spirv_check_entry_point (const gchar *name, const guint32 *words, gsize n_words,
                         const gchar *entry_point, GError **error)
{
  g_autoptr (GString) others = g_string_new (NULL);
  gboolean any_compute = FALSE;
  struct spirv_iter iter;

  spirv_iter_init (&iter, words, n_words);
  while (spirv_iter_next (&iter)) {
    const gchar *found;

    if (iter.op != SpvOpEntryPoint || iter.n_words < 4)
      continue;
    found = entry_point_name (&iter);
    if (found == NULL || iter.words[1] != SpvExecutionModelGLCompute)
      continue;
    if (g_str_equal (found, entry_point))
      return TRUE;
    any_compute = TRUE;
    g_string_append_printf (others, "%s`%s`", others->len > 0 ? ", " : "",
                            found);
  }
  if (any_compute)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "%s has no entry point `%s`; it has %s", name, entry_point,
                 others->str);
  else
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "%s is not a compute module: it has no compute entry point",
                 name);
  return FALSE;
}
