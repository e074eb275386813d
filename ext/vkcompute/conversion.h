/* Frames in another pixel format, by the colour kernel: what lies between a
 * stream and a shader that declares other texels. One streaming thread. */
#pragma once

#include <gst/video/video.h>

#include "gst/base/gstvkcframe.h"

#include "scratch.h"

struct conversion;

/* @caps with @format in place of their own (video/x-raw, fixed), and with the
 * colorimetry that changes the least. Transfer full. */
GstCaps *conversion_caps (GstCaps *caps, GstVideoFormat format);

/* From frames of @from to frames of @to, both fixed caps of one size. Errors:
 * as vkc_pipeline_get(). */
struct conversion *conversion_new (struct vkc_device *device, GstCaps *from,
                                   GstCaps *to, GError **error);

/* Accepts NULL. Scratch frames that jobs still need stay. */
void conversion_free (struct conversion *conversion);

/* A frame of the form that goes in (of @from), or comes out (of @to). */
struct scratch *conversion_new_source (struct conversion *conversion,
                                       GstVkcFrame *frame, GError **error);
struct scratch *conversion_new_target (struct conversion *conversion,
                                       GstVkcFrame *frame, GError **error);

/* Fills @job. */
gboolean conversion_plan (struct conversion *conversion,
                          const GstVkcFrame *from, const GstVkcFrame *to,
                          struct vkc_job *job, GError **error);
