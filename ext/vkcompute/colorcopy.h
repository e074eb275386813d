/* Planes that a conversion leaves as they are: where copies are cheaper than
 * what a kernel does, they are copied beside it. */
#pragma once

#include "colorside.h"
#include "gst/base/gstvkcframe.h"

G_BEGIN_DECLS

/* Planes of @out, 1 << the plane's number, that are some plane of @in byte by
 * byte. Of codes to codes that mean the same colours. */
guint color_copy_find (const struct colorside *in, const struct colorside *out);

/* Adds copies of @planes to @job, to which both frames are bound. */
void color_copy_add (struct vkc_job *job, guint planes,
                     const struct color_format *from, const GstVkcFrame *in,
                     const struct color_format *to, const GstVkcFrame *out);

G_END_DECLS
