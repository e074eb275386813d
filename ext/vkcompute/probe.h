/* A module that could not be validated is first looked at by a process that may
 * crash: $VKC_PROBE, or the helper that was installed. */
#pragma once

#include <gst/gst.h>

/* @why: what the validator said. The helper reflects the module and compiles it
 * for the device that $VKC_DEVICE or the default says. FALSE, and @error
 * (GST_RESOURCE_ERROR_SETTINGS) names what refused it or crashed, where that
 * fails, takes longer than $VKC_TIMEOUT_MS (10 s if unset), or is turned off
 * with VKC_PROBE=0. */
gboolean probe_module (const gchar *name, const guint32 *words, gsize n_words,
                       const gchar *entry_point, const gchar *why,
                       GError **error);
