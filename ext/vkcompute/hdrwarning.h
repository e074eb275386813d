/* Dynamic HDR metadata that this GStreamer hands on and that are not used. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* A sentence for the user, or NULL: nothing of the kind is there. */
const gchar *hdr_warning_of_caps (GstCaps *caps);
const gchar *hdr_warning_of_buffer (GstBuffer *buffer);

G_END_DECLS
