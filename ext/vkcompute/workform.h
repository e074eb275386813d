/* Work frames: what the colour kernel makes of a frame for the kernels that
 * change its shape, and back. Planes of 16-bit samples, one a component. */
#pragma once

#include "colorside.h"

G_BEGIN_DECLS

/* Samples of @description, with or without alpha, chroma subsampled as @hsub
 * and @vsub say. Subsampling that no work frame has becomes none. */
void workform_init (struct colorside *form,
                    const struct color_description *description, gboolean alpha,
                    gint hsub, gint vsub, gint width, gint height);

/* The same with alpha and all in one plane: what is scaled by the resampler,
 * which weighs colours with the alpha beside them. */
void workform_init_packed (struct colorside *form,
                           const struct color_description *description,
                           gint width, gint height);

/* Whether chroma can be subsampled like that. */
gboolean workform_can_subsample (gint hsub, gint vsub);

/* The subsampling of plane @plane. */
gint workform_hsub (const struct colorside *form, guint plane);
gint workform_vsub (const struct colorside *form, guint plane);

/* The code of component @plane that 0xAARRGGBB has, R'G'B' being that of
 * @like's description. */
guint workform_code (const struct colorside *form, const struct colorside *like,
                     const struct color_settings *settings, guint32 argb,
                     guint plane);

G_END_DECLS
