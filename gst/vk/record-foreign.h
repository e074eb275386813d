/* Dmabufs go back to whoever else uses them. Under the recorder's lock. */
#pragma once

#include "gst/vk/recorder-private.h"

/* Releases every dmabuf that the batch has acquired; with @alias_of only the
 * other views of the same dmabuf, so that this one can be acquired. */
void vkc_record_release (struct vkc_recorder *recorder,
                         const struct vkc_image *alias_of);
