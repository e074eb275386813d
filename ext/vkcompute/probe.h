/* A module of a file is first tried by a process that may crash: $VKC_PROBE, or
 * the helper that was installed. It reflects the module and compiles it for the
 * device that $VKC_DEVICE or the default says. VKC_PROBE=0: nothing is tried.
 * Errors are GST_RESOURCE_ERROR_SETTINGS. */
#pragma once

#include <gst/gst.h>

/* For a module that the validator does not know; @why: what it said. FALSE, and
 * @error names what refused it or crashed, where that fails, takes longer than
 * $VKC_TIMEOUT_MS (10 s if unset), or may not be tried. */
gboolean probe_unknown (const gchar *name, const guint32 *words, gsize n_words,
                        const gchar *entry_point, const gchar *why,
                        GError **error);

/* For a valid module. FALSE only where the helper crashes or comes to no end:
 * what else there is against it, others will say. */
gboolean probe_valid (const gchar *name, const guint32 *words, gsize n_words,
                      const gchar *entry_point, GError **error);
