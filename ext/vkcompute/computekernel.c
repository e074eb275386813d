/* A user's shader, ready to be planned with. */
#include "computekernel.h"

#include "inspect.h"

struct compute_kernel *
compute_kernel_new (const struct kernel_source_params *params,
                    const GstStructure *bindings,
                    const struct frame_names *names, GError **error)
{
  struct compute_kernel *kernel = g_new0 (struct compute_kernel, 1);
  struct kernel_source source;
  gboolean is_module = FALSE;

  kernel->ref_count = 1;
  if (kernel_source_load (&source, params, error)) {
    kernel->reflection = reflection_new (
        source.name, source.words, source.n_words, params->entry_point, error);
    is_module = source.is_module;
    kernel_source_clear (&source);
  }
  if (kernel->reflection != NULL
      && reflection_fill_kernel (kernel->reflection, &kernel->kernel, error)
      && frame_bindings_choose (&kernel->bindings, kernel->reflection, bindings,
                                names, error)
      && (!is_module || inspect_compiles (kernel->reflection, error)))
    return kernel;
  compute_kernel_unref (kernel);
  return NULL;
}

struct compute_kernel *
compute_kernel_ref (struct compute_kernel *kernel)
{
  g_atomic_int_inc (&kernel->ref_count);
  return kernel;
}

void
compute_kernel_unref (struct compute_kernel *kernel)
{
  if (kernel == NULL || !g_atomic_int_dec_and_test (&kernel->ref_count))
    return;
  reflection_unref (kernel->reflection);
  g_free (kernel);
}
