/* Frames into other shapes, as jobs: the colour kernel makes a work frame, one
 * or two kernels give it its new shape, the colour kernel makes the target. All
 * of it is one submission. One thread at a time. */
#pragma once

#include "gst/color/shape.h"
#include "colorkernel.h"

G_BEGIN_DECLS

struct shape_settings
{
  enum color_filter_method method;
  gboolean linear_light;
  enum color_dither dither;
  gdouble reference_white;
  guint32 border; /* 0xAARRGGBB, R'G'B' of the target */
};

struct shapekernel;

struct shapekernel *shapekernel_new (void);

/* Accepts NULL. */
void shapekernel_free (struct shapekernel *self);

/* Plans frames of @in, whole, into frames of @out, as @shape says. All of them
 * are those of fields where @rows are; the job of a bottom field must come
 * after that of the top field. */
gboolean shapekernel_set_info (
    struct shapekernel *self, struct vkc_device *device, GstCaps *in_caps,
    const GstVideoInfo *in, GstCaps *out_caps, const GstVideoInfo *out,
    const struct color_shape *shape, const struct shape_settings *settings,
    const struct color_settings *colour, enum color_rows rows, GError **error);

/* Fills @job for one frame, and appends the steps before it. */
gboolean shapekernel_plan (struct shapekernel *self, const GstVkcFrame *in,
                           const GstVkcFrame *out, struct vkc_job *job,
                           GError **error);

/* Drops what belongs to the device. */
void shapekernel_reset (struct shapekernel *self);

G_END_DECLS
