/* Frames whose texels are codes for the stream and floats for a shader, as
 * numbers between 0 and 1. */
#pragma once

#include "gst/base/gstvkcframe.h"
#include "scratch.h"

struct recode;

/* For frames of @info. Errors as of vkc_pipeline_get(), and
 * GST_RESOURCE_ERROR_SETTINGS where the device has no such images. */
struct recode *recode_new (struct vkc_device *device, const GstVideoInfo *info,
                           GError **error);

/* Accepts NULL. */
void recode_free (struct recode *recode);

/* Whether some of the planes are floats: then it is the shader's side. */
gboolean recode_is_floats (const struct vkc_image_params *params);

/* Codes as texels: such a frame, new, in *@frame. */
struct scratch *recode_new_codes (const struct recode *recode,
                                  GstVkcFrame *frame, GError **error);

/* Whether a frame in images that are not from there will do, too. */
gboolean recode_takes_any (const struct recode *recode);

/* Makes @job what brings @from to @to. One of them has codes, the other one
 * floats. */
gboolean recode_fill (const struct recode *recode, struct vkc_job *job,
                      const GstVkcFrame *from, const GstVkcFrame *to,
                      GError **error);
