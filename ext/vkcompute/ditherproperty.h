/* The property `dither` of the elements that change colours. */
#pragma once

#include <glib-object.h>

#include "gst/color/dither.h"

G_BEGIN_DECLS

#define DEFAULT_DITHER COLOR_DITHER_ORDERED
#define DITHER_NICK    "Dither"
#define DITHER_BLURB                                                           \
  "How samples are rounded where the target has fewer bits than the source; "  \
  "alpha never gets noise"

/* Its values are enum color_dither's. */
GType gst_vkc_dither_get_type (void);

/* Installs it as number @id. */
void dither_property_install (GObjectClass *klass, guint id);

G_END_DECLS
