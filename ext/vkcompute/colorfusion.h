/* Colour kernels that follow each other on a frame, as one: what a job of one
 * computes, and the dispatches that do it together with those before it. One
 * streaming thread. */
#pragma once

#include "colorside.h"
#include "gst/base/gstvkcframe.h"
#include "gst/color/compose.h"
#include "gst/vk/fusion.h"

G_BEGIN_DECLS

/* The data of a struct vkc_formula: one dispatch of the colour kernel. */
struct colorformula
{
  struct color_conversion conversion;
  struct color_cube cube; /* without values; what @conversion names */
  struct colorside in, out;
  struct vkc_image *table; /* a reference; NULL: the gain is the plan's */
  guint alignment;         /* of both frames: kernel_frame_alignment() */
};

/* Copies all of it but for the cube's values. */
struct vkc_formula *colorformula_new (const struct colorformula *values);

const struct colorformula *colorformula_get (const struct vkc_formula *formula);

/* The fusions of a kernel with those that came before it lately. */
struct colorfusion;

struct colorfusion *colorfusion_new (void);

/* Accepts NULL. */
void colorfusion_free (struct colorfusion *self);

/* Drops what belongs to the device. */
void colorfusion_reset (struct colorfusion *self);

/* Says what @job computes, and what it can be done together with. May
 * compile. */
void colorfusion_plan (struct colorfusion *self, struct vkc_device *device,
                       struct vkc_formula *own, const GstVkcFrame *in,
                       const GstVkcFrame *out, struct vkc_job *job);

G_END_DECLS
