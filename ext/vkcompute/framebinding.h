/* Which of a shader's bindings is the frame that comes in, which the one that
 * goes out, and what frames each can take. Pure: no device is asked. */
#pragma once

#include <gst/video/video.h>

#include "reflection.h"

struct frame_bindings
{
  /* NULL: the shader makes its pixels itself. */
  const struct reflected_binding *source;
  /* Equal to @source: the shader changes one frame in place. */
  const struct reflected_binding *target;
};

/* By what is done with each: the one that is only read is the source, the one
 * that is written the target. Both borrow from @reflection. Errors are
 * GST_RESOURCE_ERROR_SETTINGS and name the binding. */
gboolean frame_bindings_choose (struct frame_bindings *bindings,
                                const struct reflection *reflection,
                                GError **error);

/* A storage buffer takes the bytes of any frame. A storage image takes frames
 * of one plane, an array of n images those of n planes, if every plane has the
 * texels that the shader declares. */
gboolean frame_binding_accepts (const struct reflected_binding *binding,
                                const GstVideoFormatInfo *info);

/* Those of @offered (ends with NULL) that @binding accepts; g_strfreev(). */
gchar **frame_binding_formats (const struct reflected_binding *binding,
                               const gchar *const *offered);

/* The format through which the shader sees plane @plane of a frame that was
 * accepted. */
VkFormat frame_binding_view_format (const struct reflected_binding *binding,
                                    const GstVideoFormatInfo *info,
                                    guint plane);

/* "binding `source` (an array of 3 r8 storage images)", for messages. */
gchar *frame_binding_describe (const struct reflected_binding *binding);
