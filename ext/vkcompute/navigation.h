/* Events about places in frames. */
#pragma once

#include <gst/gst.h>

#include "gst/color/shape.h"

/* Takes @event. What points at a pixel of the target of @shape points at the
 * one of its source that is shown there; any other event is as it was. */
GstEvent *navigation_to_source (GstEvent *event,
                                const struct color_shape *shape);
