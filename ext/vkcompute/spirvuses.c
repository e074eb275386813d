/* Which variables a module reads and writes. Decorations alone do not tell:
 * HLSL compilers leave them out, and GLSL's are optional. */
#include "spirv.h"

/* What is known of the ids: where each one comes from, as far as that leads
 * back to a variable. */
struct uses
{
  guint32 bound;
  guint32 *origin;   /* the pointer or object that an id was made of; 0: none */
  guint8 *flags;     /* spirv_use, per id */
  GArray *arguments; /* pairs: parameter, argument */
  GArray *marks;     /* ids in work */
};

static void
mark (struct uses *uses, guint32 id, guint flags)
{
  g_array_set_size (uses->marks, 0);
  g_array_append_val (uses->marks, id);
  while (uses->marks->len > 0) {
    id = g_array_index (uses->marks, guint32, uses->marks->len - 1);
    g_array_set_size (uses->marks, uses->marks->len - 1);
    if (id >= uses->bound || (uses->flags[id] & flags) == flags)
      continue;
    uses->flags[id] |= flags;
    if (uses->origin[id] != 0) {
      g_array_append_val (uses->marks, uses->origin[id]);
      continue;
    }
    for (guint i = 0; i + 1 < uses->arguments->len; i += 2)
      if (g_array_index (uses->arguments, guint32, i) == id)
        g_array_append_val (uses->marks,
                            g_array_index (uses->arguments, guint32, i + 1));
  }
}

static void
set_origin (struct uses *uses, const struct spirv_iter *iter)
{
  if (iter->n_words >= 4 && iter->words[2] < uses->bound)
    uses->origin[iter->words[2]] = iter->words[3];
}

/* First pass: how ids come from variables. */
static void
note_origin (struct uses *uses, const struct spirv_iter *iter)
{
  switch (iter->op) {
  case SpvOpLoad:
  case SpvOpAccessChain:
  case SpvOpInBoundsAccessChain:
  case SpvOpPtrAccessChain:
  case SpvOpInBoundsPtrAccessChain:
  case SpvOpCopyObject:
  case SpvOpSampledImage:
  case SpvOpImage:
  case SpvOpImageTexelPointer:
    set_origin (uses, iter);
    break;
  default:
    break;
  }
}

/* The parameters of each function, then what the calls give them. */
static void
note_calls (struct uses *uses, const guint32 *words, gsize n_words)
{
  g_autoptr (GHashTable) functions
      = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
  GArray *parameters = NULL;
  struct spirv_iter iter;

  spirv_iter_init (&iter, words, n_words);
  while (spirv_iter_next (&iter)) {
    if (iter.op == SpvOpFunction && iter.n_words >= 5) {
      parameters = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_hash_table_insert (functions, GUINT_TO_POINTER (iter.words[2]),
                           parameters);
    } else if (iter.op == SpvOpFunctionParameter && parameters != NULL
               && iter.n_words >= 3) {
      g_array_append_val (parameters, iter.words[2]);
    }
  }

  spirv_iter_init (&iter, words, n_words);
  while (spirv_iter_next (&iter)) {
    if (iter.op != SpvOpFunctionCall || iter.n_words < 4)
      continue;
    parameters
        = g_hash_table_lookup (functions, GUINT_TO_POINTER (iter.words[3]));
    for (guint i = 0;
         parameters != NULL && i < parameters->len && 4 + i < iter.n_words;
         i++) {
      g_array_append_val (uses->arguments,
                          g_array_index (parameters, guint32, i));
      g_array_append_val (uses->arguments, iter.words[4 + i]);
    }
  }
}

static gboolean
is_atomic_change (guint op)
{
  return (op >= SpvOpAtomicExchange && op <= SpvOpAtomicXor)
         || op == SpvOpAtomicFMinEXT || op == SpvOpAtomicFMaxEXT
         || op == SpvOpAtomicFAddEXT;
}

/* Second pass: what is done with them. Loading a handle (an image, a sampler)
 * is no read of what it stands for. */
static void
note_use (struct uses *uses, const struct spirv_iter *iter,
          const guint8 *is_opaque)
{
  const guint32 *w = iter->words;
  const guint n = iter->n_words;

  if (iter->op == SpvOpLoad && n >= 4) {
    if (w[1] < uses->bound && !is_opaque[w[1]])
      mark (uses, w[3], SPIRV_READS);
  } else if (iter->op == SpvOpStore && n >= 3) {
    mark (uses, w[1], SPIRV_WRITES);
  } else if (iter->op == SpvOpImageWrite && n >= 4) {
    mark (uses, w[1], SPIRV_WRITES);
  } else if (iter->op == SpvOpImageRead || iter->op == SpvOpImageSparseRead
             || iter->op == SpvOpImageFetch
             || (iter->op >= SpvOpImageSampleImplicitLod
                 && iter->op <= SpvOpImageDrefGather)) {
    if (n >= 4)
      mark (uses, w[3], SPIRV_READS);
  } else if (iter->op == SpvOpCopyMemory && n >= 3) {
    mark (uses, w[1], SPIRV_WRITES);
    mark (uses, w[2], SPIRV_READS);
  } else if (iter->op == SpvOpAtomicStore && n >= 2) {
    mark (uses, w[1], SPIRV_WRITES);
  } else if (iter->op == SpvOpAtomicLoad && n >= 4) {
    mark (uses, w[3], SPIRV_READS);
  } else if (n >= 4 && is_atomic_change (iter->op)) {
    mark (uses, w[3], SPIRV_READS | SPIRV_WRITES);
  }
}

/* Types whose objects are handles: loading one reads no memory of it. */
static guint8 *
find_opaque_types (const guint32 *words, gsize n_words, guint32 bound)
{
  guint8 *is_opaque = g_new0 (guint8, bound);
  struct spirv_iter iter;

  spirv_iter_init (&iter, words, n_words);
  while (spirv_iter_next (&iter)) {
    const gboolean opaque = iter.op == SpvOpTypeImage
                            || iter.op == SpvOpTypeSampledImage
                            || iter.op == SpvOpTypeSampler;

    if (opaque && iter.n_words >= 2 && iter.words[1] < bound)
      is_opaque[iter.words[1]] = TRUE;
  }
  return is_opaque;
}

guint8 *
spirv_find_uses (const guint32 *words, gsize n_words)
{
  const guint32 bound = n_words > 3 ? words[3] : 0;
  g_autofree guint32 *origin = g_new0 (guint32, bound);
  g_autofree guint8 *is_opaque = find_opaque_types (words, n_words, bound);
  g_autoptr (GArray) arguments = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (guint32));
  struct uses uses = {
    .bound = bound,
    .origin = origin,
    .flags = g_new0 (guint8, bound),
    .arguments = arguments,
    .marks = marks,
  };
  struct spirv_iter iter;

  spirv_iter_init (&iter, words, n_words);
  while (spirv_iter_next (&iter))
    note_origin (&uses, &iter);
  note_calls (&uses, words, n_words);
  spirv_iter_init (&iter, words, n_words);
  while (spirv_iter_next (&iter))
    note_use (&uses, &iter, is_opaque);
  return uses.flags;
}
