/* What SPIRV-Cross says about a module. */
#pragma once

#include <spirv_cross/spirv_cross_c.h>

#include "reflection.h"

/* Fills the declared things of @reflection, whose code was validated and whose
 * entry point is there. On failure what was filled so far is still
 * @reflection's. */
gboolean cross_reflect (struct reflection *reflection, GError **error);

/* Fills @block with what the structure @type holds, nested ones flattened.
 * Members whose names were stripped are "member-0"... behind @prefix. FALSE
 * where SPIRV-Cross has no answer. */
gboolean cross_reflect_block (spvc_compiler compiler, spvc_type_id type,
                              const gchar *prefix,
                              struct reflected_block *block);

enum reflected_type cross_reflect_type (spvc_type type);
