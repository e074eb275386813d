/* GST_TRACERS=vkc: logs every submission of every recorder once it is over. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_VKC_TRACER (gst_vkc_tracer_get_type ())
GType gst_vkc_tracer_get_type (void);

G_END_DECLS
