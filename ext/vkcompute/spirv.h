/* SPIR-V modules, word by word, and what SPIRV-Tools' validator says. */
#pragma once

#include <gst/gst.h>
#include <spirv/unified1/spirv.h>

/* A walk over the instructions of a module whose lengths were checked. */
struct spirv_iter
{
  const guint32 *words; /* of the instruction */
  guint n_words;
  guint op; /* SpvOp */
  const guint32 *end;
};

void spirv_iter_init (struct spirv_iter *iter, const guint32 *words,
                      gsize n_words);

/* FALSE at the end, or where an instruction's length makes no sense. */
gboolean spirv_iter_next (struct spirv_iter *iter);

/* The validator's opinion; where that is bad *@why are its words, to be freed.
 */
gboolean spirv_validate (const guint32 *words, gsize n_words, gchar **why);

/* Whether @why only says that the validator does not know something, of a
 * module whose instructions are whole: it may be of a later compiler. */
gboolean spirv_is_newer (const guint32 *words, gsize n_words, const gchar *why);

/* A validated module must have a compute entry point @entry_point. Errors say
 * which ones there are. */
gboolean spirv_check_entry_point (const gchar *name, const guint32 *words,
                                  gsize n_words, const gchar *entry_point,
                                  GError **error);

/* Elements of arrays of bindings whose number is constant must be there. Errors
 * say which one is not. */
gboolean spirv_check_indices (const gchar *module, const guint32 *words,
                              gsize n_words, GError **error);

/* What a module does with each of its variables, over all entry points. */
enum spirv_use
{
  SPIRV_READS = 1 << 0,  /* loads, image reads, sampling, atomics */
  SPIRV_WRITES = 1 << 1, /* stores, image writes, atomics */
};

/* One byte of spirv_use flags an id of a validated module; free with
 * g_free(). */
guint8 *spirv_find_uses (const guint32 *words, gsize n_words);

/* Bytes of all shared variables, with the constants' defaults. */
guint64 spirv_shared_memory (const guint32 *words, gsize n_words);
