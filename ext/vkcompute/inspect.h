/* Looking into a module: the checks and the tools that read SPIR-V. */
#pragma once

#include "reflection.h"

/* Fills @reflection from its code and entry point. Without SPIRV-Cross and
 * SPIRV-Tools at build time every call is an error that says so. On failure
 * what was filled so far is still @reflection's. */
gboolean inspect_module (struct reflection *reflection, GError **error);

/* The same without validation: may crash on a module that was not validated. */
gboolean inspect_unchecked (struct reflection *reflection, GError **error);

/* For a module of a file: whether a helper process survives compiling it. */
gboolean inspect_compiles (const struct reflection *reflection, GError **error);
