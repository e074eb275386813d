/* What cannot be bound, alone or together. Errors are
 * GST_RESOURCE_ERROR_SETTINGS and name the binding. */
#pragma once

#include "framebindings.h"

/* FALSE, and @error: @binding and @reason. */
gboolean binding_refuse (GError **error,
                         const struct reflected_binding *binding,
                         const gchar *reason);

/* What of it can be a frame, a buffer or a block. */
gboolean binding_check_shape (const struct reflected_binding *binding,
                              GError **error);

/* Gives planes to those that have none by the user's word, and refuses what no
 * frame can be for all of them. @shader: its name. */
gboolean binding_check_all (struct frame_bindings *bindings,
                            const gchar *shader, GError **error);
