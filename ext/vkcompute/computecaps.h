/* vkcompute's caps: what a shader takes as it is, what goes through a
 * conversion, and how large a frame comes out. Pure. */
#pragma once

#include "computeprogram.h"
#include "computesettings.h"

/* What both pads can have with any shader. Transfer full. */
GstCaps *compute_caps_template (void);

/* The formats that the pad of @direction has without a conversion; NULL: any.
 * g_strfreev(). */
gchar **compute_caps_natives (const struct compute_program *program,
                              GstPadDirection direction);

/* Whether what is set can be, whatever the shader. Errors are
 * GST_RESOURCE_ERROR_SETTINGS; @error may be NULL. */
gboolean compute_caps_check_settings (const struct compute_settings *settings,
                                      GError **error);

/* For transform_caps() and fixate_caps(). @program may be NULL: no shader is
 * loaded yet. */
GstCaps *compute_caps_transform (const struct compute_program *program,
                                 const struct compute_settings *settings,
                                 GstPadDirection direction, GstCaps *caps,
                                 GstCaps *filter);
GstCaps *compute_caps_fixate (const struct compute_program *program,
                              const struct compute_settings *settings,
                              GstPadDirection direction, GstCaps *caps,
                              GstCaps *othercaps);

/* In which formats the shader sees the frames of streams of @in and @out:
 * their own where it takes them. */
void compute_caps_work_formats (const struct compute_program *program,
                                const struct compute_settings *settings,
                                GstVideoFormat in, GstVideoFormat out,
                                GstVideoFormat *work_in,
                                GstVideoFormat *work_out);
