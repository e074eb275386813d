/* Whether the passes of a program go together. */
#pragma once

#include "computeprogram.h"

gboolean program_check (const struct compute_program *program, GError **error);
