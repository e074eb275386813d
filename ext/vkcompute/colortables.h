/* What the colour kernel reads beside frames: a table of the tone curve's gain,
 * the user's cube, the dither's noise. One streaming thread. */
#pragma once

#include "gst/color/plan.h"
#include "gst/vk/image.h"
#include "gst/vk/job.h"

G_BEGIN_DECLS

/* References; NULL where a plan has no need of them. */
struct colortables
{
  struct vkc_image *seen; /* the gain as it was measured */
  struct vkc_image *gain; /* the plan's, where fits of it are off */
  struct vkc_image *lut;
  guint lut_serial;
  struct vkc_image *dither;
  struct vkc_image *blank; /* stands in for what is not read */
};

/* From the next color_tables_make() on, the gain is read from @seen, which is
 * as peakdetector.h leaves it; NULL: it is the plan's. Takes its own
 * reference. */
void color_tables_set_seen (struct colortables *self, struct vkc_image *seen);

/* Whether kernels of @plan read the gain from a table. */
gboolean color_tables_have_gain (const struct colortables *self,
                                 const struct color_plan *plan);

/* Those that @plan needs. What is there already is not made again. */
gboolean color_tables_make (struct colortables *self, struct vkc_device *device,
                            const struct color_plan *plan, GError **error);

/* The table of the gain, or NULL; borrowed. */
struct vkc_image *color_tables_gain (const struct colortables *self);

/* For a kernel of that plan. */
gboolean color_tables_bind_dither (const struct colortables *self,
                                   struct vkc_job *job, GError **error);

/* The same for one that has tables (colorcode_has_tables()). */
gboolean color_tables_bind (const struct colortables *self, struct vkc_job *job,
                            GError **error);

/* Drops what was made. */
void color_tables_reset (struct colortables *self);

G_END_DECLS
