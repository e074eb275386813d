/* A list of passes as a key file (*.vkc). Its form is in docs/shaders.md. */
#pragma once

#include "computeprogram.h"

/* Fills @program from @text. Files that it names are relative to @folder and
 * stay in the tree below it, or the one below settings->include_path; NULL:
 * the text is no file, and they may be anywhere. Errors are GST_RESOURCE_ERROR
 * and name the group. */
gboolean program_file_parse (struct compute_program *program, const gchar *text,
                             gsize length, const gchar *folder,
                             const struct compute_settings *settings,
                             GPtrArray *files, GError **error);
