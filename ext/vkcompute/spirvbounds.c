/* Elements of resource arrays by constant numbers: a driver looks up what is
 * there, and robust access is no help. */
#include "spirv.h"

#define NO_VALUE G_MAXUINT64

/* What is known of each id. */
struct bounds
{
  guint32 bound;
  guint64 *value;  /* of integer constants; NO_VALUE: not one */
  guint32 *length; /* of array types, and pointers to and variables of one; 0:
                    * no array */
  const gchar **name;
};

static gboolean
is_resource (const struct spirv_iter *iter)
{
  return iter->words[3] == SpvStorageClassUniformConstant
         || iter->words[3] == SpvStorageClassUniform
         || iter->words[3] == SpvStorageClassStorageBuffer;
}

static void
note (struct bounds *bounds, const struct spirv_iter *iter)
{
  const guint32 *w = iter->words;

  if (iter->n_words < 4)
    return;
  if (iter->op == SpvOpConstant && w[2] < bounds->bound)
    bounds->value[w[2]] = w[3];
  else if (iter->op == SpvOpTypeArray && w[1] < bounds->bound
           && w[3] < bounds->bound && bounds->value[w[3]] != NO_VALUE)
    bounds->length[w[1]] = bounds->value[w[3]];
  else if (iter->op == SpvOpTypePointer && w[1] < bounds->bound
           && w[3] < bounds->bound)
    bounds->length[w[1]] = bounds->length[w[3]];
  else if (iter->op == SpvOpVariable && w[1] < bounds->bound
           && w[2] < bounds->bound && is_resource (iter))
    bounds->length[w[2]] = bounds->length[w[1]];
}

static void
note_name (struct bounds *bounds, const struct spirv_iter *iter)
{
  const gchar *name = (const gchar *)(iter->words + 2);
  const gsize room = (iter->n_words - 2) * sizeof (guint32);

  if (iter->words[1] < bounds->bound && memchr (name, '\0', room) != NULL)
    bounds->name[iter->words[1]] = name;
}

/* OpAccessChain: type, result, base, indices... */
static gboolean
check_chain (const struct bounds *bounds, const gchar *module,
             const struct spirv_iter *iter, GError **error)
{
  const guint32 base = iter->n_words > 4 ? iter->words[3] : G_MAXUINT32;
  const guint32 index = iter->n_words > 4 ? iter->words[4] : G_MAXUINT32;
  const gchar *name;

  if (base >= bounds->bound || index >= bounds->bound
      || bounds->length[base] == 0 || bounds->value[index] == NO_VALUE
      || bounds->value[index] < bounds->length[base])
    return TRUE;
  name = bounds->name[base] != NULL ? bounds->name[base] : "";
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
               "%s: it uses element %u of `%s`, an array of %u", module,
               (guint)bounds->value[index], name, bounds->length[base]);
  return FALSE;
}

gboolean
spirv_check_indices (const gchar *module, const guint32 *words, gsize n_words,
                     GError **error)
{
  const guint32 bound = n_words > 3 ? words[3] : 0;
  g_autofree guint64 *value = g_new (guint64, bound);
  g_autofree guint32 *length = g_new0 (guint32, bound);
  g_autofree const gchar **name = g_new0 (const gchar *, bound);
  struct bounds bounds
      = { .bound = bound, .value = value, .length = length, .name = name };
  struct spirv_iter iter;

  memset (value, 0xff, bound * sizeof *value);
  spirv_iter_init (&iter, words, n_words);
  while (spirv_iter_next (&iter))
    if (iter.op == SpvOpName && iter.n_words >= 3)
      note_name (&bounds, &iter);
    else if (iter.op != SpvOpAccessChain && iter.op != SpvOpInBoundsAccessChain)
      note (&bounds, &iter);
    else if (!check_chain (&bounds, module, &iter, error))
      return FALSE;
  return TRUE;
}
