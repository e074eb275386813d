/* How much shared memory a workgroup needs. */
#include "spirv.h"

/* Sizes of types and values of constants, by id. Types come before their use,
 * so that one pass does. */
struct sizes
{
  guint32 bound;
  guint64 *type;  /* bytes; of a pointer: what it points to */
  guint32 *value; /* of integer constants */
};

/* Clamped, so that sums and products do not overflow. */
static guint64
size_of (const struct sizes *sizes, guint32 id)
{
  return id < sizes->bound ? MIN (sizes->type[id], G_MAXUINT32) : 0;
}

static guint64
type_size (const struct sizes *sizes, const struct spirv_iter *iter)
{
  const guint32 *w = iter->words;
  guint64 sum = 0;

  switch (iter->op) {
  case SpvOpTypeBool:
    return 4;
  case SpvOpTypeInt:
  case SpvOpTypeFloat:
    return iter->n_words >= 3 ? w[2] / 8 : 0;
  case SpvOpTypeVector:
  case SpvOpTypeMatrix:
    return iter->n_words >= 4 ? size_of (sizes, w[2]) * w[3] : 0;
  case SpvOpTypeArray:
    return iter->n_words >= 4 && w[3] < sizes->bound
               ? size_of (sizes, w[2]) * sizes->value[w[3]]
               : 0;
  case SpvOpTypePointer:
    return iter->n_words >= 4 ? size_of (sizes, w[3]) : 0;
  default:
    for (guint i = 2; i < iter->n_words; i++)
      sum += size_of (sizes, w[i]);
    return sum;
  }
}

static gboolean
is_sized_type (guint op)
{
  return op == SpvOpTypeBool || op == SpvOpTypeInt || op == SpvOpTypeFloat
         || op == SpvOpTypeVector || op == SpvOpTypeMatrix
         || op == SpvOpTypeArray || op == SpvOpTypeStruct
         || op == SpvOpTypePointer;
}

guint64
spirv_shared_memory (const guint32 *words, gsize n_words)
{
  const guint32 bound = n_words > 3 ? words[3] : 0;
  g_autofree guint64 *type = g_new0 (guint64, bound);
  g_autofree guint32 *value = g_new0 (guint32, bound);
  const struct sizes sizes = { .bound = bound, .type = type, .value = value };
  struct spirv_iter iter;
  guint64 sum = 0;

  spirv_iter_init (&iter, words, n_words);
  while (spirv_iter_next (&iter)) {
    const guint32 *w = iter.words;

    if (is_sized_type (iter.op) && iter.n_words >= 2 && w[1] < bound)
      type[w[1]] = type_size (&sizes, &iter);
    else if ((iter.op == SpvOpConstant || iter.op == SpvOpSpecConstant)
             && iter.n_words >= 4 && w[2] < bound)
      value[w[2]] = w[3];
    else if (iter.op == SpvOpVariable && iter.n_words >= 4
             && w[3] == SpvStorageClassWorkgroup)
      sum += size_of (&sizes, w[1]);
  }
  return sum;
}
