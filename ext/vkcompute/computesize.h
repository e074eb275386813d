/* vkcompute's caps: how large a frame comes out. Pure. */
#pragma once

#include "computeprogram.h"
#include "computesettings.h"

/* Whether the shader makes frames of any size: it reads by coordinates from 0
 * to 1, or nothing. */
gboolean compute_size_is_free (const struct compute_program *program);

/* Takes @caps, which have the sizes of the pad of @direction, and returns those
 * of the other one: what the settings say, else the same size and then, with
 * @is_free, any. */
GstCaps *compute_size_transform (GstCaps *caps,
                                 const struct compute_settings *settings,
                                 gboolean is_free, GstPadDirection direction);

/* Fixes size and pixel aspect ratio of @other: as little of a change as
 * possible, and the picture keeps its shape. */
void compute_size_fixate (GstStructure *other, const GstStructure *from);
