/* What HDR that was mapped says about itself. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* mastering-display-info and content-light-level of @out, whose light was
 * mapped to end at @peak cd/m2: @in's, where it has them, no longer brighter
 * than that. What @in does not have is not invented, but for the mastering
 * display's peak, which is why the field is there. */
void hdr_metadata_rewrite (GstStructure *out, const GstStructure *in,
                           gdouble peak);

G_END_DECLS
