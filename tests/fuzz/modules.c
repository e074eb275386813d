/* Mutated SPIR-V: refused or accepted, never a crash. 10 000 modules. */
#include <gst/check/gstcheck.h>

#include "ext/vkcompute/framebindings.h"
#include "ext/vkcompute/kernelsource.h"
#include "ext/vkcompute/reflection.h"

#define N_ROUNDS 1000 /* a shader */

/* Shaders of all kinds of resources, and of control flow. */
static const gchar *const files[] = {
  "docs/examples/shaders/chromakey.comp", "docs/examples/shaders/flip.comp",
  "docs/examples/shaders/gain.comp",      "docs/examples/shaders/gaussian.comp",
  "docs/examples/shaders/histogram.comp", "docs/examples/shaders/lut.comp",
  "docs/examples/shaders/planes.comp",    "docs/examples/shaders/unsharp.comp",
  "tests/data/shaders/formatless.comp",   "tests/data/shaders/texture.comp",
};

/* One random change: a bit, a word, a word from elsewhere (which keeps more
 * modules valid), words gone or twice, or the end cut off. */
static gsize
mutate (guint32 *words, gsize n, GRand *dice)
{
  const gsize at = g_rand_int_range (dice, 0, n);
  const gsize from = g_rand_int_range (dice, 0, n);
  const gsize wanted = g_rand_int_range (dice, 1, 6);
  const gsize some = MIN (wanted, MIN (n - at, n - from));

  switch (g_rand_int_range (dice, 0, 7)) {
  case 0:
    words[at] ^= 1u << g_rand_int_range (dice, 0, 32);
    return n;
  case 1:
    words[at] = g_rand_int (dice);
    return n;
  case 2:
    memmove (words + at, words + from, some * sizeof *words);
    return n;
  case 3:
    memmove (words + at, words + at + some, (n - at - some) * sizeof *words);
    return n - some;
  case 4:
    return at + 1;
  default:
    words[at] = words[from];
    return n;
  }
}

/* All that is done with a module before a device sees it. */
static gboolean
try_module (const guint32 *words, gsize n)
{
  g_autoptr (GError) error = NULL;
  struct reflection *reflection = reflection_new ("it", words, n, NULL, &error);
  struct frame_bindings bindings;
  struct vkc_kernel kernel;
  gboolean ok;

  fail_unless ((reflection == NULL) == (error != NULL));
  if (reflection == NULL)
    return FALSE;
  ok = reflection_fill_kernel (reflection, &kernel, &error)
       && frame_bindings_choose (&bindings, reflection, NULL, NULL, &error);
  fail_unless (ok == (error == NULL));
  reflection_unref (reflection);
  return TRUE;
}

/* Mutation seen to fail this: reflecting without spirv_validate(). */
GST_START_TEST (mutated_modules_never_crash)
{
  g_autofree gchar *path
      = g_build_filename (g_getenv ("VKC_SOURCE_ROOT"), files[__i__], NULL);
  GRand *dice = g_rand_new_with_seed (__i__);
  guint accepted = 0, rejected = 0;
  struct kernel_source source;

  /* What the validator does not know is another process' business. */
  g_setenv ("VKC_PROBE", "0", TRUE);
  fail_unless (kernel_source_load (
      &source, &(struct kernel_source_params){ .location = path }, NULL));
  for (guint round = 0; round < N_ROUNDS; round++) {
    g_autofree guint32 *words
        = g_memdup2 (source.words, source.n_words * sizeof *words);
    gsize n = source.n_words;

    for (gint i = g_rand_int_range (dice, 1, 4); i > 0 && n > 0; i--)
      n = mutate (words, n, dice);
    *(try_module (words, n) ? &accepted : &rejected) += 1;
  }
  fail_unless (accepted > 0 && rejected > 0);
  kernel_source_clear (&source);
  g_rand_free (dice);
}
GST_END_TEST;

static Suite *
modules_suite (void)
{
  Suite *suite = suite_create ("modules");
  TCase *cases = tcase_create ("all");

  suite_add_tcase (suite, cases);
  tcase_add_loop_test (cases, mutated_modules_never_crash, 0,
                       G_N_ELEMENTS (files));
  return suite;
}

GST_CHECK_MAIN (modules);
