/* Dynamic HDR metadata that this GStreamer hands on and that are not used, and
 * warnings in general. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* A sentence for the user, or NULL: nothing of the kind is there. */
const gchar *hdr_warning_of_caps (GstCaps *caps);
const gchar *hdr_warning_of_buffer (GstBuffer *buffer);

/* Whether it concerns elements as well that map no light. */
gboolean hdr_warning_is_about_colours (const gchar *text);

/* Posts @text, which is constant or NULL, unless it is what *@last is. */
void hdr_warning_post (GstElement *element, const gchar *text,
                       const gchar **last);

G_END_DECLS
