/* Pictures that a user named, in any format that GStreamer reads. */
#pragma once

#include <gst/gst.h>

/* The first picture of the file, as rows of RGBA without padding. Waits for the
 * elements that read it. Errors are GST_RESOURCE_ERROR and name the file. */
GBytes *picture_file_read (const gchar *path, guint *width, guint *height,
                           GError **error);
