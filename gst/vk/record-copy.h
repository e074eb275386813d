/* Copy commands between the kinds of storage. Barriers are the caller's. */
#pragma once

#include "gst/vk/recorder-private.h"

/* The whole frame, between @image's storage and its mirror. */
void vkc_record_copy_frame (struct vkc_recorder *recorder,
                            struct vkc_image *image, bool to_device);

/* @copies: struct vkc_copy, as for vkc_job_set_copy(). */
void vkc_record_copy_rectangles (struct vkc_recorder *recorder,
                                 struct vkc_image *source,
                                 struct vkc_image *target,
                                 const GArray *copies);
